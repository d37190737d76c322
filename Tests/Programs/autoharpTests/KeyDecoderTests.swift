import Testing

@testable import autoharp

private func keys(_ text: String) -> [Key] {
  var decoder = KeyDecoder()
  return decoder.keys(from: text.utf8)
}

@Suite struct KeyDecoderTests {
  @Test(arguments: [
    (" ", Key.space), ("n", .next), ("N", .next), ("p", .previous), ("P", .previous),
    ("+", .plus), ("=", .plus), ("-", .minus), ("m", .mute), ("r", .repeatMode), ("R", .repeatMode),
    ("s", .shuffle), ("S", .shuffle), ("?", .help), ("q", .quit), ("Q", .quit), ("\u{04}", .quit),
    ("\u{1B}[C", .right), ("\u{1B}[D", .left), ("\u{1B}OC", .right), ("\u{1B}OD", .left),
  ])
  func keys_knownBytes_giveTheirKey(_ text: String, _ key: Key) {
    #expect(keys(text) == [key])
  }

  @Test func keys_otherBytes_giveNone() {
    #expect(keys("xyz1_\r\n\t\u{03}\u{7F}ä日−") == [])
  }

  @Test func keys_severalInOneRead_areInOrder() {
    #expect(keys("n\u{1B}[C\u{1B}[D +q") == [.next, .right, .left, .space, .plus, .quit])
  }

  /// A read may end after any byte.
  @Test func keys_splitAnywhere_areTheSame() {
    let bytes = Array("n\u{1B}[C\u{1B}OD\u{1B}[1;5Cs\u{1B}[15~p\u{1B}[[Aq".utf8)
    let expected: [Key] = [.next, .right, .left, .shuffle, .previous, .quit]
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var decoder = KeyDecoder()
        var result = decoder.keys(from: bytes[..<first])
        result += decoder.keys(from: bytes[first..<second])
        result += decoder.keys(from: bytes[second...])
        #expect(result == expected)
      }
    }
  }

  @Test func keys_loneEscape_isIgnored_andTheNextKeyCounts() {
    #expect(keys("\u{1B}") == [])
    #expect(keys("\u{1B}q") == [.quit])
    #expect(keys("\u{1B}\u{1B}[C") == [.right])
  }

  @Test(arguments: [
    "\u{1B}[A", "\u{1B}[B", "\u{1B}[H", "\u{1B}[3~", "\u{1B}[15~", "\u{1B}[1;5C", "\u{1B}[1;2D",
    "\u{1B}[?1;2c", "\u{1B}[200~", "\u{1B}[24;80R", "\u{1B}[ q", "\u{1B}OP", "\u{1B}OS",
    "\u{1B}[[A", "\u{1B}[<0;1;1M",
  ])
  func keys_unknownSequence_isIgnoredCompletely(_ sequence: String) {
    #expect(keys(sequence) == [])
    #expect(keys(sequence + "s") == [.shuffle])
  }

  @Test func keys_interruptedSequence_isReplacedByTheNextKey() {
    #expect(keys("\u{1B}[1;\u{1B}[C") == [.right])
    #expect(keys("\u{1B}[1\u{04}") == [.quit])
    #expect(keys("\u{1B}O\u{1B}OD") == [.left])
  }

  @Test func keys_sequenceWithManyParameters_isIgnored() {
    #expect(keys("\u{1B}[" + String(repeating: "1;", count: 100_000) + "mn") == [.next])
  }
}
