internal import Text

/// A notice about a file or a line of the configuration that was ignored, or that is perhaps a mistake. All other lines
/// are used, and the daemon starts in any case.
public struct SettingsNotice: Hashable, Sendable, CustomStringConvertible {
  /// The severity of the notice.
  public enum Kind: Hashable, Sendable {
    /// A line or a file was ignored.
    case wrong
    /// The line is valid, but its effect is perhaps not what its writer intended.
    case remark
  }

  /// The cause, as an identifier for programs. The identifier stays the same even if the text of the notice changes.
  public enum Cause: Hashable, Sendable {
    // About a file.
    /// The file cannot be read; the value is the errno.
    case unreadable(Int32)
    case notAFile
    case utf16
    case byteOrderMark
    case largeFile
    /// The number of further wrong lines that have no notice of their own.
    case moreWrongLines(Int)

    // About a line.
    case longLine
    case zeroByte
    case notUTF8
    case controlCharacter
    case noEqualsSign
    case noKey
    case unknownKey(nearest: String?)
    /// The key no longer has an effect.
    case keyWithoutEffect
    /// The file of the driver sets a key that the driver cannot change.
    case notOfDriver
    /// An earlier line sets the same key.
    case repeatedKey(line: Int)

    // About a value.
    case invalidValue
    /// The value seems to end with a comment.
    case commentInValue
    case fullList
    case duplicateValue
    case missingCommand
    case unexpectedCommand
    case unknownCommand
    case invalidName
  }

  /// The value that is used instead of a wrong value.
  public struct Fallback: Hashable, Sendable, CustomStringConvertible {
    /// The value as written in a file; `none` if it is empty.
    public let value: String
    /// The origin of the value.
    public let origin: Configuration.Origin

    /// The fallback as the end of a sentence.
    public var description: String {
      switch origin {
      case .standard: "the default \(value) is used"
      case .driver: "\(value), which the driver has set, is used"
      case .lines: "\(value) from \(origin) is used"
      }
    }
  }

  /// The severity of the notice.
  public let kind: Kind
  /// The name of the file.
  public let file: String
  /// The number of the line, counted from 1. Nil if the notice is about the whole file.
  public let line: Int?
  /// The line, cut to 80 characters, with unprintable characters replaced. Empty if the notice is about the whole file.
  public let text: String
  /// The cause of the notice.
  public let cause: Cause
  /// The cause as text.
  public let reason: String
  /// The value that is used instead of a refused value. Nil if no value was refused.
  public internal(set) var fallback: Fallback?

  /// One line: `FILE:LINE: 'TEXT': REASON; FALLBACK`.
  public var description: String {
    let position = line.map { "\(file):\($0)" } ?? file
    let quoted = text.isEmpty ? "" : "'\(text)': "
    return "\(position): \(quoted)\(reason)" + (fallback.map { "; \($0)" } ?? "")
  }

  /// Converts the bytes of a line to the form of ``text``. Notices stand in logs and reports, so a line that seems to
  /// set a password is cut before its value. Its key can be misspelt.
  static func sanitized(_ bytes: ArraySlice<UInt8>) -> String {
    let key = bytes.prefix { $0 != UInt8(ascii: "=") }
    let name = String(decoding: key.prefix(maximumKeyBytes), as: UTF8.self).lowercased()
    guard !name.includes("pas") else { return "console-password …" }
    return printable(bytes)
  }

  private static let maximumKeyBytes = 100

  private static func printable(_ bytes: ArraySlice<UInt8>) -> String {
    // 80 characters have at most 320 bytes, so 400 bytes are enough. Further bytes are not decoded.
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
