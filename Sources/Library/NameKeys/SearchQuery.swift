/// A search query. Each part of the query must be found in one of the names of a row: for a song, in its title, artist
/// or album.
public struct SearchQuery: Equatable, Sendable {
  /// Maximum number of words. Further words are ignored.
  public static let maximumWords = 8

  /// A part of a query. All parts must be found.
  private enum Term: Equatable {
    /// The ways in which a word with signs can be written, each as beginnings of words that must all be found.
    case spellings([[String]])
    case phrase([String])
    /// Whole words, one of which must be found.
    case anyOf([String])
  }

  private let terms: [Term]
  /// The terms of ``withoutAnd``. Nil if the query has no such word, or no other word.
  private var termsWithoutAnd: [Term]?
  /// The query as one word: see ``WholeName``.
  private var wholes: [String] = []
  /// True if the words consist of digits of ``KeyPad``.
  public let isByKeys: Bool

  /// Creates a query by text or by keys. Nil if there is nothing to search for.
  public init?(_ query: String, isByKeys: Bool) {
    if isByKeys { self.init(keys: query) } else { self.init(text: query) }
  }

  /// Creates a query by text. Nil if the text contains neither letters nor digits.
  public init?(text: String) {
    let name = FoldedName(text)
    let runs = WordRun.all(in: name)
    self.init(
      Self.terms(runs, withAnd: true), withoutAnd: Self.terms(runs, withAnd: false),
      wholes: WholeName(name).texts, isByKeys: false)
  }

  /// Creates a query by the keys of ``KeyPad``. The digits 1 … 9 are keys. `0` or a space separates two words. Nil if
  /// the text contains no key, or contains other characters.
  public init?(keys: String) {
    let words = keys.split { $0 == "0" || $0 == " " }.map(String.init)
    guard words.allSatisfy({ $0.utf8.allSatisfy { (0x31...0x39).contains($0) } }) else {
      return nil
    }
    let others = words.filter { !Conjunctions.digits.contains($0) }
    self.init(
      words.map { .spellings([[$0]]) }, withoutAnd: others.map { .spellings([[$0]]) },
      wholes: [words.joined(), others.joined()], isByKeys: true)
  }

  private init?(_ terms: [Term], withoutAnd others: [Term], wholes: [String], isByKeys: Bool) {
    guard !terms.isEmpty else { return nil }
    self.terms = Array(terms.prefix(Self.maximumWords))
    let others = Array(others.prefix(Self.maximumWords))
    termsWithoutAnd = others.isEmpty || others == self.terms ? nil : others
    var known: Set<String> = [""]
    self.wholes = wholes.filter { known.insert($0).inserted }
    self.isByKeys = isByKeys
  }

