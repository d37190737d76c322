/// What a person searches for: words that must all be found, each at the beginning of a word.
public struct SearchQuery: Equatable, Sendable {
  /// A query longer than this is cut.
  static let maximumWords = 8

  /// Words that follow each other. Only the last word of a query by text may be the beginning of a word in a
  /// name; in Han, Kana and Hangul each character is a word.
  private enum Term: Equatable {
    case prefix(String)
    case phrase([String])
  }

  private let terms: [Term]
  /// True if the words are digits of ``KeyPad``.
  public let isByKeys: Bool

  /// A query by text or by keys. Nil if it has nothing to search for.
  public init?(_ query: String, isByKeys: Bool) {
    if isByKeys { self.init(keys: query) } else { self.init(text: query) }
  }

  /// A query by text. Nil if the text has neither letters nor digits.
  public init?(text: String) {
    let terms = Self.terms(SearchWords(FoldedName(text)).words)
    guard !terms.isEmpty else { return nil }
    self.terms = Array(terms.prefix(Self.maximumWords))
    isByKeys = false
  }

  /// A query by the keys of ``KeyPad``: `2 … 9` for letters, and `0` or a space between two words. Nil
  /// if there is no key.
  public init?(keys: String) {
    let words = keys.split { $0 == "0" || $0 == " " }
    let isValid = words.allSatisfy { $0.utf8.allSatisfy { (0x31...0x39).contains($0) } }
    guard !words.isEmpty, isValid else { return nil }
    terms = words.prefix(Self.maximumWords).map { .prefix(String($0)) }
    isByKeys = true
  }

  /// The query in the grammar of SQLite's FTS5. It contains only letters and digits in quotation marks, so
  /// no text of a person is read as grammar.
  ///
  /// - Parameter atBeginning: true to find only names that begin with the first word.
  public func expression(atBeginning: Bool) -> String {
    (atBeginning ? "^ " : "") + terms.map(Self.expression).joined(separator: " ")
  }

  private static func expression(_ term: Term) -> String {
    switch term {
    case .prefix(let word): "\"\(word)\" *"
    case .phrase(let words): "\"\(words.joined(separator: " "))\""
    }
  }

  /// True if the names have all words of the query. The index may be older than the names.
  public func matches(_ names: [FoldedName]) -> Bool {
    let words = names.map(words(of:))
    return terms.allSatisfy { term in words.contains { Self.matches(term, $0) } }
  }

  /// True if the name begins with the first word.
  public func begins(_ name: FoldedName) -> Bool {
    let words = words(of: name)
    return switch terms[0] {
    case .prefix(let prefix): words.first?.utf8.starts(with: prefix.utf8) ?? false
    case .phrase(let phrase): words.starts(with: phrase)
    }
  }

  private func words(of name: FoldedName) -> [String] {
    let words = SearchWords(name)
    return isByKeys ? words.indexDigits.split(separator: " ").map(String.init) : words.words
  }

  private static func matches(_ term: Term, _ words: [String]) -> Bool {
    switch term {
    case .prefix(let prefix): words.contains { $0.utf8.starts(with: prefix.utf8) }
    case .phrase(let phrase):
      words.indices.contains { words[$0...].starts(with: phrase) }
    }
  }

  /// Each word is a term that finds words that begin with it. Consecutive Han, Kana and Hangul characters
  /// are one phrase, because their order matters.
  private static func terms(_ words: [String]) -> [Term] {
    var terms: [Term] = []
    var phrase: [String] = []
    func finish() {
      if !phrase.isEmpty { terms.append(.phrase(phrase)) }
      phrase = []
    }
    for word in words {
      if word.unicodeScalars.first?.isSyllableOrIdeograph == true {
        phrase.append(word)
      } else {
        finish()
        terms.append(.prefix(word))
      }
    }
    finish()
    return terms
  }
}
