internal import Text

/// A line that is no command; nothing was done.
package struct GrammarError: Error, Equatable, Sendable {
  /// What is wrong, in one line, safe for a terminal.
  package let message: String
  /// Where, in characters of `line`.
  package let range: Range<Int>
  /// The whole line.
  package let line: String

  /// - Parameter message: made harmless here.
  package init(_ message: String, at range: Range<Int>, of line: String) {
    self.message = TextWidth.sanitized(message, limit: 400)
    self.range = range
    self.line = line
  }

  /// A caret under each column of the place, for a line that begins at column `indent`; nil where
  /// it would not fit.
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

/// A word of the user inside a message: harmless, and short enough to leave the rest readable.
func quoted(_ word: String) -> String {
  "'\(TextWidth.truncated(TextWidth.sanitized(word, limit: 200), to: 40))'"
}
