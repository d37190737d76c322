/// The languages whose articles are ignored when names are sorted, such as *the* in *The Beatles*.
public enum LibraryArticles: Hashable, Sendable {
  /// English, and the language of the screen.
  case automatic
  /// These languages. If the array is empty, no article is ignored.
  case languages([Language])

  /// The languages whose articles the library knows, as codes of ISO 639-1.
  public enum Language: String, Hashable, Sendable, CaseIterable {
    case de, en, es, fr, it
  }
}

extension ValueFormat where Value == LibraryArticles {
  /// `auto`, `none`, or codes of languages with spaces between them.
  static let articles = ValueFormat(
    constraint: "auto, none, or codes of languages (\(languages)), such as 'en de'",
    read: { text throws(ValueRefusal) in
      switch text {
      case "auto": return .automatic
      case "none": return .languages([])
      default: break
      }
      var found: [LibraryArticles.Language] = []
      for code in text.split(separator: " ") {
        guard let language = LibraryArticles.Language(rawValue: String(code)) else {
          throw ValueRefusal("unknown language '\(code)'; known are \(languages)")
        }
        if !found.contains(language) { found.append(language) }
      }
      if found.isEmpty { throw ValueRefusal("expected auto, none, or codes such as 'en de'") }
      return .languages(found)
    },
    text: { articles in
      switch articles {
      case .automatic: "auto"
      case .languages([]): "none"
      case .languages(let languages): languages.map(\.rawValue).joined(separator: " ")
      }
    })

  private static let languages = LibraryArticles.Language.allCases.map(\.rawValue)
    .joined(separator: ", ")
}

extension Settings {
  /// The codes of the languages whose articles are ignored when names are sorted.
  public var articleLanguages: [String] {
    if case .languages(let languages) = libraryArticles {
      return languages.map(\.rawValue).sorted()
    }
    let tag = screenLanguage == "und" ? language : screenLanguage
    let code = tag.prefix { $0 != "-" }.lowercased()
    return ["en"] + (["en", "und"].contains(code) ? [] : [code])
  }
}
