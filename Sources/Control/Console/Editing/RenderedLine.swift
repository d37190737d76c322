internal import Text

/// One row of a terminal: the prompt, and the part of a line around the cursor that fits.
///
/// The line scrolls sideways instead of wrapping: then a wrong idea of the width, or of the width of
/// one character, tears this row at worst and never those above. The last column stays empty, as
/// terminals wait there with their line wrap. Of the terminal's sequences it needs three that a
/// VT100 has: `ESC [ K`, `ESC [ n C`, and backspace.
package struct RenderedLine: Sendable {
  /// Taken while nobody says how wide the terminal is.
  package static let usualColumns = 80
  /// Below, prompt and marks would leave nothing to see.
  package static let columnRange = 20...1000

  /// What a long prompt leaves to the line.
  private static let smallestRoom = 8

  private struct Cell: Equatable, Sendable {
    let text: String
    let columns: Int
  }

  /// Within ``columnRange``.
  package private(set) var columns: Int
  private var shown: [Cell] = []
  private var shownCursor = 0
  /// Nothing is known of what the row shows.
  private var isUnknown = true
  /// The first character of the line that is visible.
  private var first = 0

  /// - Parameter columns: brought into ``columnRange``.
  package init(columns: Int = usualColumns) {
    self.columns = Self.bounded(columns)
  }

  private static func bounded(_ columns: Int) -> Int {
    min(max(columns, columnRange.lowerBound), columnRange.upperBound)
  }

  /// The terminal has another width: the next drawing is a whole one.
  package mutating func resize(columns: Int) {
    self.columns = Self.bounded(columns)
    forget()
  }

  /// Somebody else may have written on the terminal: the next drawing is a whole one.
  package mutating func forget() { isUnknown = true }

  /// The cursor stands at the beginning of an empty row.
  package mutating func beginRow() {
    shown = []
    shownCursor = 0
    isUnknown = false
    first = 0
  }

  /// What to write so that the row shows this: the changed part only.
  package mutating func draw(prompt: String, _ line: LineBuffer) -> String {
    let (cells, cursor) = layout(prompt, line)
    defer {
      shown = cells
      shownCursor = cursor
      isUnknown = false
    }
    if isUnknown {
      let end = Self.columns(cells)
      return "\r" + Self.text(cells) + "\u{1B}[K" + Self.move(from: end, to: cursor)
    }
    let same = zip(cells, shown).prefix { $0 == $1 }.count
    if same == cells.count, same == shown.count {
      return Self.move(from: shownCursor, to: cursor)
    }
    let start = Self.columns(cells[..<same])
    let (newEnd, oldEnd) = (Self.columns(cells), Self.columns(shown))
    var changed = cells[same...]
    if newEnd == oldEnd {
      // The same places hold the same again behind the change.
      var old = shown[same...]
      while let last = changed.last, last == old.last {
        changed.removeLast()
        old.removeLast()
      }
    }
    let end = start + Self.columns(changed)
    return Self.move(from: shownCursor, to: start) + Self.text(changed)
      + (newEnd < oldEnd ? "\u{1B}[K" : "") + Self.move(from: end, to: cursor)
  }

  /// What to write so that the row is empty and the cursor at its beginning.
  package mutating func erase() -> String {
    defer { beginRow() }
    return "\r\u{1B}[K"
  }

  // MARK: Layout

  /// The cells of the row, and the column of the cursor.
  private mutating func layout(_ prompt: String, _ line: LineBuffer) -> ([Cell], Int) {
    let prompt = TextWidth.truncated(prompt, to: columns - Self.smallestRoom)
    let promptColumns = TextWidth.columns(of: prompt)
    let room = columns - 1 - promptColumns
    let widths = line.characters.map { TextWidth.columns(of: String($0)) }
    scroll(widths, line.cursor, room)

    var cells = [Cell(text: prompt, columns: promptColumns)]
    var used = 0
    if first > 0 {
      cells.append(Cell(text: "<", columns: 1))
      used = 1
    }
    var cursor = promptColumns + used
    // What is left may end exactly at the edge; if not, the last column says that more follows.
    let fits = widths[first...].reduce(used, +) <= room
    for index in line.characters.indices[first...] {
      if used + widths[index] > (fits ? room : room - 1) {
        cells.append(Cell(text: ">", columns: 1))
        break
      }
      cells.append(Cell(text: String(line.characters[index]), columns: widths[index]))
      used += widths[index]
      if index < line.cursor { cursor = promptColumns + used }
    }
    return (cells, cursor)
  }

  /// Brings the cursor into sight, a third of the row at a time: a row that moved with every key
  /// would be written whole with every key.
  private mutating func scroll(_ widths: [Int], _ cursor: Int, _ room: Int) {
    first = min(first, widths.count)
    // Both marks, and a wide character at the edge.
    let visible = max(room - 4, 2)
    if cursor < first || (cursor == first && first > 0) {
      first = cursor
      var back = 0
      while first > 0, back < visible / 3 {
        first -= 1
        back += widths[first]
      }
    }
    guard widths[first..<cursor].reduce(0, +) > (first == 0 ? visible + 1 : visible) else {
      if first > 0, widths.reduce(0, +) <= visible { first = 0 }
      return
    }
    first = cursor
    var kept = 0
    while first > 0, kept + widths[first - 1] <= visible * 2 / 3 {
      first -= 1
      kept += widths[first]
    }
  }

  private static func columns(_ cells: some Sequence<Cell>) -> Int {
    cells.reduce(0) { $0 + $1.columns }
  }

  private static func text(_ cells: some Sequence<Cell>) -> String {
    cells.map(\.text).joined()
  }

  /// The shortest way.
  private static func move(from: Int, to: Int) -> String {
    if to == from { return "" }
    if to > from { return right(to - from) }
    let home = "\r" + (to > 0 ? right(to) : "")
    return from - to <= home.utf8.count ? String(repeating: "\u{8}", count: from - to) : home
  }

  private static func right(_ count: Int) -> String {
    count == 1 ? "\u{1B}[C" : "\u{1B}[\(count)C"
  }
}
