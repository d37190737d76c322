import Reports
import TestKit
import Testing

/// Checks that docs/log.md is correct.
@Suite struct LogDocumentTests {
  @Test func eventTable_hasOneRowPerEvent_withItsSeverity() throws {
    let rows = try ProjectFile.tableRows("docs/log.md", section: "Events of the daemon")
    let expected = LogEvent.allCases.map { ["`\($0.rawValue)`", "\($0.severity)"] }
    #expect(rows.map { Array($0.prefix(2)) } == expected)
  }

  @Test func identifiers_areUnique_andWithoutSpaces() {
    let identifiers = LogEvent.allCases.map(\.rawValue)
    #expect(Set(identifiers).count == identifiers.count)
    for identifier in identifiers {
      #expect(identifier.wholeMatch(of: /[a-z]+(\.[a-z]+(-[a-z]+)*)?/) != nil, "\(identifier)")
    }
  }
}
