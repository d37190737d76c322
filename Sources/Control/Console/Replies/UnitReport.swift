internal import Files
internal import Text

/// Everything that a developer needs to understand a fault, as one text between two marks. The text is made of the
/// replies to other commands.
package struct UnitReport: Equatable, Sendable {
  /// The lines of one part.
  package struct Part: Equatable, Sendable {
    package var title: String
    package var lines: [String]

    package init(_ title: String, _ lines: [String]) {
      self.title = title
      self.lines = lines
    }
  }

  /// The style in which the parts are made. It does not depend on the terminal.
  package static let style = ReplyStyle(columns: 100)
  static let begin = "-----BEGIN AUTOHARP REPORT-----"
  private static let lineLimit = 300
  private static let linesPerPart = 450
  /// Maximum number of lines in all. A serial line with 115200 baud needs about half a minute for them.
  private static let maximumLines = 4000

  package var parts: [Part]

  package init(_ parts: [Part]) { self.parts = parts }

  /// The text, with the marks. The last line has the number of the lines between the marks, and their CRC-32: of the
  /// bytes of all these lines, each with a line feed.
  package func lines(_ style: ReplyStyle) -> [String] {
    let content = content(style)
    return Self.marked(content, Self.check(content))
  }

  /// The text as a file: the same lines as in UTF-8 on a terminal, each with a line feed. `lines` and `checksum` are
  /// the values of the last line.
  package var file: (bytes: [UInt8], lines: Int, checksum: String) {
    let content = content(Self.style)
    let checksum = Self.check(content)
    let text = Self.marked(content, checksum).map { $0 + "\n" }.joined()
    return (Array(text.utf8), content.count, checksum)
  }

  private static func marked(_ content: [String], _ checksum: String) -> [String] {
    [begin] + content + ["-----END AUTOHARP REPORT \(content.count) \(checksum)-----"]
  }

  /// The lines between the marks.
  private func content(_ style: ReplyStyle) -> [String] {
    var lines: [String] = []
    for part in parts {
      lines.append("== \(style.sanitized(part.title))")
      lines += part.lines.prefix(Self.linesPerPart).map {
        style.sanitized($0, limit: Self.lineLimit)
      }
      let omitted = part.lines.count - Self.linesPerPart
      if omitted > 0 { lines.append("(\(omitted) further lines are left out)") }
    }
    if lines.count > Self.maximumLines {
      lines = lines.prefix(Self.maximumLines - 1) + ["(the report is too long)"]
    }
    return lines
  }

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.key("parts")
    json.beginArray()
    for part in parts {
      json.beginObject()
      json.member("title", part.title)
      json.key("lines")
      json.beginArray()
      for line in part.lines { json.value(line) }
      json.endArray()
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }

  /// The CRC-32 of the lines, with eight hexadecimal digits.
  private static func check(_ lines: [String]) -> String {
    var checksum = CRC32()
    for line in lines { checksum.add((line + "\n").utf8) }
    let digits = String(checksum.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}
