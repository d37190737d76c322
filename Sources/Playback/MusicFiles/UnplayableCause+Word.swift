internal import AudioCodecs

extension UnplayableFile.Cause {
  private static let formatPrefix = "format:"

  /// A word for the cause, for a store or a connection. It does not change with later versions.
  public var word: String {
    switch self {
    case .format(let format): "\(Self.formatPrefix)\(format.rawValue)"
    case .empty: "empty"
    case .coding: "coding"
    case .unreadable: "unreadable"
    case .other: "other"
    case .folder: "folder"
    case .link: "link"
    }
  }

  /// The cause with this word. An unknown word is another cause.
  public init(word: String) {
    switch word {
    case "empty": self = .empty
    case "coding": self = .coding
    case "unreadable": self = .unreadable
    case "folder": self = .folder
    case "link": self = .link
    default:
      let name = word.hasPrefix(Self.formatPrefix) ? String(word.dropFirst(7)) : ""
      self = ForeignFormat(rawValue: name).map { .format($0) } ?? .other
    }
  }
}
