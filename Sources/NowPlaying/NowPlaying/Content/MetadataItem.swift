/// One thing that is known about content, in one language (P9).
///
/// Carries identifier, value, data type and language, and can only be built so that value and data
/// type belong together.
public struct MetadataItem: Hashable, Sendable {
  /// What is known.
  public enum Value: Hashable, Sendable {
    case text(String)
    case number(Int)
    /// Where bytes are found; never the bytes.
    case reference(String)
  }

  /// What the value is, for whoever decodes it.
  public enum DataType: String, Hashable, Sendable {
    case utf8, integer, jpeg, png
  }

  /// What it is about.
  public let identifier: MetadataIdentifier
  /// What is known.
  public let value: Value
  /// What kind of value that is.
  public let dataType: DataType
  /// Whom it is for.
  public let language: LanguageTag

  private init(
    _ identifier: MetadataIdentifier, _ value: Value, _ dataType: DataType, _ language: LanguageTag
  ) {
    self.identifier = identifier
    self.value = value
    self.dataType = dataType
    self.language = language
  }

  /// A text, for everybody unless a language is said.
  public init(_ identifier: MetadataIdentifier, _ text: String, language: LanguageTag = .undefined)
  {
    self.init(identifier, .text(text), .utf8, language)
  }

  /// A number.
  public init(_ identifier: MetadataIdentifier, _ number: Int) {
    self.init(identifier, .number(number), .integer, .undefined)
  }

  /// A JPEG file that lies elsewhere.
  public static func jpeg(_ identifier: MetadataIdentifier, at reference: String) -> MetadataItem {
    MetadataItem(identifier, .reference(reference), .jpeg, .undefined)
  }

  /// A PNG file that lies elsewhere.
  public static func png(_ identifier: MetadataIdentifier, at reference: String) -> MetadataItem {
    MetadataItem(identifier, .reference(reference), .png, .undefined)
  }

  /// A tag of a file as an item: nil where the tag is of no use here, or where a number is
  /// expected and none stands (`3/12` is 3).
  public init?(tag: String, value: String, language: LanguageTag = .undefined) {
    guard let identifier = MetadataIdentifier(tag: tag) else { return nil }
    if identifier.isNumeric {
      guard let number = Int(value.prefix { $0 != "/" }) else { return nil }
      self.init(identifier, number)
    } else {
      self.init(identifier, value, language: language)
    }
  }
}
