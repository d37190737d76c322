/// Decides when the daemon closes the connection to the process of the library, because the process gives wrong answers
/// or sends too many signals. Also decides when the daemon uses the next connection. A value without I/O. All times are
/// from the monotonic clock.
struct LibraryTrust {
  /// The number of wrong answers after which the connection is closed.
  static let maximumFaults = 5
  /// After this time without a wrong answer, earlier wrong answers do not count any more, and the next pause is short
  /// again.
  static let memory = Duration.seconds(600)
  static let shortestPause = Duration.seconds(2)
  static let longestPause = Duration.seconds(64)
  /// Maximum number of signals at once. The library sends at most two signals per second, and one signal after each
  /// change of the volumes. If the daemon was busy, many signals arrive at once.
  static let maximumSignals = 100
  static let signalInterval = Duration.milliseconds(400)

  private var faults = 0
  private var lastFault = Duration.zero
  private var pause = shortestPause
  /// Number of signals that are permitted now. It increases by one in each ``signalInterval``.
  private var signals = maximumSignals
  private var lastSignal: Duration?
  /// The time before which no new connection is used.
  private(set) var pauseEnd = Duration.zero

  /// Records a wrong answer. Returns true if the connection must be closed.
  mutating func noteFault(at now: Duration) -> Bool {
    if now - lastFault > Self.memory { (faults, pause) = (0, Self.shortestPause) }
    lastFault = now
    faults += 1
    return faults >= Self.maximumFaults
  }

  /// Records a signal. Returns false if there are too many signals.
  mutating func acceptSignal(at now: Duration) -> Bool {
    let earned = Int((now - (lastSignal ?? now)) / Self.signalInterval)
    if earned > 0 || lastSignal == nil { lastSignal = now }
    signals = min(Self.maximumSignals, signals + earned)
    guard signals > 0 else { return false }
    signals -= 1
    return true
  }

  /// Records that the connection is closed. Returns the pause before the next connection is used. Each pause is twice
  /// as long as the pause before, up to ``longestPause``.
  mutating func end(at now: Duration) -> Duration {
    faults = 0
    lastFault = now
    signals = Self.maximumSignals
    lastSignal = nil
    defer { pause = min(pause * 2, Self.longestPause) }
    pauseEnd = now + pause
    return pause
  }
}
