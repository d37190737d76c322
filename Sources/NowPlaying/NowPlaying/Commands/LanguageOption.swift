/// A sound track or subtitles that people can choose.
public struct LanguageOption: Hashable, Sendable, Identifiable {
  /// Sound track or subtitles.
  public enum Kind: String, Hashable, Sendable {
    case audible, legible
  }

  /// The source's own identity of the option.
  public let id: String
  /// Sound track or subtitles.
  public let kind: Kind
  /// The language of the sound track or of the subtitles.
  public let language: LanguageTag
  /// The name that people see.
  public let name: String

  public init(id: String, kind: Kind, language: LanguageTag, name: String) {
    self.id = id
    self.kind = kind
    self.language = language
    self.name = name
  }
}
