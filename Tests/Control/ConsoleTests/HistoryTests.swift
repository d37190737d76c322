import Console
import Foundation
import TestKit
import Testing

@Suite struct HistoryTests {
  @Test func add_line_isKeptOnce_withinTheLimit() {
    var history = History((0..<500).map { "line \($0)" })
    #expect(history.lines.count == History.limit)
    #expect(history.lines.last == "line 499")
    history.add("line 400")
    #expect(history.lines.count == History.limit)
    #expect(history.lines.last == "line 400")
    #expect(history.lines.count { $0 == "line 400" } == 1)
    history.add("  ")
    history.add("")
    #expect(history.lines.last == "line 400")
  }

  // MARK: In a file

  private let folder: TemporaryFolder
  private var path: String { folder.path("history") }

  init() throws { folder = try TemporaryFolder() }

  @Test func load_afterAppend_returnsTheLines() {
    #expect(HistoryFile(path: path).load() == [])
    HistoryFile(path: path).append("one")
    HistoryFile(path: path).append("two 日本")
    #expect(HistoryFile(path: path).load() == ["one", "two 日本"])
  }

  @Test func load_damagedFile_returnsTheValidLines() throws {
    var bytes = Array("good\n\u{1B}[2Jbad\n".utf8) + [0xFF, 0xFE, 0x0A, 0x00, 0x0A]
    bytes += Array((String(repeating: "x", count: 3000) + "\nlast").utf8)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    #expect(HistoryFile(path: path).load() == ["good", "last"])
  }

  @Test func load_largeFile_keepsItsEnd() throws {
    let lines = (0..<20_000).map { "a line with the number \($0)" }
    try lines.map { $0 + "\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
    #expect(HistoryFile(path: path).load().last == lines.last)
    #expect(HistoryFile(path: path).load() == lines.suffix(History.limit))
  }

  @Test func pathThatIsNoRegularFile_isIgnored() {
    for path in ["/dev/zero", "/", "/nonexistent/history", "/dev/full"] {
      HistoryFile(path: path).append("line")
      #expect(HistoryFile(path: path).load() == [])
    }
    #expect(mkfifo(path, 0o600) == 0)
    HistoryFile(path: path).append("line")
    #expect(HistoryFile(path: path).load() == [])
  }
}
