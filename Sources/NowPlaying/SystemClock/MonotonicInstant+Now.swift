internal import Glibc
public import NowPlaying

extension MonotonicInstant {
  /// The moment that it is, by the machine's clocks. Any thread; never blocks.
  public static func now() -> MonotonicInstant {
    // In this order: what is slept between the two counts as slept, and never as less than none.
    let awake = read(CLOCK_MONOTONIC)
    let whole = read(CLOCK_BOOTTIME)
    return MonotonicInstant(awake: awake, suspended: slept(whole - awake))
  }

  /// A moment of about now, in nanoseconds of the clock that stands still in suspend, as the engine
  /// counts.
  public static func near(nanoseconds: Int64) -> MonotonicInstant {
    MonotonicInstant(awake: .nanoseconds(nanoseconds), suspended: now().suspended)
  }

  private static func read(_ clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// The clocks are read one after the other, so they differ by a little on a machine that never
  /// slept; counted as sleep it would make one moment seem later than the next. Nobody suspends a
  /// machine for less than a millisecond.
  private static func slept(_ difference: Duration) -> Duration {
    let (seconds, attoseconds) = difference.components
    return .milliseconds(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }
}
