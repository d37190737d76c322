/// The permitted values of a setting, for a surface that offers these values to the driver.
public enum ValueDomain: Hashable, Sendable {
  /// One of these words. An empty word stands for *none*.
  case choice([String])
  /// A number within a range, followed by its unit. `special` is a word that is permitted in place of the number, as it
  /// is written in a file. Nil if there is no such word.
  case number(ClosedRange<Double>, unit: String, special: String?)
  /// A time of day, such as `7:30`. As a number, it is in minutes after midnight.
  case timeOfDay
  /// Any text within the limits.
  case text(maximumBytes: Int, mayBeEmpty: Bool)

  /// The number that a valid value stands for. Nil if the value is not a number.
  func number(_ text: String) -> Double? {
    switch self {
    case .number(_, let unit, let special):
      if text == special { return nil }
      guard unit == "s" else { return Decimal(withoutUnit(text, unit))?.value }
      guard let (number, unit) = numberAndUnit(text), let factor = durationUnits[unit] else {
        return nil
      }
      return number.value * Double(factor) / 1000
    case .timeOfDay:
      let parts = text.split(separator: ":").compactMap { Double($0) }
      return parts.count == 2 ? parts[0] * 60 + parts[1] : nil
    case .choice, .text: return nil
    }
  }

  /// Returns the domain with one more value, which means *none*. The parameter `none` is the text of this value in a
  /// file.
  func adding(_ none: String) -> ValueDomain {
    switch self {
    case .choice(let words): .choice([none] + words)
    case .number(let range, let unit, _): .number(range, unit: unit, special: none)
    case .timeOfDay: self
    case .text(let bytes, _): .text(maximumBytes: bytes, mayBeEmpty: true)
    }
  }
}
