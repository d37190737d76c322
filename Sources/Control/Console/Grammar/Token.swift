/// A word of a line, and where it stands.
package struct Token: Equatable, Sendable {
  /// Without quotes and backslashes.
  package let text: String
  /// In characters of the line.
  package let range: Range<Int>

  /// See the fields.
  package init(_ text: String, at range: Range<Int>) {
    self.text = text
    self.range = range
  }

  /// The words of a line. Spaces part them, but not within quotes of either kind; a backslash takes
  /// the next character as it is.
  ///
  /// - Throws: where a quote has no end.
  package static func split(_ line: String) throws(GrammarError) -> [Token] {
    let (tokens, open) = parts(of: line)
    if let open {
      throw GrammarError("the quote has no end", at: open..<open + 1, of: line)
    }
    return tokens
  }

  /// The words of a line of which the last may be unfinished, and the place of its open quote.
  static func parts(of line: String) -> ([Token], openQuote: Int?) {
    let characters = Array(line)
    var tokens: [Token] = []
    var text = ""
    var start: Int?
    var quote: (mark: Character, place: Int)?
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
    return (tokens, quote?.place)
  }

  /// Words that came one by one, as from a shell, and the line that they would be.
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
