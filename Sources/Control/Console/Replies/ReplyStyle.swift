internal import Reports
internal import Text

/// What the reader of replies can show.
package struct ReplyStyle: Equatable, Sendable {
  /// As many scalars of a text from elsewhere as are worth reading; a tag may be megabytes long.
  package static let textLimit = 400
  /// As many of a line of a log.
  package static let logLimit = 4000

  /// Lines are kept below this.
  package var columns: Int
  /// SGR sequences are understood.
  package var hasColor: Bool
  /// Characters beyond ASCII are.
  package var hasUnicode: Bool

  /// See the fields.
  package init(columns: Int = 80, hasColor: Bool = false, hasUnicode: Bool = true) {
    self.columns = max(columns, 20)
    self.hasColor = hasColor
    self.hasUnicode = hasUnicode
  }

  /// Text from a tag or from the wire, without anything that a terminal would obey or cannot
  /// show.
  package func harmless(_ text: String, limit: Int = textLimit) -> String {
    plain(TextWidth.sanitized(text, limit: limit))
  }

  /// Text of ours, in letters that the reader has.
  func plain(_ text: String) -> String {
    guard !hasUnicode, !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
    return text.reduce(into: "") { result, character in
      result += character.isASCII ? String(character) : Self.substitutes[character] ?? "?"
    }
  }

  /// `text`, which is plain already, cut to `columns` columns with a sign that it was.
  func cut(_ text: String, to columns: Int) -> String {
    if hasUnicode || text.count <= columns { return TextWidth.truncated(text, to: columns) }
    return text.prefix(max(0, columns - 2)) + ".."
  }

  private static let substitutes: [Character: String] = [
    "…": "...", "–": "-", "—": "-", "−": "-", "·": "-", "×": "x", "→": "->", "’": "'", "“": "\"",
    "”": "\"", "≠": "!=", "µ": "u", "\u{FFFD}": "?",
  ]

  /// `text` in the colour of `grade`.
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

  /// In front of what was checked; three columns with the space behind.
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

  /// `value` behind `label`, which takes `width` columns; what does not fit goes below itself.
  func row(_ label: String, _ value: String, indent: Int, width: Int) -> [String] {
    let margin = TextWidth.spaces(indent)
    let label = cut(label, to: max(0, width - 1))
    let room = max(columns - 1 - indent - width, 10)
    return TextWrap.lines(value, columns: room).enumerated().map { index, line in
      margin + (index == 0 ? TextWidth.padded(label, to: width) : TextWidth.spaces(width)) + line
    }
  }
}
