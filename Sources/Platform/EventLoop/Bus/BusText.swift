/// Limits and rules for text in D-Bus messages.
public enum BusText {
  /// The maximum length of a text in bytes. Longer texts are truncated. 256 KiB is more than any title or console
  /// answer needs.
  public static let limit = 256 << 10

  /// The maximum length of each argument of an error, in bytes.
  static let errorLimit = 4096
  /// The maximum number of arguments of an error after its message, for sending and for reading.
  static let errorDetails = 4

  /// `text` in a form that can be sent. U+FFFD replaces each U+0000, because a NUL would end the text. U+FFFD also
  /// replaces the 66 noncharacters of Unicode. The D-Bus specification allows noncharacters, but sd-bus refuses them.
  /// The text is truncated to at most `limit` bytes, between two scalars. The text needs no check for valid UTF-8,
  /// because a Swift text is always valid.
  public static func harmless(_ text: String, limit: Int = limit) -> String {
    if text.utf8.count <= limit, text.unicodeScalars.allSatisfy(isAllowed) { return text }
    var result = String.UnicodeScalarView()
    var count = 0
    for scalar in text.unicodeScalars {
      let scalar = isAllowed(scalar) ? scalar : "\u{FFFD}"
      count += UTF8.width(scalar)
      if count > limit { break }
      result.append(scalar)
    }
    return String(result)
  }

  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value != 0 && !(0xFDD0...0xFDEF).contains(scalar.value)
      && scalar.value & 0xFFFE != 0xFFFE
  }
}
