import Testing

@testable import Text

@Suite struct TextWidthTests {
  // MARK: Sanitising

  @Test func sanitized_ordinaryText_isUnchanged() {
    let text = "Café · 日本語 · שלום · 🎵 · e\u{301} · 👩‍👩‍👧"
    #expect(TextWidth.sanitized(text) == text)
    #expect(TextWidth.sanitized("") == "")
    #expect(TextWidth.sanitized("two  spaces ") == "two  spaces ")
  }

  @Test func sanitized_escapeSequences_loseTheirEscape() {
    #expect(TextWidth.sanitized("\u{1B}[2Jhi") == "\u{FFFD}[2Jhi")
    #expect(TextWidth.sanitized("\u{1B}]0;title\u{07}") == "\u{FFFD}]0;title\u{FFFD}")
    #expect(TextWidth.sanitized("a\u{9B}31mb") == "a\u{FFFD}31mb")
    #expect(TextWidth.sanitized("a\u{0}b\u{7F}c\u{8}") == "a\u{FFFD}b\u{FFFD}c\u{FFFD}")
  }

  @Test func sanitized_everyControlCharacter_isRemoved() {
    let controls = (0...0x9F as ClosedRange<UInt32>).filter { $0 < 0x20 || $0 >= 0x7F }
    for value in controls {
      let text = "a" + String(Unicode.Scalar(value).map(Character.init) ?? "?") + "b"
      for scalar in TextWidth.sanitized(text).unicodeScalars {
        #expect(scalar.properties.generalCategory != .control, "U+\(String(value, radix: 16))")
      }
    }
  }

  @Test func sanitized_lineBreaks_becomeOneSpace() {
    #expect(TextWidth.sanitized("a\nb") == "a b")
    #expect(TextWidth.sanitized("a\r\nb\r\n\r\nc") == "a b c")
    #expect(TextWidth.sanitized("a\tb\u{B}c\u{C}d\u{85}e\u{2028}f\u{2029}g") == "a b c d e f g")
    #expect(TextWidth.sanitized("a \n b") == "a  b")
  }

  @Test func sanitized_directionOverridesAndIsolates_areReplaced() {
    for value in Array(0x202A...0x202E) + Array(0x2066...0x2069) as [UInt32] {
      let text = "a" + String(Unicode.Scalar(value).map(Character.init) ?? "?") + "b"
      #expect(TextWidth.sanitized(text) == "a\u{FFFD}b")
    }
  }

  @Test func sanitized_longRunOfMarks_isCut() {
    let heap = "e" + String(repeating: "\u{301}", count: 10_000) + "x"
    let result = TextWidth.sanitized(heap)
    #expect(result.unicodeScalars.count == 10)
    #expect(result.hasSuffix("x"))
  }

  @Test func sanitized_limit_countsScalars() {
    #expect(TextWidth.sanitized(String(repeating: "x", count: 1000), limit: 5) == "xxxxx")
  }

  // MARK: Width

  @Test(
    arguments: [
      ("", 0), ("abc", 3), ("Ünïcödé", 7), ("e\u{301}", 1), ("日本語", 6), ("한국어", 6),
      ("\u{1112}\u{1161}\u{11AB}", 2), ("ｱ", 1), ("Ａ", 2), ("、", 2), ("か\u{3099}", 2), ("שָׁלוֹם", 4),
      ("สวัสดี", 4), ("▶❚■◌↻⇄·…─→−", 11), ("▏▎▍▌▋▊▉█▕", 9), ("\u{FFFD}", 1), ("🎵", 2), ("𠀀", 2),
      ("⚡", 2), ("☎", 1), ("☎\u{FE0F}", 2), ("🇳🇴", 2), ("a\u{200B}b", 2), ("a\u{AD}b", 3),
      ("\u{E000}", 1), ("\u{10FFFF}", 1), ("\u{301}", 0), ("\u{1B}\u{7F}\u{9B}", 0),
    ] as [(String, Int)])
  func columns(_ text: String, _ columns: Int) {
    #expect(TextWidth.columns(of: text) == columns)
  }

  @Test func columns_ofEveryScalar_areZeroOneOrTwo() {
    for value in stride(from: UInt32(0), through: 0x10FFFF, by: 7) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let columns = TextWidth.columns(of: String(Character(scalar)))
      #expect((0...2).contains(columns))
    }
  }

  @Test func columns_ofStyledText_ignoreTheStyle() {
    #expect(TextWidth.columns(ofStyled: "\u{1B}[1m日本\u{1B}[0m m \u{1B}[38;5;4mx") == 8)
    #expect(TextWidth.columns(ofStyled: "plain") == 5)
  }

  // MARK: Cutting and padding

  @Test(
    arguments: [
      ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""),
      ("abcdef", -3, ""), ("", 5, ""), ("日本語", 6, "日本語"), ("日本語", 5, "日本…"),
      ("日本語", 4, "日…"), ("日本語", 1, "…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
      ("ab\u{301}", 2, "ab\u{301}"), ("a👩‍👩‍👧b", 3, "a…"),
    ] as [(String, Int, String)])
  func truncated(_ text: String, _ columns: Int, _ expected: String) {
    let result = TextWidth.truncated(text, to: columns)
    #expect(result == expected)
    #expect(TextWidth.columns(of: result) <= max(0, columns))
  }

  @Test func padded_fillsToTheColumn() {
    #expect(TextWidth.padded("ab", to: 4) == "ab  ")
    #expect(TextWidth.padded("日", to: 4) == "日  ")
    #expect(TextWidth.padded("abcdef", to: 4) == "abcdef")
    #expect(TextWidth.rightAligned("9:59", to: 6) == "  9:59")
    #expect(TextWidth.rightAligned("日本", to: 3) == "日本")
  }
}
