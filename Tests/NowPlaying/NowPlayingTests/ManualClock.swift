import NowPlaying

/// A clock that the test sets.
final class ManualClock {
  private(set) var now = MonotonicInstant(awake: .seconds(1000))

  func advance(_ duration: Duration) { now = now.advanced(by: duration) }

  func advance(seconds: Double) { advance(.seconds(seconds)) }

  /// Simulates a suspend of the machine for this time.
  func sleep(_ duration: Duration) {
    now = MonotonicInstant(awake: now.awake, suspended: now.suspended + duration)
  }
}
