/// Decides when the daemon ends the connection to a process of the library that gives wrong answers or sends too many
/// signals, and when it uses the next connection. A value without I/O; times are those of the monotonic clock.
struct LibraryTrust {
  /// The connection ends at this number of wrong answers.
  static let maximumFaults = 5
  /// Wrong answers that are older than this do not count, and the pause is short again.
  static let memory = Duration.seconds(600)
  static let shortestPause = Duration.seconds(2)
  static let longestPause = Duration.seconds(64)
  /// The library sends at most two signals in a second, and one after each change of the volumes. They arrive together
  /// if the daemon was busy.
  static let maximumSignals = 100
  static let signalInterval = Duration.milliseconds(400)

  private var faults = 0
  private var lastFault = Duration.zero
  private var pause = shortestPause
  /// How many more signals may arrive now.
  private var signals = maximumSignals
  private var lastSignal: Duration?
  /// A connection is not used before this time.
  private(set) var pauseEnd = Duration.zero

  /// Notes a wrong answer. True if the connection must end.
  mutating func noteFault(at now: Duration) -> Bool {
    if now - lastFault > Self.memory { (faults, pause) = (0, Self.shortestPause) }
    lastFault = now
    faults += 1
    return faults >= Self.maximumFaults
  }

  /// Notes a signal. False if there are too many.
  mutating func acceptSignal(at now: Duration) -> Bool {
    let earned = Int((now - (lastSignal ?? now)) / Self.signalInterval)
    if earned > 0 || lastSignal == nil { lastSignal = now }
    signals = min(Self.maximumSignals, signals + earned)
    guard signals > 0 else { return false }
    signals -= 1
    return true
  }

  /// Ends the connection. The next one waits, each time longer. Returns the time for which it waits.
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
