internal import Text

/// A line that possibly requests its answer as JSON: `--json` before or after the command.
struct JSONRequest {
  static let word = "--json"

  /// The line without the request. Spaces replace the request, so the positions of all words stay the same.
  let line: String
  let isJSON: Bool

  init(_ line: String) {
    let (tokens, _) = Token.parts(of: line)
    // In quotes, the text is a word of the command.
    let ends = [tokens.first, tokens.count > 1 ? tokens.last : nil].compactMap { $0 }
    guard
      let found = ends.first(where: { $0.text == Self.word && $0.range.count == Self.word.count })
    else {
      (self.line, isJSON) = (line, false)
      return
    }
    var characters = Array(line)
    for index in found.range { characters[index] = " " }
    (self.line, isJSON) = (String(characters), true)
  }
}
