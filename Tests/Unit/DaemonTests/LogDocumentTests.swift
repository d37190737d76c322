import Foundation
import Reports
import TestKit
import Testing

/// Checks that docs/log.md is correct.
@Suite struct LogDocumentTests {
  @Test func eventTable_hasOneRowPerEvent_withItsSeverity() throws {
    let text = try String(contentsOf: ProjectFile.url("docs/log.md"), encoding: .utf8)
    let section = text.components(separatedBy: "\n## ").first {
      $0.hasPrefix("Events of the daemon\n")
    }
    let rows = try #require(section).split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { $0.split(separator: "|").prefix(2).map { $0.trimmingCharacters(in: .whitespaces) } }
    let expected = LogEvent.allCases.map { ["`\($0.rawValue)`", "\($0.severity)"] }
    #expect(rows == expected)
  }

  @Test func identifiers_areUnique_andWithoutSpaces() {
    let identifiers = LogEvent.allCases.map(\.rawValue)
    #expect(Set(identifiers).count == identifiers.count)
    for identifier in identifiers {
      #expect(identifier.wholeMatch(of: /[a-z]+(\.[a-z]+(-[a-z]+)*)?/) != nil, "\(identifier)")
    }
  }
}
