/// The words of a name, by which a search finds the name.
public struct SearchWords: Equatable, Sendable {
  /// The words as one text for the index, separated by spaces. Each Han, Kana and Hangul character is a word. If signs
  /// divide a name, the words between them are there, and the words from each of them on, joined: `AC/DC` has `acdc`,
  /// `ac`, `dc`.
  public let indexText: String
  /// The words as digits of ``KeyPad``, separated by spaces. A word with a character that is not on a key is left out.
  /// A zero in a name becomes a space, because the key 0 separates words. So the keys `1`, `0`, `2`, `2` find `10cc`.
  /// A word that begins another word is left out.
  public let indexDigits: String

  /// The words, in order.
  public var words: [String] { indexText.split(separator: " ").map(String.init) }

  /// Splits a name into words.
  public init(_ name: FoldedName) {
    var words = Words()
    words.text.reserveCapacity(name.scalars.count * 2)
    words.digits.reserveCapacity(name.scalars.count * 2)
    for run in WordRun.all(in: name) {
      if let spelled = run.spelled { words.add(spelled[...]) }
      for index in run.starts.indices {
        let joined = run.joined(from: index)
        let isOnKeys = words.add(joined)
        let word = run.word(index)
        guard word.count < joined.count else { continue }
        words.addText(word)
        if !isOnKeys { words.addDigits(word) }
      }
    }
    indexText = String(decoding: words.text, as: UTF8.self)
    indexDigits = String(decoding: words.digits, as: UTF8.self)
  }

  /// The words of a name, each once: apostrophes join words of at least two letters, other signs divide them.
  static func plain(_ name: FoldedName) -> [String] {
    var words: [String.UnicodeScalarView] = []
    var isInWord = false
    for scalar in name.scalars {
      if scalar.isPartOfWord {
        let isIdeograph = scalar.isSyllableOrIdeograph
        if !isInWord || isIdeograph { words.append(String.UnicodeScalarView()) }
        words[words.count - 1].append(scalar)
        isInWord = !isIdeograph
      } else if scalar != "'" || words.last.map({ $0.count < 2 }) ?? true {
        isInWord = false
      }
    }
    return words.map(String.init)
  }

  /// The ``plain(_:)`` words of a text that a user typed, without words for *and* if there are others.
  public static func typed(_ text: String) -> [String] {
    let all = plain(FoldedName(text))
    let others = all.filter { !Conjunctions.contains(Array($0.unicodeScalars)[...]) }
    return others.isEmpty ? all : others
  }
}

/// Collects the words while the name is read.
private struct Words {
  var text: [UInt8] = []
  var digits: [UInt8] = []

  /// Returns false if the word has a character that is not on a key.
  @discardableResult
  mutating func add(_ word: ArraySlice<Unicode.Scalar>) -> Bool {
    addText(word)
    return addDigits(word)
  }

  mutating func addText(_ word: ArraySlice<Unicode.Scalar>) {
    if !text.isEmpty { text.append(0x20) }
    for scalar in word { text += UTF8.encode(scalar).unsafelyUnwrapped }
  }

  @discardableResult
  mutating func addDigits(_ word: ArraySlice<Unicode.Scalar>) -> Bool {
    let before = digits.count
    if before > 0 { digits.append(0x20) }
    for scalar in word {
      guard let key = KeyPad.key(of: scalar) else {
        digits.removeLast(digits.count - before)
        return false
      }
      if key > 0 {
        digits.append(0x30 + key)
      } else if let last = digits.last, last != 0x20 {
        digits.append(0x20)
      }
    }
    if digits.last == 0x20 { digits.removeLast() }
    return true
  }
}
