import Console
import Reports
import Testing

@Suite struct UnitReportTests {
  @Test func text_hasMarksAndAChecksum() {
    let report = UnitReport([.init("a", ["x", "ä"])])
    #expect(
      report.lines(ReplyStyle()) == [
        "-----BEGIN AUTOHARP REPORT-----", "== a", "x", "ä",
        "-----END AUTOHARP REPORT 3 CB9DB39A-----",
      ])
    // The checksum is that of the text on this terminal.
    #expect(
      report.lines(ReplyStyle(hasUnicode: false)).suffix(2)
        == ["?", "-----END AUTOHARP REPORT 3 7A0D46C2-----"])
  }

  @Test func text_isLimited() {
    let long = String(repeating: "x", count: 100_000)
    let part = UnitReport.Part("p", Array(repeating: long, count: 1000))
    let lines = UnitReport(Array(repeating: part, count: 50)).lines(ReplyStyle())
    #expect(lines.count == 4002 && lines.allSatisfy { $0.count <= 301 })
    let one = UnitReport([part]).lines(ReplyStyle())
    #expect(one.count == 2 + 1 + 450 + 1 && one[one.count - 2].contains("550"))
    #expect(
      !UnitReport([.init("\u{1B}[2J", ["\u{1B}c"])]).lines(ReplyStyle()).joined().contains("\u{1B}")
    )
  }
}

/// Tests that a report has nothing that leads to a person.
@Suite struct PhoneRedactionTests {
  private static func phone(_ address: String, _ name: String) -> PhonesState.Phone {
    PhonesState.Phone(address: address, name: name, adapter: "hci0")
  }

  private static func redaction() -> PhoneRedaction {
    var state = PhonesState()
    state.phones = [phone("AA:BB:CC:DD:EE:01", "Ann"), phone("AA:BB:CC:DD:EE:02", "Ann's iPhone")]
    state.found = [phone("AA:BB:CC:DD:EE:03", "x")]
    return PhoneRedaction(state)
  }

  @Test(arguments: [
    ("bt Ann's iPhone and Ann", "bt [phone 2] and [phone 1]"),
    ("Anna and Joann", "Anna and Joann"), ("at AA:BB:CC:DD:EE:02.", "at [phone 2]."),
    ("dev_aa_bb_cc_dd_ee_01/x", "dev_[phone 1]/x"),
    ("00:1B:DC:00:00:01 00:1B:DC:00:00:02 00:1B:DC:00:00:01", "[device 1] [device 2] [device 1]"),
    ("00:1B:DC:00:00:01:7 x", "[device 1]:7 x"), ("00:1B:DC:00:00:0123", "00:1B:DC:00:00:0123"),
    ("00:1B_DC:00:00:01", "00:1B_DC:00:00:01"), ("12:34:56", "12:34:56"), ("", ""),
    ("[1.000] bluetooth.connected: Bob's phone", "[1.000] bluetooth.connected: *"),
    (
      "[1.000] warning: bluetooth.refused: Bob (00:1B:DC:00:00:09) may not",
      "[1.000] warning: bluetooth.refused: * [device 1]"
    ),
    ("[1.000] autoharp-screen: input.added: Bob's keys", "[1.000] autoharp-screen: input.added: *"),
    ("[1.000] command: 3 play by Bob", "[1.000] command: *"),
    (
      "[1.000] bluetooth.adapter-lost: hci0 is gone", "[1.000] bluetooth.adapter-lost: hci0 is gone"
    ),
    ("[1.000] track.started: 1/2 /media/Bob", "[1.000] track.started: 1/2 /media/Bob"),
    ("bluetooth.connected: * [phone 3F9A2C]", "bluetooth.connected: * [phone 3F9A2C]"),
    ("[1.0] bluetooth.connected: * [phone 3F9A2C]", "[1.0] bluetooth.connected: * [phone 3F9A2C]"),
    (
      "[2.0] kernel: input: Bob's keys as /devices/virtual/input/input7",
      "[2.0] kernel: input: * as /devices/virtual/input/input7"
    ),
    (
      "kernel: BLUETOOTH HID v1.00 Keyboard [Bob] on 00:1B:DC:00:00:01",
      "kernel: BLUETOOTH HID v1.00 Keyboard [*] on [device 1]"
    ),
    ("[1.0] ", "[1.0] "), ("[", "["), ("[1.0] bluetooth.x: ", "[1.0] bluetooth.x: "),
    ("BLUETOOTH HID ]", "BLUETOOTH HID ]"), ("BLUETOOTH HID [", "BLUETOOTH HID ["),
  ])
  func line_hasNoNameAndNoAddress(_ line: String, _ expected: String) {
    var redaction = Self.redaction()
    #expect(redaction.redacted(line) == expected)
  }

  @Test func unknownPhones_leaveTheRules() {
    var redaction = PhoneRedaction(nil)
    #expect(redaction.redacted("[1.0] phone.music: Ann") == "[1.0] phone.music: *")
  }

  @Test func manyDevices_areLimited() {
    var redaction = PhoneRedaction(nil)
    for number in 0..<1000 {
      let digits = String(1_000_000 + number).dropFirst()
      let address =
        "00:11:22:\(digits.prefix(2)):\(digits.dropFirst(2).prefix(2)):\(digits.suffix(2))"
      #expect(!redaction.redacted("x \(address)").contains(address))
    }
  }
}
