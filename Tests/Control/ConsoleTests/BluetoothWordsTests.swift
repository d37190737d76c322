import Console
import Text
import NowPlaying
import Reports
import TestKit
import Testing

@Suite struct BluetoothWordsTests {
  private typealias Bluetooth = ConsoleCommand.Bluetooth

  @Test(
    arguments: [
      ("bt", .show), ("bt phones", .phones), ("bt pair on", .pair(seconds: nil)),
      ("bt pair on 90", .pair(seconds: 90)), ("bt pair on 90s", .pair(seconds: 90)),
      ("bt pair off", .endPairing), ("bt accept", .answer(accepts: true)),
      ("bt reject", .answer(accepts: false)),
      ("bt rename AA:BB:CC:DD:EE:FF 'Ann and Bo'", .rename("AA:BB:CC:DD:EE:FF", "Ann and Bo")),
      ("bt forget AA:BB:CC:DD:EE:FF", .forget("AA:BB:CC:DD:EE:FF")),
      ("bt find", .find(seconds: nil)), ("bt find 60", .find(seconds: 60)),
      ("bt add 'Ring Remote'", .add("Ring Remote")),
      ("bt connect Pixel", .connect("Pixel")), ("bt disconnect Pixel", .disconnect("Pixel")),
    ] as [(String, ConsoleCommand.Bluetooth)])
  func parse_bluetoothCommand_returnsItsMeaning(_ line: String, _ meaning: ConsoleCommand.Bluetooth)
    throws
  {
    #expect(try Grammar.autoharp.parse(line) == .command(.bluetooth(meaning)))
  }

  @Test(arguments: [
    "bt pair", "bt pair maybe", "bt pair on 5", "bt pair on 100000", "bt forget", "bt rename A",
    "bt sing", "bt accept 3",
  ])
  func parse_invalidBluetoothCommand_throws(_ line: String) {
    #expect(throws: GrammarError.self) { try Grammar.autoharp.parse(line) }
  }

  private static let state = PhonesState(
    service: .ready,
    phones: [
      .init(
        address: "AA:BB:CC:DD:EE:FF", name: "Ann's \u{1B}[2Jphone", adapter: "hci0",
        isConnected: true, isControlling: true, hasPressedKey: true, isBonded: true,
        isTrusted: true,
        features: ["controller"],
        signal: .init(decibels: -50, isAbsolute: true)),
      .init(
        address: "AA:BB:CC:DD:EE:00", name: String(repeating: "ü", count: 300), adapter: "hci0"),
      .init(
        address: "AA:BB:CC:DD:EE:22", name: "Cy", adapter: "hci0", isConnected: true,
        isBonded: true),
    ],
    pairingUntil: .seconds(130),
    request: .init(number: 3, address: "AA:BB:CC:DD:EE:11", name: "Bo", passkey: "000042"),
    isSearching: true, adding: "Ring \u{7}Remote",
    found: [
      .init(
        address: "AA:BB:CC:DD:EE:33", name: "Ring \u{7}Remote", adapter: "hci0",
        features: ["keys"]),
      .init(address: "AA:BB:CC:DD:EE:44", name: "AA-BB-CC-DD-EE-44", adapter: "hci0"),
    ])

  @Test func lines_everyStateOfPhones_matchTheGoldenFile() throws {
    let now = MonotonicInstant(awake: .seconds(100), suspended: .seconds(10))
    func lines(_ state: PhonesState, columns: Int = 80, hasUnicode: Bool = true) -> [String] {
      ConsoleReply.phones(state, at: now)
        .lines(ReplyStyle(columns: columns, hasUnicode: hasUnicode))
    }
    var mute = Self.state
    mute.request?.passkey = nil
    mute.pairingUntil = .seconds(110)
    var json = JSONWriter()
    ConsoleReply.phones(Self.state, at: now).write(to: &json)
    #expect(json.isComplete)
    let services = PhonesState.Service.allCases.flatMap { lines(PhonesState(service: $0)) }
    try Golden.check(
      lines(Self.state) + ["--"] + lines(mute, hasUnicode: false) + ["--"] + services
        + [json.take()], "phones.txt")
  }
}
