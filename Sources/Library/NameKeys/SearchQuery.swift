/// What a person searches for: words that must all be found, each at the beginning of a word.
public struct SearchQuery: Equatable, Sendable {
  /// A query longer than this is cut.
  public static let maximumWords = 8

  /// Words that follow each other. Only the last word of a query by text may be the beginning of a word in a name; in
  /// Han, Kana and Hangul each character is a word.
  private enum Term: Equatable {
    case prefix(String)
    case phrase([String])
    /// Whole words, one of which must be found.
    case anyOf([String])
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

  /// A query by the keys of ``KeyPad``: `2 … 9` for letters, and `0` or a space between two words. Nil if there is no
  /// key.
  public init?(keys: String) {
    let words = keys.split { $0 == "0" || $0 == " " }
    let isValid = words.allSatisfy { $0.utf8.allSatisfy { (0x31...0x39).contains($0) } }
    guard !words.isEmpty, isValid else { return nil }
    terms = words.prefix(Self.maximumWords).map { .prefix(String($0)) }
    isByKeys = true
  }

  /// A word of a query with other spellings than the written one.
  public enum Spelling: Equatable, Sendable {
    /// A folded word, which may be the beginning of a word in a name.
    case written(String)
    /// Whole folded words, one of which must be found. At least one.
    case anyOf([String])
  }

  /// A query by words. Nil if there are no words.
  public init?(spellings words: [Spelling]) {
    var terms: [Term] = []
    var written: [String] = []
    for word in words.prefix(Self.maximumWords) {
      switch word {
      case .written(let text): written.append(text)
      case .anyOf(let spellings):
        terms += Self.terms(written) + [.anyOf(spellings)]
        written = []
      }
    }
    self.terms = terms + Self.terms(written)
    isByKeys = false
    if self.terms.isEmpty { return nil }
  }

  /// The query in the grammar of SQLite's FTS5. It contains only letters and digits in quotation marks, so no text of a
  /// person is read as grammar.
  ///
  /// - Parameter atBeginning: true to find only names that begin with the first word.
  public func expression(atBeginning: Bool) -> String {
    terms.enumerated().map { Self.expression($1, atBeginning && $0 == 0 ? "^ " : "") }
      .joined(separator: " AND ")
  }

  private static func expression(_ term: Term, _ mark: String) -> String {
    switch term {
    case .prefix(let word): "\(mark)\"\(word)\" *"
    case .phrase(let words): "\(mark)\"\(words.joined(separator: " "))\""
    case .anyOf(let words): "(\(words.map { "\(mark)\"\($0)\"" }.joined(separator: " OR ")))"
    }
  }

  /// True if the names have all words of the query. The index may be older than the names.
  public func matches(_ names: [FoldedName]) -> Bool {
    let words = names.map(words(of:))
    return terms.allSatisfy { term in words.contains { Self.matches(term, $0) } }
  }

  /// True if the name begins with the first word.
  public func begins(_ name: FoldedName) -> Bool {
    Self.matches(terms[0], words(of: name)[...])
  }

  private func words(of name: FoldedName) -> [String] {
    let words = SearchWords(name)
    return isByKeys ? words.indexDigits.split(separator: " ").map(String.init) : words.words
  }

  private static func matches(_ term: Term, _ words: [String]) -> Bool {
    words.indices.contains { matches(term, words[$0...]) }
  }

  /// True if the words begin with the term.
  private static func matches(_ term: Term, _ words: ArraySlice<String>) -> Bool {
    guard let first = words.first else { return false }
    return switch term {
    case .prefix(let prefix): first.utf8.starts(with: prefix.utf8)
    case .phrase(let phrase): words.starts(with: phrase)
    case .anyOf(let spellings): spellings.contains(first)
    }
  }

  /// The number of words of a name that the query does not have.
  public func furtherWords(of name: FoldedName) -> Int {
    let words = SearchWords(name).words
    var known: Set<Int> = []
    for index in words.indices {
      for term in terms where Self.matches(term, words[index...]) {
        if case .phrase(let phrase) = term { known.formUnion(index..<index + phrase.count) }
        known.insert(index)
      }
    }
    return words.count - known.count
  }

  /// Each word is a term that finds words that begin with it. Consecutive Han, Kana and Hangul characters are one
  /// phrase, because their order matters.
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
