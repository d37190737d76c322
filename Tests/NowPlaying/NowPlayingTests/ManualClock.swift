import NowPlaying

/// Time that passes when a test says so.
final class ManualClock {
  private(set) var now = MonotonicInstant(awake: .seconds(1000))

  func advance(_ duration: Duration) { now = now.advanced(by: duration) }

  func advance(seconds: Double) { advance(.seconds(seconds)) }

  /// The machine is suspended so long.
  func sleep(_ duration: Duration) {
    now = MonotonicInstant(awake: now.awake, suspended: now.suspended + duration)
  }
}
