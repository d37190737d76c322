// Reads and writes numbers with units. `Double` is not used: it would also read `nan` and hexadecimal numbers, and it
// cannot represent 0.1 s exactly.

/// The number of milliseconds of each unit of time.
let durationUnits = ["ms": 1, "s": 1000, "min": 60_000]
/// The number of bytes of each unit of size.
let sizeUnits = ["KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30]

/// A decimal number as it is written: an optional sign, digits, and at most one point.
struct Decimal {
  private let digits: Int64
  /// Number of digits after the point.
  private let decimals: Int

  /// Reads a number. Nil if the text is not a number or has more than fifteen digits.
  init?(_ text: String) {
    var unsigned = text[...]
    let isNegative = unsigned.first == "-"
    if isNegative || unsigned.first == "+" { unsigned.removeFirst() }
    let parts = unsigned.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, let first = parts.first, !first.isEmpty, parts.last?.isEmpty == false
    else { return nil }
    let all = parts.joined()
    guard all.utf8.count <= 15, all.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int64(all)  // in range: nil for others
    else { return nil }
    digits = isNegative ? -number : number
    decimals = parts.count == 2 ? parts[1].utf8.count : 0
  }

  // in range: 15 digits
  private var power: Int64 { (0..<decimals).reduce(1) { power, _ in power * 10 } }

  var value: Double { Double(digits) / Double(power) }

  /// Multiplies the number by a factor. Nil if the product is not a whole number or is too large.
  func times(_ factor: Int64) -> Int64? {
    let (product, isTooLarge) = digits.multipliedReportingOverflow(by: factor)
    return isTooLarge || product % power != 0 ? nil : product / power  // in range: power is not 0
  }
}

/// Separates the number and the unit of a text such as `15 s` or `15s`.
func numberAndUnit(_ text: String) -> (Decimal, unit: String)? {
  let digits = text.prefix { !$0.isLetter && $0 != " " && $0 != "\t" }
  let unit = text[digits.endIndex...].drop { $0 == " " || $0 == "\t" }
  return Decimal(String(digits)).map { ($0, String(unit)) }
}

/// Returns the text before `unit`, or the whole text if it does not end with `unit`.
func withoutUnit(_ text: String, _ unit: String) -> String {
  guard !unit.isEmpty, text.hasSuffix(unit) else { return text }
  var number = text.dropLast(unit.count)
  while number.last == " " || number.last == "\t" { number.removeLast() }
  return String(number)
}

/// Formats a duration in the largest unit that gives a whole number: `15 s`, `1 min`, `20 ms`.
func durationText(_ duration: Duration) -> String {
  let (seconds, attoseconds) = duration.components
  if attoseconds != 0 {
    // in range: a valid setting
    return "\(seconds * 1000 + attoseconds / 1_000_000_000_000_000) ms"
  }
  return seconds != 0 && seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
}

/// Formats a size in the largest unit that gives a whole number: `64 MiB`.
func sizeText(_ bytes: Int) -> String {
  let (name, size) =
    // in range: not 0
    sizeUnits.sorted { $0.value > $1.value }.first { bytes >= $0.value && bytes % $0.value == 0 }
    ?? ("KiB", 1 << 10)
  return "\(bytes / size) \(name)"  // in range: size is not 0
}

/// Formats a decimal number: `-14`, `-2.5`.
func decimalText(_ number: Double) -> String {
  number == number.rounded() ? "\(Int(number))" : "\(number)"  // in range: a valid setting
}

/// Joins words to a list: `a, b or c`.
func listed(_ words: [String]) -> String {
  words.count < 2
    ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
}

func isLetterOrDigit(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "0")...UInt8(ascii: "9"):
    true
  default: false
  }
}