  /// The query without its words for *and*, which a name can have as `&`, or not at all. Nil if the query has no such
  /// word, or no other word.
  public var withoutAnd: SearchQuery? {
    termsWithoutAnd.flatMap {
      SearchQuery($0, withoutAnd: [], wholes: [], isByKeys: isByKeys)
    }
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
    case .spellings(let spellings):
      if spellings.count == 1 {
        expression(spellings[0], mark)
      } else {
        "(\(spellings.map { expression($0, mark) }.joined(separator: " OR ")))"
      }
    case .phrase(let words): "\(mark)\"\(words.joined(separator: " "))\""
    case .anyOf(let words): "(\(words.map { "\(mark)\"\($0)\"" }.joined(separator: " OR ")))"
    }
  }

  private static func expression(_ words: [String], _ mark: String) -> String {
    let words = words.enumerated().map { "\($0 == 0 ? mark : "")\"\($1)\" *" }
    return words.count == 1 ? words[0] : "(\(words.joined(separator: " AND ")))"
  }

  /// The query in the syntax of FTS5 for an index of ``WholeName``. Nil if no name can be equal to the query.
  public var wholeExpression: String? {
    wholes.isEmpty
      ? nil
      : wholes.map { "\"\(isByKeys ? Self.keysMark : "")\($0)\"" }.joined(separator: " OR ")
  }

  /// The character before digits in an index of ``WholeName``. Names do not contain it.
  private static let keysMark = "·"

  /// The words of a name for an index of ``WholeName``, separated by spaces.
  public static func wholeIndexText(_ name: FoldedName) -> String {
    let whole = WholeName(name)
    return (whole.texts + whole.digits.map { keysMark + $0 }).joined(separator: " ")
  }

  /// True if the query is the whole name, and not a part of it.
  public func isWhole(_ name: FoldedName) -> Bool {
    let whole = WholeName(name)
    return (isByKeys ? whole.digits : whole.texts).contains(where: wholes.contains)
  }

  /// True if the names contain all parts of the query. Check each result of the index with this method, because the
  /// index can be older than the names.
  public func matches(_ names: [FoldedName]) -> Bool {
    let words = names.map(words(of:))
    return terms.allSatisfy { Self.matches($0, words) }
  }

  /// True if the name begins with the first part of the query.
  public func begins(_ name: FoldedName) -> Bool {
    let words = words(of: name)
    guard case .spellings(let spellings) = terms[0] else {
      return Self.matches(terms[0], words[...])
    }
    return spellings.contains { spelling in
      Self.begins(words.first, spelling[0]) && Self.matches(.spellings([spelling]), [words])
    }
  }

  private func words(of name: FoldedName) -> [String] {
    let words = SearchWords(name)
    return isByKeys ? words.indexDigits.split(separator: " ").map(String.init) : words.words
  }

  private static func matches(_ term: Term, _ names: [[String]]) -> Bool {
    guard case .spellings(let spellings) = term else {
      return names.contains { words in words.indices.contains { matches(term, words[$0...]) } }
    }
    return spellings.contains { spelling in
      spelling.allSatisfy { word in
        names.contains { names in names.contains { begins($0, word) } }
      }
    }
  }

  private static func begins(_ word: String?, _ beginning: String) -> Bool {
    word?.utf8.starts(with: beginning.utf8) ?? false
  }

  /// True if the term matches at the first of the words.
  private static func matches(_ term: Term, _ words: ArraySlice<String>) -> Bool {
    guard let first = words.first else { return false }
    return switch term {
    case .spellings(let spellings):
      spellings.contains { $0.contains { begins(first, $0) } }
    case .phrase(let phrase): words.starts(with: phrase)
    case .anyOf(let spellings): spellings.contains(first)
    }
  }

  /// The number of words of a name that the query does not match.
  public func furtherWords(of name: FoldedName) -> Int {
    let words = SearchWords.plain(name)
    var known: Set<Int> = []
    for index in words.indices {
      for term in terms where Self.matches(term, words[index...]) {
        if case .phrase(let phrase) = term { known.formUnion(index..<index + phrase.count) }
        known.insert(index)
      }
    }
    return words.count - known.count
  }

  /// Converts words to terms. Each word becomes a beginning of a word. But consecutive Han, Kana and Hangul characters,
  /// each of which is a word, become one phrase, because their order matters.
  private static func terms(_ words: [String]) -> [Term] {
    terms(words.flatMap { WordRun.all(in: FoldedName($0)) }, withAnd: true)
  }

  /// - Parameter withAnd: false to leave out words for *and*.
  private static func terms(_ runs: [WordRun], withAnd: Bool) -> [Term] {
    var terms: [Term] = []
    for run in runs {
      if run.isIdeograph {
        let word = text(run.word(0))
        if case .phrase(let words)? = terms.last {
          terms[terms.count - 1] = .phrase(words + [word])
        } else {
          terms.append(.phrase([word]))
        }
        continue
      }
      let divided = run.starts.indices.prefix(WordRun.maximumJoined).map(run.word)
        .filter { withAnd || !Conjunctions.contains($0) }.map(text)
      if run.starts.count == 1, run.spelled == nil {
        if !divided.isEmpty { terms.append(.spellings([divided])) }
        continue
      }
      var spellings = [[text(run.joined(from: 0))], divided]
      if let spelled = run.spelled { spellings.insert([text(spelled[...])], at: 0) }
      if run.starts.count == 1 || divided.isEmpty { spellings.removeLast() }
      terms.append(.spellings(spellings))
    }
    return terms
  }

  private static func text(_ letters: ArraySlice<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(letters))
  }
}
