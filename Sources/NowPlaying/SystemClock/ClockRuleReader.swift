/// Reads the parts of a ``ClockRule`` one after the other. Each method reads one part from the start of the remaining
/// text, and returns nil if this text begins with something else.
struct ClockRuleReader {
  private var rest: Substring

  init(_ text: String) { rest = Substring(text) }

  var isAtEnd: Bool { rest.isEmpty }

  /// Reads an abbreviation and an offset, such as `CET-1`. The offset can be missing if there is a default.
  mutating func season(defaultOffset: Int?) -> ClockRule.Season? {
    guard let name = name() else { return nil }
    if let defaultOffset, rest.isEmpty || rest.first == "," {
      return ClockRule.Season(name: name, offset: defaultOffset)
    }
    // In POSIX, offsets to the west of Greenwich are positive.
    return time().map { ClockRule.Season(name: name, offset: -$0) }
  }

  /// Reads a change, such as `,M3.5.0/3`. If the text has no time, the change is at 2:00.
  mutating func change() -> ClockRule.Change? {
    guard skip(","), skip("M"), let month = number(1...12), skip("."), let week = number(1...5),
      skip("."),
      let weekday = number(0...6)
    else { return nil }
    guard let time = skip("/") ? time() : 2 * 3600 else { return nil }
    return ClockRule.Change(month: month, week: week, weekday: weekday, time: time)
  }

  /// Reads a name: letters, or any characters between `<` and `>`.
  private mutating func name() -> String? {
    let isQuoted = skip("<")
    let name = rest.prefix { isQuoted ? $0 != ">" : $0.isLetter }
    rest = rest.dropFirst(name.count)
    guard !name.isEmpty, !isQuoted || skip(">") else { return nil }
    return String(name)
  }

  /// Reads a time of the form `[+|-]hh[:mm]`. Returns seconds.
  private mutating func time() -> Int? {
    let sign = skip("-") ? -1 : 1
    if sign > 0 { _ = skip("+") }
    guard let hours = number(0...167) else { return nil }
    guard let minutes = skip(":") ? number(0...59) : 0 else { return nil }
    return sign * (hours * 3600 + minutes * 60)
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    rest = rest.dropFirst(digits.count)
    return Int(digits).flatMap { range.contains($0) ? $0 : nil }
  }

  private mutating func skip(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }
}
