/// Where music is: a stick, or a music folder of the unit.
public struct LibraryVolume: Hashable, Sendable {
  /// The identity. For a stick, it depends neither on the port nor on the device name of the kernel.
  public var identity: String
  /// The name that the user sees.
  public var label: String
  /// The folder in which the volume is mounted, as bytes, without a slash at the end.
  public var path: [UInt8]
  /// Identifies the mount. If the same volume is mounted again, this text is different.
  public var mount: String
  /// True if the file system stores times in the local time, as FAT does.
  public var storesLocalTime: Bool
  /// True if the volume is a medium, such as a stick. Links on a medium that lead out of the medium are not followed.
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
  /// The state of the scan of a volume.
  public enum Condition: Equatable, Sendable {
    /// The library contains the current files.
    case ready
    /// The volume waits for its scan.
    case waiting
    /// The names of the files are being read. The value is the number of files that were found so far.
    case listing(Int)
    /// The tags of files are being read. The values are the number of files that were read, and the number of all files
    /// to read.
    case reading(Int, of: Int)
    /// The volume is not present. Its songs stay in the library.
    case absent
    /// The volume does not answer, or its files cannot be read.
    case unreadable
    /// The volume has no files.
    case empty
    /// The library already has the maximum number of volumes.
    case refused
  }

  /// See ``LibraryVolume/identity``.
  public var identity: String
  /// The name that the user sees.
  public var label: String
  /// The state of the scan.
  public var condition: Condition
  /// The id of the folder of the volume in the library. 0 if this folder is not stored yet.
  public var folder: Int64 = 0
  /// The number of songs.
  public var songs: Int
  /// The number of files that cannot be played.
  public var problems: Int
  /// The numbers of files that cannot be played, keyed by the word for the cause. Empty if the causes are not known.
  public var causes: [String: Int]
  /// True if the volume contains more files or deeper folders than the library reads.
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
  /// The reason why the file cannot be played, as surfaces show it.
  public var reason: String
  /// A word for the kind of the reason.
  public var cause: String

  public init(volume: String, path: [UInt8], reason: String, cause: String) {
    self.volume = volume
    self.path = path
    self.reason = reason
    self.cause = cause
  }
}

/// A file that the process of the library was reading when it crashed or was killed.
public struct HarmfulFileReport: Equatable, Sendable {
  /// See ``LibraryVolume/identity``.
  public var volume: String
  /// The path below the volume, with a slash at the beginning, as text for display.
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
  /// A number that increases with each change of the library. In a new database, it begins at 0.
  public var revision: Int64
  /// A number that increases with each change of the songs and lists. A new thumbnail changes only ``revision``.
  public var songsRevision: Int64
  /// All volumes that the library knows.
  public var volumes: [VolumeReport]
  /// True if the database is in memory until the next start, because its folder cannot be used.
  public var isInMemory = false
  /// The files at which the process of the library crashed or was killed most recently.
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
