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

  /// What is wrong, as an identifier for programs. It stays the same when the sentences change.
  public enum Cause: Hashable, Sendable {
    // About a file.
    /// The file cannot be read; the value is the errno.
    case unreadable(Int32)
    case notAFile
    case utf16
    case byteOrderMark
    case windowsLineEnds
    case largeFile
    /// So many more lines are wrong.
    case moreWrongLines(Int)

    // About a line.
    case longLine
    case zeroByte
    case notUTF8
    case controlCharacter
    case noEqualsSign
    case noKey
    case unknownKey(nearest: String?)
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

  /// The value that is used instead of a wrong one.
  public struct Fallback: Hashable, Sendable, CustomStringConvertible {
    /// The value as written in a file; `none` if it is empty.
    public let value: String
    /// Where the value was set.
    public let origin: Configuration.Origin

    /// The end of a sentence.
    public var description: String {
      switch origin {
      case .standard: "the default \(value) is used"
      case .lines: "\(value) from \(origin) is used"
      }
    }
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
  public let cause: Cause
  /// The text of the cause.
  public let reason: String
  /// The value in use; nil if no value was refused.
  public internal(set) var fallback: Fallback?

  /// One line: `FILE:LINE: 'TEXT': REASON; FALLBACK`.
  public var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    let quoted = text.isEmpty ? "" : "'\(text)': "
    return "\(place): \(quoted)\(reason)" + (fallback.map { "; \($0)" } ?? "")
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
