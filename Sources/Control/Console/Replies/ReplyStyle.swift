internal import Reports
internal import Text

/// Formats replies according to the width and the abilities of the terminal.
package struct ReplyStyle: Equatable, Sendable {
  /// The maximum number of Unicode scalars that are shown of a received text. Without this limit, a tag of several
  /// megabytes would fill the terminal.
  package static let textLimit = 400
  /// The maximum number of Unicode scalars that are shown of a log line.
  package static let logLimit = 4000

  /// The maximum width of lines, in columns.
  package var columns: Int
  /// True if the terminal supports SGR sequences (colours).
  package var hasColor: Bool
  /// True if the terminal shows characters beyond ASCII.
  package var hasUnicode: Bool

  /// Creates a style. The width is at least 20 columns, even if `columns` is smaller.
  package init(columns: Int = 80, hasColor: Bool = false, hasUnicode: Bool = true) {
    self.columns = max(columns, 20)
    self.hasColor = hasColor
    self.hasUnicode = hasUnicode
  }

  /// Removes from a received text all characters that the terminal would execute, replaces characters that it cannot
  /// show, and truncates the text.
  package func sanitized(_ text: String, limit: Int = textLimit) -> String {
    plain(TextWidth.sanitized(text, limit: limit))
  }

  /// Replaces the characters of a text that the terminal cannot show.
  func plain(_ text: String) -> String {
    guard !hasUnicode, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    return text.reduce(into: "") { result, character in
      result += character.isASCII ? String(character) : Self.substitutes[character] ?? "?"
    }
  }

  /// Truncates `text` to `columns` columns, with an ellipsis. `text` must be the result of ``plain(_:)``.
  func cut(_ text: String, to columns: Int) -> String {
    if hasUnicode || text.count <= columns { return TextWidth.truncated(text, to: columns) }
    return text.prefix(max(0, columns - 2)) + ".."
  }

  private static let substitutes: [Character: String] = [
    "…": "...", "–": "-", "—": "-", "−": "-", "·": "-", "×": "x", "→": "->", "’": "'", "“": "\"",
    "”": "\"", "≠": "!=", "µ": "u", "\u{FFFD}": "?",
  ]

  /// Returns `text` in the colour of `grade`.
  func paint(_ text: String, _ grade: Grade) -> String {
    let style: StyledText.Style =
      switch grade {
      case .plain: .plain
      case .good: .accent
      case .note: .notice
      case .bad: .warning
      }
    return Painter(color: hasColor).paint(text, style)
  }

  func strong(_ text: String) -> String { Painter(color: hasColor).paint(text, .strong) }
  func faint(_ text: String) -> String { Painter(color: hasColor).paint(text, .faint) }

  /// The mark that shows the grade before an item. It is three columns wide, including the spaces after it.
  func mark(_ grade: Grade) -> String {
    let text =
      switch grade {
      case .plain: "   "
      case .good: hasUnicode ? "✓  " : "ok "
      case .note: hasUnicode ? "•  " : "-- "
      case .bad: hasUnicode ? "✗  " : "NO "
      }
    return paint(text, grade)
  }

  /// Returns `label` in `width` columns, followed by `value`. A long value continues in the lines below.
  func row(_ label: String, _ value: String, indent: Int, width: Int) -> [String] {
    let margin = TextWidth.spaces(indent)
    let label = cut(label, to: max(0, width - 1))
    let room = max(columns - 1 - indent - width, 10)
    return TextWrap.lines(value, columns: room).enumerated().map { index, line in
      margin + (index == 0 ? TextWidth.padded(label, to: width) : TextWidth.spaces(width)) + line
    }
  }
}
