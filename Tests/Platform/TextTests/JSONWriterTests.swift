import Testing

@testable import Text

private func written(_ body: (inout JSONWriter) -> Void) -> String {
  var json = JSONWriter()
  body(&json)
  return json.take()
}

@Suite struct JSONWriterTests {
  @Test func onOneLine_writesNoLineBreak() {
    var json = JSONWriter(onOneLine: true)
    json.beginObject()
    json.member("a", "x\ny")
    json.key("b")
    json.beginArray()
    json.value(1)
    json.value(2)
    json.endArray()
    json.endObject()
    #expect(json.take() == #"{"a": "x\ny","b": [1,2]}"#)
  }

  @Test func nested_isIndentedAndSeparated() {
    let text = written { json in
      json.beginArray()
      json.beginObject()
      json.member("path", "a.flac")
      json.member("rate", 44_100)
      json.member("seconds", 1.5)
      json.member("whole", true)
      json.key("md5")
      json.null()
      json.key("tags")
      json.beginObject()
      json.key("ARTIST")
      json.beginArray()
      json.value("A")
      json.value("B")
      json.endArray()
      json.endObject()
      json.endObject()
      json.value(2)
      json.endArray()
    }
    #expect(
      text == """
        [
          {
            "path": "a.flac",
            "rate": 44100,
            "seconds": 1.5,
            "whole": true,
            "md5": null,
            "tags": {
              "ARTIST": [
                "A",
                "B"
              ]
            }
          },
          2
        ]
        """)
  }

  @Test func emptyContainers_stayOnOneLine() {
    #expect(
      written { json in
        json.beginArray()
        json.endArray()
      } == "[]")
    #expect(
      written { json in
        json.beginObject()
        json.key("a")
        json.beginObject()
        json.endObject()
        json.key("b")
        json.beginArray()
        json.endArray()
        json.endObject()
      } == "{\n  \"a\": {},\n  \"b\": []\n}")
  }

  @Test func nilMembers_areLeftOut() {
    let text = written { json in
      json.beginObject()
      json.member("a", nil as String?)
      json.member("b", nil as Int?)
      json.member("c", nil as Double?)
      json.member("d", nil as Bool?)
      json.member("e", 1 as UInt8?)
      json.endObject()
    }
    #expect(text == "{\n  \"e\": 1\n}")
  }

  @Test(
    arguments: [
      ("", #""""#), ("plain", #""plain""#), (#"say "hi""#, #""say \"hi\"""#),
      (#"C:\a"#, #""C:\\a""#), ("a/b", #""a/b""#), ("a\nb\r\tc", #""a\nb\r\tc""#),
      ("\r\n", #""\r\n""#), ("\u{8}\u{C}", #""\b\f""#),
      ("\u{0}\u{1B}\u{1F}", #""\u0000\u001b\u001f""#),
      ("\u{7F}\u{85}\u{9B}", #""\u007f\u0085\u009b""#), ("é日🎵e\u{301}", "\"é日🎵e\u{301}\""),
      ("\u{2028}\u{2029}", "\"\u{2028}\u{2029}\""), ("\"\u{301}", "\"\\\"\u{301}\""),
    ] as [(String, String)])
  func strings_areEscaped(_ text: String, _ expected: String) {
    let result = written { $0.value(text) }
    #expect(Array(result.utf8) == Array(expected.utf8))
  }

  @Test func keys_areEscaped() {
    let text = written { json in
      json.beginObject()
      json.member("a\"\n", 1)
      json.endObject()
    }
    #expect(text == "{\n  \"a\\\"\\n\": 1\n}")
  }

  @Test func everyControlCharacter_isEscaped() {
    for value in 0..<0x20 as Range<UInt8> {
      let result = written { $0.value(String(Character(Unicode.Scalar(value)))) }
      #expect(result.utf8.allSatisfy { $0 >= 0x20 })
    }
  }

  @Test(
    arguments: [
      (0.0, "0.0"), (-0.0, "-0.0"), (1, "1.0"), (0.1, "0.1"), (-7.42, "-7.42"), (1e-7, "1e-07"),
      (5e20, "5e+20"), (.leastNonzeroMagnitude, "5e-324"),
      (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (.nan, "null"),
      (.infinity, "null"), (-.infinity, "null"),
    ] as [(Double, String)])
  func doubles(_ number: Double, _ expected: String) {
    #expect(written { $0.value(number) } == expected)
  }

  /// The grammar of RFC 8259, section 6: `[-] int [. digits] [e [+-] digits]`. `int` is 0 or does not begin with 0.
  @Test func doubles_ofAllSizes_followTheGrammarAndReadBack() throws {
    let grammar = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/
    for exponent in stride(from: -320, through: 305, by: 5) {
      guard let number = Double("-1.2345678901234567e\(exponent)") else { continue }
      let text = written { $0.value(number) }
      #expect(try grammar.wholeMatch(in: text) != nil, "\(text)")
      #expect(Double(text) == number)
    }
  }

  @Test func integersAtTheirLimits_areExact() {
    #expect(written { $0.value(Int64.min) } == "-9223372036854775808")
    #expect(written { $0.value(UInt64.max) } == "18446744073709551615")
    #expect(written { $0.value(0) } == "0")
  }

  @Test func booleans() {
    #expect(written { $0.value(true) } == "true")
    #expect(written { $0.value(false) } == "false")
  }

  @Test func outputTakenInChunks_isTheSameText() {
    var json = JSONWriter()
    var text = ""
    json.beginArray()
    for number in 1...3 {
      json.value(number)
      text += json.take()
      #expect(!json.isComplete)
    }
    json.endArray()
    text += json.take()
    #expect(text == "[\n  1,\n  2,\n  3\n]")
    #expect(json.isComplete)
    #expect(json.take() == "")
  }

  @Test func misuse_stopsTheProgram() async {
    await #expect(processExitsWith: .failure) {
      var json = JSONWriter()
      json.value(1)
      json.value(2)
    }
    await #expect(processExitsWith: .failure) {
      var json = JSONWriter()
      json.beginObject()
      json.value(1)
    }
    await #expect(processExitsWith: .failure) {
      var json = JSONWriter()
      json.beginArray()
      json.key("a")
    }
    await #expect(processExitsWith: .failure) {
      var json = JSONWriter()
      json.beginArray()
      json.endObject()
    }
    await #expect(processExitsWith: .failure) {
      var json = JSONWriter()
      json.beginObject()
      json.key("a")
      json.endObject()
    }
  }
}
