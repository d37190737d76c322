internal import ScreenLayout

/// Words for files that cannot be played, by the words of `Sources1` for the causes.
enum SourceProblems {
  /// The most frequent causes in one line, such as `WMA (10), damaged (2)`.
  static func summary(_ causes: [String: Int], _ words: LocalizedWords) -> String? {
    let texts = sorted(causes, words).prefix(3).map { "\($0.name) (\($0.count))" }
    return texts.isEmpty ? nil : texts.joined(separator: ", ")
  }

  static func rows(_ causes: [String: Int], _ words: LocalizedWords) -> [BrowseRow] {
    sorted(causes, words).map { name, count in
      var row = BrowseRow(
        id: name, .picture(BrowsePicture(.warning)), name,
        line: words.browse.cannotBePlayed(count))
      row.condition = .inert
      return row
    }
  }

  /// The causes in words, the most frequent first. Causes with the same words count together.
  private static func sorted(_ causes: [String: Int], _ words: LocalizedWords) -> [(
    name: String, count: Int
  )] {
    Dictionary(causes.map { (name($0.key, words), $0.value) }, uniquingKeysWith: +)
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }

  private static func name(_ cause: String, _ words: LocalizedWords) -> String {
    switch cause {
    case "empty", "unreadable", "other", "folder": words.browse.damaged
    case "coding", "picture", "page", "text", "video": words.browse.otherFormat
    case "protected": words.browse.protected
    case "link": words.browse.outsideLink
    default: cause.uppercased()
    }
  }
}
