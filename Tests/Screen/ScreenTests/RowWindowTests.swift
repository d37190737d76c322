import NowPlaying
@testable import Screen
import ScreenLayout
import Testing

@Suite struct RowWindowTests {
  private let words = LocalizedWords("en")
  private let rows = (0..<5).map { MenuRow(id: "\($0)", .picture(MenuPicture(.note)), "\($0)") }

  @Test func limitedList_endsInMoreWhenParked() throws {
    let shown = RowWindow.limited(rows, to: RowLimit(rows: 3, isParkedKnown: true), words)
    #expect(shown.map(\.title) == ["0", "1", "2", words.listLimited])
    #expect(shown.last?.condition == .inert && shown.last?.line == nil)
  }

  /// Without the setting `parking-line`, the unit never knows that the car is parked. So the last row names this
  /// setting.
  @Test func limitedList_saysHowTheUnitLearnsThatTheCarIsParked() {
    let shown = RowWindow.limited(rows, to: RowLimit(rows: 3, isParkedKnown: false), words)
    #expect(shown.last?.line == words.parkingUnknown)
  }

  @Test func wholeList_hasNoSuchRow() {
    #expect(RowWindow.limited(rows, to: RowLimit(rows: 5, isParkedKnown: true), words) == rows)
    #expect(RowWindow.limited(rows, to: nil, words) == rows)
  }
}
