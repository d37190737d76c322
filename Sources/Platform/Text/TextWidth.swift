/// Functions that make text safe for a terminal, measure it in columns, truncate it and pad it.
///
/// The widths are computed here and not with `wcwidth`. glibc hides `wcwidth` from Swift, because `wcwidth` needs
/// `_XOPEN_SOURCE`. Also, `wcwidth` depends on the locale. If terminals use different widths for a character, as for
/// some emoji, the greater width is used. A line that is too short is harmless, but a line that is too long breaks the
/// layout.
package enum TextWidth {
  /// Maximum number of consecutive characters without width. In normal text, at most 6 characters without width are
  /// consecutive: the Unicode tag characters of a flag. Without a limit, a title could contain megabytes of text that
  /// use no column.
  private static let longestRunOfMarks = 8

  /// `text` without characters that a terminal would interpret.
  ///
  /// Line breaks and tabs become one space. All other control characters (including ESC and the C1 set) become U+FFFD.
  /// The bidirectional embeddings, overrides and isolates become U+FFFD too. A text from a tag, and a file name, must
  /// pass through this function before it is written to a terminal or a log.
  ///
  /// - Parameter limit: the maximum number of scalars of `text` that are used. The rest is dropped. Use this limit for
  ///   a text of unknown length that is shown on one line.
  package static func sanitized(_ text: String, limit: Int = .max) -> String {
    var result = String.UnicodeScalarView()
    var marks = 0
    for scalar in text.unicodeScalars.prefix(limit) {
      let safe = harmless(scalar)
      // CR LF, or a line break after a space, must not give two spaces.
      if safe == " ", scalar != " ", result.last == " " { continue }
      marks = columns(of: safe) == 0 ? marks + 1 : 0
      if marks > longestRunOfMarks { continue }
      result.append(safe)
    }
    return String(result)
  }

  private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x09...0x0D, 0x85, 0x2028, 0x2029: " "
    case 0x00...0x1F, 0x7F...0x9F: "\u{FFFD}"
    case 0x202A...0x202E, 0x2066...0x2069: "\u{FFFD}"
    // A byte of a file name that is not UTF-8, see FileName.
    case 0x10FF7E...0x10FFFF: "\u{FFFD}"
    default: scalar
    }
  }

  /// The width of `text` in columns. Control characters count as 0.
  package static func columns(of text: String) -> Int {
    text.reduce(0) { $0 + columns(of: $1) }
  }

  /// The width of a text that can contain SGR sequences (`ESC [ … m`). These sequences count as 0.
  package static func columns(ofStyled text: String) -> Int {
    var plain = String.UnicodeScalarView()
    var inSequence = false
    for scalar in text.unicodeScalars {
      if inSequence {
        inSequence = scalar != "m"
      } else if scalar == "\u{1B}" {
        inSequence = true
      } else {
        plain.append(scalar)
      }
    }
    return columns(of: String(plain))
  }

  /// `text` truncated to at most `columns` columns. If something was removed, the result ends with `…`. The text is cut
  /// between grapheme clusters, so an accent stays with its letter.
  package static func truncated(_ text: String, to columns: Int) -> String {
    guard columns > 0 else { return "" }
    var used = 0
    /// The end of the longest prefix that leaves one column free for the `…`.
    var cut = text.startIndex
    for index in text.indices {
      let next = used + self.columns(of: text[index])
      if next > columns { return text[..<cut] + "…" }
      used = next
      if used < columns { cut = text.index(after: index) }
    }
    return text
  }

  /// `text` followed by spaces up to `columns` columns. A wider text stays unchanged.
  package static func padded(_ text: String, to columns: Int) -> String {
    text + spaces(columns - self.columns(of: text))
  }

  /// `text` preceded by spaces up to `columns` columns. A wider text stays unchanged.
  package static func rightAligned(_ text: String, to columns: Int) -> String {
    spaces(columns - self.columns(of: text)) + text
  }

  /// `count` spaces. Empty for a negative count.
  package static func spaces(_ count: Int) -> String {
    String(repeating: " ", count: max(0, count))
  }

  /// The width of one grapheme cluster.
  private static func columns(of character: Character) -> Int {
    if character.isASCII { return character.unicodeScalars.reduce(0) { $0 + columns(of: $1) } }
    var sum = 0
    var isEmoji = false
    for scalar in character.unicodeScalars {
      sum += columns(of: scalar)
      isEmoji = isEmoji || scalar == "\u{FE0F}"
    }
    // U+FE0F requests the emoji form of a symbol. Many terminals show this form, which is two columns wide even if the
    // symbol itself is one column wide.
    return isEmoji ? max(2, sum) : sum
  }

  /// The width of one scalar: 0 if it is drawn in the cell of the preceding scalar, 2 if its EastAsianWidth in Unicode
  /// is wide or full-width, otherwise 1.
  private static func columns(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x300 { return value < 0x20 || (0x7F...0x9F).contains(value) ? 0 : 1 }
    let properties = scalar.properties
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    // Conjoining Hangul vowels and finals are drawn in the cell of their leading consonant.
    if (0x1160...0x11FF).contains(value) || (0xD7B0...0xD7FF).contains(value) { return 0 }
    // Two regional indicators form one flag of two columns.
    if (0x1F1E6...0x1F1FF).contains(value) { return 1 }
    if isWide(value) || properties.isEmojiPresentation { return 2 }
    return properties.isDefaultIgnorableCodePoint ? 0 : 1
  }

  /// True for the Unicode ranges with EastAsianWidth W or F. Emoji are not included, because the standard library has a
  /// property for emoji. Unassigned code points within these ranges count as wide.
  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0..<0x1100: false
    case 0x1100...0x115F: true  // Hangul leading consonants
    case 0x2329...0x232A: true  // angle brackets
    case 0x2E80...0x303E: true  // radicals, CJK punctuation
    case 0x3041...0x3247: true  // kana, Bopomofo, Hangul compatibility, enclosed
    case 0x3250...0x4DBF: true  // enclosed, extension A
    case 0x4E00...0xA4CF: true  // unified ideographs, Yi
    case 0xA960...0xA97F: true  // Hangul Jamo extended A
    case 0xAC00...0xD7A3: true  // Hangul syllables
    case 0xF900...0xFAFF: true  // compatibility ideographs
    case 0xFE10...0xFE19, 0xFE30...0xFE6F: true  // vertical and small forms
    case 0xFF01...0xFF60, 0xFFE0...0xFFE6: true  // full-width forms
    case 0x16FE0...0x18DFF: true  // Tangut, Khitan, Nüshu
    case 0x1AFF0...0x1B2FF: true  // kana supplements
    case 0x1F200...0x1F265: true  // enclosed ideographs
    case 0x20000...0x3FFFD: true  // ideographs beyond the BMP
    default: false
    }
  }
}
