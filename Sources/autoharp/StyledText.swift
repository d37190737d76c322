/// Text and how it looks, where colours are wanted.
struct StyledText {
  /// Colours of the terminal's own theme, so that the picture suits light and dark ones.
  enum Style: String {
    case plain = ""
    case strong = "1"
    case faint = "2"
    case accent = "36"
    case notice = "33"
  }

  var text: String
  var style: Style

  init(_ text: String, _ style: Style) {
    self.text = text
    self.style = style
  }
}

/// Puts styled text into lines of a terminal.
struct Painter {
  /// Whether to use SGR sequences; without it the lines are plain text.
  var color: Bool

  /// `text` in `style`, which ends with it.
  func paint(_ text: String, _ style: StyledText.Style) -> String {
    color && style != .plain && !text.isEmpty
      ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// `left` and `right` at the two ends of `width` columns, each cut if it must be. The right one
  /// goes first; given a `rightLimit`, it keeps to that and to what the left one leaves free.
  func row(
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
