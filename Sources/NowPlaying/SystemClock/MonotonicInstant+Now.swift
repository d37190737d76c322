internal import Glibc
public import NowPlaying

extension MonotonicInstant {
  /// The current moment on the machine's clocks. This function never blocks, and can be called on any thread.
  public static func now() -> MonotonicInstant {
    // The clocks are read in this order. So a suspend between the two readings counts as suspend, and the difference is
    // never negative.
    let awake = read(CLOCK_MONOTONIC)
    let whole = read(CLOCK_BOOTTIME)
    return MonotonicInstant(awake: awake, suspended: slept(whole - awake))
  }

  /// Creates a moment from a time of the engine, in nanoseconds of CLOCK_MONOTONIC. This time does not contain the time
  /// in suspend, so the present time in suspend is added. So `nanoseconds` must be close to now.
  public static func near(nanoseconds: Int64) -> MonotonicInstant {
    MonotonicInstant(awake: .nanoseconds(nanoseconds), suspended: now().suspended)
  }

  private static func read(_ clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// The time in suspend. The clocks are read one after the other, so they differ a little even on a machine that was
  /// never suspended. If this difference were stored as suspend, one moment could seem later than the next moment. A
  /// suspend takes at least a millisecond, so smaller differences are dropped.
  private static func slept(_ difference: Duration) -> Duration {
    let (seconds, attoseconds) = difference.components
    return .milliseconds(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }
}
