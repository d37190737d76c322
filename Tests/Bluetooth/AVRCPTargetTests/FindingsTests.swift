import AVRCPTarget
import EventLoop
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// What `diagnose` reports about phones: each fault with its meaning and remedy, and no finding if
/// there is no fault.
@Suite(.timeLimit(.minutes(5))) struct FindingsTests {
  /// Subject, grade and text of each finding.
  private func lines(_ bench: Bench) -> [String] {
    bench.target.findings.map { "\($0.subject) \($0.grade.rawValue): \($0.found)" }
  }

  private func waits(
    _ bench: Bench, for line: String, hasRemedy: Bool = true,
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try bench.turn(until: { lines(bench).contains(line) }, sourceLocation)
    let finding = try #require(
      bench.target.findings.first { line.hasSuffix(": \($0.found)") },
      sourceLocation: sourceLocation)
    #expect((finding.remedy != nil) == hasRemedy, sourceLocation: sourceLocation)
  }

  @Test func wayToThePhone_isNamedWhereItEnds() throws {
    let bench = try Bench(hasAdapter: false)
    try waits(bench, for: "bluetooth note: there is no adapter")
    bench.bluez.crash()
    try waits(bench, for: "bluetooth note: bluetoothd is not running")
    bench.daemon.stop()
    try waits(bench, for: "bluetooth note: there is no system bus yet")
    // Faults that follow from this one are not reported.
    #expect(lines(bench).count == 1)
  }

  @Test func radioThatIsOff_isBad() throws {
    let bench = try Bench(hasAdapter: false) {
      $0.isBlocked = true
      $0.addAdapter(isPowered: false)
    }
    try waits(bench, for: "hci0 bad: the radio is off")
  }

  @Test func playerThatIsRefused_isBad_inBluezsWords() throws {
    let bench = try Bench(hasAdapter: false) { bluez in
      bluez.onRegisterPlayer = { .failure("NotSupported", "Operation is not supported") }
      bluez.addAdapter()
    }
    try bench.turn { lines(bench).contains { $0.hasPrefix("hci0 bad: BlueZ does not take") } }
    let found = try #require(bench.target.findings.first { $0.subject == "hci0" })
    #expect(found.found.contains("Operation is not supported"))
    #expect(found.meaning?.contains("keys of phones do nothing") == true)
  }

  @Test func agentThatIsNotWanted_isBad() throws {
    let bench = try Bench(hasAdapter: false)
    // Another agent is registered already.
    bench.bluez.crash()
    try bench.turn { bench.target.state.service == .noService }
    try bench.bluez.come()
    bench.bluez.addAgentOfAnother()
    try bench.turn { bench.target.state.service == .noAdapter }
    bench.bluez.addAdapter()
    try bench.turn { lines(bench).contains { $0.hasPrefix("pairing bad: ") } }
    #expect(bench.target.openPairing(for: nil)?.sentence.contains("Does Not Exist") == true)
  }

  @Test func phones_areCounted_andOneThatRefusesIsNamed() throws {
    let bench = try Bench()
    try waits(bench, for: "phones note: none is known")
    bench.bluez.addDevice(Bench.phone, name: "Ann")
    try waits(bench, for: "phones note: none of 1 is connected", hasRemedy: false)
    bench.bluez.onConnect = { _ in .failure("Failed", "br-connection-refused") }
    let _: Result<String, Refusal> = try bench.answer {
      bench.target.connect(Bench.phone, answer: $0)
    }
    try waits(bench, for: "phones note: Ann has refused to be connected")
    bench.bluez.come(Bench.phone)
    try waits(bench, for: "phones good: Ann connected", hasRemedy: false)
  }

  @Test func unitThatIsWell_hasNoFault() throws {
    let bench = try Bench { $0.addDevice(Bench.phone, name: "Ann", isConnected: true) }
    bench.controller.pairsByNumber = true
    try bench.turn {
      bench.controller.answerAll(signal: 0, quality: 255)
      return lines(bench) == ["phones good: Ann connected"]
    }
  }
}
