import AVRCPTarget
import EventLoop
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

@Suite struct PairingPolicyTests {
  private let start = MonotonicInstant(awake: .seconds(1000))

  private func ask(
    _ pairingPolicy: inout PairingPolicy, _ question: PairingPolicy.Question,
    isBonded: Bool = false,
    after seconds: Int = 1
  ) -> PairingPolicy.Decision {
    pairingPolicy.decide(
      question, address: "A", name: "Phone", isBonded: isBonded,
      at: start.advanced(by: .seconds(seconds)))
  }

  private func expectSame(
    _ found: PairingPolicy.Decision, _ expected: PairingPolicy.Decision,
    _ sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(found == expected, sourceLocation: sourceLocation)
  }

  @Test func decide_windowIsClosed_refuses() {
    var pairingPolicy = PairingPolicy(pairsWithoutNumber: true)
    for question in [PairingPolicy.Question.confirm(passkey: 1), .withoutNumber, .secret] {
      expectSame(ask(&pairingPolicy, question), .refuse(.windowClosed))
    }
    pairingPolicy.open(for: .seconds(60), at: start)
    expectSame(ask(&pairingPolicy, .confirm(passkey: 1), after: 60), .refuse(.windowClosed))
    #expect(pairingPolicy.request == nil)
  }

  @Test func decide_number_isPaddedWithZeros_andNeedsAnAnswer() {
    var pairingPolicy = PairingPolicy(pairsWithoutNumber: false)
    pairingPolicy.open(for: .seconds(60), at: start)
    let request = PhonesState.Request(number: 1, address: "A", name: "Phone", passkey: "000042")
    expectSame(ask(&pairingPolicy, .confirm(passkey: 42)), .ask(request))
    #expect(pairingPolicy.request == request)
    expectSame(ask(&pairingPolicy, .confirm(passkey: 43)), .refuse(.otherRequest))
    let isAnother = pairingPolicy.answered(2)
    #expect(!isAnother)
    let isAnswered = pairingPolicy.answered(1)
    #expect(isAnswered && pairingPolicy.request == nil)
    guard case .ask(let next) = ask(&pairingPolicy, .confirm(passkey: 999_999)) else {
      Issue.record("no request is pending")
      return
    }
    #expect(next.number == 2 && next.passkey == "999999")
    pairingPolicy.withdraw()
    expectSame(
      ask(&pairingPolicy, .confirm(passkey: 1_000_000)), .refuse(.invalidNumber(1_000_000)))
  }

  @Test func decide_withoutNumber_needsTheOption_andAnAnswer() {
    var pairingPolicy = PairingPolicy(pairsWithoutNumber: false)
    pairingPolicy.open(for: .seconds(60), at: start)
    expectSame(ask(&pairingPolicy, .withoutNumber), .refuse(.noNumber))
    pairingPolicy.pairsWithoutNumber = true
    expectSame(
      ask(&pairingPolicy, .withoutNumber),
      .ask(PhonesState.Request(number: 1, address: "A", name: "Phone", passkey: nil)))
  }

  @Test func decide_secret_isRefused() {
    var pairingPolicy = PairingPolicy(pairsWithoutNumber: true)
    pairingPolicy.open(for: .seconds(60), at: start)
    expectSame(ask(&pairingPolicy, .secret), .refuse(.pinRequested))
  }

  @Test func decide_service_isAcceptedForBondedDevices() {
    var pairingPolicy = PairingPolicy(pairsWithoutNumber: true)
    expectSame(ask(&pairingPolicy, .service(uuid: "110e"), isBonded: true), .accept)
    pairingPolicy.open(for: .seconds(60), at: start)
    expectSame(ask(&pairingPolicy, .service(uuid: "110e")), .refuse(.notPaired))
  }

  @Test func expire_endsTheWindow_andTheRequest() {
    var pairingPolicy = PairingPolicy(pairsWithoutNumber: false)
    pairingPolicy.open(for: .seconds(10), at: start)
    _ = ask(&pairingPolicy, .confirm(passkey: 1), after: 5)
    #expect(pairingPolicy.nextDeadline == start.advanced(by: .seconds(10)))
    let windowEnds = pairingPolicy.expire(at: start.advanced(by: .seconds(10)))
    #expect(windowEnds)
    // The request remains, because bluetoothd still waits for the answer to the request.
    #expect(pairingPolicy.until == nil && pairingPolicy.request != nil)
    #expect(pairingPolicy.nextDeadline == start.advanced(by: .seconds(65)))
    let endsEarly = pairingPolicy.expire(at: start.advanced(by: .seconds(64)))
    let ends = pairingPolicy.expire(at: start.advanced(by: .seconds(65)))
    #expect(!endsEarly && ends)
    #expect(pairingPolicy.request == nil && pairingPolicy.nextDeadline == nil)
  }
}

