import ScreenDisplay
import TestKit
import Testing

/// Checks that docs/log.md lists all events of the screen.
@Suite struct ScreenLogDocumentTests {
  @Test func table_hasARowForEveryEvent() throws {
    let rows = try ProjectFile.tableRows("docs/log.md", section: "Events of the screen")
    #expect(rows.map { $0[0] } == ScreenEvent.allCases.map { "`\($0.rawValue)`" })
  }
}
