internal import Files
public import LibraryModel

/// A playlist of the unit. An entry identifies its song by the identity of the volume and the path below this volume.
/// So entries stay in the playlist while their stick is absent.
public struct OwnPlaylist: Equatable, Sendable {
  /// An entry of a playlist.
  public struct Entry: Equatable, Sendable {
    /// The song: its volume and its path.
    public var reference: SongReference
    /// The folder in which the volume is mounted. With this folder, other programs that read the playlist file find the
    /// song. Empty if the volume is absent.
    public var root: [UInt8]
    /// The title in the tags; empty if there is none.
    public var title: String
    /// The artist in the tags; empty if the file has none.
    public var artist: String
    /// The album in the tags; empty if the file has none.
    public var album: String
    /// The duration. ``SongTime/zero`` if it is not known.
    public var duration: SongTime
    /// The position of the bookmark in the song. Nil in all playlists except ``PlaylistName/bookmarks``.
    public var bookmark: SongTime?
    /// The rating and the dislike. Empty in all playlists except ``PlaylistName/opinions``.
    public var opinion = SongOpinion()

    /// Creates an entry without a bookmark and an opinion.
    public init(
      _ reference: SongReference, root: [UInt8] = [], title: String = "", artist: String = "",
      album: String = "", duration: SongTime = .zero
    ) {
      self.reference = reference
      self.root = root
      self.title = title
      self.artist = artist
      self.album = album
      self.duration = duration
    }

    /// Replaces values by the equal values of `other`, so that both entries share the memory of these values.
    mutating func share(_ other: Entry) {
      let volume = other.reference.volume
      if reference.volume == volume { reference.volume = volume }
      if root == other.root { root = other.root }
      if artist == other.artist { artist = other.artist }
      if album == other.album { album = other.album }
    }
  }

  /// Maximum number of entries of a playlist.
  public static let maximumEntries = 10_000
  /// Maximum size of the file of a playlist, in bytes.
  public static let maximumBytes = 8 << 20
  /// Maximum length in bytes of a title, an artist or an album. A longer text is cut.
  public static let maximumTextBytes = 256
  /// Maximum length of a path in bytes. Linux has the same limit.
  static let maximumPathBytes = 4096

  /// The entries, in order.
  public var entries: [Entry]
  /// False if the file contains parts that are not in ``entries``. Such a file is copied before it is replaced.
  public internal(set) var isWhole = true

  public init(_ entries: [Entry] = []) { self.entries = entries }

  /// A number for each entry, above 0. The number does not change when entries of other songs are added or removed. If
  /// a song has several entries, each of these entries has its own number.
  public var identities: [Int64] {
    var counts: [UInt64: UInt64] = [:]
    return entries.map { entry in
      let key = entry.reference.key
      let count = counts[key, default: 0]
      counts[key] = count &+ 1
      return Self.identity(key, count)
    }
  }

  /// The number in ``identities`` of the first entry of a song.
  public static func identity(of song: SongReference) -> Int64 { identity(song.key, 0) }

  private static func identity(_ key: UInt64, _ count: UInt64) -> Int64 {
    // The large odd factor gives very different numbers to the entries of one song.
    let mixed = key &+ count &* 0x9E37_79B9_7F4A_7C15
    return Int64(mixed & UInt64(Int64.max)) | 1
  }
}

extension SongReference {
  /// A hash of the song. It needs less memory than the song, is fast to compute, and is the same in each run.
  public var key: UInt64 {
    var hash = StableHash()
    hash.add(volume.utf8)
    hash.separate()
    hash.add(path)
    return hash.value
  }
}
