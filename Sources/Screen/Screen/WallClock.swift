internal import CClock
internal import Glibc
internal import NowPlaying
internal import ScreenLayout
internal import Settings
internal import SystemClock

/// The time of day, if it is known.
///
/// A unit without a clock chip and without a network starts with a time in the past. The time is known only when the
/// network or a user has set it, or when a clock chip has kept it.
package struct WallClock: Sendable {
  /// The interval at which the time is read again while it is unknown.
  static let retry = Duration.seconds(5)
  /// Returns the seconds since 1970 and the nanoseconds of the current second. Returns nil if the time is unknown. Does
  /// not block.
  private let read: @Sendable () -> (seconds: Int, nanoseconds: Int)?

  /// The clock of this machine.
  package static let machine = WallClock {
    guard isKnown else { return nil }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec >= LocalTime.earliestSeconds ? (time.tv_sec, time.tv_nsec) : nil
  }

  /// Creates a clock that gets the time from `read`.
  package init(_ read: @escaping @Sendable () -> (seconds: Int, nanoseconds: Int)?) {
    self.read = read
  }

  private static var isKnown: Bool {
    if clock_is_kept() != 0 { return true }
    guard AppearanceSelector.read("/sys/class/rtc/rtc0/hctosys") == 1 else { return false }
    // At boot, systemd sets an earlier system clock to systemd's release date. So the system clock does not show that
    // the clock chip has lost the time, and the time of the chip is read.
    return AppearanceSelector.read("/sys/class/rtc/rtc0/since_epoch") ?? 0
      >= Double(LocalTime.earliestSeconds)
  }

  /// A time of day.
  struct Reading {
    let hour: Int
    let minute: Int
    /// The time until the minute ends.
    let rest: Duration

    var minuteOfDay: Int { hour * 60 + minute }
  }

  /// The time in seconds since 1970. When the user changes the clock, the change is added to this time. If the time is
  /// unknown, this is the beginning of 2025 in UTC.
  var secondsToSet: Int { read()?.seconds ?? LocalTime.earliestSeconds }

  /// The time of day in `zone`, or in the time zone of the machine if `zone` is nil. Nil if the time is unknown.
  func reading(in zone: ClockZone?) -> Reading? {
    guard let (seconds, nanoseconds) = read() else { return nil }
    let (hour, minute, second): (Int, Int, Int)
    if let time = zone?.localTime(at: seconds) {
      (hour, minute, second) = (time.hour, time.minute, time.second)
    } else {
      var moment = time_t(seconds)
      var parts = tm()
      guard localtime_r(&moment, &parts) != nil else { return nil }
      // A leap second has the number 60. It is treated as second 59.
      (hour, minute, second) = (Int(parts.tm_hour), Int(parts.tm_min), min(Int(parts.tm_sec), 59))
    }
    return Reading(
      hour: hour, minute: minute, rest: .seconds(60 - second) - .nanoseconds(nanoseconds))
  }
}

extension WallClock.Reading {
  func clock(_ style: Settings.ScreenClock, at now: MonotonicInstant) -> ScreenContext.Clock? {
    let minutes = minute < 10 ? "0\(minute)" : "\(minute)"
    let text: String
    switch style {
    case .off: return nil
    case .hours24: text = "\(hour):\(minutes)"
    case .hours12: text = "\((hour + 11) % 12 + 1):\(minutes)"
    }
    // The time of day and `now` come from two clocks, which never agree to the nanosecond. One millisecond is added, so
    // that the minute has surely ended when the clock is read again.
    return ScreenContext.Clock(
      text, until: now.advanced(by: max(.milliseconds(1), rest + .milliseconds(1))))
  }
}
