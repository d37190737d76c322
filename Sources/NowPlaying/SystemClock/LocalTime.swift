internal import Glibc

/// A date and a time of day, in a time zone.
package struct LocalTime: Equatable, Sendable {
  package let year: Int
  /// The month, 1 to 12.
  package let month: Int
  /// The day of the month, 1 to 31.
  package let day: Int
  package let hour: Int
  package let minute: Int
  package let second: Int
  /// The abbreviation of the zone in this season, such as "CEST".
  package let zone: String
}

extension LocalTime {
  /// The beginning of 2025, in seconds since 1970. A clock chip that reports an earlier time has lost the time.
  package static let earliestSeconds = 1_735_689_600
  /// The last second of the year 9999.
  package static let latestSeconds = 253_402_300_799

  /// The date and the time of day, such as `2026-11-30 14:05`.
  package var minutes: String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year)-\(two(month))-\(two(day)) \(two(hour)):\(two(minute))"
  }
}

extension ClockZone {
  /// The local time in this zone.
  /// - Parameter seconds: seconds since 1970, UTC.
  package func localTime(at seconds: Int) -> LocalTime {
    let season = rule.season(at: seconds)
    var local = time_t(seconds + season.offset)
    var parts = tm()
    gmtime_r(&local, &parts)
    return LocalTime(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec),
      zone: season.name)
  }
}
