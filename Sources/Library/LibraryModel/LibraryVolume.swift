/// Where music is: a stick, or a music folder of the unit.
public struct LibraryVolume: Hashable, Sendable {
  /// Does not depend on the port and on the kernel's name of a stick.
  public var identity: String
  /// The name for people.
  public var label: String
  /// The folder in which it is mounted, as bytes, without a slash at the end.
  public var path: [UInt8]
  /// The number of the mount. A later mount of the same volume has another number.
  public var mount: String
  /// True if the file system stores times in the local time, as FAT does.
  public var storesLocalTime: Bool
  /// True if this is a medium, whose links may not lead outside it.
  public var isMedium: Bool

  public init(
    identity: String, label: String, path: [UInt8], mount: String = "",
    storesLocalTime: Bool = false, isMedium: Bool = false
  ) {
    self.identity = identity
    self.label = label
    self.path = path
    self.mount = mount
    self.storesLocalTime = storesLocalTime
    self.isMedium = isMedium
  }
}

/// What the library knows about a volume.
public struct VolumeReport: Equatable, Sendable {
  /// How current the rows of a volume are.
  public enum Condition: Equatable, Sendable {
    /// The rows are those of the files.
    case ready
    /// The volume waits for its scan.
    case waiting
    /// The names of the files are being read. The number is that of the files that were found so far.
    case listing(Int)
    /// The tags of files are being read.
    case reading(Int, of: Int)
    /// The volume is not present. Its rows stay.
    case absent
    /// The volume does not answer, or its files cannot be read.
    case unreadable
    /// The volume has no files.
    case empty
    /// The library has no room for a further volume.
    case refused
  }

  /// See ``LibraryVolume/identity``.
  public var identity: String
  /// The name for people.
  public var label: String
  /// How current the rows are.
  public var condition: Condition
  /// The id of its folder in the library; 0 if it has none yet.
  public var folder: Int64 = 0
  /// The number of songs.
  public var songs: Int
  /// The number of files that cannot be played.
  public var problems: Int
  /// The numbers of these files, by a word for the cause. Empty if it is not known.
  public var causes: [String: Int]
  /// True if the volume has more files or deeper folders than the library reads.
  public var wasCut: Bool

  public init(
    identity: String, label: String, condition: Condition, songs: Int = 0, problems: Int = 0,
    causes: [String: Int] = [:], wasCut: Bool = false
  ) {
    self.identity = identity
    self.label = label
    self.condition = condition
    self.songs = songs
    self.problems = problems
    self.causes = causes
    self.wasCut = wasCut
  }
}

/// A file that cannot be played.
public struct LibraryProblem: Equatable, Sendable {
  /// See ``LibraryVolume/identity``.
  public var volume: String
  /// The path below the volume, as bytes.
  public var path: [UInt8]
  /// Why the file cannot be played, for people.
  public var reason: String
  /// A word for the cause.
  public var cause: String

  public init(volume: String, path: [UInt8], reason: String, cause: String) {
    self.volume = volume
    self.path = path
    self.reason = reason
    self.cause = cause
  }
}

/// A file that was being read when the process of the library was stopped.
public struct HarmfulFileReport: Equatable, Sendable {
  /// See ``LibraryVolume/identity``.
  public var volume: String
  /// The path below the volume, with a slash at the beginning, for people.
  public var path: String
  /// True if the file is not read any more.
  public var isExcluded: Bool

  public init(volume: String, path: String, isExcluded: Bool) {
    self.volume = volume
    self.path = path
    self.isExcluded = isExcluded
  }
}

/// The state of the library.
public struct LibraryReport: Equatable, Sendable {
  /// Counts the changes of the library. A new database begins at 0.
  public var revision: Int64
  /// Counts the changes of the songs and lists. A new thumbnail changes only ``revision``.
  public var songsRevision: Int64
  /// All volumes that the library knows.
  public var volumes: [VolumeReport]
  /// Files that have stopped the process of the library. Older ones are left out.
  public var harmfulFiles: [HarmfulFileReport] = []
  /// Maximum number of ``harmfulFiles``.
  public static let maximumHarmfulFiles = 20

  public init(revision: Int64 = 0, songsRevision: Int64 = 0, volumes: [VolumeReport] = []) {
    self.revision = revision
    self.songsRevision = songsRevision
    self.volumes = volumes
  }

  /// True while a volume is being scanned, or waits for its scan.
  public var isScanning: Bool {
    volumes.contains { volume in
      switch volume.condition {
      case .waiting, .listing, .reading: true
      case .ready, .absent, .unreadable, .empty, .refused: false
      }
    }
  }
}
