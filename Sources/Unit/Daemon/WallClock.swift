internal import Glibc
internal import Reports

/// The time of day, if known. A board without a clock chip starts with an arbitrary date. In this
/// case the time is shown as unknown. No function of the daemon depends on the time of day.
struct WallClock: Equatable {
  /// The beginning of 2025, in seconds since 1970. If a clock chip reports an earlier time, the
  /// chip has lost the time.
  static let earliest = 1_735_689_600

  /// Seconds since 1970; nil if unknown.
  let seconds: Int?

  /// - Parameters:
  ///   - now: the time of the system, in seconds since 1970.
  ///   - keeper: what keeps the time.
  init(now: Int, keeper: SettingsState.Clock) {
    seconds = keeper != .unknown && now >= Self.earliest ? now : nil
  }

  /// The time as text for people, in UTC.
  var text: String {
    guard let seconds else { return "unknown; no function depends on it" }
    var time = time_t(seconds)
    var parts = tm()
    gmtime_r(&time, &parts)
    func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday)) "
      + "\(two(parts.tm_hour)):\(two(parts.tm_min)) UTC"
  }
}
