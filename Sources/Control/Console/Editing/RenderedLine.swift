internal import Text

/// One row of a terminal. It contains the prompt, and the part of the line around the cursor that fits.
///
/// The line scrolls sideways and does not wrap. If the assumed width of the terminal or of a character is wrong, only
/// this row is drawn wrongly, and not the rows above. The last column stays empty, because some terminals do not wrap
/// the line immediately after a character in this column. Only `ESC [ K`, `ESC [ n C`, carriage return and backspace
/// are used, which a VT100 supports.
package struct RenderedLine: Sendable {
  /// The width that is assumed while the terminal's width is unknown.
  package static let defaultColumns = 80
  /// The permitted widths. A narrower row would have no space for the line beside the prompt and the marks `<` and `>`,
  /// which stand for the hidden text before and after the visible part.
  package static let columnRange = 20...1000

  /// The number of columns that a long prompt must leave free for the line.
  private static let smallestRoom = 8

  private struct Cell: Equatable, Sendable {
    let text: String
    let columns: Int
  }

  /// The width, within ``columnRange``.
  package private(set) var columns: Int
  private var shown: [Cell] = []
  private var shownCursor = 0
  /// True if the content of the row is unknown.
  private var isUnknown = true
  /// The index of the first visible character.
  private var first = 0

  /// - Parameter columns: clamped to ``columnRange``.
  package init(columns: Int = defaultColumns) {
    self.columns = Self.bounded(columns)
  }

  private static func bounded(_ columns: Int) -> Int {
    min(max(columns, columnRange.lowerBound), columnRange.upperBound)
  }

  /// Sets a new width. The next call of ``draw(prompt:_:)`` draws the whole row.
  package mutating func resize(columns: Int) {
    self.columns = Self.bounded(columns)
    invalidate()
  }

  /// Marks the content of the row as unknown, because another program has possibly written to the terminal. The next
  /// call of ``draw(prompt:_:)`` draws the whole row.
  package mutating func invalidate() { isUnknown = true }

  /// Begins a new row. The cursor must be at the beginning of an empty row.
  package mutating func beginRow() {
    shown = []
    shownCursor = 0
    isUnknown = false
    first = 0
  }

  /// Returns the bytes that draw the prompt and the line in the row. If the content of the row is known, only the
  /// changed part is drawn.
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
      // The old and the new content end in the same column. So equal cells at the end are in the same columns as before
      // and are not drawn.
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

  /// Returns the bytes that clear the row and move the cursor to its beginning.
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
    // If the remaining text fits, it can use all the room. Otherwise the last column shows the mark `>`.
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

  /// Scrolls by about a third of the row so that the cursor is visible. With smaller steps, each key at the edge would
  /// redraw the whole row.
  private mutating func scroll(_ widths: [Int], _ cursor: Int, _ room: Int) {
    first = min(first, widths.count)
    // Space is kept for both marks and for a wide character at the edge.
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

  /// The shortest sequence that moves the cursor.
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
