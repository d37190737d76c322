/// The latest starts of the daemon, with their results. After repeated failures the daemon can
/// report the reason, and can avoid what may have caused them.
public struct StartHistory: Hashable, Sendable {
  /// One run of the daemon.
  public struct Start: Hashable, Sendable {
    /// The stage that a run reached.
    public enum Progress: UInt8, Hashable, Sendable, CaseIterable {
      /// The run began. If the next start finds this stage, the run died soon after its start.
      case began
      /// The run lasted so long that its end is not a failed start: the power is cut at each stop
      /// of the car.
      case steady
      /// The run was asked to stop, and stopped.
      case stopped
    }

    /// Counts from 1, up to the largest number.
    public internal(set) var number: UInt32
    /// The stage that the run reached.
    public internal(set) var progress = Progress.began
    /// Why the run died, if known; at most ``maximumReasonBytes``.
    public internal(set) var reason = ""
  }

  /// Maximum number of recorded starts.
  public static let maximumCount = 8
  /// Maximum bytes of a reason.
  public static let maximumReasonBytes = 120

  /// Maximum bytes of ``boot``.
  static let maximumBootBytes = 64

  /// Identifies the boot of the machine in which the last start happened; empty if unknown.
  public internal(set) var boot = ""
  /// The starts, oldest first.
  public internal(set) var starts: [Start] = []

  /// No starts.
  public init() {}

  /// A run begins.
  ///
  /// A run that ended because the machine lost its power has not failed: a starter motor takes the
  /// power away for a moment, and a person may turn the key three times.
  ///
  /// - Parameters:
  ///   - reason: why the run before died, if the machine kept running. A reason that is already
  ///     recorded stays.
  ///   - boot: identifies this boot of the machine; at most 64 bytes; empty if unknown.
  public mutating func begin(reasonOfLast reason: String = "", boot: String = "") {
    let isSameBoot = boot.isEmpty || self.boot.isEmpty || boot == self.boot
    if let last = starts.indices.last, starts[last].progress != .stopped {
      if !isSameBoot { starts[last].progress = .steady }
      if starts[last].reason.isEmpty { noteReason(isSameBoot ? reason : "power cut") }
    }
    self.boot = boot.utf8.count <= Self.maximumBootBytes ? boot : ""
    let number = starts.last.map { $0.number == .max ? .max : $0.number + 1 } ?? 1
    starts = (starts + [Start(number: number)]).suffix(Self.maximumCount)
  }

  /// The current run has reached a stage.
  public mutating func reach(_ progress: Start.Progress) {
    guard let last = starts.indices.last else { return }
    starts[last].progress = progress
  }

  /// Records why the current run dies. Cut after ``maximumReasonBytes``.
  public mutating func noteReason(_ reason: String) {
    guard let last = starts.indices.last else { return }
    starts[last].reason = Self.cut(reason)
  }

  /// Number of runs directly before the current one that died at their start, as far as they are
  /// recorded.
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
