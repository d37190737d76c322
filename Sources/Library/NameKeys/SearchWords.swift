/// The words of a name, by which a search finds the name.
public struct SearchWords: Equatable, Sendable {
  /// The words as one text for the index, separated by spaces. Each Han, Kana and Hangul character is a word.
  public let indexText: String
  /// The words as digits of ``KeyPad``, separated by spaces. A word with a character that is not on a key is left out.
  /// A zero in a name becomes a space, because the key 0 separates words. So the keys `1`, `0`, `2`, `2` find `10cc`.
  public let indexDigits: String

  /// The words, in order.
  public var words: [String] { indexText.split(separator: " ").map(String.init) }

  /// Splits a name into words.
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
        // The apostrophe is left out after two or more letters, because `don't` is typed as `dont`. After one letter it
        // separates words: `l'amour` is two words.
      } else {
        words.endWord()
      }
    }
    words.endWord()
    indexText = String(decoding: words.text, as: UTF8.self)
    indexDigits = String(decoding: words.digits, as: UTF8.self)
  }
}

/// Collects the words while the name is read.
private struct Words {
  var text: [UInt8] = []
  var digits: [UInt8] = []
  /// Number of characters of the current word. 0 between two words.
  private(set) var letters = 0
  /// Length of ``digits`` before the current word.
  private var digitsBefore = 0
  /// True if each character of the current word is on a key.
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
