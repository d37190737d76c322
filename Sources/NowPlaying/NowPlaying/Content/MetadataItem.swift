/// One fact about content, in one language (P9).
///
/// An item has an identifier, a value, a data type and a language. The initializers ensure that the data type fits the
/// value.
public struct MetadataItem: Hashable, Sendable {
  /// The value of an item.
  public enum Value: Hashable, Sendable {
    case text(String)
    case number(Int)
    /// Where a picture is, such as a path. The item never contains the bytes of the picture.
    case reference(String)
  }

  /// The encoding of the value.
  public enum DataType: String, Hashable, Sendable {
    case utf8, integer, jpeg, png
  }

  /// The kind of fact, such as the title.
  public let identifier: MetadataIdentifier
  /// The value.
  public let value: Value
  /// The encoding of the value.
  public let dataType: DataType
  /// The language of the value.
  public let language: LanguageTag

  private init(
    _ identifier: MetadataIdentifier, _ value: Value, _ dataType: DataType, _ language: LanguageTag
  ) {
    self.identifier = identifier
    self.value = value
    self.dataType = dataType
    self.language = language
  }

  /// Creates a text. If no language is given, the text is for all listeners.
  public init(_ identifier: MetadataIdentifier, _ text: String, language: LanguageTag = .undefined)
  {
    self.init(identifier, .text(text), .utf8, language)
  }

  /// Creates a number.
  public init(_ identifier: MetadataIdentifier, _ number: Int) {
    self.init(identifier, .number(number), .integer, .undefined)
  }

  /// A reference to a JPEG file.
  public static func jpeg(_ identifier: MetadataIdentifier, at reference: String) -> MetadataItem {
    MetadataItem(identifier, .reference(reference), .jpeg, .undefined)
  }

  /// A reference to a PNG file.
  public static func png(_ identifier: MetadataIdentifier, at reference: String) -> MetadataItem {
    MetadataItem(identifier, .reference(reference), .png, .undefined)
  }

  /// Creates an item from a tag of a file. A track number `3/12` becomes 3. Nil if this module does not use the tag, or
  /// if the value must be a number and is not a number.
  public init?(tag: String, value: String, language: LanguageTag = .undefined) {
    guard let identifier = MetadataIdentifier(tag: tag) else { return nil }
    if identifier.isNumeric {
      guard let number = Int(value.prefix { $0 != "/" }) else { return nil }
      self.init(identifier, number)
    } else if identifier == .language {
      self.init(identifier, LanguageCode.tag(value))
    } else {
      self.init(identifier, value, language: language)
    }
  }
}
