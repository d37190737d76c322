import Testing

@testable import autoharp

/// A simulated terminal. It understands exactly the sequences that `LiveBlock` uses. Any other sequence stops the test
/// program. Each character takes one column.
private struct PaperTerminal {
  let columns: Int
  let rows: Int
  private(set) var lines: [[Character]] = [[]]
  private(set) var row = 0
  private(set) var column = 0
  private(set) var wraps = true
  private var top: Int { max(0, lines.count - rows) }

  init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }

  /// All text that was written and not erased, including lines that have scrolled off the screen.
  var text: String { lines.map { String($0) }.joined(separator: "\n") }

  mutating func feed(_ text: String) {
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\r": column = 0
      case "\n":
        row += 1
        if row == lines.count { lines.append([]) }
      case "\u{1B}":
        precondition(scalars.popFirst() == "[")
        let parameters = String(
          String.UnicodeScalarView(scalars.prefix { !$0.properties.isAlphabetic }))
        scalars = scalars.dropFirst(parameters.unicodeScalars.count)
        control(scalars.popFirst().map { Character($0) }, parameters)
      default: put(Character(scalar))
      }
    }
  }

  private mutating func put(_ character: Character) {
    if column == columns {
      if wraps {
        feed("\r\n")
      } else {
        column -= 1
      }
    }
    while lines[row].count <= column { lines[row].append(" ") }
    lines[row][column] = character
    column += 1
  }

  private mutating func control(_ final: Character?, _ parameters: String) {
    switch (final, parameters) {
    case ("A", let count): row = max(top, row - (Int(count) ?? 1))
    case ("K", ""): lines[row].removeSubrange(min(column, lines[row].count)...)
    case ("J", ""):
      lines[row].removeSubrange(min(column, lines[row].count)...)
      for below in lines.indices where below > row { lines[below] = [] }
    case ("l", "?7"): wraps = false
    case ("h", "?7"): wraps = true
    case ("m", _): break
    default:
      preconditionFailure("unexpected control sequence \(parameters) \(String(describing: final))")
    }
  }
}

private let size = TerminalScreen.Size(columns: 20, rows: 10)

@Suite struct LiveBlockTests {
  @Test func redraw_firstTime_isWrittenAtTheCursor() {
    var paper = PaperTerminal(columns: 20, rows: 10)
    var block = LiveBlock()
    paper.feed("$ autoharp\r\n")
    paper.feed(block.redraw(["one", "two"], size: size))
    #expect(paper.text == "$ autoharp\none\ntwo")
    #expect(paper.column == 0)
    #expect(paper.row == 2)
    #expect(paper.wraps)
  }

  @Test func redraw_nextTime_replacesTheOldLines() {
    var paper = PaperTerminal(columns: 20, rows: 10)
    var block = LiveBlock()
    paper.feed(block.redraw(["one", "two", "three"], size: size))
    paper.feed(block.redraw(["1", "two", "three and a half"], size: size))
    #expect(paper.text == "1\ntwo\nthree and a half")
    #expect(paper.row == 2)
  }

  @Test func redraw_unchangedLines_writesNothing() {
    var block = LiveBlock()
    _ = block.redraw(["one", "two"], size: size)
    #expect(block.redraw(["one", "two"], size: size) == "")
  }

  @Test func redraw_writesOnlyChangedLines() {
    var block = LiveBlock()
    _ = block.redraw(["title", "bar 1"], size: size)
    let frame = block.redraw(["title", "bar 2"], size: size)
    #expect(frame == "\u{1B}[?7l\u{1B}[1A\r\nbar 2\u{1B}[K\r\u{1B}[?7h")
  }

