internal import Files
internal import LibraryModel
internal import NowPlaying

/// How often the process of the library has ended or has answered wrongly, and which files have stopped it. A value
/// without I/O.
struct LibraryHealth {
  /// A process that ends more often within this time counts as one that cannot go on.
  static let period = Duration.seconds(600)
  static let maximumEndings = 2

  /// True if the library answers.
  var isAvailable = false
  /// The files that have stopped the process: the path, and whether the library leaves the file out from now on.
  private(set) var files: [(path: String, isExcluded: Bool)] = []
  private var endings: [MonotonicInstant] = []
  private var faults: [MonotonicInstant] = []

  /// Applies the files from a report. A process that has ended reports nothing, so the files stay.
  /// - Parameter root: the path of a volume, or its name if it is not there.
  mutating func apply(_ report: LibraryReport?, root: (String) -> String) {
    guard let report else { return }
    files = report.harmfulFiles.map { (root($0.volume) + $0.path, $0.isExcluded) }
  }

  /// Notes that the process has ended.
  mutating func noteEnd(at now: MonotonicInstant) {
    endings = endings.suffix(99) + [now]
  }

  /// Notes a wrong answer or signal.
  mutating func noteFault(at now: MonotonicInstant) { faults = faults.suffix(99) + [now] }

  /// How often the process has ended within ``period``.
  func endings(at now: MonotonicInstant) -> Int { Self.count(of: endings, at: now) }

  /// How many answers and signals were wrong within ``period``.
  func faults(at now: MonotonicInstant) -> Int { Self.count(of: faults, at: now) }

  private static func count(of times: [MonotonicInstant], at now: MonotonicInstant) -> Int {
    times.count { now.wholeTime(since: $0) < period }
  }
}
