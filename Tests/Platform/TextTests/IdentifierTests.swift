import Testing
import Text

@Suite struct IdentifierTests {
  @Test func identifier_hasSmallLettersDigitsAndHyphens() {
    for text in ["a", "web-radio", "a1", String(repeating: "a", count: 32)] {
      #expect(text.isIdentifier)
    }
    for text in ["", "A", "1a", "-a", "a b", "ä", "a.b", "a/b", String(repeating: "a", count: 33)] {
      #expect(!text.isIdentifier)
    }
  }
}
