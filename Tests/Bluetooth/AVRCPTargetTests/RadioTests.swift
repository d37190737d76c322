import BluetoothRadio
import EventLoop
import Reports
import TestKit
import Testing

@testable import AVRCPTarget

/// Signal and quality from the controllers, which bluetoothd does not report.
@Suite(.timeLimit(.minutes(5))) struct RadioTests {
  private func fact(_ bench: Bench, _ section: String, _ name: String) -> String? {
    let facts = bench.target.report.sections.first { $0.title == section }?.facts ?? []
    return facts.first { $0.label == name }?.value
  }

  /// Answers all questions to the controller with these values until the condition holds.
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

  @Test func controller_isTold_andAPhonesSignal_asLongAsItIsThere() throws {
    let bench = try Bench { $0.addDevice(Bench.phone, name: "Ann") }
    #expect(fact(bench, "hci0", "controller") == "unknown")
    bench.controller.pairsByNumber = true
    try turn(bench, 0, 0) { fact(bench, "hci0", "controller") != "unknown" }
    #expect(fact(bench, "hci0", "controller") == "\(FakeController.maker), Bluetooth 5.1")
    #expect(bench.target.state.phones[0].signal == nil)
    #expect(fact(bench, "phones", Bench.phone)?.contains("signal") == false)

    bench.controller.links = [Bench.phone]
    bench.bluez.come(Bench.phone)
    try bench.turn { bench.target.state.connected.count == 1 }
    #expect(fact(bench, "phones", Bench.phone)?.contains("signal unknown") == true)
    try turn(bench, -7, 251) { bench.target.state.phones[0].signal != nil }
    #expect(bench.target.state.phones[0].signal == .init(decibels: -7, quality: 251))
    try bench.turn { bench.states.last?.phones[0].signal?.decibels == -7 }
    #expect(
      fact(bench, "phones", Bench.phone)?
        .contains("signal 7 dB below the best range, quality 251 of 255") == true)

    bench.controller.links = []
    bench.bluez.disconnect(Bench.phone, reason: "Remote")
    try bench.turn { !bench.target.state.phones[0].isConnected }
    #expect(bench.target.state.phones[0].signal == nil)
    // No phone is connected, so the controller is not asked.
    #expect(!bench.controller.isAsked)
  }

  @Test func controllerThatCannotBeAsked_isUnknown_inWords() throws {
    let bench = try Bench(hasAdapter: false)
    bench.controller.adapters = []
    bench.bluez.addAdapter()
    let failure = "unknown: hci_open_dev: No such device"
    try turn(bench, 0, 0) { fact(bench, "hci0", "controller") == failure }
  }

  @Test func controllerThatIsPulled_isAskedNoLonger() throws {
    let bench = try Bench()
    try bench.turn { bench.controller.isAsked }
    bench.bluez.removeAdapter("hci0")
    try bench.turn { bench.target.state.adapters.isEmpty }
    #expect(!bench.controller.isAsked)
  }

  @Test func controllerThatCannotBeRead_isAskedAgain_alsoWithoutAPhone_andNotOnceItWasRead() throws
  {
    let loop = EventLoop()
    let controller = FakeController()
    let monitor = AdapterMonitor(loop, controller, interval: .milliseconds(1))
    monitor.update(adapters: ["hci0"], connected: [])
    controller.answerAll(.failure(RadioFailure("broken")))
    #expect(monitor.failures == ["hci0": "broken"])
    #expect(monitor.isMeasuring)
    try loop.turn { controller.questions == 2 }
    controller.answerAll(signal: 0, quality: 0)
    #expect(monitor.failures.isEmpty && monitor.readings["hci0"]?.details != nil)
    #expect(!monitor.isMeasuring)
  }

  @Test func controllerThatFailsLater_isUnknownUntilItAnswersAgain() throws {
    let bench = try Bench { $0.addDevice(Bench.phone, name: "Ann") }
    try turn(bench, 0, 0) { fact(bench, "hci0", "controller") != "unknown" }
    bench.controller.links = [Bench.phone]
    bench.bluez.come(Bench.phone)
    try bench.turn { bench.controller.isAsked }
    bench.controller.answerAll(.failure(RadioFailure("broken")))
    #expect(fact(bench, "hci0", "controller") == "unknown: broken")
    #expect(fact(bench, "phones", Bench.phone)?.contains("signal unknown") == true)
    // After a reconnection the controller is asked at once, not after ten seconds.
    bench.bluez.disconnect(Bench.phone, reason: "Remote")
    try bench.turn { !bench.target.state.phones[0].isConnected }
    bench.bluez.come(Bench.phone)
    try turn(bench, -3, 9) { bench.target.state.phones[0].signal?.decibels == -3 }
    #expect(fact(bench, "hci0", "controller") == "\(FakeController.maker), Bluetooth 5.1")
  }

  @Test func controllerThatIsReplugged_isAskedAnew() throws {
    let bench = try Bench()
    try turn(bench, 0, 0) { fact(bench, "hci0", "controller") != "unknown" }
    let questions = bench.controller.questions
    bench.bluez.removeAdapter("hci0")
    try bench.turn { bench.target.state.adapters.isEmpty }
    bench.bluez.addAdapter()
    try bench.turn { bench.target.state.adapters.count == 1 }
    #expect(fact(bench, "hci0", "controller") == "unknown")
    try turn(bench, 0, 0) { fact(bench, "hci0", "controller") != "unknown" }
    #expect(bench.controller.questions == questions + 1)
  }

  @Test func controllerThatCannotPairByNumber_isAFinding() throws {
    let bench = try Bench()
    try turn(bench, 0, 0) { fact(bench, "hci0", "controller") != "unknown" }
    let finding = bench.target.findings.first { $0.code == "bluetooth.no-simple-pairing" }
    #expect(finding?.grade == .note && finding?.remedy != nil)
  }

  @Test(arguments: [
    (PhonesState.Signal(), "signal unknown"),
    (.init(decibels: 0, quality: 255), "signal in the best range, quality 255 of 255"),
    (.init(decibels: 3), "signal 3 dB above the best range"),
    (.init(decibels: -128), "signal 128 dB below the best range"),
    (.init(decibels: -60, isAbsolute: true), "signal -60 dBm"),
  ])
  func signal_isToldInWords(_ signal: PhonesState.Signal, _ words: String) {
    #expect(signal.words == words)
  }
}
