import ScreenDisplay
import ScreenLayout
import ScreenSamples
import Testing
import Text

@testable import autoharp_screen

/// Tests the screen on a terminal: scenes as text, and the keys for the search.
@Suite struct TerminalTests {
  private func lines(_ name: String, columns: Int = 79, rows: Int = 23, focus: ElementID? = nil)
    throws -> [String]
  {
    let sample = try #require(SampleScene.named(name))
    var context = sample.context
    context.panel = Panel(size: PixelSize(width: 800, height: 480))
    context.focus = focus
    let scene = NowPlayingLayout.scene(sample.state, context, measure: FixedWidthMeasure())
    return TerminalPicture(scene, columns: columns, rows: rows).grid.lines(hasColor: false)
  }

  @Test(arguments: SampleScene.all.map(\.name))
  func picture_eachSample_fillsExactlyTheCells(name: String) throws {
    for (columns, rows) in [(79, 23), (110, 33), (40, 12), (1, 1)] {
      let lines = try lines(name, columns: columns, rows: rows)
      #expect(lines.count == rows)
      for line in lines { #expect(TextWidth.columns(ofStyled: line) == columns, "\(line)") }
    }
  }

  @Test func picture_ofNowPlaying_hasTextsButtonsAndBar() throws {
    let text = try lines("playing").joined(separator: "\n")
    for part in ["Slow Ferry Home", "Low Meridian", "Saltlight", "1:24", "−2:47", "❚❚", "━━", "──"]
    {
      #expect(text.contains(part), "\(part)")
    }
  }

  @Test func picture_withFocus_showsItReversed() throws {
    let reverse = "\u{1B}[0;7m"
    #expect(try !lines("playing").joined().contains(reverse))
    #expect(try lines("playing", focus: "transport.central").joined().contains(reverse))
  }

  @Test func grid_textOverHalfOfAWideCharacter_keepsTheWidth() {
    var grid = CellGrid(columns: 6, rows: 1)
    grid.write("夜の", column: 0, row: 0)
    grid.write("a", column: 1, row: 0)
    grid.write("b", column: 2, row: 0)
    #expect(grid.lines(hasColor: false) == [" ab   "])
    grid.write("夜", column: 5, row: 0)
    #expect(grid.lines(hasColor: false) == [" ab   "])
  }

  @Test func grid_pictureWithoutColour_isEmpty() {
    var grid = CellGrid(columns: 2, rows: 1)
    grid.paint(CellGrid.Pixels(upper: 0xFF0000, lower: 0x0000FF), column: 0, row: 0)
    #expect(grid.lines(hasColor: false) == ["  "])
    #expect(grid.lines(hasColor: true) == ["\u{1B}[0;38;2;255;0;0;48;2;0;0;255m▀\u{1B}[0m "])
  }

  @Test func searchKey_isThatOfATelephone() {
    let expected: [Unicode.Scalar: String] = [
      "a": "key.2", "N": "key.6", "s": "key.7", "z": "key.9", "7": "key.7", " ": "key.space",
    ]
    for (character, key) in expected { #expect(TerminalDisplay.searchKey(character) == key) }
    #expect(TerminalDisplay.searchKey("0") == nil)
    #expect(TerminalDisplay.searchKey("-") == nil)
    #expect(TerminalDisplay.searchKey("ü") == nil)
  }
}
