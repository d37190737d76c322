internal import ScreenLayout

/// Texts about files that cannot be played. The keys of `causes` are the words of the D-Bus interface `Sources1` for
/// the causes.
enum VolumeProblems {
  /// The most frequent causes in one line, such as `WMA (10), damaged (2)`.
  static func summary(_ causes: [String: Int], _ words: LocalizedWords) -> String? {
    let texts = sorted(causes, words).prefix(3).map { "\($0.name) (\($0.count))" }
    return texts.isEmpty ? nil : texts.joined(separator: ", ")
  }

  static func rows(_ causes: [String: Int], _ words: LocalizedWords) -> [MenuRow] {
    sorted(causes, words).map { name, count in
      var row = MenuRow(
        id: name, .picture(MenuPicture(.warning)), name,
        line: words.menu.cannotBePlayed(count))
      row.condition = .inert
      return row
    }
  }

  /// The causes as texts with their numbers of files, the most frequent first. If several causes have the same text,
  /// their numbers of files are added.
  private static func sorted(_ causes: [String: Int], _ words: LocalizedWords) -> [(
    name: String, count: Int
  )] {
    Dictionary(causes.map { (name($0.key, words), $0.value) }, uniquingKeysWith: +)
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { ($0.key, $0.value) }
  }

  private static func name(_ cause: String, _ words: LocalizedWords) -> String {
    switch cause {
    case "empty", "unreadable", "other", "folder": words.menu.damaged
    case "coding", "picture", "page", "text", "video": words.menu.otherFormat
    case "protected": words.menu.protected
    case "link": words.menu.outsideLink
    default: cause.uppercased()
    }
  }
}
