import NowPlayingClient
import Testing

@testable import autoharp_app

@Suite struct ProgramLineTests {
  private func line(_ text: String) throws -> ProgramLine { try ProgramLine(Array(text.utf8)) }

  private func isRefused(_ text: String) -> Bool { (try? line(text)) == nil }

  @Test func title_isRead() throws {
    let line = try line(
      #"{"title":"T","artist":"A","album":"L","duration":90.5,"artwork":"/a.png","frame":7,"#
        + #""time":3,"new":[1]}"#)
    #expect(
      line.title
        == ProgramLine.Title(
          title: "T", artist: "A", album: "L", duration: 90.5, artwork: "/a.png", time: 3))
    #expect(line.frame == 7)
    #expect(line.flush == nil && line.answer == nil && line.condition == nil)
    #expect(!line.isClaimedByPerson)
    #expect(try self.line(#"{"title":"T","frame":null}"#).frame == nil)
  }

  @Test func otherMembers_areRead() throws {
    #expect(try line(#"{"flush":9,"time":1.5}"#).flush == .below(9))
    #expect(try line(#"{"flush":9,"time":1.5}"#).time == 1.5)
    #expect(try line(#"{"flush":true}"#).flush == .pipe)
    #expect(try line(#"{"claim":"person"}"#).isClaimedByPerson)
    #expect(try line(#"{"answer":7}"#).answer == .init(number: 7, failure: nil))
    #expect(try line(#"{"answer":7,"failed":"no"}"#).answer == .init(number: 7, failure: "no"))
    #expect(try line(#"{"condition":"ready"}"#).condition == .ready)
    #expect(
      try line(#"{"condition":"waiting","sentence":"s","remedy":"r"}"#).condition
        == .waiting("s", remedy: "r"))
    #expect(
      try line(#"{"condition":"failed","sentence":"s"}"#).condition == .failed("s", remedy: nil))
  }

  @Test(arguments: [
    "", "x", "[]", "7", "{}", #"{"new":1}"#, #"{"frame":7}"#, #"{"title":7}"#, #"{"title":"T"}x"#,
    #"{"title":"T","frame":-1}"#, #"{"title":"T","frame":1.5}"#, #"{"title":"T","frame":"1"}"#,
    #"{"title":"T","frame":4503599627370496}"#, #"{"title":"T","frame":18446744073709551615}"#,
    #"{"title":"T","duration":-1}"#, #"{"title":"T","duration":1e9}"#,
    #"{"title":"T","duration":1e999}"#,
    #"{"artwork":""}"#, #"{"artwork":"a\u0000"}"#, #"{"flush":-1}"#, #"{"flush":false}"#,
    #"{"flush":"x"}"#, #"{"claim":"automatic"}"#, #"{"claim":true}"#, #"{"answer":"7"}"#,
    #"{"answer":-7}"#, #"{"answer":7,"failed":1}"#, #"{"condition":"x"}"#,
    #"{"condition":"waiting"}"#, #"{"condition":"failed","sentence":1}"#,
  ])
  func invalidLine_isRefused(text: String) { #expect(isRefused(text)) }

  @Test func longTexts_areTruncated_andLongPathsRefused() throws {
    let long = String(repeating: "ä", count: 5000)
    #expect(
      try line(#"{"title":"\#(long)"}"#).title?.title?.unicodeScalars.count
        == ProgramLine.Title.textLimit)
    #expect(isRefused(#"{"artwork":"\#(long)"}"#))
  }

  @Test func splitter_returnsWholeLines_andSkipsLongOnes() {
    let limit = LineSplitter.limit
    let lines: [[UInt8]] = [
      Array("one".utf8), [], Array(repeating: 1, count: limit),
      Array(repeating: 2, count: limit + 1),
      Array("two".utf8),
    ]
    let bytes = Array(lines.joined(separator: [10])) + [10, 3, 3]
    for size in [1, 7, 1000, bytes.count] {
      var splitter = LineSplitter()
      var found: [[UInt8]?] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        splitter.add(bytes[start..<min(bytes.count, start + size)]) { found.append($0) }
      }
      #expect(found == [lines[0], lines[1], lines[2], nil, lines[4]], "\(size)")
    }
  }

  @Test func commands_areLinesOfJSON() {
    func text(_ request: MediaRequest) -> String {
      String(decoding: commandLine(request, number: 7), as: UTF8.self)
    }
    #expect(text(.next) == "{\"number\": 7,\"command\": \"next\"}\n")
    #expect(
      text(.seekToPosition(.milliseconds(1500)))
        == "{\"number\": 7,\"command\": \"seekToPosition\",\"position\": 1.5}\n")
    #expect(text(.skipForward(.seconds(10))).contains("\"interval\": 10.0"))
    #expect(text(.seekBackward(.end)).contains("\"phase\": \"end\""))
    #expect(text(.changeRepeatMode(.all)).contains("\"mode\": \"all\""))
    #expect(text(.changeShuffleMode(.items)).contains("\"mode\": \"items\""))
    #expect(text(.stars(3)).contains("\"stars\": 3.0"))
    #expect(text(.like(false)).contains("\"on\": false"))
  }
}
