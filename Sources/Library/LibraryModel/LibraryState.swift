/// What a surface shows about the library as a whole.
public struct LibraryState: Equatable, Sendable {
  /// Whether the library answers.
  public enum Condition: Equatable, Sendable {
    /// The process of the library is not there, or does not answer.
    case unavailable
    case ready
    /// Files are being read. The number of those that were read, and of all that must be read; both are 0 while only
    /// names are read.
    case scanning(Int, of: Int)
  }

  /// Whether the library answers.
  public var condition = Condition.unavailable
  /// Counts the changes of the library.
  public var revision: Int64 = 0
  /// See ``LibraryReport/songsRevision``.
  public var songsRevision: Int64 = 0
  /// The volumes, with those that are absent.
  public var volumes: [VolumeState] = []

  /// An unavailable library.
  public init() {}

  /// - Parameter report: the last state of the library; nil if it is unavailable.
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

  /// The number of songs of all volumes.
  public var songs: Int { volumes.reduce(0) { $0 + $1.report.songs } }
}

/// A volume in the list of what can be chosen. A phone is in this list like a volume.
public struct VolumeState: Equatable, Sendable {
  /// What kind of volume it is.
  public enum Kind: String, Sendable {
    /// A music folder of the unit.
    case folder
    case stick
    case phone
  }

  /// What kind of volume it is.
  public var kind: Kind
  /// What the library knows about it.
  public var report: VolumeReport
  /// The folder in which it is mounted; nil while it is absent, and for a phone.
  public var path: String?
  /// True if its music is Now Playing.
  public var plays = false
  /// The app of a phone.
  public var app: String?

  public init(kind: Kind, report: VolumeReport, path: String?) {
    self.kind = kind
    self.report = report
    self.path = path
  }
}
