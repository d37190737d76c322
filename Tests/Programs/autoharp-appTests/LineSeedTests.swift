import Foundation
import TestKit
import Testing

@testable import autoharp_app

/// Reads the seed inputs of the fuzz target `LinesFuzzer`.
@Suite struct LineSeedTests {
  @Test(arguments: [
    ("title", 1, 0), ("flush", 3, 0), ("answers", 3, 0), ("condition", 3, 0), ("bad", 2, 4),
  ])
  func seed_hasThisNumberOfGoodAndBadLines(name: String, good: Int, bad: Int) throws {
    let bytes = [UInt8](try Data(contentsOf: ProjectFile.url("Tests/Fuzz/seeds/lines/\(name)")))
    var splitter = LineSplitter()
    var lines: [ProgramLine?] = []
    splitter.add(bytes) { lines.append($0.flatMap { try? ProgramLine($0) }) }
    #expect(lines.count { $0 != nil } == good)
    #expect(lines.count { $0 == nil } == bad)
  }
}
