import Console
import Reports
import Text
import TestKit
import Testing

@Suite struct HelpTextTests {
  private let help = HelpText(.autoharp)

  @Test func overview_fitsAScreenOf80By24_withThePrompt() throws {
    let lines = help.overview
    #expect(lines.count <= 23)
    for line in lines { #expect(TextWidth.columns(of: line) <= 79, "\(line)") }
    for syntax in Grammar.autoharp.commands {
      #expect(syntax.summary.count <= 28, "\(syntax.name)")
      #expect(
        lines.contains {
          $0.contains(" \(syntax.name) ") || $0.contains(" \(syntax.name),")
            || $0.hasSuffix(" \(syntax.name)")
        })
    }
  }

  @Test func topics_haveUsageAndExamples() throws {
    var all = help.overview + [""]
    for syntax in Grammar.autoharp.commands {
      let lines = try #require(help.topic(syntax.name))
      #expect(lines.count <= 23)
      for line in lines { #expect(TextWidth.columns(of: line) <= 79, "\(line)") }
      all += lines + [""]
    }
    try Golden.check(all, "help.txt")
    #expect(help.topic("nonsense") == nil)
  }

  /// A technician who does not know the product finds the words here.
  @Test func helpOfDiagnose_explainsEachComplaint() throws {
    let lines = try #require(help.topic("diagnose"))
    for word in Complaint.allCases.map(\.rawValue) + ["stops by itself"] {
      #expect(lines.contains { $0.hasPrefix("  diagnose \(word) ") }, "\(word)")
    }
  }
}