/// Tests the agent and the pairing window with a fake BlueZ on a bus.
@Suite struct PairingTests {
  private let new = Bench.phone

  private func bench(_ options: AVRCPTarget.Options = Bench.quiet) throws -> Bench {
    let bench = try Bench(options: options) { $0.addDevice(Bench.phone, isBonded: false) }
    try bench.turn { bench.bluez.agent?.isDefault == true }
    return bench
  }

  private func confirm(_ bench: Bench, _ passkey: UInt32 = 123_456) {
    bench.bluez.askAgent("RequestConfirmation", [FakeBluez.object(new), .uint32(passkey)])
  }

  @Test func agent_isTheDefault_andCanCompareNumbers() throws {
    #expect(try bench().bluez.agent?.capability == "DisplayYesNo")
  }

  @Test func openPairing_bluetoothdIsBusy_repeatsTheWrites() throws {
    let bench = try bench()
    try bench.turn { bench.bluez.agent?.isDefault == true }
    bench.bluez.busyWrites = 4
    #expect(bench.target.openPairing(for: .seconds(60)) == nil)
    try bench.turn {
      ["Discoverable", "Pairable"].allSatisfy { bench.bluez.adapter("hci0", $0)?.flag == true }
    }
    #expect(bench.bluez.busyWrites == 0)
  }

  @Test func openPairing_makesTheAdapterDiscoverable_untilItCloses() throws {
    let bench = try Bench(hasAdapter: false) { bluez in
      bluez.addAdapter()
      bluez.set(adapter: "hci0", "Discoverable", .boolean(true))
      bluez.set(adapter: "hci0", "Pairable", .boolean(true))
    }
    func isOpen() -> [Bool?] {
      ["Discoverable", "Pairable"].map { bench.bluez.adapter("hci0", $0)?.flag }
    }
    try bench.turn { isOpen() == [false, false] }
    try bench.turn { bench.bluez.agent?.isDefault == true }
    #expect(bench.target.openPairing(for: .seconds(60)) == nil)
    try bench.turn { isOpen() == [true, true] }
    // The unit sends the time limit to bluetoothd too. So bluetoothd closes the window even if the daemon has ended.
    #expect((60...64).contains(bench.bluez.adapter("hci0", "PairableTimeout")?.integer ?? 0))
    #expect((60...64).contains(bench.bluez.adapter("hci0", "DiscoverableTimeout")?.integer ?? 0))
    try bench.turn { bench.target.state.adapters.first?.isDiscoverable == true }
    bench.target.closePairing()
    try bench.turn { isOpen() == [false, false] }
    // Another program opens the window. The unit closes it again.
    bench.bluez.set(adapter: "hci0", "Pairable", .boolean(true))
    try bench.turn { isOpen() == [false, false] }
  }

  @Test func openPairing_timeIsOver_closesTheWindow() throws {
    let bench = try bench()
    #expect(bench.target.openPairing(for: .milliseconds(300)) == nil)
    try bench.turn { bench.bluez.adapter("hci0", "Pairable")?.flag == true }
    #expect(bench.target.state.pairingUntil != nil)
    try bench.turn { bench.bluez.adapter("hci0", "Pairable")?.flag == false }
    #expect(bench.target.state.pairingUntil == nil)
  }

  @Test func pairing_confirmedNumber_phoneIsBonded_andTrusted() throws {
    let bench = try bench()
    #expect(bench.target.openPairing(for: nil) == nil)
    confirm(bench)
    try bench.turn { bench.target.state.request?.passkey == "123456" }
    try bench.turn { bench.states.last?.request?.name == "Phone" }
    #expect(bench.bluez.answers == [])
    #expect(bench.target.answerPairing(7, accepts: true) != nil)
    #expect(bench.target.answerPairing(1, accepts: true) == nil)
    try bench.turn { bench.bluez.answers == [nil] }
    bench.bluez.bond(new)
    try bench.turn { bench.bluez.device(new, "Trusted")?.flag == true }
    try bench.turn { bench.states.last?.phones.first?.isBonded == true }
    // A bonded phone is permitted to use a service.
    bench.bluez.askAgent("AuthorizeService", [FakeBluez.object(new), .string("110e")])
    try bench.turn { bench.bluez.answers == [nil, nil] }
  }

