internal import SystemClock

/// A date and a time of day that a user has typed: `14:05`, `14:05:30` or `2026-11-30 14:05`.
struct ClockText: Equatable {
  /// The year, the month and the day. Nil for today.
  private let date: [Int]?
  private let secondOfDay: Int

  /// Nil if the text is not a date and a time of day. A day that the month does not have is accepted here.
  init?(_ text: String) {
    let words = text.split(separator: " ").flatMap { $0.split(separator: "T") }
    guard (1...2).contains(words.count),
      let time = Self.numbers(words[words.count - 1], ":", [24, 60, 60])
    else { return nil }
    secondOfDay = time[0] * 3600 + time[1] * 60 + (time.count > 2 ? time[2] : 0)
    guard words.count == 2 else {
      date = nil
      return
    }
    guard let date = Self.numbers(words[0], "-", [10_000, 13, 32]), date.count == 3, date[1] > 0,
      date[2] > 0
    else { return nil }
    self.date = date
  }

  /// Reads two or three numbers that are below the limits.
  private static func numbers(
    _ text: Substring, _ separator: Character, _ limits: [Int]
  ) -> [Int]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count) else { return nil }
    var numbers: [Int] = []
    for (part, limit) in zip(parts, limits) {
      guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let number = Int(part), number < limit
      else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  /// The time in seconds since 1970. Nil if the month does not have this day, or if the zone leaves out this time
  /// because summer time begins.
  /// - Parameter now: the present time, for a text without a date.
  func seconds(in zone: ClockZone, now: Int) -> Int? {
    let today = zone.localTime(at: now)
    let date = date ?? [today.year, today.month, today.day]
    let wanted = Self.days(date[0], date[1], date[2]) * 86_400 + secondOfDay
    // The offset of the zone can differ before and after the end of summer time. The earlier time is used.
    let offsets = [wanted - 86_400, wanted + 86_400].map { Self.asUTC(zone.localTime(at: $0)) - $0 }
    return offsets.map { wanted - $0 }.filter { seconds in
      let time = zone.localTime(at: seconds)
      return Self.asUTC(time) == wanted && [time.year, time.month, time.day] == date
    }.min()
  }

  private static func asUTC(_ time: LocalTime) -> Int {
    days(time.year, time.month, time.day) * 86_400 + time.hour * 3600 + time.minute * 60
      + time.second
  }

  /// The days since 1970-01-01.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    // The year begins in March, so that a leap day is the last day of a year.
    let year = month > 2 ? year : year - 1
    let era = year / 400
    let yearOfEra = year % 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