  @Test func redraw_changingHeight_clearsOldLines() {
    var paper = PaperTerminal(columns: 20, rows: 10)
    var block = LiveBlock()
    for count in [2, 5, 1, 9, 3, 3, 4, 2] {
      let lines = (0..<count).map { "line \($0) of \(count)" }
      paper.feed(block.redraw(lines, size: size))
      let shown = paper.text.split(separator: "\n").map(String.init)
      #expect(shown == lines)
      #expect(paper.row == count - 1)
    }
    paper.feed(block.redraw([], size: size))
    #expect(paper.text.allSatisfy { $0 == "\n" })
    #expect(paper.row == 0)
  }

  @Test func redraw_atTheBottomOfTheScreen_scrollsOnce() {
    var paper = PaperTerminal(columns: 20, rows: 4)
    var block = LiveBlock()
    let size = TerminalScreen.Size(columns: 20, rows: 4)
    paper.feed("a\r\nb\r\nc\r\nd\r\n")
    for frame in 1...3 {
      paper.feed(block.redraw(["x\(frame)", "y\(frame)", "z\(frame)"], size: size))
      #expect(paper.text == "a\nb\nc\nd\nx\(frame)\ny\(frame)\nz\(frame)")
    }
  }

  @Test func redraw_blockHigherThanTheScreen_isTruncated() {
    var paper = PaperTerminal(columns: 20, rows: 3)
    var block = LiveBlock()
    for frame in 1...3 {
      let lines = (1...9).map { "\($0) in frame \(frame)" }
      paper.feed(block.redraw(lines, size: .init(columns: 20, rows: 3)))
      #expect(paper.text == lines.prefix(3).joined(separator: "\n"))
    }
  }

  @Test func redraw_tooLongLine_staysOneLine() {
    var paper = PaperTerminal(columns: 5, rows: 5)
    var block = LiveBlock()
    let size = TerminalScreen.Size(columns: 5, rows: 5)
    paper.feed(block.redraw(["abcdefgh", "x"], size: size))
    paper.feed(block.redraw(["abcdefgi", "y"], size: size))
    #expect(paper.text.hasSuffix("\ny"))
    #expect(paper.row == 1)
  }

  @Test func insertAbove_notice_staysAboveTheBlock() {
    var paper = PaperTerminal(columns: 20, rows: 10)
    var block = LiveBlock()
    paper.feed(block.redraw(["one", "two"], size: size))
    paper.feed(block.insertAbove("first notice", size: size))
    paper.feed(block.insertAbove("second\u{1B}[2J\nnotice, longer than a line", size: size))
    paper.feed(block.redraw(["1", "two"], size: size))
    #expect(
      paper.text == "first notice\nsecond\u{FFFD}[2J notice, l\nonger than a line\n1\ntwo")
  }

  @Test func insertAbove_beforeTheFirstRedraw_isALine() {
    var paper = PaperTerminal(columns: 20, rows: 10)
    var block = LiveBlock()
    paper.feed(block.insertAbove("notice", size: size))
    paper.feed(block.redraw(["one"], size: size))
    #expect(paper.text == "notice\none")
  }

  @Test func redraw_afterTheTerminalBecameNarrower_clearsTheWrappedBlock() {
    var paper = PaperTerminal(columns: 10, rows: 10)
    var block = LiveBlock()
    _ = block.redraw(["123456789012345", "\u{1B}[1mstyled\u{1B}[0m", ""], size: size)
    // The block as the terminal shows it after the terminal was reduced to ten columns.
    paper.feed("before\r\n1234567890\r\n12345\r\nstyled\r\n")
    paper.feed(block.redraw(["a", "b"], size: .init(columns: 10, rows: 10)))
    #expect(paper.text == "before\na\nb\n\n")
  }

  @Test func finish_movesTheCursorBelowTheBlock() {
    var paper = PaperTerminal(columns: 20, rows: 10)
    var block = LiveBlock()
    #expect(block.finish() == "")
    paper.feed(block.redraw(["one", "two"], size: size))
    paper.feed(block.finish() + "$ ")
    #expect(paper.text == "one\ntwo\n$ ")
    #expect(block.finish() == "")
  }
}
