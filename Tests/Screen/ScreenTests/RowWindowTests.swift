import NowPlaying
@testable import Screen
import ScreenLayout
import Testing

@Suite struct RowWindowTests {
  private let words = LocalizedWords("en")
  private let rows = (0..<5).map { BrowseRow(id: "\($0)", .picture(BrowsePicture(.note)), "\($0)") }

  @Test func limitedList_endsInMoreWhenParked() throws {
    let shown = RowWindow.limited(rows, to: 3, words)
    #expect(shown.map(\.title) == ["0", "1", "2", words.listLimited])
    #expect(shown.last?.condition == .inert)
  }

  @Test func wholeList_hasNoSuchRow() {
    #expect(RowWindow.limited(rows, to: 5, words) == rows)
    #expect(RowWindow.limited(rows, to: nil, words) == rows)
  }
}
