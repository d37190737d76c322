internal import Files
internal import LibraryModel
internal import NowPlaying

/// Counts how often the library process has ended or has sent a wrong answer. Stores which files this process was
/// reading when it crashed or was killed. A value without I/O.
struct LibraryHealth {
  /// A process that ends more than ``maximumEndings`` times within this time is reported as broken.
  static let period = Duration.seconds(600)
  static let maximumEndings = 2

  /// True if the library answers.
  var isAvailable = false
  /// True if the library is in memory until the next start.
  private(set) var isInMemory = false
  /// The files that the process was reading when it crashed or was killed: the path, and whether the library leaves the
  /// file out from now on.
  private(set) var files: [(path: String, isExcluded: Bool)] = []
  private var endings: [MonotonicInstant] = []
  private var faults: [MonotonicInstant] = []

  /// Takes the files from a report of the library process. If the process has ended, `report` is nil and the files are
  /// kept.
  /// - Parameter root: returns the path of a volume, or its name if the volume is absent.
  mutating func apply(_ report: LibraryReport?, root: (String) -> String) {
    guard let report else { return }
    isInMemory = report.isInMemory
    files = report.harmfulFiles.map { (root($0.volume) + $0.path, $0.isExcluded) }
  }

  /// Records that the library process has ended.
  mutating func noteEnd(at now: MonotonicInstant) {
    endings = endings.suffix(99) + [now]
  }

  /// Records a wrong answer or signal.
  mutating func noteFault(at now: MonotonicInstant) { faults = faults.suffix(99) + [now] }

  /// How often the library process has ended within ``period``.
  func endings(at now: MonotonicInstant) -> Int { Self.count(of: endings, at: now) }

  /// How many answers and signals were wrong within ``period``.
  func faults(at now: MonotonicInstant) -> Int { Self.count(of: faults, at: now) }

  private static func count(of times: [MonotonicInstant], at now: MonotonicInstant) -> Int {
    times.count { now.wholeTime(since: $0) < period }
  }
}
