import AVRCPTarget
import EventLoop
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// Tests what `diagnose` reports about Bluetooth. Each fault is a finding with its meaning and remedy. A unit without a
/// fault has one finding, with the grade *good*.
@Suite struct FindingsTests {
  private func codes(_ bench: Bench) -> [String] { bench.target.findings.map(\.code) }

  /// Waits for a finding and checks it. A finding with the grade *good* must have no remedy. A finding with another
  /// grade must have a remedy, except if `isPlain` is true.
  @discardableResult
  private func waits(
    _ bench: Bench, for code: String, _ grade: Grade, on subject: String, isPlain: Bool = false,
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> DiagnosisReport.Finding {
    try bench.turn(until: { codes(bench).contains(code) }, sourceLocation)
    let finding = try #require(
      bench.target.findings.first { $0.code == code }, sourceLocation: sourceLocation)
    #expect(
      finding.grade == grade && finding.subject == subject, sourceLocation: sourceLocation)
    #expect(
      (finding.remedy != nil) == (grade != .good && !isPlain), sourceLocation: sourceLocation)
    return finding
  }

  @Test func findings_firstMissingPart_isReportedAlone() throws {
    let bench = try Bench(hasAdapter: false)
    try waits(bench, for: "bluetooth.no-adapter", .note, on: "bluetooth")
    bench.bluez.crash()
    try waits(bench, for: "bluetooth.no-service", .note, on: "bluetooth")
    bench.bus.stop()
    try waits(bench, for: "bluetooth.no-bus", .note, on: "bluetooth")
    // The faults that follow from the missing bus are not reported.
    #expect(codes(bench).count == 1)
  }

  @Test func findings_adapterIsOff_isBad() throws {
    let bench = try Bench(hasAdapter: false) {
      $0.isBlocked = true
      $0.addAdapter(isPowered: false)
    }
    try waits(bench, for: "bluetooth.radio-off", .bad, on: "hci0")
  }

  @Test func findings_refusedPlayer_isBad_withBluezsMessage() throws {
    let bench = try Bench(hasAdapter: false) { bluez in
      bluez.onRegisterPlayer = { .failure("NotSupported", "Operation is not supported") }
      bluez.addAdapter()
    }
    let finding = try waits(bench, for: "bluetooth.player-refused", .bad, on: "hci0")
    #expect(finding.found.contains("Operation is not supported"))
    #expect(finding.meaning != nil)
  }

  @Test func findings_refusedAgent_isBad() throws {
    let bench = try Bench(hasAdapter: false)
    // bluetoothd starts again. Another program registers an agent before the unit does.
    bench.bluez.crash()
    try bench.turn { bench.target.state.service == .noService }
    try bench.bluez.start()
    bench.bluez.addForeignAgent()
    try bench.turn { bench.target.state.service == .noAdapter }
    bench.bluez.addAdapter()
    try waits(bench, for: "bluetooth.no-agent", .bad, on: "pairing")
    #expect(bench.target.openPairing(for: nil)?.sentence.contains("Does Not Exist") == true)
  }

  @Test func findings_eachStateOfThePhones_hasItsOwnCode() throws {
    let bench = try Bench()
    try waits(bench, for: "bluetooth.no-phone", .note, on: "phones")
    bench.bluez.addDevice(Bench.phone, name: "Ann")
    try waits(bench, for: "bluetooth.none-connected", .note, on: "phones", isPlain: true)
    bench.bluez.onConnect = { _ in .failure("Failed", "br-connection-refused") }
    let _: Result<String, Refusal> = try bench.answer {
      bench.target.connect(Bench.phone, answer: $0)
    }
    try waits(bench, for: "bluetooth.phone-refuses", .note, on: "phones")
    bench.bluez.connect(Bench.phone)
    try waits(bench, for: "bluetooth.connected", .good, on: "phones")
  }

  @Test func findings_ofAWorkingUnit_haveNoFault() throws {
    let bench = try Bench { $0.addDevice(Bench.phone, name: "Ann", isConnected: true) }
    bench.controller.pairsByNumber = true
    try bench.turn {
      bench.controller.answerAll(signal: 0, quality: 255)
      return codes(bench) == ["bluetooth.connected"]
    }
  }
}
