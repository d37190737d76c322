/// A word of an input line of the console, and the position of the word.
package struct Token: Equatable, Sendable {
  /// The text without quotes and backslashes.
  package let text: String
  /// The position, in characters of the line.
  package let range: Range<Int>

  /// Creates a word at a position.
  package init(_ text: String, at range: Range<Int>) {
    self.text = text
    self.range = range
  }

  /// Splits a line into words. Words are separated by spaces or tabs outside single or double quotes. A backslash makes
  /// the next character literal, except within single quotes.
  ///
  /// - Throws: if a quote is not closed.
  package static func split(_ line: String) throws(GrammarError) -> [Token] {
    let (tokens, open) = parts(of: line)
    if let open {
      throw GrammarError(.openQuote, "the quote is not closed", at: open..<open + 1, of: line)
    }
    return tokens
  }

  /// Splits a line whose last word can be incomplete. Also returns the position of a quote that is not closed.
  static func parts(of line: String) -> ([Token], openQuote: Int?) {
    let characters = Array(line)
    var tokens: [Token] = []
    var text = ""
    var start: Int?
    var quote: (mark: Character, start: Int)?
    var index = 0
    while index < characters.count {
      let character = characters[index]
      if character == "\\", quote?.mark != "'", index + 1 < characters.count {
        start = start ?? index
        index += 1
        text.append(characters[index])
      } else if let open = quote {
        if character == open.mark { quote = nil } else { text.append(character) }
      } else if character == "\"" || character == "'" {
        start = start ?? index
        quote = (character, index)
      } else if character == " " || character == "\t" {
        if let begun = start { tokens.append(Token(text, at: begun..<index)) }
        (text, start) = ("", nil)
      } else {
        start = start ?? index
        text.append(character)
      }
      index += 1
    }
    if let begun = start { tokens.append(Token(text, at: begun..<index)) }
    return (tokens, quote?.start)
  }

  /// Joins words that were given separately, for example by a shell, into a line. Returns the words with their
  /// positions.
  package static func join(_ words: [String]) -> (tokens: [Token], line: String) {
    var tokens: [Token] = []
    var line = ""
    for word in words {
      if !line.isEmpty { line += " " }
      let isPlain = !word.isEmpty && !word.contains { " \t\"'\\".contains($0) }
      let start = line.count
      line += isPlain ? word : "'\(word)'"
      tokens.append(Token(word, at: start..<line.count))
    }
    return (tokens, line)
  }
}
