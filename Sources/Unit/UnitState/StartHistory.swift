/// The latest starts of the daemon, with their results. After several failed starts, the daemon can report the reason,
/// and can avoid actions that possibly cause the failures.
public struct StartHistory: Hashable, Sendable {
  /// One run of the daemon.
  public struct Start: Hashable, Sendable {
    /// The stage that a run reached.
    public enum Progress: UInt8, Hashable, Sendable, CaseIterable {
      /// The run began. If the next start still finds this stage, the run crashed or was killed soon after its start.
      case began
      /// The run lasted so long that its start does not count as failed. A steady run often ends without a request to
      /// stop, because in a car the power is cut each time the car is switched off.
      case steady
      /// The run received a request to stop, and stopped.
      case stopped
      /// The machine was booted again before the run was steady. The run does not count as failed.
      case interrupted
    }

    /// The number of the start, counted from 1. It does not grow above the largest value of the type.
    public internal(set) var number: UInt32
    /// The stage that the run reached.
    public internal(set) var progress = Progress.began
    /// The reason why the run ended, if known; at most ``maximumReasonBytes``.
    public internal(set) var reason = ""
  }

  /// The reason of a run that ended when the machine was booted again.
  public static let powerCut = "power cut"
  /// Maximum number of recorded starts.
  public static let maximumCount = 8
  /// Maximum length of a reason in bytes.
  public static let maximumReasonBytes = 120

  /// Maximum length of ``boot`` in bytes.
  static let maximumBootBytes = 64

  /// The identity of the boot of the machine during which the last start happened. Empty if unknown.
  public internal(set) var boot = ""
  /// The starts, oldest first.
  public internal(set) var starts: [Start] = []

  /// Creates a history without starts.
  public init() {}

  /// Adds a run that begins now, and completes the record of the previous run.
  ///
  /// If the machine was booted between the two runs, the previous run does not count as failed. A loss of power is
  /// normal in a car: the starter motor interrupts the supply, or the driver turns the key several times.
  ///
  /// - Parameters:
  ///   - reason: the reason why the previous run ended. It is used only if the machine was not booted between the runs,
  ///     and if no reason is recorded yet.
  public mutating func begin(reasonOfLast reason: String = "", boot: String = "") {
    let isSameBoot = boot.isEmpty || self.boot.isEmpty || boot == self.boot
    if let last = starts.indices.last, starts[last].progress != .stopped {
      if !isSameBoot, starts[last].progress == .began { starts[last].progress = .interrupted }
      if starts[last].reason.isEmpty { noteReason(isSameBoot ? reason : Self.powerCut) }
    }
    self.boot = boot.utf8.count <= Self.maximumBootBytes ? boot : ""
    let number = starts.last.map { $0.number == .max ? .max : $0.number &+ 1 } ?? 1
    starts = (starts + [Start(number: number)]).suffix(Self.maximumCount)
  }

  /// True if the last start happened in this boot of the machine. False if one of the two boots is unknown.
  public func isOf(boot: String) -> Bool { !boot.isEmpty && boot == self.boot }

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

  /// The number of runs that failed in a row before the current run. Only recorded runs are counted.
  public var failuresInARow: Int {
    starts.dropLast().reversed().prefix { $0.progress == .began }.count
  }

  /// The reasons of the runs that ended in this boot of the machine and were not stopped, the last one first.
  public var endsInThisBoot: [String] {
    starts.dropLast().reversed()
      .prefix {
        $0.progress != .stopped && $0.progress != .interrupted && $0.reason != Self.powerCut
      }
      .map(\.reason)
  }

  /// The number of runs in a row before the current run during which the power was cut soon after their start.
  public var earlyPowerCuts: Int {
    starts.dropLast().reversed().prefix { $0.progress == .interrupted }.count
  }

  /// Cuts a reason to at most ``maximumReasonBytes``. Characters stay whole.
  static func cut(_ text: String) -> String {
    var count = 0
    return String(
      text.prefix { character in
        count += character.utf8.count
        return count <= maximumReasonBytes
      })
  }
}
