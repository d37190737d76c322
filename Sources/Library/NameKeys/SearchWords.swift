/// The words of a name by which it is found.
public struct SearchWords: Equatable, Sendable {
  /// The words in order. Each Han, Kana and Hangul character is a word.
  public let words: [String]

  /// The words of `name`.
  public init(_ name: FoldedName) {
    var words: [String] = []
    var word = ""
    func finish() {
      if !word.isEmpty { words.append(word) }
      word = ""
    }
    for scalar in name.scalars {
      if scalar.isSyllableOrIdeograph, scalar.isPartOfWord {
        finish()
        words.append(String(scalar))
      } else if scalar.isPartOfWord {
        word.unicodeScalars.append(scalar)
      } else if scalar == "'", word.count > 1 {
        // `don't` is typed as `dont`. But `l'amour` is two words.
      } else {
        finish()
      }
    }
    finish()
    self.words = words
  }

  /// The words as one text for the index, with a space between two words.
  public var indexText: String { words.joined(separator: " ") }

  /// The digits of the words for a search with nine keys, with a space between two words. Words with a
  /// character that is on no key are left out.
  public var indexDigits: String {
    words.compactMap(KeyPad.digits).map(Self.divided).joined(separator: " ")
  }

  /// A zero in a name is the key between two words: `10cc` is found by `1`, `0`, `22`.
  private static func divided(_ digits: String) -> String {
    digits.split(separator: "0").joined(separator: " ")
  }
}
