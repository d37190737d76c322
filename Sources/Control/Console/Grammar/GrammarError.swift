internal import Text

/// The error for an input line that is not a valid command. Nothing was executed.
package struct GrammarError: Error, Equatable, Sendable {
  /// The kind of error.
  package enum Kind: Hashable, Sendable {
    case unknownCommand
    /// More than one command or word begins with the given text.
    case ambiguous
    /// The name of the command was abbreviated, but must be written in full.
    case abbreviated
    case unknownOption
    case tooManyArguments
    case missingArgument
    case wrongArgument
    case openQuote
  }

  package let kind: Kind
  /// The error in one line, safe for a terminal.
  package let message: String
  /// The position of the error, in characters of `line`.
  package let range: Range<Int>
  /// The whole input line.
  package let line: String

  /// - Parameter message: the message. The initializer makes it safe for a terminal.
  package init(_ kind: Kind, _ message: String, at range: Range<Int>, of line: String) {
    self.kind = kind
    self.message = TextWidth.sanitized(message, limit: 400)
    self.range = range
    self.line = line
  }

  /// Returns a line with carets under the position of the error. `indent` is the column in which the input line begins.
  /// Nil if the carets do not fit into `columns` columns.
  package func carets(indent: Int, columns: Int) -> String? {
    let characters = Array(line)
    let start = min(range.lowerBound, characters.count)
    let end = min(range.upperBound, characters.count)
    let before = TextWidth.columns(of: String(characters[..<start]))
    let under = max(1, TextWidth.columns(of: String(characters[start..<max(start, end)])))
    guard indent + before + under < columns else { return nil }
    return TextWidth.spaces(indent + before) + String(repeating: "^", count: under)
  }
}

/// Puts a word of the user into quotes, for a message. The word is made safe for a terminal and truncated.
func quoted(_ word: String) -> String {
  "'\(TextWidth.truncated(TextWidth.sanitized(word, limit: 200), to: 40))'"
}
