import Text

/// The cells of a terminal, as a value without I/O. Later text covers earlier text.
struct CellGrid: Equatable {
  struct Style: OptionSet, Hashable {
    let rawValue: Int
    static let bold = Style(rawValue: 1)
    static let faint = Style(rawValue: 2)
    static let accent = Style(rawValue: 4)
    static let reverse = Style(rawValue: 8)
  }

  /// The two colours of a cell that shows a part of a picture: one for its upper half, one for its lower half.
  struct Pixels: Hashable {
    var upper: UInt32
    var lower: UInt32
  }

  private struct Cell: Equatable {
    /// Empty if this cell is the second half of a wide character.
    var text = " "
    var style: Style = []
    var pixels: Pixels?
  }

  let columns: Int
  let rows: Int
  private var cells: [Cell]

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: Cell(), count: columns * rows)
  }

  /// Writes a text into one row. Text beyond the right edge is left out.
  mutating func write(_ text: String, column: Int, row: Int, _ style: Style = []) {
    guard (0..<rows).contains(row) else { return }
    var column = column
    for character in text {
      let width = TextWidth.columns(of: String(character))
      guard width > 0, column >= 0, column + width <= columns else { break }
      // A space replaces a wide character of which only one half is covered. Otherwise the rest of the row would be
      // shifted.
      if cell(column, row).text.isEmpty { self[column - 1, row].text = " " }
      if column + width < columns, cell(column + width, row).text.isEmpty {
        self[column + width, row].text = " "
      }
      self[column, row] = Cell(text: String(character), style: style)
      if width == 2 { self[column + 1, row] = Cell(text: "", style: style) }
      column += width
    }
  }

  /// Shows a part of a picture in a cell.
  mutating func paint(_ pixels: Pixels, column: Int, row: Int) {
    guard (0..<columns).contains(column), (0..<rows).contains(row) else { return }
    self[column, row] = Cell(text: "▀", pixels: pixels)
  }

  /// Adds a style to all cells of a rectangle.
  mutating func add(_ style: Style, columns: Range<Int>, rows: Range<Int>) {
    for row in rows.clamped(to: 0..<self.rows) {
      for column in columns.clamped(to: 0..<self.columns) {
        self[column, row].style.formUnion(style)
      }
    }
  }

  private func cell(_ column: Int, _ row: Int) -> Cell { cells[row * columns + column] }

  private subscript(column: Int, row: Int) -> Cell {
    get { cells[row * columns + column] }
    set { cells[row * columns + column] = newValue }
  }

  /// The rows, with SGR sequences for the styles. If `hasColor` is false, text with the style `accent` has no colour,
  /// and pictures are blank.
  func lines(hasColor: Bool) -> [String] {
    (0..<rows).map { row in
      var line = ""
      var last = ""
      for column in 0..<columns {
        let cell = cell(column, row)
        let code = Self.code(cell, hasColor: hasColor)
        if code != last {
          line += "\u{1B}[0\(code)m"
          last = code
        }
        line += cell.pixels != nil && !hasColor ? " " : cell.text
      }
      return last.isEmpty ? line : line + "\u{1B}[0m"
    }
  }

  private static func code(_ cell: Cell, hasColor: Bool) -> String {
    var code = ""
    if cell.style.contains(.bold) { code += ";1" }
    if cell.style.contains(.faint) { code += ";2" }
    if cell.style.contains(.accent), hasColor { code += ";36" }
    if cell.style.contains(.reverse) { code += ";7" }
    if let pixels = cell.pixels, hasColor {
      code += ";38;2;\(rgb(pixels.upper));48;2;\(rgb(pixels.lower))"
    }
    return code
  }

  private static func rgb(_ word: UInt32) -> String {
    "\(word >> 16 & 255);\(word >> 8 & 255);\(word & 255)"
  }
}
