/// The letters under which a long list is divided: first by one letter, then by two and three.
extension SortKey {
  /// The heading of the group of this key, for people: `S`, `St`, `#` for numbers, `か` for the row of a Kana, `ㄱ` for
  /// the first consonant of a Hangul syllable, `漢` for Han. Keys with the same heading are next to each other in the
  /// order of keys.
  ///
  /// A heading of several letters for names in which no further letter follows ends with `_`: `U2` is under `U`, and
  /// there under `U_`, beside `Ub`. No key has this character.
  ///
  /// - Parameter length: number of letters, 1 … 3.
  public func heading(length: Int) -> String {
    guard let first = bytes.first, first != Self.number else { return Self.numbers }
    let text = String(decoding: bytes, as: UTF8.self).unicodeScalars
    guard let scalar = text.first else { return Self.numbers }
    let group = Self.group(of: scalar)
    if length == 1 || group == Self.han { return group }
    var heading = ""
    for scalar in text.prefix(length) {
      // A number inside a name ends the heading, because its digits follow two bytes of the key.
      if scalar == "0" || scalar == " " { break }
      heading.unicodeScalars.append(scalar)
    }
    if heading.unicodeScalars.count < length { heading += Self.noLetter }
    return heading.prefix(1).uppercased() + heading.dropFirst()
  }

  /// Number of letters of the longest heading.
  public static let longestHeading = 3

  /// True if the rows under a heading are divided by a further letter.
  public static func isDivided(_ heading: String) -> Bool {
    heading.unicodeScalars.count < longestHeading && !heading.hasSuffix(noLetter)
      && heading != numbers && heading != han
  }

  /// A key that is at the same position among the headings of one length as the keys under this heading.
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

  /// The keys with the same heading as this key.
  ///
  /// - Parameter length: as for ``heading(length:)``.
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
    // A shorter heading is that of names in which no letter follows. A space and the mark of a number come before all
    // letters.
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

  /// The first character of the row of the Kana table. The rows follow each other in Unicode.
  private static func kanaRow(_ kana: Unicode.Scalar) -> String {
    let rows: [Unicode.Scalar] = ["あ", "か", "さ", "た", "な", "は", "ま", "や", "ら", "わ"]
    // ぁ, ゃ and ゎ are small forms, which come before あ, や and わ.
    let begins: [Unicode.Scalar] = ["ぁ", "か", "さ", "た", "な", "は", "ま", "ゃ", "ら", "ゎ"]
    return String(rows[begins.lastIndex { $0 <= kana } ?? 0])
  }

  /// The first consonants of the Hangul syllables, 588 syllables each. Double consonants are listed under the single
  /// ones.
  private static let consonants: [Unicode.Scalar] = [
    "ㄱ", "ㄱ", "ㄴ", "ㄷ", "ㄷ", "ㄹ", "ㅁ", "ㅂ", "ㅂ", "ㅅ", "ㅅ", "ㅇ", "ㅈ", "ㅈ", "ㅊ", "ㅋ", "ㅌ",
    "ㅍ", "ㅎ",
  ]
}

/// The keys from `lower` on and before `upper`.
public struct KeyRange: Hashable, Sendable {
  /// The first key that may be in the range.
  public let lower: [UInt8]
  /// The first key after the range.
  public let upper: [UInt8]
}
