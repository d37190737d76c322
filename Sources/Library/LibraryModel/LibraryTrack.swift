/// A song with its file, for the queue.
public struct LibraryTrack: Equatable, Sendable {
  /// Which song it is.
  public var reference: SongReference
  /// The title in the tags, or the name of the file without its suffix.
  public var title: String
  /// The artists. Nil if they are not known.
  public var artist: String?
  /// The album in the tags. Nil if the file has none.
  public var album: String?
  /// Duration; 0 if it is not known.
  public var milliseconds: Int64
  /// Identifies the state of the file that the last scan saw; 0 if it is not known.
  public var stamp: UInt32

  public init(
    _ reference: SongReference, title: String, artist: String? = nil, album: String? = nil,
    milliseconds: Int64 = 0, stamp: UInt32 = 0
  ) {
    self.reference = reference
    self.title = title
    self.artist = artist
    self.album = album
    self.milliseconds = milliseconds
    self.stamp = stamp
  }
}

/// A list of songs that can be played: a list of the library, or what a search finds.
public enum TrackList: Hashable, Sendable {
  case node(LibraryNode)
  /// The songs that a search for words finds.
  case words(String)
  /// The songs that a search with nine keys finds.
  case keys(String)
  /// No list: the chosen row alone.
  case rowAlone
  /// The songs of all volumes that are present, folder by folder.
  case everything

  /// The name on the wire: the name of the node, `words:moon`, `keys:666`, `row`, `all`.
  public var text: String {
    switch self {
    case .node(let node): node.text
    case .words(let words): "words:\(words)"
    case .keys(let keys): "keys:\(keys)"
    case .rowAlone: "row"
    case .everything: "all"
    }
  }

  /// The list with this name; nil if there is no such list.
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

/// Which row of a list is meant: its kind and its id.
public struct RowReference: Hashable, Sendable {
  /// What the row is.
  public var kind: LibraryRow.Kind
  public var id: Int64

  public init(kind: LibraryRow.Kind, id: Int64) {
    self.kind = kind
    self.id = id
  }

  /// The row with this identifier (``LibraryRow/identifier``); nil if the text is not an identifier.
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

  /// The list of the row; nil for a song.
  public var node: LibraryNode? { LibraryRow(kind: kind, id: id, title: "").node }
}

/// The id of a song's row.
///
/// A playlist may have a song several times. The id of its first row is that of the song. The id of a further row also
/// has the number of its rows before, so that each row is another one.
public struct SongRowID: Equatable, Sendable {
  /// The lowest bits of the id are the id of the song. 14 bits are above them, and a playlist has at most 10 000
  /// entries.
  public static let songBits = 49

  /// The id of the song.
  public let song: Int64
  /// How many rows of the playlist before this one have the same song.
  public let earlier: Int

  /// Divides an id.
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
  /// Inserts the songs after the current one.
  case next
  /// Adds the songs at the end of the queue.
  case last
  /// Replaces the queue, and continues where the list was left.
  case resume
}

/// A request for a part of the songs of a list, in the order in which they play.
package struct TracksRequest: Equatable, Sendable {
  /// Maximum number of songs of a list. Of a longer list, the songs around the chosen one count.
  package static let maximumTracks = 10_000

  /// The list.
  package var list: TrackList
  /// The chosen row. A song is the one that plays first; any other row stands for its own list. Nil for the whole list.
  package var row: RowReference?
  /// If it is not 0, random songs of a list that is too long are taken.
  package var seed: UInt64
  /// Number of the first song of the answer.
  package var first: Int

  package init(_ list: TrackList, row: RowReference? = nil, seed: UInt64 = 0, first: Int = 0) {
    self.list = list
    self.row = row
    self.seed = seed
    self.first = first
  }
}

/// Songs of a list that are read together.
package struct TrackBatch: Equatable, Sendable {
  /// The list, without the row if the row has a list of its own.
  package var list: TrackList
  /// The title of the list, for people. Empty for a list of the library itself.
  package var title = ""
  /// The state of the library from which the songs are. The parts of a list belong together only if they have the same
  /// revision.
  package var revision: Int64 = 0
  /// Number of songs.
  package var count = 0
  /// The index of the chosen song.
  package var chosen = 0
  /// The position in the chosen song at which it begins, in milliseconds. Above 0 only for a bookmark, which the daemon
  /// knows.
  package var startMilliseconds: Int64 = 0
  /// The songs from ``TracksRequest/first`` on.
  package var tracks: [LibraryTrack] = []

  /// A list without songs.
  package init(_ list: TrackList) { self.list = list }
}
