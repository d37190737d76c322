import Console
import Foundation
import Reports
import TestKit
import Testing

/// Checks that docs/console.md is correct.
@Suite struct ConsoleDocumentTests {
  private static let text: String = {
    (try? ProjectFile.text("docs/console.md")) ?? ""
  }()

  /// `make renew-goldens` writes the rows.
  @Test func commandTable_hasExactlyOneRowPerCommand() throws {
    let head = "| command | |\n|---|---|\n"
    let start = try #require(Self.text.range(of: head)?.upperBound)
    let rest = Self.text[start...].split(separator: "\n", omittingEmptySubsequences: false)
      .drop { $0.hasPrefix("| `") }.joined(separator: "\n")
    let rows = Grammar.autoharp.commands.map { syntax in
      let usages = syntax.usages.map { "`\($0.replacingOccurrences(of: "|", with: "\\|"))`" }
      return "| \(usages.joined(separator: ", ")) | \(syntax.summary) |\n"
    }
    try Golden.check(
      Self.text[..<start] + rows.joined() + rest, ProjectFile.url("docs/console.md"))
  }

  @Test func figures_equalThoseOfTheCode() {
    #expect(Self.text.contains("\(LineBuffer.limit) characters"))
    #expect(Self.text.contains("last \(History.limit) lines"))
    #expect(Self.text.contains("`\(ConsoleOptions.defaultSocket)`"))
    #expect(ConsoleSession.answerMilliseconds == 5000)
    #expect(Self.text.contains("within five seconds"))
    for outcome in [ConsoleOutcome.success, .failure, .usage, .unreachable] {
      #expect(Self.text.contains("| \(outcome.rawValue) | "))
    }
  }

  @Test func stateTable_hasOneRowPerState() throws {
    let states: [DaemonState] = [
      .dead(reason: nil), .stopped, .hangs(since: .zero), .restarting(count: 1, reason: nil),
      .noPermission(socket: ""), .socketMissing(socket: ""),
    ]
    let rows = try ProjectFile.tableRows(
      "docs/console.md", section: "When the daemon does not answer"
    ).map { $0[0] }
    for state in states {
      let finding = try #require(state.finding)
      #expect(rows.contains { finding.hasPrefix($0) }, "\(finding)")
    }
    #expect(rows.count == states.count)
  }
}
