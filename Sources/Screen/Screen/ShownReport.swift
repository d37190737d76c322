internal import NowPlaying

/// Decides when the screen reports to the daemon what it shows (P12). A value without I/O. Each report wakes the
/// daemon, so a change of only the elapsed time is not reported.
struct ShownReport {
  /// The time after which a report is repeated. During the first `SurfaceGuard.settlingTime` after a new state, the
  /// daemon ignores differences between the report and the state. So the report is repeated after this time.
  private static let repetitionTime = SurfaceGuard.settlingTime + .milliseconds(100)

  private var last: DisplayedState?
  private var isDue = false
  /// The time at which the report must be repeated, on a clock that does not count suspend. Nil if no repetition is
  /// needed.
  private(set) var repetition: Duration?

  /// Must be called with each state that the daemon sends. The next picture is then reported, even if it is the same as
  /// before.
  mutating func stateArrived() { isDue = true }

  /// Must be called if the daemon has ignored a difference between the report and the state. The report is then sent
  /// once more.
  mutating func repeatLater(from now: MonotonicInstant) {
    repetition = now.awake + Self.repetitionTime
  }

  /// Records what the visible picture shows. Returns true if it must be reported now.
  mutating func record(_ reading: DisplayedState, at now: MonotonicInstant) -> Bool {
    if let time = repetition, now.awake >= time {
      repetition = nil
      isDue = true
    }
    var still = reading
    still.elapsed = nil
    guard isDue || still != last else { return false }
    isDue = false
    last = still
    return true
  }
}
