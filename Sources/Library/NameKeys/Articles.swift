/// The words that do not count at the beginning of a name, such as *the*.
public struct Articles: Sendable {
  /// Articles of the languages of the screen. An article that ends with an apostrophe is written without a space after
  /// it.
  private static let all: [String: [String]] = [
    "en": ["the", "a", "an"],
    "de": ["der", "die", "das", "ein", "eine"],
    "fr": ["le", "la", "les", "l'", "un", "une"],
    "es": ["el", "la", "los", "las", "un", "una"],
    "it": ["il", "lo", "la", "gli", "i", "le", "l'", "un", "uno", "una"],
  ]

  private let words: [[Unicode.Scalar]]

  /// The articles of these languages, by their codes in ISO 639-1. Languages without articles, and languages that are
  /// not known, add none.
  public init(languages: [String]) {
    self.init(languages.flatMap { Self.all[$0] ?? [] })
  }

  /// These articles.
  public init(_ articles: [String]) {
    words = articles.map { FoldedName($0).scalars }.filter { !$0.isEmpty }
  }

  /// A text that differs for other articles, and for other tables of Unicode, which give other sort keys.
  public var key: String {
    "unicode \(FoldedName.unicodeVersion) articles "
      + words.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
  }

  /// `name` without the article at its beginning, if a letter or a digit follows it.
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
