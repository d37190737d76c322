import Testing

@testable import Text

@Suite struct TerminalEnvironmentTests {
  @Test func noColor_countsOnlyIfItIsNotEmpty() {
    #expect(TerminalEnvironment.allowsColor(noColor: nil))
    #expect(TerminalEnvironment.allowsColor(noColor: ""))
    #expect(!TerminalEnvironment.allowsColor(noColor: "1"))
    #expect(!TerminalEnvironment.allowsColor(noColor: "0"))
  }

  @Test func dumbTerminal_disallowsDrawing() {
    #expect(!TerminalEnvironment.allowsDrawing(term: "dumb"))
    #expect(TerminalEnvironment.allowsDrawing(term: "xterm-256color"))
    #expect(TerminalEnvironment.allowsDrawing(term: nil))
  }

  @Test(
    arguments: [
      (nil, nil, nil, false), (nil, nil, "C", false), (nil, nil, "C.UTF-8", true),
      (nil, nil, "de_DE.utf8", true), ("C", nil, "C.UTF-8", false), ("", "C.UTF-8", "C", true),
      (nil, nil, "de_DE.ISO-8859-1", false),
    ] as [(String?, String?, String?, Bool)])
  func unicode_isAllowed_byTheFirstVariableThatIsSet(
    _ all: String?, _ type: String?, _ language: String?, _ isAllowed: Bool
  ) {
    #expect(
      TerminalEnvironment.allowsUnicode(all: all, type: type, language: language) == isAllowed)
  }
}
