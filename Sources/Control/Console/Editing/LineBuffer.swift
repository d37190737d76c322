internal import Text

/// A line of text and a cursor in it, in characters as people see them. Bounded.
package struct LineBuffer: Equatable, Sendable {
  /// More scalars than any command needs; what comes beyond is refused.
  package static let limit = 1024
  /// Accents on one letter, and persons in one picture of a family.
  private static let longestCharacter = 12

  /// The text, character by character.
  package private(set) var characters: [Character] = []
  /// Where the next character goes, 0 … `characters.count`.
  package private(set) var cursor = 0
  private var scalarCount = 0

  /// Empty.
  package init() {}

  /// The whole line.
  package var text: String { String(characters) }
  /// The part before the cursor.
  package var head: String { String(characters[..<cursor]) }

  /// Nothing more fits.
  package var isFull: Bool { scalarCount >= Self.limit }

  /// Inserts what may be a character or the next part of one. False where it does not fit, or is
  /// nothing that a terminal should be shown.
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
    // An accent without a letter would be drawn on the prompt.
    guard TextWidth.columns(of: text) > 0 else { return false }
    characters.insert(Character(scalar), at: cursor)
    cursor += 1
    scalarCount += 1
    return true
  }

  /// Inserts all of `text` that fits. False where something did not.
  package mutating func insert(_ text: String) -> Bool {
    var isWhole = true
    for scalar in text.unicodeScalars where !insert(scalar) { isWhole = false }
    return isWhole
  }

  /// Takes `text` in place of all, as far as it fits, with the cursor behind it.
  package mutating func replace(with text: String) {
    self = LineBuffer()
    _ = insert(text)
  }

  /// The character before the cursor. False where there is none.
  package mutating func deleteBackward() -> Bool {
    guard cursor > 0 else { return false }
    remove(cursor - 1..<cursor)
    return true
  }

  /// The character at the cursor. False where there is none.
  package mutating func deleteForward() -> Bool {
    guard cursor < characters.count else { return false }
    remove(cursor..<cursor + 1)
    return true
  }

  /// All from the cursor on.
  package mutating func killToEnd() { remove(cursor..<characters.count) }
  /// All before the cursor.
  package mutating func killToStart() { remove(0..<cursor) }
  /// The word before the cursor, and spaces between.
  package mutating func killWord() { remove(wordStart..<cursor) }

  /// Moves by one character. False at the end of the way.
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
