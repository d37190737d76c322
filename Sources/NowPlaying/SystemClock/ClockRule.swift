internal import Glibc

/// The rule of a time zone, in the form that POSIX defines for the environment variable `TZ`. POSIX also has two forms
/// in which the change between two seasons is given as a day of the year. These two forms are not supported, because no
/// present zone uses them.
struct ClockRule: Hashable, Sendable {
  /// A part of the year in which the offset from UTC is constant.
  struct Season: Hashable {
    /// The abbreviation, such as "CEST" or "+0545".
    let name: String
    /// The number of seconds by which the local time is ahead of UTC.
    let offset: Int
  }

  /// The moment of each year at which a season begins, such as the last Sunday of March at 2:00.
  struct Change: Hashable {
    /// The month, 1 to 12.
    let month: Int
    /// 1 for the first such weekday of the month, 2 for the second and so on. 5 means the last one.
    let week: Int
    /// The weekday, 0 to 6. 0 is Sunday.
    let weekday: Int
    /// Seconds after midnight, in the local time before the change. The time can be beyond the end of the day.
    let time: Int

    /// The moment of the change in a year, in seconds since 1970. Computed as if the local time were UTC, so the caller
    /// must subtract the offset.
    func moment(of year: Int) -> Int {
      let first = beginning(of: month, in: year)
      var moment = time_t(first)
      var parts = tm()
      gmtime_r(&moment, &parts)
      let day = (weekday - Int(parts.tm_wday) + 7) % 7 + (week - 1) * 7
      let days = (beginning(of: month + 1, in: year) - first) / 86_400
      return first + (day < days ? day : day - 7) * 86_400 + time
    }

    /// The first second of a month. Month 13 is January of the next year.
    private func beginning(of month: Int, in year: Int) -> Int {
      var parts = tm()
      (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month - 1), 1)
      return timegm(&parts)
    }
  }

  /// The season that is not ``standard``. In most zones this is the summer, but in the rule of Dublin it is the winter.
  struct Daylight: Hashable {
    let season: Season
    let begins: Change
    let ends: Change
  }

  let standard: Season
  let daylight: Daylight?

  /// Reads a rule. Returns nil if the text is not a rule of this form.
  init?(_ text: String) {
    var reader = ClockRuleReader(text)
    guard let standard = reader.season(defaultOffset: nil) else { return nil }
    self.standard = standard
    guard !reader.isAtEnd else {
      daylight = nil
      return
    }
    guard let season = reader.season(defaultOffset: standard.offset + 3600),
      let begins = reader.change(),
      let ends = reader.change(), reader.isAtEnd
    else { return nil }
    daylight = Daylight(season: season, begins: begins, ends: ends)
  }

  /// The season at a moment.
  /// - Parameter seconds: seconds since 1970, UTC.
  func season(at seconds: Int) -> Season {
    guard let daylight else { return standard }
    var local = time_t(seconds + standard.offset)
    var parts = tm()
    gmtime_r(&local, &parts)
    let year = Int(parts.tm_year) + 1900
    let begin = daylight.begins.moment(of: year) - standard.offset
    let end = daylight.ends.moment(of: year) - daylight.season.offset
    // South of the equator, the daylight season contains the end of the year. So in each year its end comes before its
    // beginning.
    let isDaylight =
      begin < end ? begin <= seconds && seconds < end : begin <= seconds || seconds < end
    return isDaylight ? daylight.season : standard
  }
}