  @Test func answerPairing_rejects_isReportedToThePhone() throws {
    let bench = try bench()
    #expect(bench.target.openPairing(for: nil) == nil)
    confirm(bench)
    try bench.turn { bench.target.state.request != nil }
    #expect(bench.target.answerPairing(1, accepts: false) == nil)
    try bench.turn { bench.bluez.answers == ["org.bluez.Error.Rejected"] }
    #expect(bench.bluez.device(new, "Trusted")?.flag == false)
  }

  @Test(arguments: [
    ("RequestConfirmation", BusValue.uint32(1), PairingFailure.windowClosed),
    ("AuthorizeService", .string("110e"), .notPaired),
  ])
  func agentRequest_windowIsClosed_isRefused_andLogged(
    _ method: String, _ value: BusValue, _ failure: PairingFailure
  ) throws {
    let bench = try bench()
    bench.bluez.askAgent(method, [FakeBluez.object(new), value])
    try bench.turn { bench.bluez.answers == ["org.bluez.Error.Rejected"] }
    #expect(
      bench.log.contains { $0.event == .pairingRefused && $0.text.contains(failure.code) })
  }

  @Test func pairing_remoteWithoutNumber_needsTheOption() throws {
    var options = Bench.quiet
    options.pairsWithoutNumber = true
    let bench = try bench(options)
    #expect(bench.target.openPairing(for: nil) == nil)
    bench.bluez.askAgent("RequestAuthorization", [FakeBluez.object(new)])
    try bench.turn { bench.target.state.request != nil }
    #expect(bench.target.state.request?.passkey == nil)
    #expect(bench.target.answerPairing(1, accepts: true) == nil)
    try bench.turn { bench.bluez.answers == [nil] }
    bench.target.options.pairsWithoutNumber = false
    bench.bluez.askAgent("RequestAuthorization", [FakeBluez.object(new)])
    try bench.turn { bench.bluez.answers.count == 2 }
    #expect(bench.bluez.answers[1] == "org.bluez.Error.Rejected")
  }

  @Test func pairing_phoneCancels_requestEnds() throws {
    let bench = try bench()
    #expect(bench.target.openPairing(for: nil) == nil)
    confirm(bench)
    try bench.turn { bench.target.state.request != nil }
    bench.bluez.cancelAgent()
    try bench.turn { bench.target.state.request == nil }
    #expect(bench.target.answerPairing(1, accepts: true)?.code == .noPairingRequest)
    // The next request of the phone is shown.
    confirm(bench)
    try bench.turn { bench.target.state.request?.number == 2 }
  }

  @Test func pairing_bluezCrashes_requestEnds_andTheWindowStaysOpen() throws {
    let bench = try bench()
    #expect(bench.target.openPairing(for: nil) == nil)
    confirm(bench)
    try bench.turn { bench.target.state.request != nil }
    bench.bluez.crash()
    try bench.turn { bench.target.state.request == nil }
    // The window is still open. So when bluetoothd runs again, the unit makes the adapter pairable.
    try bench.bluez.start()
    try bench.turn { bench.bluez.adapter("hci0", "Pairable")?.flag == true }
  }

  @Test func bondedPhone_atStart_isTrusted() throws {
    let bench = try Bench { $0.addDevice(Bench.phone) }
    try bench.turn { bench.bluez.device(Bench.phone, "Trusted")?.flag == true }
  }

  @Test func phones_areListed_renamed_forgotten() throws {
    let bench = try Bench(lastUsed: [Bench.phone]) {
      $0.addDevice(Bench.other, name: "Other")
      $0.addDevice(Bench.phone)
      $0.addDevice("AA:BB:CC:DD:EE:11", name: "Unpaired", isBonded: false)
    }
    try bench.turn { bench.target.state.phones.map(\.name) == ["Phone", "Other"] }
    #expect(bench.target.state.phones[0].features == ["controller"])
    let missing: Refusal? = try bench.answer {
      bench.target.rename("Unknown", to: "x", answer: $0)
    }
    #expect(missing?.code == .noSuchPhone)
    let renamed: Refusal? = try bench.answer {
      bench.target.rename(Bench.phone.lowercased(), to: "Ann", answer: $0)
    }
    #expect(renamed == nil)
    try bench.turn { bench.target.state.phones.map(\.name) == ["Ann", "Other"] }
    let forgotten: Refusal? = try bench.answer {
      bench.target.forget("Ann", answer: $0)
    }
    #expect(forgotten == nil)
    try bench.turn { bench.target.state.phones.map(\.name) == ["Other"] }
    #expect(bench.lastUsed == [[]])
  }
}
