/// The letters that divide a long alphabetical list: first one letter, then two and three letters.
extension SortKey {
  /// The heading under which this key is listed: `S`, `St`, `#` for numbers, `か` for the row of a Kana, `ㄱ` for the
  /// first consonant of a Hangul syllable, `漢` for Han. Keys with the same heading are adjacent.
  ///
  /// If a name has fewer letters before its end, a space or a number than the heading needs, the heading ends with `_`.
  /// For example, `U2` is under `U`, and in this group under `U_`, beside `Ub`. A key never contains `_`.
  ///
  /// - Parameter length: number of letters of the heading, 1 … 3.
  public func heading(length: Int) -> String {
    guard let first = bytes.first, first != Self.number else { return Self.numbers }
    let text = String(decoding: bytes, as: UTF8.self).unicodeScalars
    guard let scalar = text.first else { return Self.numbers }
    let group = Self.group(of: scalar)
    if length == 1 || group == Self.han { return group }
    var heading = ""
    for scalar in text.prefix(length) {
      // A number inside a name ends the heading, because in a key a number is not text.
      if scalar == "0" || scalar == " " { break }
      heading.unicodeScalars.append(scalar)
    }
    if heading.unicodeScalars.count < length { heading += Self.noLetter }
    return heading.prefix(1).uppercased() + heading.dropFirst()
  }

  /// Number of letters of the longest heading.
  public static let longestHeading = 3

  /// True if the rows under a heading can be divided by a further letter.
  public static func isDivided(_ heading: String) -> Bool {
    heading.unicodeScalars.count < longestHeading && !heading.hasSuffix(noLetter)
      && heading != numbers && heading != han
  }

  /// Creates a key with which the ranges of the shorter headings are found. Each range (``keys(withHeadingOf:)``) that
  /// contains the keys under `heading` also contains this key.
  public init(ofHeading heading: String) {
    if heading == Self.numbers {
      self.init(bytes: [])
    } else if heading == Self.han {
      self.init(bytes: Array("\u{3400}".utf8))
    } else if let scalar = heading.unicodeScalars.first,
      let consonant = Self.consonants.firstIndex(of: scalar)
    {
      let syllable = Unicode.Scalar(0xAC00 + 588 * UInt32(consonant)) ?? scalar
      self.init(bytes: Array(String(syllable).utf8))
    } else {
      self.init(FoldedName(heading), articles: Articles([]))
    }
  }

  /// The range of all keys with the same heading as this key.
  ///
  /// - Parameter length: number of letters of the heading, 1 … 3.
  public func keys(withHeadingOf length: Int) -> KeyRange {
    let text = String(decoding: bytes, as: UTF8.self).unicodeScalars
    guard let scalar = text.first, bytes.first != Self.number else {
      return KeyRange(lower: [], upper: [Self.number, 0xFF])
    }
    let group = Self.scalars(inGroupOf: scalar)
    if length == 1 || Self.group(of: scalar) == Self.han {
      return KeyRange(
        lower: Array(String(group.lowerBound).utf8),
        upper: Array(String(group.upperBound).utf8) + [0xFF])
    }
    let letters = text.prefix(length).prefix { $0 != "0" && $0 != " " }
    let lower = Array(String(String.UnicodeScalarView(letters)).utf8)
    // If there are fewer letters than `length`, no further letter follows in the keys of the range. These keys end, or
    // continue with a space or with ``number``, whose bytes are lower than the bytes of all letters.
    return KeyRange(lower: lower, upper: lower + [letters.count < length ? Self.number + 1 : 0xFF])
  }

  private static func scalars(inGroupOf scalar: Unicode.Scalar) -> ClosedRange<Unicode.Scalar> {
    let name = group(of: scalar)
    func grown(_ limits: ClosedRange<UInt32>) -> ClosedRange<Unicode.Scalar> {
      var (low, high) = (scalar, scalar)
      func neighbour(_ value: UInt32) -> Unicode.Scalar? {
        limits.contains(value)
          ? Unicode.Scalar(value).flatMap { group(of: $0) == name ? $0 : nil } : nil
      }
      while let next = neighbour(low.value - 1) { low = next }
      while let next = neighbour(high.value + 1) { high = next }
      return low...high
    }
    switch scalar.value {
    case 0x3041...0x3096: return grown(0x3041...0x3096)
    case 0xAC00...0xD7A3: return grown(0xAC00...0xD7A3)
    case 0x3400...0x9FFF: return "\u{3400}"..."\u{9FFF}"
    default: return scalar...scalar
    }
  }

  private static let han = "漢"
  private static let numbers = "#"
  private static let noLetter = "_"

  private static func group(of scalar: Unicode.Scalar) -> String {
    switch scalar.value {
    case 0x3041...0x3096: kanaRow(scalar)
    case 0xAC00...0xD7A3: String(consonants[Int(scalar.value - 0xAC00) / 588])
    case 0x3400...0x4DBF, 0x4E00...0x9FFF: han
    default: scalar.properties.uppercaseMapping
    }
  }

  /// The first character of the row of the Kana table that contains `kana`. The code points are in the order of the
  /// rows.
  private static func kanaRow(_ kana: Unicode.Scalar) -> String {
    let rows: [Unicode.Scalar] = ["あ", "か", "さ", "た", "な", "は", "ま", "や", "ら", "わ"]
    // ぁ, ゃ and ゎ are small forms, whose code points are before あ, や and わ.
    let begins: [Unicode.Scalar] = ["ぁ", "か", "さ", "た", "な", "は", "ま", "ゃ", "ら", "ゎ"]
    return String(rows[begins.lastIndex { $0 <= kana } ?? 0])
  }

  /// The first consonant of each block of 588 Hangul syllables. A double consonant is stored as a single one.
  private static let consonants: [Unicode.Scalar] = [
    "ㄱ", "ㄱ", "ㄴ", "ㄷ", "ㄷ", "ㄹ", "ㅁ", "ㅂ", "ㅂ", "ㅅ", "ㅅ", "ㅇ", "ㅈ", "ㅈ", "ㅊ", "ㅋ", "ㅌ",
    "ㅍ", "ㅎ",
  ]
}

/// A range of sort keys. ``lower`` belongs to the range, ``upper`` does not.
public struct KeyRange: Hashable, Sendable {
  /// The lower bound, which is in the range.
  public let lower: [UInt8]
  /// The upper bound, which is not in the range.
  public let upper: [UInt8]
}
