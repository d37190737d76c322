/// A moment on the machine's own clock. This module never reads a clock: callers pass the current moment as an
/// argument.
///
/// Apple uses `Date` here. A wall clock jumps when the car receives the time by radio, and each progress bar would jump
/// with it. The clock of an instant never moves back.
///
/// If the machine was suspended, the time since an event can be measured with or without the time in suspend. An
/// instant stores both times, because both are needed: music that this machine plays stops during a suspend, but a
/// phone continues to play. On Linux `awake` is CLOCK_MONOTONIC, and `suspended` is CLOCK_BOOTTIME minus
/// CLOCK_MONOTONIC. On a machine that never suspends, `suspended` stays zero.
///
/// Instants of two boots cannot be compared, and instants are never saved.
public struct MonotonicInstant: Hashable, Sendable, Comparable {
  /// Time since the clock's origin, without the time in suspend.
  public let awake: Duration
  /// Time in suspend since the origin of the clock. It never decreases.
  public let suspended: Duration

  /// Creates an instant from the time of a clock that stops in suspend (CLOCK_MONOTONIC), and from the time in suspend
  /// so far.
  public init(awake: Duration, suspended: Duration = .zero) {
    self.awake = awake
    self.suspended = suspended
  }

  /// Creates an instant from the time of a clock that continues in suspend (CLOCK_BOOTTIME), and from the time in
  /// suspend so far.
  public init(countingSuspend sinceOrigin: Duration, suspended: Duration) {
    self.init(awake: sinceOrigin - suspended, suspended: suspended)
  }

  /// Time since the origin, with the time in suspend.
  public var sinceOrigin: Duration { awake + suspended }

  /// Time since `earlier` without suspend; zero if `earlier` is later than this instant. `earlier` can be later,
  /// because the kernel and the program measure the time of the same press separately.
  public func awakeTime(since earlier: MonotonicInstant) -> Duration {
    max(.zero, awake - earlier.awake)
  }

  /// Time since `earlier` with suspend; zero if `earlier` is later than this instant.
  public func wholeTime(since earlier: MonotonicInstant) -> Duration {
    max(.zero, sinceOrigin - earlier.sinceOrigin)
  }

  /// The moment after this duration, if the machine is not suspended in the meantime.
  public func advanced(by duration: Duration) -> MonotonicInstant {
    MonotonicInstant(awake: awake + duration, suspended: suspended)
  }

  /// Compares ``sinceOrigin``. If these times are equal, the instant with more time in suspend is the smaller one.
  public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
    (left.sinceOrigin, left.awake) < (right.sinceOrigin, right.awake)
  }
}
