/// A text and its style on a terminal.
package struct StyledText {
  /// A style; the raw value is the parameter of the SGR sequence. The theme of the terminal defines the colours, so
  /// they suit light and dark backgrounds.
  package enum Style: String {
    case plain = ""
    case strong = "1"
    case faint = "2"
    case accent = "36"
    case notice = "33"
    case warning = "31"
  }

  package var text: String
  package var style: Style

  package init(_ text: String, _ style: Style) {
    self.text = text
    self.style = style
  }
}

/// Formats styled text for lines of a terminal.
package struct Painter {
  /// If true, SGR sequences are written. If false, only plain text is written.
  package var color: Bool

  package init(color: Bool) { self.color = color }

  /// `text` in `style`, followed by a reset of the style.
  package func paint(_ text: String, _ style: StyledText.Style) -> String {
    color && style != .plain && !text.isEmpty
      ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// A line of `width` columns, with `left` at its start and `right` at its end. Both texts are truncated if necessary.
  /// `right` gets its columns first: at most `rightLimit`, or the whole line if `rightLimit` is nil. But if `left`
  /// leaves more than `rightLimit` columns free, `right` can use all free columns.
  package func row(
    _ left: [StyledText], _ right: StyledText = StyledText("", .plain), width: Int,
    rightLimit: Int? = nil
  ) -> String {
    let gap = right.text.isEmpty ? 0 : 2
    let leftColumns = left.reduce(0) { $0 + TextWidth.columns(of: $1.text) }
    let rightColumns = rightLimit.map { max($0, width - leftColumns) } ?? width
    let rightText = TextWidth.truncated(right.text, to: rightColumns - gap)
    var free = width - TextWidth.columns(of: rightText) - gap
    var result = ""
    for part in left where free > 0 {
      let text = TextWidth.truncated(part.text, to: free)
      result += paint(text, part.style)
      free -= TextWidth.columns(of: text)
      if text != part.text { break }
    }
    guard !rightText.isEmpty else { return result }
    return result + TextWidth.spaces(free + gap) + paint(rightText, right.style)
  }
}
