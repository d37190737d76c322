import Testing

@testable import Terminal

@Suite struct TerminalEnvironmentTests {
  @Test func noColor_countsOnlyIfItIsNotEmpty() {
    #expect(TerminalEnvironment.allowsColor(noColor: nil))
    #expect(TerminalEnvironment.allowsColor(noColor: ""))
    #expect(!TerminalEnvironment.allowsColor(noColor: "1"))
    #expect(!TerminalEnvironment.allowsColor(noColor: "0"))
  }

  @Test func dumbTerminal_isNotDrawnOn() {
    #expect(!TerminalEnvironment.allowsDrawing(term: "dumb"))
    #expect(TerminalEnvironment.allowsDrawing(term: "xterm-256color"))
    #expect(TerminalEnvironment.allowsDrawing(term: nil))
  }
}
