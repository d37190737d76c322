/// The state of the whole library, as surfaces show it.
public struct LibraryState: Equatable, Sendable {
  /// Whether the library answers, and whether it is scanning.
  public enum Condition: Equatable, Sendable {
    /// The process of the library is not connected, or does not answer.
    case unavailable
    case ready
    /// A scan is running. The values are the number of files that were read, and the number of all files that must be
    /// read. Both are 0 while the scan reads only names.
    case scanning(Int, of: Int)
  }

  /// Whether the library answers, and whether it is scanning.
  public var condition = Condition.unavailable
  /// A number that increases with each change of the library.
  public var revision: Int64 = 0
  /// See ``LibraryReport/songsRevision``.
  public var songsRevision: Int64 = 0
  /// All volumes, including absent volumes.
  public var volumes: [VolumeState] = []

  /// Creates the state of an unavailable library.
  public init() {}

  /// - Parameter report: the last report of the library. Nil if the library is unavailable.
  public init(_ report: LibraryReport?, volumes: [VolumeState]) {
    self.volumes = volumes
    guard let report else { return }
    revision = report.revision
    songsRevision = report.songsRevision
    condition = .ready
    var (read, all) = (0, 0)
    for volume in report.volumes {
      guard case .reading(let some, let of) = volume.condition else { continue }
      read += some
      all += of
    }
    if report.isScanning { condition = .scanning(read, of: all) }
  }

  /// The number of songs on all volumes together.
  public var songs: Int { volumes.reduce(0) { $0 + $1.report.songs } }
}

/// A volume in the menu of sources. This menu contains phones as well, so a phone counts as a volume here.
public struct VolumeState: Equatable, Sendable {
  /// The kind of the volume.
  public enum Kind: String, Sendable {
    /// A music folder of the unit.
    case folder
    case stick
    case phone
    /// A program that is a source. Its condition is `ready`, `absent`, `waiting` or `unreadable`.
    case app
  }

  /// The kind of the volume.
  public var kind: Kind
  /// The report of the library about the volume.
  public var report: VolumeReport
  /// The folder in which the volume is mounted. Nil for a phone, and while the volume is absent.
  public var path: String?
  /// True if music of this volume is Now Playing.
  public var plays = false
  /// The app that plays on a phone.
  public var app: String?
  /// Why a program cannot play now, in its own words. Nil if it can.
  public var reason: String?
  /// What to do about ``reason``, in the words of the program.
  public var remedy: String?

  public init(kind: Kind, report: VolumeReport, path: String?) {
    self.kind = kind
    self.report = report
    self.path = path
  }
}
