public import AudioCodecs

/// A file that cannot be played. It is reported because the user named it, or because it has the name of a music file.
/// Also a folder that could not be read to its end.
public struct UnplayableFile: Sendable, Equatable {
  /// The path of the file or folder.
  public let path: String
  /// The reason why the file cannot be played.
  public let reason: String
  /// The cause, for counting.
  public let cause: Cause

  /// Why a file cannot be played.
  public enum Cause: Hashable, Sendable {
    /// The file has a format that is recognised but not supported.
    case format(ForeignFormat)
    /// The file has no bytes.
    case empty
    /// The container is supported, but the coding in it is not.
    case coding
    /// The medium could not be read.
    case unreadable
    /// The path is a link that leads out of its medium.
    case link
    /// The file is damaged, or its format is unknown.
    case other
    /// The path is a folder that could not be read to its end.
    case folder

    /// The cause of an error.
    public init(_ kind: DecodeError.Kind) {
      switch kind {
      case .foreignFormat(let format): self = .format(format)
      case .emptyFile: self = .empty
      case .otherFormat: self = .coding
      case .unreadable, .notPermitted, .missingFile: self = .unreadable
      case .outsideMedium: self = .link
      default: self = .other
      }
    }
  }

  public init(path: String, reason: String, cause: Cause = .other) {
    self.path = path
    self.reason = reason
    self.cause = cause
  }
}

extension UnplayableFile.Cause {
  private static let formatPrefix = "format:"

  /// A word for the cause, for storage and for the control socket. The word stays the same in later versions.
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

  /// Creates the cause that has this word. An unknown word gives `other`.
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
