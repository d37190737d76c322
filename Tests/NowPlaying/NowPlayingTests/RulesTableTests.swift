import Foundation
import TestKit
import Testing

/// Checks that the files, the tests and the example that docs/now-playing.md names exist. Also checks that the module
/// `NowPlaying` imports nothing and does not use Swift's concurrency.
@Suite struct RulesTableTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: ProjectFile.url(path), encoding: .utf8)
  }

  /// All Swift files below a folder, by path.
  private static func sources(_ folder: String) throws -> [String: String] {
    let base = ProjectFile.url(folder)
    var found: [String: String] = [:]
    for case let path as String in FileManager.default.enumerator(atPath: base.path)!
    where path.hasSuffix(".swift") {
      found[path] = try String(contentsOf: base.appendingPathComponent(path), encoding: .utf8)
    }
    return found
  }

  /// The texts in backquotes.
  private func quoted(_ text: Substring) -> [String] {
    text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  private static let rules: [String] = {
    let counts = [("E", 8), ("P", 12), ("C", 9), ("A", 5), ("T", 5), ("S", 4), ("D", 3)]
    return counts.flatMap { letter, count in (1...count).map { "\(letter)\($0)" } }
  }()

  @Test func table_everyRule_hasExistingFilesAndTests() throws {
    let tests = try ["NowPlaying", "Pictures", "Playback", "Unit"].map {
      try Self.sources("Tests/\($0)").values.joined()
    }.joined()
    let all = try Self.sources("Sources")
    let files = all.merging(try Self.sources("Sources/NowPlaying/NowPlaying")) { $1 }
    var rows: [[Substring]] = []
    for line in try Self.text("docs/now-playing.md").split(separator: "\n") {
      let cells: [Substring] = line.split(separator: "|").map { cell in cell.drop { $0 == " " } }
      guard cells.count == 3, let first = cells.first?.dropLast() else { continue }
      if Self.rules.contains(String(first)) { rows.append(cells) }
    }
    #expect(rows.map { String($0[0].dropLast()) } == Self.rules)
    for row in rows {
      let rule = row[0].dropLast()
      let names = quoted(row[2])
      #expect(!names.isEmpty, "\(rule) has no test")
      for name in names {
        #expect(name.hasPrefix("\(rule)_"), "\(name) is not of \(rule)")
        #expect(tests.contains("func \(name)("), "there is no test \(name)")
      }
      let paths = quoted(row[1])
      #expect(!paths.isEmpty, "\(rule) has no file")
      for path in paths { #expect(files[path] != nil, "there is no \(path)") }
    }
  }

  /// docs/now-playing.md has a table of values that are read back. The code contains each finding in this table, and
  /// each test in this table exists.
  @Test func readBacks_haveExistingFindingsAndTests() throws {
    func words(_ folders: [String]) throws -> Set<Substring> {
      var found: Set<Substring> = []
      for text in try folders.flatMap({ try Self.sources($0).values }) {
        found.formUnion(text.split { !($0.isLetter || $0.isNumber || "_.-".contains($0)) })
      }
      return found
    }
    let code = try words([
      "Sources/Bluetooth/AVRCPTarget",
      "Sources/NowPlaying/NowPlaying/Diagnosis", "Sources/Unit/Daemon",
    ])
    let tests = try words([
      "Tests/Bluetooth/AVRCPTargetTests", "Tests/NowPlaying",
      "Tests/Playback/HeadUnitTests", "Tests/Screen/ScreenTests", "Tests/Unit/DaemonTests",
    ])
    let text = try Self.text("docs/now-playing.md")
    let table =
      text.components(separatedBy: "| finding |").dropFirst().first?
      .components(separatedBy: "\n\n").first ?? ""
    let rows = table.split(separator: "\n").dropFirst(2).map {
      $0.split(separator: "|").map { quoted($0) }
    }
    #expect(rows.count == 7)
    for row in rows {
      try #require(row.count == 3 && !row[2].isEmpty)
      for finding in row[0] { #expect(code.contains(finding[...]), "\(finding)") }
      for name in row[2] { #expect(tests.contains(name[...]), "there is no test \(name)") }
    }
  }

  private func lines(_ text: some StringProtocol) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  private func contains(_ lines: [String], _ part: [String]) -> Bool {
    lines.indices.contains { lines[$0...].starts(with: part) }
  }

  /// `ExampleTests.swift`, which compiles and runs the example, contains each part of the example, line by line.
  @Test func example_isTested() throws {
    let docs = try Self.text("docs/now-playing.md")
    let tested = lines(try Self.text("Tests/NowPlaying/NowPlayingTests/ExampleTests.swift"))
    let parts = docs.components(separatedBy: "```swift\n").dropFirst().prefix(2)
      .map { lines($0.components(separatedBy: "```")[0]) }
    #expect(parts.count == 2 && (30...60).contains(parts.map(\.count).reduce(0, +)))
    for part in parts {
      #expect(contains(tested, part), "not in ExampleTests.swift: \(part)")
      var swapped = part
      swapped.swapAt(0, 1)
      #expect(!contains(tested, swapped))
    }
  }

  @Test func module_importsNothing_andHasNoConcurrencyRuntime() throws {
    let words = ["async", "await", "actor", "Task", "Observable", "MainActor", "Foundation"]
    for (path, text) in try Self.sources("Sources/NowPlaying/NowPlaying") {
      for line in text.split(separator: "\n") {
        let code = line.components(separatedBy: "//")[0]
        let parts = code.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
        #expect(!parts.contains("import"), "\(path): \(line)")
        for word in words { #expect(!parts.contains(word), "\(path): \(line)") }
      }
    }
  }
}
