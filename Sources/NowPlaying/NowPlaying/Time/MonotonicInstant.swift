/// A moment on the machine's own clock. The caller passes the moment, because this module never
/// reads a clock.
///
/// Apple uses `Date` here. A wall clock jumps when the car receives the time by radio, and each
/// progress bar would jump with it. This clock never moves back.
///
/// If the machine was suspended, the time since an event can be measured with or without the
/// suspend. Both are stored, because music that this machine plays stops during suspend, but a
/// phone continues to play. On Linux `awake` is CLOCK_MONOTONIC, and `suspended` is CLOCK_BOOTTIME
/// minus CLOCK_MONOTONIC. A machine that never suspends leaves `suspended` at zero.
///
/// Instants of two boots cannot be compared, and instants are never saved.
public struct MonotonicInstant: Hashable, Sendable, Comparable {
  /// Time since the clock's origin, without the time in suspend.
  public let awake: Duration
  /// Time in suspend since the origin; never decreases.
  public let suspended: Duration

  /// From a clock that stops in suspend (CLOCK_MONOTONIC), and the time in suspend so far.
  public init(awake: Duration, suspended: Duration = .zero) {
    self.awake = awake
    self.suspended = suspended
  }

  /// From a clock that continues in suspend (CLOCK_BOOTTIME), and the time in suspend so far.
  public init(countingSuspend sinceOrigin: Duration, suspended: Duration) {
    self.init(awake: sinceOrigin - suspended, suspended: suspended)
  }

  /// Time since the origin, with the time in suspend.
  public var sinceOrigin: Duration { awake + suspended }

  /// Time since `earlier` without suspend; zero if `earlier` is later. This may happen because
  /// kernel and program take the time of the same press a little differently.
  public func awakeTime(since earlier: MonotonicInstant) -> Duration {
    max(.zero, awake - earlier.awake)
  }

  /// Time since `earlier` with suspend; zero if `earlier` is later.
  public func wholeTime(since earlier: MonotonicInstant) -> Duration {
    max(.zero, sinceOrigin - earlier.sinceOrigin)
  }

  /// A later moment, without further suspend.
  public func advanced(by duration: Duration) -> MonotonicInstant {
    MonotonicInstant(awake: awake + duration, suspended: suspended)
  }

  /// Compares ``sinceOrigin``. If both are equal, the moment with more time in suspend is smaller.
  public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    (left.sinceOrigin, left.awake) < (right.sinceOrigin, right.awake)
  }
}
