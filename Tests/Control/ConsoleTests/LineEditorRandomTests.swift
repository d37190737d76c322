import Console
import Text
import TestKit
import Testing

/// Pseudo-random numbers (SplitMix64). Equal seeds give equal numbers on every machine.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}

@Suite struct LineEditorRandomTests {
  private static let keys =
    [
      "a", "b", " ", "é", "e", "\u{301}", "日", "👩‍👧", "\u{7F}", "\t", "\r", "\u{3}", "\u{1}", "\u{5}",
      "\u{4}", "\u{B}", "\u{15}", "\u{17}", "\u{C}", "\u{1A}", "play ", "\u{1B}", "\u{1B}[",
      "\u{1B}O",
      "\u{1B}[1;", "\u{1B}[5;1R",
    ] + [
      Keys.up, Keys.down, Keys.left, Keys.right, Keys.home, Keys.end, Keys.delete, Keys.wordLeft,
      Keys.wordRight,
    ]

  /// After any sequence of keys, drawing only the differences gives the same screen as drawing everything.
  @Test(arguments: 0..<30 as Range<UInt64>)
  func anyKeys_differentialDrawing_equalsFullDrawing(seed: UInt64) {
    var random = SeededRandom(seed)
    var screen = EditedScreen(
      columns: 20 + random.below(40), known: random.below(2) == 0, history: ["one", "two 日本語"],
      complete: { Grammar.autoharp.complete($0) })
    for step in 0..<300 {
      screen.type(Self.keys[random.below(Self.keys.count)])
      if random.below(20) == 0 {
        screen.editor.printAbove(["above"])
        screen.flush()
      }
      if !screen.takeEvents().isEmpty { screen.begin() }
      guard screen.takeEvents().isEmpty else {
        screen.begin()
        continue
      }
      let drawn = screen.line
      var again = screen
      again.editor.resize(columns: again.editor.columns)
      again.flush()
      #expect(again.line == drawn, "seed \(seed), step \(step)")
      #expect(screen.terminal.faults == [], "seed \(seed), step \(step)")
      #expect(TextWidth.columns(of: drawn) <= screen.terminal.columns, "seed \(seed), step \(step)")
      if drawn != again.line || !screen.terminal.faults.isEmpty { return }
    }
  }

  @Test(arguments: 100..<130 as Range<UInt64>)
  func anyBytes_giveOnlySafeLines(seed: UInt64) {
    var random = SeededRandom(seed)
    var screen = EditedScreen(complete: { Grammar.autoharp.complete($0) })
    for _ in 0..<300 {
      let bytes = (0..<random.below(30)).map { _ in UInt8(random.below(256)) }
      screen.type(bytes: bytes, afterPause: random.below(10) == 0)
      for event in screen.takeEvents() {
        if case .line(let line) = event {
          #expect(TextWidth.sanitized(line) == line, "seed \(seed)")
          _ = try? Grammar.autoharp.parse(line)
        }
      }
      screen.begin()
    }
    #expect(screen.terminal.faults == [], "seed \(seed)")
  }
}
