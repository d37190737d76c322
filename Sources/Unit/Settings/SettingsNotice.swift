/// A part of a file that was not read as it was written. All other parts are used; the daemon
/// starts in any case.
public struct SettingsNotice: Hashable, Sendable, CustomStringConvertible {
  /// How serious the notice is.
  public enum Kind: Hashable, Sendable {
    /// Something was ignored.
    case wrong
    /// Everything was read, but perhaps not as it was intended.
    case remark
  }

  /// How serious the notice is.
  public let kind: Kind
  /// The file.
  public let file: String
  /// Counted from 1; nil if the notice is about the whole file.
  public let line: Int?
  /// The line with unprintable characters replaced, cut to 80 characters; empty without a line.
  public let text: String
  /// What is wrong with the line or file.
  public let reason: String
  /// What is used instead; empty if that is clear from the reason.
  public internal(set) var instead = ""

  /// One line: `FILE:LINE: 'TEXT': REASON; INSTEAD`.
  public var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    let quoted = text.isEmpty ? "" : "'\(text)': "
    return "\(place): \(quoted)\(reason)" + (instead.isEmpty ? "" : "; \(instead)")
  }

  /// The bytes as ``text`` shows them.
  static func sanitized(_ bytes: ArraySlice<UInt8>) -> String {
    // Bytes beyond those that 80 characters can have are not decoded.
    let text = String(decoding: bytes.prefix(400), as: UTF8.self)
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(80) { result.append(sanitized(scalar)) }
    return String(result) + (text.unicodeScalars.count > 80 ? "…" : "")
  }

  private static func sanitized(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
      scalar == "\t" ? " " : "\u{FFFD}"
    default: scalar
    }
  }
}
