/// The words that sorting ignores at the beginning of a name, such as *the*.
public struct Articles: Sendable {
  /// The articles of each language of the screen. No space follows an article that ends with an apostrophe.
  private static let all: [String: [String]] = [
    "en": ["the", "a", "an"],
    "de": ["der", "die", "das", "ein", "eine"],
    "fr": ["le", "la", "les", "l'", "un", "une"],
    "es": ["el", "la", "los", "las", "un", "una"],
    "it": ["il", "lo", "la", "gli", "i", "le", "l'", "un", "uno", "una"],
  ]

  private let words: [[Unicode.Scalar]]

  /// Creates a value with the articles of these languages (codes of ISO 639-1). Languages without known articles are
  /// ignored.
  public init(languages: [String]) {
    self.init(languages.flatMap { Self.all[$0] ?? [] })
  }

  /// Creates a value with these articles.
  public init(_ articles: [String]) {
    words = articles.map { FoldedName($0).scalars }.filter { !$0.isEmpty }
  }

  /// Identifies the articles and the Unicode tables. If this text changes, stored sort keys are not valid any more.
  public var key: String {
    "unicode \(FoldedName.unicodeVersion) articles "
      + words.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
  }

  /// Returns `name` without the article at its beginning.
  public func removed(from name: FoldedName) -> FoldedName {
    FoldedName(scalars: Array(removed(from: name.scalars[...])))
  }

  /// Returns `name` without the article at its beginning. An article is removed only if a letter or a digit follows.
  func removed(from name: ArraySlice<Unicode.Scalar>) -> ArraySlice<Unicode.Scalar> {
    for word in words where name.starts(with: word) {
      let rest = name.dropFirst(word.count)
      let isWhole = word.last == "'" || rest.first == " "
      let left = rest.drop { !$0.isPartOfWord }
      if isWhole, !left.isEmpty { return left }
    }
    return name
  }
}
