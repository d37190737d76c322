import Testing
import Text

@testable import autoharp

@Suite struct PlayKeyTests {
  private func keys(_ text: String) -> [PlayKey] {
    var decoder = TerminalKeyDecoder()
    return decoder.keys(from: text.utf8).compactMap(PlayKey.init)
  }

  @Test(arguments: [
    (" ", PlayKey.space), ("n", .next), ("N", .next), ("p", .previous), ("P", .previous),
    ("+", .plus), ("=", .plus), ("-", .minus), ("m", .mute), ("r", .repeatMode), ("R", .repeatMode),
    ("s", .shuffle), ("S", .shuffle), ("?", .help), ("q", .quit), ("Q", .quit), ("\u{04}", .quit),
    ("\u{1B}[C", .right), ("\u{1B}[D", .left), ("\u{1B}OC", .right), ("\u{1B}OD", .left),
  ])
  func knownBytes_giveTheirKey(_ text: String, _ key: PlayKey) {
    #expect(keys(text) == [key])
  }

  @Test func otherBytes_giveNone() {
    #expect(keys("xyz1_\r\n\t\u{02}\u{03}\u{06}\u{7F}ä日−\u{1B}[A\u{1B}[1;5C\u{1B}[3~") == [])
  }

  @Test func loneEscape_isIgnored_andTheNextKeyCounts() {
    #expect(keys("\u{1B}") == [])
    #expect(keys("\u{1B}q") == [.quit])
  }
}
