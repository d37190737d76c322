/// A moment on the machine's own clock, handed in by the caller: this module never reads a clock.
///
/// Stands where Apple uses `Date`. A wall clock jumps when the car finds the time by radio, and
/// with it every progress bar; this one never goes back.
///
/// A suspended machine makes the question "how long ago?" ambiguous, so both answers are carried:
/// music that this machine plays stood still while it slept, a phone's played on. On Linux `awake`
/// is CLOCK_MONOTONIC, and `suspended` is CLOCK_BOOTTIME less CLOCK_MONOTONIC. Who never
/// suspends leaves the second at zero.
///
/// Instants of two boots cannot be compared, and none is ever stored.
public struct MonotonicInstant: Hashable, Sendable, Comparable {
  /// Time since the clock's origin without what was slept.
  public let awake: Duration
  /// Time since the origin that was slept; never less than it was.
  public let suspended: Duration

  /// From a clock that stands still in suspend (CLOCK_MONOTONIC), and the time slept so far.
  public init(awake: Duration, suspended: Duration = .zero) {
    self.awake = awake
    self.suspended = suspended
  }

  /// From a clock that counts suspend (CLOCK_BOOTTIME), and how much of it was slept.
  public init(countingSuspend sinceOrigin: Duration, suspended: Duration) {
    self.init(awake: sinceOrigin - suspended, suspended: suspended)
  }

  /// Time since the origin, slept or not.
  public var sinceOrigin: Duration { awake + suspended }

  /// Time that the machine was awake since `earlier`; zero where that lies ahead, as kernel and
  /// program stamp the same press a little differently.
  public func awakeTime(since earlier: MonotonicInstant) -> Duration {
    max(.zero, awake - earlier.awake)
  }

  /// All time since `earlier`, slept or not; zero where that lies ahead.
  public func wholeTime(since earlier: MonotonicInstant) -> Duration {
    max(.zero, sinceOrigin - earlier.sinceOrigin)
  }

  /// So much later, without sleeping.
  public func advanced(by duration: Duration) -> MonotonicInstant {
    MonotonicInstant(awake: awake + duration, suspended: suspended)
  }

  /// Earlier on the clock that counts everything; among equal ones, the one that slept more.
  public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    (left.sinceOrigin, left.awake) < (right.sinceOrigin, right.awake)
  }
}
