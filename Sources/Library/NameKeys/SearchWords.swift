/// The words of a name by which it is found.
public struct SearchWords: Equatable, Sendable {
  /// The words as one text for the index, with a space between two words. Each Han, Kana and Hangul character is a
  /// word.
  public let indexText: String
  /// The digits of the words for a search with nine keys, with a space between two words. Words with a character that
  /// is on no key are left out. A zero in a name is the key between two words: `10cc` is found by `1`, `0`, `22`.
  public let indexDigits: String

  /// The words in order.
  public var words: [String] { indexText.split(separator: " ").map(String.init) }

  /// The words of `name`.
  public init(_ name: FoldedName) {
    var words = Words()
    words.text.reserveCapacity(name.scalars.count * 2)
    words.digits.reserveCapacity(name.scalars.count * 2)
    for scalar in name.scalars {
      if scalar.isSyllableOrIdeograph, scalar.isPartOfWord {
        words.endWord()
        words.add(scalar)
        words.endWord()
      } else if scalar.isPartOfWord {
        words.add(scalar)
      } else if scalar == "'", words.letters > 1 {
        // `don't` is typed as `dont`. But `l'amour` is two words.
      } else {
        words.endWord()
      }
    }
    words.endWord()
    indexText = String(decoding: words.text, as: UTF8.self)
    indexDigits = String(decoding: words.digits, as: UTF8.self)
  }
}

/// The words that were found so far.
private struct Words {
  var text: [UInt8] = []
  var digits: [UInt8] = []
  /// Number of characters of the last word, if it is not complete.
  private(set) var letters = 0
  /// Number of digits when the last word began.
  private var digitsBefore = 0
  /// True if each character of the last word is on a key.
  private var isOnKeys = true

  mutating func add(_ scalar: Unicode.Scalar) {
    if letters == 0 {
      if !text.isEmpty { text.append(0x20) }
      digitsBefore = digits.count
      if !digits.isEmpty { digits.append(0x20) }
    }
    letters += 1
    text += UTF8.encode(scalar).unsafelyUnwrapped
    guard let key = KeyPad.key(of: scalar) else {
      isOnKeys = false
      return
    }
    if key > 0 {
      digits.append(0x30 + key)
    } else if let last = digits.last, last != 0x20 {
      digits.append(0x20)
    }
  }

  mutating func endWord() {
    guard letters > 0 else { return }
    if !isOnKeys { digits.removeLast(digits.count - digitsBefore) }
    if digits.last == 0x20 { digits.removeLast() }
    letters = 0
    isOnKeys = true
  }
}
