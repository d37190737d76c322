/// Parses one argument. Accepts only the documented forms.
enum ArgumentReader {
  /// The longest time in seconds: 100 hours, longer than any album.
  static let longestTime = 360_000.0
  static let longestName = 40
  /// The maximum length of a phrase, in bytes. The library does not store longer titles.
  static let longestPhrase = 1024

  /// Returns the value, or the reason why the text is refused.
  static func read(_ text: String, as kind: CommandSyntax.Kind) -> Result<
    CommandSyntax.Value, Refusal
  > {
    switch kind {
    case .words: .failure(Refusal("expected a word"))  // The parser itself resolves words.
    case .time(let signed): time(text, signed: signed)
    case .level: level(text)
    case .number(_, let range, let unit): number(text, range, unit, kind.expectation)
    case .name(let name): self.name(text, name)
    case .phrase(let name): phrase(text, name)
    case .command: .success(.text(text))
    }
  }

  /// A refusal with a message for the user.
  struct Refusal: Error {
    let message: String
    init(_ message: String) { self.message = message }
  }

  private static func time(_ text: String, signed: Bool) -> Result<CommandSyntax.Value, Refusal> {
    let sign: Int? = text.first == "+" ? 1 : text.first == "-" ? -1 : nil
    if sign != nil, !signed {
      return .failure(Refusal("\(quoted(text)): a sign is not allowed here"))
    }
    let digits = sign == nil ? text : String(text.dropFirst())
    guard let seconds = seconds(digits) else {
      let expected = CommandSyntax.Kind.time(signed: signed).expectation
      return .failure(Refusal("\(quoted(text)) is not valid; expected \(expected)"))
    }
    guard seconds <= longestTime else {
      return .failure(Refusal("\(quoted(text)) is above the maximum of 100 hours"))
    }
    // The value is rounded to milliseconds. Otherwise the inexact binary fraction would be visible in messages. No user
    // needs a finer value.
    return .success(.time(.milliseconds(Int64((seconds * 1000).rounded())), sign: sign))
  }

  /// Reads a time: `90`, `90s`, `1.5`, `2m`, `1m30s`, `1h`, `1:23`, `1:02:03.5`. In the form with colons, each part
  /// after the first must be less than 60.
  static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count > 1 {
      guard parts.count <= 3 else { return nil }
      var seconds = 0.0
      for (index, part) in parts.enumerated() {
        let isLast = index == parts.count - 1
        guard let value = decimal(part), isLast || !part.contains("."), index == 0 || value < 60
        else { return nil }
        seconds = seconds * 60 + value
      }
      return seconds
    }
    var rest = text[...]
    var seconds = 0.0
    var units: [(letter: Character, seconds: Double)] = [("h", 3600), ("m", 60), ("s", 1)]
    if let plain = decimal(rest) { return plain }
    while !rest.isEmpty {
      let number = rest.prefix { !$0.isLetter }
      rest = rest.dropFirst(number.count)
      guard let letter = rest.popFirst(), let value = decimal(number),
        let unit = units.firstIndex(where: { $0.letter == letter })
      else { return nil }
      seconds += value * units[unit].seconds
      units.removeFirst(unit + 1)
    }
    return text.isEmpty ? nil : seconds
  }

  private static func level(_ text: String) -> Result<CommandSyntax.Value, Refusal> {
    let isChange = text.first == "+" || text.first == "-"
    var digits = isChange ? text.dropFirst() : text[...]
    if digits.last == "%" { digits.removeLast() }
    guard let value = decimal(digits) else {
      return .failure(
        Refusal("\(quoted(text)) is not valid; expected \(CommandSyntax.Kind.level.expectation)"))
    }
    guard value <= 100 else {
      return .failure(Refusal("\(quoted(text)) is above 100 per cent"))
    }
    let thousandths = Int((value * 10).rounded())
    return .success(
      .level(thousandths: text.first == "-" ? -thousandths : thousandths, isChange: isChange))
  }

  private static func number(
    _ text: String, _ range: ClosedRange<Double>, _ unit: String, _ expectation: String
  ) -> Result<CommandSyntax.Value, Refusal> {
    var digits = text[...]
    if !unit.isEmpty, digits.hasSuffix(unit) { digits.removeLast(unit.count) }
    guard let value = decimal(digits), range.contains(value) else {
      return .failure(Refusal("\(quoted(text)) is not \(expectation)"))
    }
    return .success(.number(value))
  }

  private static func name(_ text: String, _ what: String) -> Result<CommandSyntax.Value, Refusal> {
    guard !text.isEmpty else { return .failure(Refusal("\(what) is empty")) }
    guard text.count <= longestName, text.utf8.count <= 4 * longestName else {
      return .failure(Refusal("\(quoted(text)) is longer than \(longestName) letters"))
    }
    return .success(.text(text))
  }

  private static func phrase(
    _ text: String, _ what: String
  ) -> Result<CommandSyntax.Value, Refusal> {
    guard text.contains(where: { $0 != " " }) else { return .failure(Refusal("\(what) is empty")) }
    guard text.utf8.count <= longestPhrase else {
      return .failure(Refusal("\(what) is longer than \(longestPhrase) bytes"))
    }
    return .success(.text(text))
  }

  /// Parses digits with at most one decimal point. `Double` alone would also accept `nan`, `infinity`, hexadecimal
  /// numbers and exponents.
  private static func decimal(_ text: Substring) -> Double? {
    guard !text.isEmpty, text.utf8.count <= 20,
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") })
    else { return nil }
    return Double(text)
  }
}
