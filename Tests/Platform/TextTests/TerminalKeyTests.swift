import Testing

@testable import Text

@Suite struct TerminalKeyTests {
  private func keys(_ text: String) -> [TerminalKey] {
    var decoder = TerminalKeyDecoder()
    return decoder.keys(from: text.utf8)
  }

  @Test(
    arguments: [
      ("a", [.scalar("a")]), ("日", [.scalar("日")]),
      ("\u{3}\u{1A}", [.control("C"), .control("Z")]),
      ("\r\n\t\u{8}\u{7F}", [.enter, .enter, .tab, .backspace, .backspace]),
      ("\u{1B}[A\u{1B}OB\u{1B}[C\u{1B}OD", [.up, .down, .right, .left]),
      (
        "\u{1B}[H\u{1B}[4~\u{1B}[3~\u{1B}[5~\u{1B}[6~\u{1B}[Z",
        [
          .home, .end, .delete, .pageUp, .pageDown, .backTab,
        ]
      ),
      ("\u{1B}[1;5C\u{1B}[1;3D", [.wordRight, .wordLeft]),
      ("\u{1B}[24;80R", [.cursorReport(row: 24, column: 80)]),
    ] as [(String, [TerminalKey])])
  func bytes_giveTheirKeys(_ text: String, _ expected: [TerminalKey]) {
    #expect(keys(text) == expected)
  }

  /// A read can end after any byte, also within a sequence.
  @Test func keys_splitAnywhere_areTheSame() {
    let bytes = Array("n\u{1B}[C\u{1B}OD\u{1B}[1;5Cä\u{1B}[15~p\u{1B}[[Aq".utf8)
    let expected: [TerminalKey] = [
      .scalar("n"), .right, .left, .wordRight, .scalar("ä"), .scalar("p"), .scalar("q"),
    ]
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var decoder = TerminalKeyDecoder()
        var result = decoder.keys(from: bytes[..<first])
        result += decoder.keys(from: bytes[first..<second])
        result += decoder.keys(from: bytes[second...])
        #expect(result == expected)
      }
    }
  }

  @Test func escape_isAKey_ifNoSequenceFollows() {
    var decoder = TerminalKeyDecoder()
    #expect(decoder.keys(from: 0x1B).isEmpty, "a sequence may follow")
    #expect(decoder.finish() == [.escape])
    #expect(keys("\u{1B}q") == [.escape, .scalar("q")])
    #expect(keys("\u{1B}\u{1B}[C") == [.escape, .right])
    _ = decoder.keys(from: "\u{1B}[".utf8)
    #expect(decoder.finish() == [], "a cut sequence")
    #expect(decoder.keys(from: UInt8(ascii: "A")) == [.scalar("A")])
  }

  @Test(arguments: [
    "\u{1B}[15~", "\u{1B}[1;2D", "\u{1B}[?1;2c", "\u{1B}[200~", "\u{1B}[ q", "\u{1B}OP",
    "\u{1B}[[A", "\u{1B}[<0;1;1M",
  ])
  func unknownSequence_isIgnoredCompletely(_ sequence: String) {
    #expect(keys(sequence + "s") == [.scalar("s")])
  }

  @Test func interruptedSequence_isReplacedByTheNextKey() {
    #expect(keys("\u{1B}[1;\u{1B}[C") == [.right])
    #expect(keys("\u{1B}[1\u{04}") == [.control("D")])
    #expect(keys("\u{1B}O\u{1B}OD") == [.left])
  }

  @Test func bytesThatAreNotUTF8_areInvalid() {
    var decoder = TerminalKeyDecoder()
    #expect(
      decoder.keys(from: [0xC3, 0x61, 0xFF, 0xE6, 0x1B]) == [
        .invalid, .scalar("a"), .invalid, .invalid,
      ])
    #expect(decoder.keys(from: "[A".utf8) == [.up])
  }

  @Test func sequenceWithManyParameters_isIgnored() {
    #expect(keys("\u{1B}[" + String(repeating: "1;", count: 100_000) + "mn") == [.scalar("n")])
  }
}
