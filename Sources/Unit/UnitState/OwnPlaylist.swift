internal import Files
public import LibraryModel

/// A playlist of the unit: songs by the identity of their volume, so that songs of an absent stick stay in it.
public struct OwnPlaylist: Equatable, Sendable {
  /// An entry of a playlist.
  public struct Entry: Equatable, Sendable {
    /// Which song it is.
    public var reference: SongReference
    /// The folder in which the volume is mounted, for other programs. Empty if it is not there.
    public var root: [UInt8]
    /// The title in the tags; empty if the file has none.
    public var title: String
    /// The artist in the tags; empty if the file has none.
    public var artist: String
    /// The album in the tags; empty if the file has none.
    public var album: String
    /// The duration. Zero if it is not known.
    public var duration: SongTime
    /// The time of a bookmark in the song. Nil in other lists.
    public var bookmark: SongTime?
    /// What a person thinks of the song. Empty in other lists than ``PlaylistName/opinions``.
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

    /// Uses the equal values of another entry, which saves the memory for copies.
    mutating func share(_ other: Entry) {
      let volume = other.reference.volume
      if reference.volume == volume { reference.volume = volume }
      if root == other.root { root = other.root }
      if artist == other.artist { artist = other.artist }
      if album == other.album { album = other.album }
    }
  }

  /// Maximum number of entries.
  public static let maximumEntries = 10_000
  /// Maximum size of a file in bytes.
  public static let maximumBytes = 8 << 20
  /// Maximum bytes of a title, an artist or an album. A longer text is cut.
  public static let maximumTextBytes = 256
  /// Maximum bytes of a path. Linux has the same limit.
  static let maximumPathBytes = 4096

  /// The entries, in order.
  public var entries: [Entry]
  /// False if the file has parts that are not in ``entries``. Such a file is copied before it is replaced.
  public internal(set) var isWhole = true

  public init(_ entries: [Entry] = []) { self.entries = entries }

  /// A number for each entry that does not change when other entries are added or removed. The second entry of a song
  /// has another number than the first one. Each number is above 0.
  public var identities: [Int64] {
    var counts: [UInt64: UInt64] = [:]
    return entries.map { entry in
      let key = entry.reference.key
      let count = counts[key, default: 0]
      counts[key] = count &+ 1
      return Self.identity(key, count)
    }
  }

  /// The number of the first entry of a song.
  public static func identity(of song: SongReference) -> Int64 { identity(song.key, 0) }

  private static func identity(_ key: UInt64, _ count: UInt64) -> Int64 {
    // An odd factor changes all bits of the number.
    let mixed = key &+ count &* 0x9E37_79B9_7F4A_7C15
    return Int64(mixed & UInt64(Int64.max)) | 1
  }
}

extension SongReference {
  /// Stands for the song where many songs must not need much memory. The hash is fast, and the same in each run.
  public var key: UInt64 {
    var hash = StableHash()
    hash.add(volume.utf8)
    hash.separate()
    hash.add(path)
    return hash.value
  }
}
