internal import Text

/// A line of text with a cursor. The cursor moves by user-perceived characters. The length of the line is limited.
package struct LineBuffer: Equatable, Sendable {
  /// The maximum number of scalars. No command needs more scalars. Further input is refused.
  package static let limit = 1024
  /// The maximum number of scalars in one character, such as a letter with accents or an emoji of a family.
  private static let longestCharacter = 12

  /// The text, character by character.
  package private(set) var characters: [Character] = []
  /// The position of the cursor: the number of characters before it, 0 … `characters.count`.
  package private(set) var cursor = 0
  private var scalarCount = 0

  /// Creates an empty line.
  package init() {}

  /// The whole line.
  package var text: String { String(characters) }
  /// The text before the cursor.
  package var head: String { String(characters[..<cursor]) }

  /// True if no further scalar fits.
  package var isFull: Bool { scalarCount >= Self.limit }

  /// Inserts a scalar at the cursor. A combining scalar extends the character before the cursor. Returns false if the
  /// scalar does not fit or is not safe for a terminal.
  package mutating func insert(_ scalar: Unicode.Scalar) -> Bool {
    let text = String(Character(scalar))
    guard scalarCount < Self.limit, TextWidth.sanitized(text) == text else { return false }
    if cursor > 0 {
      let joined = String(characters[cursor - 1]) + text
      if joined.count == 1, let character = joined.first {
        guard joined.unicodeScalars.count <= Self.longestCharacter else { return false }
        characters[cursor - 1] = character
        scalarCount += 1
        return true
      }
    }
    // A combining mark without a base character would be drawn on the prompt.
    guard TextWidth.columns(of: text) > 0 else { return false }
    characters.insert(Character(scalar), at: cursor)
    cursor += 1
    scalarCount += 1
    return true
  }

  /// Inserts the scalars of `text` that can be inserted. Returns false if a scalar could not be inserted.
  package mutating func insert(_ text: String) -> Bool {
    var isWhole = true
    for scalar in text.unicodeScalars where !insert(scalar) { isWhole = false }
    return isWhole
  }

  /// Replaces the line with the part of `text` that fits. The cursor is then at the end of the line.
  package mutating func replace(with text: String) {
    self = LineBuffer()
    _ = insert(text)
  }

  /// Deletes the character before the cursor. Returns false if there is no such character.
  package mutating func deleteBackward() -> Bool {
    guard cursor > 0 else { return false }
    remove(cursor - 1..<cursor)
    return true
  }

  /// Deletes the character at the cursor. Returns false if there is no such character.
  package mutating func deleteForward() -> Bool {
    guard cursor < characters.count else { return false }
    remove(cursor..<cursor + 1)
    return true
  }

  /// Deletes the text from the cursor to the end of the line.
  package mutating func killToEnd() { remove(cursor..<characters.count) }
  /// Deletes the text before the cursor.
  package mutating func killToStart() { remove(0..<cursor) }
  /// Deletes the word before the cursor, and the spaces between this word and the cursor.
  package mutating func killWord() { remove(wordStart..<cursor) }

  /// Moves the cursor by `step` characters. If the new position is outside of the line, does nothing and returns false.
  package mutating func move(by step: Int) -> Bool {
    guard (0...characters.count).contains(cursor + step) else { return false }
    cursor += step
    return true
  }

  package mutating func moveToStart() { cursor = 0 }
  package mutating func moveToEnd() { cursor = characters.count }
  package mutating func moveWordLeft() { cursor = wordStart }

  package mutating func moveWordRight() {
    while cursor < characters.count, characters[cursor] == " " { cursor += 1 }
    while cursor < characters.count, characters[cursor] != " " { cursor += 1 }
  }

  private var wordStart: Int {
    var start = cursor
    while start > 0, characters[start - 1] == " " { start -= 1 }
    while start > 0, characters[start - 1] != " " { start -= 1 }
    return start
  }

  private mutating func remove(_ range: Range<Int>) {
    scalarCount -= characters[range].reduce(0) { $0 + $1.unicodeScalars.count }
    characters.removeSubrange(range)
    cursor = range.lowerBound
  }
}
