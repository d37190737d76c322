import BluetoothController
import EventLoop
import Reports
import TestKit
import Testing

@testable import AVRCPTarget

/// Tests the signal and the quality of the links to phones. The unit reads both values from the controllers, because
/// bluetoothd does not report them.
@Suite struct AdapterMonitorTests {
  private func fact(_ bench: Bench, _ section: String, _ name: String) -> String? {
    let facts = bench.target.report.sections.first { $0.title == section }?.facts ?? []
    return facts.first { $0.label == name }?.value
  }

  /// The maker of the controller `hci0`. Nil if it is unknown.
  private func maker(_ bench: Bench) -> String? {
    bench.target.adapterMonitor.readings["hci0"]?.details?.manufacturer
  }

  /// Answers all requests to the controller with these values until the condition holds.
  private func turn(
    _ bench: Bench, _ signal: Int, _ quality: Int, until condition: () -> Bool,
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try bench.turn(
      until: {
        bench.controller.answerAll(signal: signal, quality: quality)
        return condition()
      }, sourceLocation)
  }

  @Test func report_hasTheController_andTheSignalOfAConnectedPhone() throws {
    let bench = try Bench { $0.addDevice(Bench.phone, name: "Ann") }
    #expect(maker(bench) == nil && fact(bench, "hci0", "controller") != nil)
    bench.controller.pairsByNumber = true
    try turn(bench, 0, 0) { maker(bench) != nil }
    let controller = try #require(fact(bench, "hci0", "controller"))
    #expect(controller.contains(FakeController.maker) && controller.contains("5.1"))
    #expect(bench.target.state.phones[0].signal == nil)

    bench.controller.links = [Bench.phone]
    bench.bluez.connect(Bench.phone)
    try bench.turn { bench.target.state.connected.count == 1 }
    #expect(bench.target.state.phones[0].signal == nil)
    try turn(bench, -7, 251) { bench.target.state.phones[0].signal != nil }
    #expect(bench.target.state.phones[0].signal == .init(decibels: -7, quality: 251))
    try bench.turn { bench.states.last?.phones[0].signal?.decibels == -7 }
    let phone = try #require(fact(bench, "phones", Bench.phone))
    #expect(phone.contains(PhonesState.Signal(decibels: -7, quality: 251).words))

    bench.controller.links = []
    bench.bluez.disconnect(Bench.phone, reason: "Remote")
    try bench.turn { !bench.target.state.phones[0].isConnected }
    #expect(bench.target.state.phones[0].signal == nil)
    // No phone is connected, so no request is sent to the controller.
    #expect(!bench.controller.hasPendingRequest)
  }

  @Test func report_failedQuery_hasItsReason() throws {
    let bench = try Bench(hasAdapter: false)
    bench.controller.adapters = []
    bench.bluez.addAdapter()
    let failure = FakeController.noSuchDevice
    try turn(bench, 0, 0) { bench.target.adapterMonitor.failures["hci0"] == failure }
    #expect(fact(bench, "hci0", "controller")?.contains("\(failure)") == true)
  }

  @Test func adapterRemoved_cancelsItsRequest() throws {
    let bench = try Bench()
    try bench.turn { bench.controller.hasPendingRequest }
    bench.bluez.removeAdapter("hci0")
    try bench.turn { bench.target.state.adapters.isEmpty }
    #expect(!bench.controller.hasPendingRequest)
  }

  @Test func monitor_failedQuery_isRepeatedUntilItSucceeds() throws {
    let loop = EventLoop()
    let controller = FakeController()
    let monitor = AdapterMonitor(loop, controller, interval: .milliseconds(1))
    monitor.update(adapters: ["hci0"], connected: [])
    controller.answerAll(.failure(.reported("broken")))
    #expect(monitor.failures == ["hci0": .reported("broken")])
    #expect(monitor.isMeasuring)
    try loop.turn { controller.requestCount == 2 }
    controller.answerAll(signal: 0, quality: 0)
    #expect(monitor.failures.isEmpty && monitor.readings["hci0"]?.details != nil)
    #expect(!monitor.isMeasuring)
  }

  @Test func monitor_laterFailure_clearsTheReading_untilTheNextReading() throws {
    let bench = try Bench { $0.addDevice(Bench.phone, name: "Ann") }
    try turn(bench, 0, 0) { maker(bench) != nil }
    bench.controller.links = [Bench.phone]
    bench.bluez.connect(Bench.phone)
    try bench.turn { bench.controller.hasPendingRequest }
    bench.controller.answerAll(.failure(.reported("broken")))
    #expect(
      bench.target.adapterMonitor.failures["hci0"] == .reported("broken") && maker(bench) == nil)
    #expect(bench.target.state.phones[0].signal == nil)
    // When the phone connects again, the request is sent at once, not after ten seconds.
    bench.bluez.disconnect(Bench.phone, reason: "Remote")
    try bench.turn { !bench.target.state.phones[0].isConnected }
    bench.bluez.connect(Bench.phone)
    try turn(bench, -3, 9) { bench.target.state.phones[0].signal?.decibels == -3 }
    #expect(maker(bench) == FakeController.maker)
  }

  @Test func adapterReconnected_isQueriedAgain() throws {
    let bench = try Bench()
    try turn(bench, 0, 0) { maker(bench) != nil }
    let requests = bench.controller.requestCount
    bench.bluez.removeAdapter("hci0")
    try bench.turn { bench.target.state.adapters.isEmpty }
    bench.bluez.addAdapter()
    try bench.turn { bench.target.state.adapters.count == 1 }
    #expect(maker(bench) == nil)
    try turn(bench, 0, 0) { maker(bench) != nil }
    #expect(bench.controller.requestCount == requests + 1)
  }

  @Test func findings_controllerWithoutSimplePairing_isNoted() throws {
    let bench = try Bench()
    try turn(bench, 0, 0) { maker(bench) != nil }
    let finding = bench.target.findings.first { $0.code == "bluetooth.no-simple-pairing" }
    #expect(finding?.grade == .note && finding?.remedy != nil)
  }

  @Test(
    arguments: [
      (PhonesState.Signal(), []), (.init(decibels: 0, quality: 254), ["254"]),
      (.init(decibels: 3), ["3 dB", "above"]), (.init(decibels: -128), ["128 dB", "below"]),
      (.init(decibels: -60, isAbsolute: true), ["-60 dBm"]),
    ] as [(PhonesState.Signal, [String])])
  func signal_text_hasItsValues(_ signal: PhonesState.Signal, _ values: [String]) {
    #expect(values.allSatisfy { signal.words.contains($0) }, "\(signal.words)")
  }
}
