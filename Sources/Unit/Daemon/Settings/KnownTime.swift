internal import Reports
internal import Settings
internal import SystemClock

/// The time of day, if known. A board without a clock chip starts with an arbitrary date. With such a date, the time is
/// shown as unknown. No function of the daemon depends on the time of day.
struct KnownTime: Equatable {
  /// Seconds since 1970; nil if unknown.
  let seconds: Int?
  /// The time of the system, in seconds since 1970, even if it is not known to be right.
  let unitSeconds: Int

  /// - Parameters:
  ///   - now: the time of the system, in seconds since 1970.
  ///   - keeper: the source of the time.
  init(now: Int, keeper: SettingsState.Clock) {
    unitSeconds = now
    seconds = keeper != .unknown && now >= LocalTime.earliestSeconds ? now : nil
  }

  /// The time as text, in `zone`. In UTC if `zone` is nil.
  func text(in zone: ClockZone?) -> String {
    guard let seconds else { return "unknown; no function depends on it" }
    let time = (zone ?? .utc).localTime(at: seconds)
    return "\(time.minutes) \(time.zone)"
  }
}
