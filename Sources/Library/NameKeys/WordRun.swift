/// The letters and digits of a name between two spaces, such as `AC/DC`. Signs divide the letters into words. People
/// also type these words as one: `acdc`.
struct WordRun {
  /// The letters of all words, without the signs.
  private(set) var letters: [Unicode.Scalar] = []
  /// For each word, the index of its first letter.
  private(set) var starts: [Int] = []
  /// The letters if signs stand for letters: `pink` for `P!nk`. Nil if no sign does.
  private(set) var spelled: [Unicode.Scalar]?

  /// Maximum number of words that are joined.
  static let maximumJoined = 8

  /// True for a Han, Kana or Hangul character, which is a word of its own.
  var isIdeograph: Bool { letters[0].isSyllableOrIdeograph }

  /// The letters of one word.
  func word(_ index: Int) -> ArraySlice<Unicode.Scalar> { words(from: index, count: 1) }

  /// The letters of the words from `index` on, joined, but of at most ``maximumJoined`` words.
  func joined(from index: Int) -> ArraySlice<Unicode.Scalar> {
    words(from: index, count: Self.maximumJoined)
  }

  private func words(from index: Int, count: Int) -> ArraySlice<Unicode.Scalar> {
    let end = index + count
    return letters[starts[index]..<(end < starts.count ? starts[end] : letters.count)]
  }
}

extension WordRun {
  /// Divides a name at its spaces. Each Han, Kana and Hangul character is a run. An underscore counts as a space,
  /// because names of files have it in place of one.
  static func all(in name: FoldedName) -> [WordRun] {
    var runs: [WordRun] = []
    var run = Builder()
    for scalar in name.scalars {
      if scalar.isPartOfWord {
        let isIdeograph = scalar.isSyllableOrIdeograph
        if isIdeograph { run.end(&runs) }
        run.add(scalar)
        if isIdeograph { run.end(&runs) }
      } else if scalar == " " || scalar == "_" || scalar.properties.isWhitespace {
        run.end(&runs)
      } else {
        run.add(sign: scalar)
      }
    }
    run.end(&runs)
    return runs
  }

  /// Signs that stand for letters inside a word.
  private static let letters: [Unicode.Scalar: Unicode.Scalar] = ["!": "i", "$": "s", "@": "a"]

  /// Collects the letters of a run.
  private struct Builder {
    private var run = WordRun()
    private var isInWord = false
    private var spelled: [Unicode.Scalar] = []
    /// The letters for which the last signs can stand.
    private var waiting: [Unicode.Scalar] = []
    private var hasLetterSigns = false

    mutating func add(_ scalar: Unicode.Scalar) {
      if !isInWord { run.starts.append(run.letters.count) }
      isInWord = true
      useWaiting()
      run.letters.append(scalar)
      spelled.append(scalar)
    }

    mutating func add(sign: Unicode.Scalar) {
      isInWord = false
      // Only `$` is also a letter at the beginning or at the end of a word: `$hort`, `Bada$$`.
      if let letter = WordRun.letters[sign], sign == "$" || !run.letters.isEmpty {
        waiting.append(letter)
      }
    }

    private mutating func useWaiting() {
      guard !waiting.isEmpty else { return }
      hasLetterSigns = true
      spelled += waiting
      waiting.removeAll(keepingCapacity: true)
    }

    mutating func end(_ runs: inout [WordRun]) {
      if !run.letters.isEmpty {
        waiting = waiting.prefix { $0 == "s" }.map(\.self)
        useWaiting()
        if hasLetterSigns { run.spelled = spelled }
        if !runs.isEmpty, Conjunctions.begins(run.letters), run.starts.count == 1 {
          run.starts.append(1)
        }
        runs.append(run)
      }
      self = Builder()
    }
  }
}

/// The words for *and* in the languages of the screen. `&`, `+`, one of these words and nothing find each other.
enum Conjunctions {
  private static let words: [[Unicode.Scalar]] = ["and", "und", "et", "و", "ו"].map {
    Array($0.unicodeScalars)
  }

  /// The words as digits. The Arabic and the Hebrew word are left out, because they have one letter only, and so has
  /// the beginning of each search.
  static let digits: Set<String> = ["263", "863", "38"]

  static func contains(_ word: ArraySlice<Unicode.Scalar>) -> Bool {
    word.count <= 3 && words.contains { $0[...] == word }
  }

  /// True for a word that can begin with the Arabic or Hebrew *and*, which is written without a space after it.
  static func begins(_ word: [Unicode.Scalar]) -> Bool {
    word.count > 2 && (word[0] == "و" || word[0] == "ו")
  }
}
