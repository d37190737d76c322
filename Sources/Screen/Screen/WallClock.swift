internal import CClock
internal import Glibc
internal import NowPlaying
internal import ScreenLayout
internal import Settings

/// The time of day, as far as anybody knows it.
///
/// A unit without a clock chip and without a network begins in the past, and goes on from there: it is
/// known only once the network has said it, or where a chip has kept it.
package struct WallClock: Sendable {
  /// How often an unknown time is asked for again.
  static let retry = Duration.seconds(5)
  /// 2025: what a chip says whose battery is empty is before.
  private static let earliest = 1_735_689_600

  /// Seconds since 1970 with nanoseconds; nil where it is not known. Not blocking.
  private let read: @Sendable () -> (seconds: Int, nanoseconds: Int)?

  /// The machine's.
  package static let machine = WallClock {
    guard isKnown else { return nil }
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec >= earliest ? (time.tv_sec, time.tv_nsec) : nil
  }

  /// Somebody else's.
  package init(_ read: @escaping @Sendable () -> (seconds: Int, nanoseconds: Int)?) {
    self.read = read
  }

  private static var isKnown: Bool {
    if clock_is_kept() != 0 { return true }
    return AppearanceSelector.read("/sys/class/rtc/rtc0/hctosys") == 1
  }

  /// A moment of the day, in the zone of the machine.
  struct Reading {
    let hour: Int
    let minute: Int
    /// Until the minute is over.
    let rest: Duration

    var minuteOfDay: Int { hour * 60 + minute }
  }

  func reading() -> Reading? {
    guard let (seconds, nanoseconds) = read() else { return nil }
    var moment = time_t(seconds)
    var parts = tm()
    guard localtime_r(&moment, &parts) != nil else { return nil }
    // A leap second belongs to its minute.
    let second = min(Int(parts.tm_sec), 59)
    return Reading(
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min),
      rest: .seconds(60 - second) - .nanoseconds(nanoseconds))
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
    // A millisecond later: two clocks never agree to the nanosecond.
    return ScreenContext.Clock(
      text, until: now.advanced(by: max(.milliseconds(1), rest + .milliseconds(1))))
  }
}
