internal import Text

/// A simulated terminal. It supports the functions of a VT100 that the line editor of the console uses. All other
/// control characters and sequences are recorded as faults.
public struct VirtualTerminal {
  /// The number of cells in a row.
  public let columns: Int
  /// The number of rows.
  public let rows: Int
  /// One text for each cell, in rows from the top. The second half of a wide character is an empty text.
  public private(set) var cells: [[String]]
  /// The row of the cursor, from 0.
  public private(set) var row = 0
  /// The column of the cursor, from 0.
  public private(set) var column = 0
  /// The answers of the terminal to requests of the program, as far as ``takeAnswers()`` has not returned them yet.
  public private(set) var answers: [UInt8] = []
  /// The number of times that the bell has rung.
  public private(set) var bells = 0
  /// The number of requests of the program for the position of the cursor.
  public private(set) var questions = 0
  /// The control characters and sequences that this terminal does not support.
  public private(set) var faults: [String] = []
  /// The number of bytes that the program has written.
  public private(set) var bytesWritten = 0
  /// True if the terminal answers requests for the position of the cursor, as nearly all terminals do.
  public var answersReports = true

  /// Creates an empty terminal with the cursor in the first row.
  public init(columns: Int = 80, rows: Int = 24) {
    self.columns = columns
    self.rows = rows
    cells = Array(repeating: [], count: rows)
  }

  /// The rows from the top, without spaces at their ends and without empty rows at the end.
  public var screen: String {
    var lines = cells.map { row in
      String(row.joined().reversed().drop { $0 == " " }.reversed())
    }
    while lines.count > 1, lines.last == "" { lines.removeLast() }
    return lines.joined(separator: "\n")
  }

  /// The text of ``screen``, with `▏` before the cell of the cursor.
  public var screenWithCursor: String {
    var copy = self
    copy.pad(to: column)
    copy.cells[row].insert("▏", at: column)
    return copy.screen
  }

  /// Returns the answers of the terminal since the last call.
  public mutating func takeAnswers() -> [UInt8] {
    defer { answers = [] }
    return answers
  }

  /// Processes the output of a program.
  public mutating func feed(_ text: String) {
    bytesWritten += text.utf8.count
    var scalars = Array(text.unicodeScalars)[...]
    var word = String.UnicodeScalarView()
    func isPlain(_ scalar: Unicode.Scalar) -> Bool {
      scalar.value >= 0x20 && scalar.value != 0x7F
    }
    while let scalar = scalars.popFirst() {
      if isPlain(scalar) {
        word.append(scalar)
        while let next = scalars.first, isPlain(next) { word.append(scalars.removeFirst()) }
        for character in String(word) { put(character) }
        word = String.UnicodeScalarView()
        continue
      }
      switch scalar {
      case "\r": column = 0
      case "\n": lineFeed()
      case "\u{8}": column = max(0, min(column, columns - 1) - 1)
      case "\u{7}": bells += 1
      case "\u{1B}":
        guard scalars.popFirst() == "[" else {
          faults.append("an ESC that begins no control sequence")
          continue
        }
        var parameters = ""
        while let next = scalars.first, (0x20...0x3F).contains(next.value) {
          parameters.unicodeScalars.append(scalars.removeFirst())
        }
        control(scalars.popFirst().map { Character($0) } ?? "?", parameters)
      default: faults.append("U+\(String(scalar.value, radix: 16))")
      }
    }
  }

  /// Writes a text that comes from another program or from the kernel. The text starts at the cursor. After each line,
  /// the cursor moves to the next row.
  public mutating func write(fromElsewhere text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      for character in line { put(character) }
      column = 0
      lineFeed()
    }
  }

  private mutating func lineFeed() {
    if row == rows - 1 {
      cells.removeFirst()
      cells.append([])
    } else {
      row += 1
    }
  }

  private mutating func pad(to column: Int) {
    while cells[row].count < column { cells[row].append(" ") }
  }

  private mutating func put(_ character: Character) {
    let width = TextWidth.columns(of: String(character))
    if column + width > columns {
      column = 0
      lineFeed()
    }
    if width == 0 {
      // A combining accent that arrives alone belongs to the previous cell.
      if column > 0, column <= cells[row].count { cells[row][column - 1].append(character) }
      return
    }
    pad(to: column + width)
    cells[row][column] = String(character)
    for half in column + 1..<column + max(width, 1) where half < columns { cells[row][half] = "" }
    column += width
  }

  private mutating func control(_ final: Character, _ parameters: String) {
    let count = Int(parameters) ?? 1
    switch final {
    case "C": column = min(columns - 1, column + count)
    case "K" where parameters.isEmpty:
      cells[row].removeSubrange(min(column, cells[row].count)...)
    case "n" where parameters == "6":
      questions += 1
      if answersReports { answers += "\u{1B}[\(row + 1);\(column + 1)R".utf8 }
    case "m": break
    default: faults.append("ESC [ \(parameters) \(final)")
    }
  }
}
