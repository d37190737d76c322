import Glibc

/// Seconds on a clock that nobody sets.
func monotonicSeconds() -> Double {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return Double(now.tv_sec) + Double(now.tv_nsec) * 1e-9
}

/// When to do again what need not be done each time.
struct RateLimiter {
  /// Ten times a second, something is seen to move.
  static let interval = 0.1
  private var due: Double

  /// - Parameter start: seconds on the clock of `isDue(at:)`; before, nothing is due.
  init(from start: Double) { due = start }

  /// Whether it is time. If so, the next time is an interval later.
  mutating func isDue(at now: Double) -> Bool {
    guard now >= due else { return false }
    due = now + Self.interval
    return true
  }
}
