import Text
import NowPlaying
import Screen
import ScreenSamples
import Testing

@Suite struct SavedStateTests {
  @Test(arguments: SampleScene.all.map(\.name))
  func savedState_isReadUnchanged(_ name: String) throws {
    let sample = try #require(SampleScene.named(name))
    let saved = SavedState(sample.state, at: SampleScene.now)
    let read = try SavedState(Array(saved.text.utf8))
    #expect(read.now == saved.now)
    #expect(read.state.lines == sample.state.lines)
    #expect(read.state.playback == sample.state.playback)
    #expect(read.state.template == sample.state.template)
    #expect(read.state.upNext == sample.state.upNext)
    #expect(read.state.volume == sample.state.volume)
    #expect(read.state.status == sample.state.status)
    // Writing the state again gives the same text.
    #expect(try SavedState(Array(read.text.utf8)) == read)
  }

  @Test func outputOfBusctl_isRead() throws {
    let text = #"""
      {"type":"a{sv}","data":[{"revision":{"type":"t","data":3},
       "volume":{"type":"a{sv}","data":{"level":{"type":"i","data":500}}}}]}
      """#
    let saved = try SavedState(Array(text.utf8))
    #expect(saved.state.revision == 3)
    #expect(saved.state.volume.level.thousandths == 500)
  }

  @Test func invalidState_isRefused() {
    for text in [
      "", "{", "[]", "{\"type\":\"s\",\"data\":\"\"}", "{\"type\":\"a{sv}\",\"data\":{}}",
    ] {
      #expect(throws: SavedState.ReadError.self) { try SavedState(Array(text.utf8)) }
    }
  }

  @Test func truncatedOrChangedFiles_areHandled() throws {
    var random = SystemRandomNumberGenerator()
    let good = Array(SavedState(SampleScene.all[0].state, at: SampleScene.now).text.utf8)
    for _ in 0..<300 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      _ = try? SavedState(bytes)
      _ = try? SavedState(Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random))))
    }
    #expect((try? JSONValue(Array(repeating: UInt8(ascii: "["), count: 1 << 20))) == nil)
  }
}

@Suite struct JSONValueTests {
  private func read(_ text: String) throws -> JSONValue { try JSONValue(Array(text.utf8)) }

  @Test func everyKindOfValue_isRead() throws {
    let text =
      #" {"a": [1, -2.5e1, 18446744073709551615, true, false, null], "é\u00e9\ud83c\udf0a\n": "x"} "#
    #expect(
      try read(text)
        == .object([
          (
            "a",
            .array([
              .integer(1), .number(-25), .unsigned(.max), .bool(true), .bool(false), .null,
            ])
          ), ("éé🌊\n", .string("x")),
        ]))
    #expect(try read("[]") == .array([]))
    #expect(try read("{}")["a"] == nil)
  }

  @Test func invalidJSON_isRefused() {
    for text in [
      "", " ", "tru", "[1,]", "{\"a\"}", "{\"a\":1,}", "\"a", "\"\\x\"", "\"\\ud800\"", "1 2", "+1",
      "nan", "\u{1}", "\"\n\"",
    ] {
      #expect(throws: JSONValue.ParseError.self, "\(text)") { try read(text) }
    }
  }
}
