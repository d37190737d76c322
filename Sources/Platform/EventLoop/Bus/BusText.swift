/// What may stand in a D-Bus string.
public enum BusText {
  /// Longer texts are cut: 256 KiB, more than a title or an answer of the console ever has.
  public static let limit = 256 << 10

  /// Of each argument of an error, in bytes.
  static let errorLimit = 4096
  /// How many arguments of an error are sent, and read, behind its message.
  static let errorDetails = 4

  /// `text` as it can be sent. A zero, which would end it, and the 66 code points that are no
  /// characters, which sd-bus refuses though the specification allows them, become U+FFFD; it is
  /// cut to `limit` bytes between two characters of Unicode. A Swift text is valid UTF-8 always.
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
