import Testing

@testable import Text

@Suite struct TextWrapTests {
  @Test(
    arguments: [
      ("", 10, [""]), ("one two", 10, ["one two"]), ("one two three", 8, ["one two", "three"]),
      ("abcdefghij", 4, ["abcd", "efgh", "ij"]), ("a abcdefgh", 4, ["a", "abcd", "efgh"]),
      ("日本語", 4, ["日本", "語"]), ("日本", 1, ["日", "本"]), ("one  two", 5, ["one ", "two"]),
    ] as [(String, Int, [String])])
  func lines(_ text: String, _ columns: Int, _ lines: [String]) {
    #expect(TextWrap.lines(text, columns: columns) == lines)
  }
}
