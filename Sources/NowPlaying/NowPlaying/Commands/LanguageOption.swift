/// A sound track or subtitles that can be chosen.
public struct LanguageOption: Hashable, Sendable, Identifiable {
  /// What it is.
  public enum Kind: String, Hashable, Sendable {
    case audible, legible
  }

  /// The source's own.
  public let id: String
  /// What it is.
  public let kind: Kind
  /// In which language.
  public let language: LanguageTag
  /// What to call it.
  public let name: String

  /// See the fields.
  public init(id: String, kind: Kind, language: LanguageTag, name: String) {
    self.id = id
    self.kind = kind
    self.language = language
    self.name = name
  }
}
