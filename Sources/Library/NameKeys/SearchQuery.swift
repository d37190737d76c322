/// A search query. Each part of the query must be found in one of the names of a row: for a song, in its title, artist
/// or album.
public struct SearchQuery: Equatable, Sendable {
  /// Maximum number of words. Further words are ignored.
  public static let maximumWords = 8

  /// A part of a query. All parts must be found.
  private enum Term: Equatable {
    case prefix(String)
    case phrase([String])
    /// Whole words, one of which must be found.
    case anyOf([String])
  }

  private let terms: [Term]
  /// True if the words consist of digits of ``KeyPad``.
  public let isByKeys: Bool

  /// Creates a query by text or by keys. Nil if there is nothing to search for.
  public init?(_ query: String, isByKeys: Bool) {
    if isByKeys { self.init(keys: query) } else { self.init(text: query) }
  }

  /// Creates a query by text. Nil if the text contains neither letters nor digits.
  public init?(text: String) {
    let terms = Self.terms(SearchWords(FoldedName(text)).words)
    guard !terms.isEmpty else { return nil }
    self.terms = Array(terms.prefix(Self.maximumWords))
    isByKeys = false
  }

  /// Creates a query by the keys of ``KeyPad``. The digits 1 … 9 are keys. `0` or a space separates two words. Nil if
  /// the text contains no key, or contains other characters.
  public init?(keys: String) {
    let words = keys.split { $0 == "0" || $0 == " " }
    let isValid = words.allSatisfy { $0.utf8.allSatisfy { (0x31...0x39).contains($0) } }
    guard !words.isEmpty, isValid else { return nil }
    terms = words.prefix(Self.maximumWords).map { .prefix(String($0)) }
    isByKeys = true
  }

  /// A word of a query: as the user wrote it, or as a list of alternative spellings.
  public enum Spelling: Equatable, Sendable {
    /// A folded word. It matches the beginning of a word in a name.
    case written(String)
    /// Folded words, of which one must be a whole word in the name. The array must not be empty.
    case anyOf([String])
  }

  /// Creates a query by words. Nil if there are no words.
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

  /// The query in the syntax of SQLite's FTS5. Each word is quoted and contains only letters and digits, so FTS5 never
  /// parses typed text as syntax.
  ///
  /// - Parameter atBeginning: true to find only names that begin with the first part of the query.
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

  /// True if the names contain all parts of the query. Check each result of the index with this method, because the
  /// index can be older than the names.
  public func matches(_ names: [FoldedName]) -> Bool {
    let words = names.map(words(of:))
    return terms.allSatisfy { term in words.contains { Self.matches(term, $0) } }
  }

  /// True if the name begins with the first part of the query.
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

  /// True if the term matches at the first of the words.
  private static func matches(_ term: Term, _ words: ArraySlice<String>) -> Bool {
    guard let first = words.first else { return false }
    return switch term {
    case .prefix(let prefix): first.utf8.starts(with: prefix.utf8)
    case .phrase(let phrase): words.starts(with: phrase)
    case .anyOf(let spellings): spellings.contains(first)
    }
  }

  /// The number of words of a name that the query does not match.
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

  /// Converts words to terms. Each word becomes a prefix. But consecutive Han, Kana and Hangul characters, each of
  /// which is a word, become one phrase, because their order matters.
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
