import Testing

@testable import ScreenPainter

@Suite struct CodePictureTests {
  @Test func text_becomesACodeWithFinders() throws {
    let code = try #require(CodePicture("autoharp 1.3"))
    // The smallest QR code has 21 modules per side, for up to 17 bytes. Each larger code has four more modules per
    // side.
    #expect(code.side == 21)
    // Each finder pattern has a ring of dark modules, a ring of light modules, and a dark core.
    for (x, y) in [(0, 0), (14, 0), (0, 14)] {
      #expect(code[x, y] && code[x + 6, y + 6] && code[x + 3, y + 3])
      #expect(!code[x + 1, y + 1] && !code[x + 5, y + 5])
    }
  }

  @Test func textOfTheLargestReport_hasAtMost49Modules() throws {
    let code = try #require(CodePicture(String(repeating: "é", count: 95)))
    #expect(code.side <= 49)
  }

  @Test func textThatNoCodeCanHave_isRefused() {
    #expect(CodePicture("") == nil)
    #expect(CodePicture("a\0b") == nil)
    #expect(CodePicture(String(repeating: "x", count: 3000)) == nil)
  }
}
