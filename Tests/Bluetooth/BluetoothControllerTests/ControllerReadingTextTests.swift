import Testing

@testable import BluetoothController

/// Tests the text that `autoharp-controller` prints and that the daemon reads.
@Suite struct ControllerReadingTextTests {
  private static let whole = ControllerReading(
    details: ControllerDetails(
      manufacturer: "Société “Ö”", version: "5.1",
      features: [.encryption, .enhancedDataRate, .lowEnergy, .simplePairing]),
    links: [
      "AA:BB:CC:DD:EE:FF": LinkReading(signal: -7, quality: 251),
      "AA:BB:CC:DD:EE:01": LinkReading(signal: -61, isLowEnergy: true),
      "00:11:22:33:44:55": LinkReading(quality: 0), "00:11:22:33:44:56": LinkReading(),
    ])

  private func read(_ text: String) throws(MalformedReading) -> ControllerReading {
    try ControllerReading(text: Array(text.utf8))
  }

  @Test func text_hasTheDocumentedForm() {
    #expect(
      Self.whole.text == """
        maker Société “Ö”
        version 5.1
        features 2 25 38 51
        link 00:11:22:33:44:55 classic quality 0
        link 00:11:22:33:44:56 classic
        link AA:BB:CC:DD:EE:01 low-energy signal -61
        link AA:BB:CC:DD:EE:FF classic signal -7 quality 251
        end

        """)
    #expect(ControllerReading().text == "end\n")
  }

  @Test(arguments: [
    whole, ControllerReading(), ControllerReading(links: whole.links),
    ControllerReading(
      details: ControllerDetails(manufacturer: "A", version: "of number 99", features: [])),
  ])
  func text_isReadBackAsTheSameReading(_ reading: ControllerReading) throws {
    #expect(try read(reading.text) == reading)
  }

  @Test func read_truncatedText_isIncomplete() {
    let bytes = Array(Self.whole.text.utf8)
    for count in 0..<bytes.count {
      do {
        _ = try ControllerReading(text: Array(bytes[..<count]))
        Issue.record("\(count) bytes are accepted as a complete reading")
      } catch {
        // If the cut is within a character, the bytes are not valid UTF-8.
        #expect(error == .incomplete || error == .notText)
      }
    }
  }

  @Test(arguments: [
    ("", 1), ("rubbish", 1), ("end\nend", 2), ("end\n", 2), ("maker A\nmaker A", 2),
    ("maker", 1), ("maker ", 1), ("maker \u{1B}[31mred", 1), ("maker A\u{9B}", 1), (" end", 1),
    ("maker \(String(repeating: "A", count: 129))", 1), ("maker A\nend", 2),
    ("maker A\nversion 5\nend", 3), ("version 5\nversion 5", 2), ("features 2 2", 1),
    ("features 3", 1), ("features x", 1), ("features ", 1), ("features\nfeatures", 2),
    ("link", 1), ("link ", 1), ("link AA:BB:CC:DD:EE:FF", 1), ("link AA:BB:CC:DD:EE:FF other", 1),
    ("link AA:BB:CC:DD:EE:F classic", 1), ("link aa:BB:CC:DD:EE:FF classic", 1),
    ("link AA-BB:CC:DD:EE:FF classic", 1), ("link AA:BB:CC:DD:EE:FF classic signal", 1),
    ("link AA:BB:CC:DD:EE:FF classic signal 128", 1),
    ("link AA:BB:CC:DD:EE:FF classic quality -1", 1),
    ("link AA:BB:CC:DD:EE:FF classic quality 256", 1),
    ("link AA:BB:CC:DD:EE:FF classic quality 1 signal 1", 1),
    ("link AA:BB:CC:DD:EE:FF classic signal 99999999999999999999", 1),
    ("link AA:BB:CC:DD:EE:FF classic\nlink AA:BB:CC:DD:EE:FF classic", 2), ("END", 1),
    ("maker A\r\nend", 1), ("end\r", 1),
  ])
  func read_malformedLine_reportsItsNumber(_ text: String, _ line: Int) {
    #expect(throws: MalformedReading.line(line)) { try read(text + "\n") }
  }

  @Test func read_tooManyLinks_isRefused() throws {
    func text(_ count: Int) -> String {
      (0..<count).map { "link AA:BB:CC:DD:EE:\($0 + 10) classic\n" }.joined() + "end\n"
    }
    #expect(try read(text(ControllerReading.mostLinks)).links.count == 16)
    #expect(throws: MalformedReading.line(17)) { try read(text(17)) }
  }

  @Test func read_invalidUTF8_isRefused() {
    #expect(throws: MalformedReading.notText) {
      try ControllerReading(text: Array("maker ".utf8) + [0xFF, 0x0A] + Array("end\n".utf8))
    }
    #expect(MalformedReading.line(3).description.contains("3"))
  }
}
