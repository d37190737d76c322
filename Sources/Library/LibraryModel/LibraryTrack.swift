/// A song with its file and its tags, for the queue.
public struct LibraryTrack: Equatable, Sendable {
  /// The song: its volume and its path.
  public var reference: SongReference
  /// The title in the tags, or the name of the file without its suffix.
  public var title: String
  /// The artists. Nil if they are not known.
  public var artist: String?
  /// The album in the tags. Nil if the file has none.
  public var album: String?
  /// The duration. 0 if it is not known.
  public var milliseconds: Int64
  /// A hash of the size and the time of change of the file at the last scan (`FileStamp`). 0 if they are not known.
  public var stamp: UInt32
  /// The songs of an album play in the order of these numbers: the number of the disc times 65 536, plus the number of
  /// the song on the disc. 0 if both are not known.
  public var numberInAlbum: UInt32

  public init(
    _ reference: SongReference, title: String, artist: String? = nil, album: String? = nil,
    milliseconds: Int64 = 0, stamp: UInt32 = 0, numberInAlbum: UInt32 = 0
  ) {
    self.reference = reference
    self.title = title
    self.artist = artist
    self.album = album
    self.milliseconds = milliseconds
    self.stamp = stamp
    self.numberInAlbum = numberInAlbum
  }
}

/// A list of songs that can be played: a list of the library, or the result of a search.
public enum TrackList: Hashable, Sendable {
  case node(LibraryNode)
  /// The songs that a search for words finds.
  case words(String)
  /// The songs that a search by the digits of pressed keys finds (`KeyPad`).
  case keys(String)
  /// Only the chosen row, without a list.
  case rowAlone
  /// The songs of all present volumes, folder by folder.
  case everything

  /// The name on the wire: the name of a node, or for example `words:moon`, `keys:666`, `row` or `all`.
  public var text: String {
    switch self {
    case .node(let node): node.text
    case .words(let words): "words:\(words)"
    case .keys(let keys): "keys:\(keys)"
    case .rowAlone: "row"
    case .everything: "all"
    }
  }

  /// Creates the list with this name. Nil if no list has this name.
  public init?(text: String) {
    if text.hasPrefix("words:") {
      self = .words(String(text.dropFirst(6)))
    } else if text.hasPrefix("keys:") {
      self = .keys(String(text.dropFirst(5)))
    } else if text == "row" {
      self = .rowAlone
    } else if text == "all" {
      self = .everything
    } else if let node = LibraryNode(text: text) {
      self = .node(node)
    } else {
      return nil
    }
  }
}

/// A reference to a row of a list: its kind and its id.
public struct RowReference: Hashable, Sendable {
  /// The kind of the row.
  public var kind: LibraryRow.Kind
  public var id: Int64

  public init(kind: LibraryRow.Kind, id: Int64) {
    self.kind = kind
    self.id = id
  }

  /// Creates the reference from an identifier (``LibraryRow/identifier``). Nil if the text is not an identifier.
  public init?(identifier: String) {
    let parts = identifier.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let id = Int64(parts[1], radix: 16), id >= 0 else { return nil }
    if parts[0] == "own" {
      self.init(kind: .playlist, id: -id)
      return
    }
    guard let kind = LibraryRow.Kind(rawValue: String(parts[0])) else { return nil }
    self.init(kind: kind, id: id)
  }

  /// The identifier on the wire.
  public var identifier: String {
    if case .own? = node, let node { return node.text }
    return "\(kind.rawValue):\(String(id, radix: 16))"
  }

  /// The list of the row. Nil for a song or a file that cannot be played.
  public var node: LibraryNode? { LibraryRow(kind: kind, id: id, title: "").node }
}

/// The id of a song's row.
///
/// A playlist can contain a song several times. The id of the first row of the song is the id of the song. The id of a
/// further row also contains the number of earlier rows with this song, so all rows have different ids.
public struct SongRowID: Equatable, Sendable {
  /// Number of the lowest bits of the row id, which contain the id of the song. The 14 bits above contain the number of
  /// earlier rows. They are enough, because a playlist has at most 10 000 entries.
  public static let songBits = 49

  /// The id of the song.
  public let song: Int64
  /// The number of earlier rows of the playlist with the same song.
  public let earlier: Int

  /// Splits the id of a row.
  public init(_ id: Int64) {
    song = id & (1 << Self.songBits - 1)
    earlier = Int(id >> Self.songBits)
  }
}

/// How a list is played.
public enum PlayMode: String, Sendable, CaseIterable {
  /// Replaces the queue.
  case now
  /// Replaces the queue, and switches shuffle on.
  case shuffled
  /// Inserts the songs after the current song.
  case next
  /// Adds the songs at the end of the queue.
  case last
  /// Replaces the queue, and continues at the position at which the list was last stopped.
  case resume
}

/// A request for a part of the songs of a list, in the order in which they play.
package struct TracksRequest: Equatable, Sendable {
  /// Maximum number of songs of a list in the queue. Of a longer list, the songs around the chosen song are used.
  package static let maximumTracks = 10_000

  /// The list.
  package var list: TrackList
  /// The chosen row. If the row is a song, this song plays first. If the row has its own list, this list is requested
  /// instead. Nil if no row was chosen.
  package var row: RowReference?
  /// If this is not 0 and the list has more than ``maximumTracks`` songs, random songs of the list are used. The seed
  /// determines which ones.
  package var seed: UInt64
  /// The index of the first song of the answer.
  package var first: Int

  package init(_ list: TrackList, row: RowReference? = nil, seed: UInt64 = 0, first: Int = 0) {
    self.list = list
    self.row = row
    self.seed = seed
    self.first = first
  }
}

extension TracksRequest {
  /// True if an answer to the request can contain the songs of `list`. If the row has its own list, it is this list.
  /// For a song of a search, it can be the album or the folder of the song.
  package func permits(_ list: TrackList) -> Bool {
    if let node = row?.node { return list == .node(node) }
    switch (self.list, row, list) {
    case (.words, _?, .node(.album)), (.words, _?, .node(.folder)): return true
    case (.keys, _?, .node(.album)), (.keys, _?, .node(.folder)): return true
    default: return list == self.list
    }
  }
}

/// Songs of a list that are read together.
package struct TrackBatch: Equatable, Sendable {
  /// The list from which the songs come. If the chosen row has its own list, this is the list of the row.
  package var list: TrackList
  /// The title of the list, as surfaces show it. Empty for a list that no row opens, such as all albums.
  package var title = ""
  /// The revision of the library from which the songs come. Batches fit together only if their revisions are equal.
  package var revision: Int64 = 0
  /// Number of songs of the whole list.
  package var count = 0
  /// The index of the chosen song.
  package var chosen = 0
  /// The position in the chosen song at which playback begins, in milliseconds. Above 0 only for a bookmark. The daemon
  /// sets it, because the library does not know bookmarks.
  package var startMilliseconds: Int64 = 0
  /// The songs, beginning at the index ``TracksRequest/first``.
  package var tracks: [LibraryTrack] = []

  /// Creates a batch without songs.
  package init(_ list: TrackList) { self.list = list }
}
