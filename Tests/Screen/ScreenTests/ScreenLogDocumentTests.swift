import Foundation
import ScreenDisplay
import TestKit
import Testing

/// Checks that docs/log.md is correct.
@Suite struct ScreenLogDocumentTests {
  @Test func table_hasARowForEveryEvent() throws {
    let text = try String(contentsOf: ProjectFile.url("docs/log.md"), encoding: .utf8)
    let section = text.components(separatedBy: "\n## ").first {
      $0.hasPrefix("Events of the screen\n")
    }
    let rows = try #require(section).split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { $0.split(separator: "`")[1] }
    #expect(rows.map(String.init) == ScreenEvent.allCases.map(\.rawValue))
  }
}
