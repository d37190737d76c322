/// The latest starts of the daemon, with their results. After repeated failures, the daemon can report the reason. It
/// can also avoid the action that may have caused the failures.
public struct StartHistory: Hashable, Sendable {
  /// One run of the daemon.
  public struct Start: Hashable, Sendable {
    /// The stage that a run reached.
    public enum Progress: UInt8, Hashable, Sendable, CaseIterable {
      /// The run began. If the next start finds this stage, the run has crashed or was killed soon after its start.
      case began
      /// The run lasted so long that its start does not count as failed. Such a run often ends without a request to
      /// stop, because in a car the power is cut at each stop.
      case steady
      /// The run received a request to stop, and stopped.
      case stopped
    }

    /// The number of the start, from 1. If the largest value of the type is reached, later starts have this value too.
    public internal(set) var number: UInt32
    /// The stage that the run reached.
    public internal(set) var progress = Progress.began
    /// The reason why the run ended, if known; at most ``maximumReasonBytes``.
    public internal(set) var reason = ""
  }

  /// Maximum number of recorded starts.
  public static let maximumCount = 8
  /// Maximum bytes of a reason.
  public static let maximumReasonBytes = 120

  /// Maximum bytes of ``boot``.
  static let maximumBootBytes = 64

  /// Identifies the boot of the machine after which the last start happened; empty if unknown.
  public internal(set) var boot = ""
  /// The starts, oldest first.
  public internal(set) var starts: [Start] = []

  /// A history without starts.
  public init() {}

  /// Adds a run, and completes the record of the previous run.
  ///
  /// If the machine was booted again, the previous run does not count as failed. A loss of power is normal in a car: a
  /// starter motor interrupts the supply, or a person turns the key several times.
  ///
  /// - Parameters:
  ///   - reason: the reason why the previous run ended, if the machine was not booted again. A reason that is already
  ///     recorded stays.
  public mutating func begin(reasonOfLast reason: String = "", boot: String = "") {
    let isSameBoot = boot.isEmpty || self.boot.isEmpty || boot == self.boot
    if let last = starts.indices.last, starts[last].progress != .stopped {
      if !isSameBoot { starts[last].progress = .steady }
      if starts[last].reason.isEmpty { noteReason(isSameBoot ? reason : "power cut") }
    }
    self.boot = boot.utf8.count <= Self.maximumBootBytes ? boot : ""
    let number = starts.last.map { $0.number == .max ? .max : $0.number &+ 1 } ?? 1
    starts = (starts + [Start(number: number)]).suffix(Self.maximumCount)
  }

  /// Records that the current run has reached a stage.
  public mutating func reach(_ progress: Start.Progress) {
    guard let last = starts.indices.last else { return }
    starts[last].progress = progress
  }

  /// Records the reason why the current run ends. The reason is cut to ``maximumReasonBytes``.
  public mutating func noteReason(_ reason: String) {
    guard let last = starts.indices.last else { return }
    starts[last].reason = Self.cut(reason)
  }

  /// The number of runs in a row that failed directly before the current run. Only recorded runs are counted.
  public var failuresInARow: Int {
    starts.dropLast().reversed().prefix { $0.progress == .began }.count
  }

  /// Cuts a reason to ``maximumReasonBytes``, at the end of a character.
  static func cut(_ text: String) -> String {
    var count = 0
    return String(
      text.prefix { character in
        count += character.utf8.count
        return count <= maximumReasonBytes
      })
  }
}
