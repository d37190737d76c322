/// Something that was not read as it was written. The rest is used; the daemon starts in any case.
public struct SettingsNotice: Hashable, Sendable, CustomStringConvertible {
  /// How much it matters.
  public enum Kind: Hashable, Sendable {
    /// Something was ignored.
    case wrong
    /// All was read, but perhaps not as it was meant.
    case remark
  }

  /// How much it matters.
  public let kind: Kind
  /// The file.
  public let file: String
  /// Counted from 1; nil where it is about the whole file.
  public let line: Int?
  /// The line as it stands there, made harmless and at most 80 characters long; empty without one.
  public let text: String
  /// What is wrong with it.
  public let reason: String
  /// What is used instead; empty where that says itself.
  public internal(set) var instead = ""

  /// One line: `FILE:LINE: 'TEXT': REASON; INSTEAD`.
  public var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    let quoted = text.isEmpty ? "" : "'\(text)': "
    return "\(place): \(quoted)\(reason)" + (instead.isEmpty ? "" : "; \(instead)")
  }

  /// As ``text`` shows it.
  static func harmless(_ bytes: ArraySlice<UInt8>) -> String {
    // More bytes than 80 characters are worth are not even decoded.
    let text = String(decoding: bytes.prefix(400), as: UTF8.self)
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(80) { result.append(harmless(scalar)) }
    return String(result) + (text.unicodeScalars.count > 80 ? "…" : "")
  }

  private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned:
      scalar == "\t" ? " " : "\u{FFFD}"
    default: scalar
    }
  }
}
