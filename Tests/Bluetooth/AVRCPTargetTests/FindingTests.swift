import AVRCPTarget
import EventLoop
import NowPlaying
import Reports
import TestKit
import Testing

/// Finding and adding remotes that do not connect by themselves, on a bus.
@Suite struct FindingTests {
  private let remote = Bench.phone
  private let keyboard = "00001124-0000-1000-8000-00805f9b34fb"

  private func bench(_ options: AVRCPTarget.Options = Bench.quiet) throws -> Bench {
    let bench = try Bench(options: options)
    try bench.turn { bench.bluez.agent?.isDefault == true }
    return bench
  }

  /// A bench in discovery, with one device found.
  private func finding(
    _ options: AVRCPTarget.Options = Bench.quiet, uuid: String? = nil
  ) throws -> Bench {
    let bench = try bench(options)
    #expect(bench.target.find(for: .seconds(60)) == nil)
    try bench.turn { bench.bluez.adapter("hci0", "Discovering")?.flag == true }
    bench.bluez.addDevice(remote, name: "Ring", uuids: [uuid ?? keyboard], isBonded: false)
    try bench.turn { bench.target.state.found.map(\.name) == ["Ring"] }
    return bench
  }

  private var withoutNumber: AVRCPTarget.Options {
    var options = Bench.quiet
    options.pairsWithoutNumber = true
    return options
  }

  private func add(_ bench: Bench, _ name: String = "Ring") -> () -> Result<String, Refusal>? {
    var answer: Result<String, Refusal>?
    bench.target.add(name) { answer = $0 }
    return { answer }
  }

  private func isDiscovering(_ bench: Bench) -> Bool {
    bench.bluez.adapter("hci0", "Discovering")?.flag ?? false
  }

  @Test func looking_opensPairing_listsRemotesFirst_andEndsWithIt() throws {
    let bench = try bench()
    #expect(bench.target.find(for: .seconds(60)) == nil)
    try bench.turn { isDiscovering(bench) }
    #expect(bench.target.state.isSearching && bench.target.state.pairingUntil != nil)
    bench.bluez.addDevice("AA:AA:AA:AA:AA:AA", name: "Television", uuids: [], isBonded: false)
    bench.bluez.addDevice("AA:AA:AA:AA:AA:BB", name: "Zapper", uuids: [], isBonded: false)
    bench.bluez.set("AA:AA:AA:AA:AA:BB", "Class", .uint32(0x00050C))
    bench.bluez.addDevice("AA:AA:AA:AA:AA:CC", name: "Clicker", uuids: [], isBonded: false)
    bench.bluez.set("AA:AA:AA:AA:AA:CC", "Appearance", .uint16(0x0180))
    bench.bluez.addDevice(remote, name: "Ring", uuids: [keyboard], isBonded: false)
    bench.bluez.addDevice(Bench.other, name: "Ann's", isBonded: true)
    try bench.turn {
      bench.target.state.found.count == 4 && bench.target.state.phones.count == 1
    }
    #expect(
      bench.target.state.found.map(\.name) == ["Zapper", "Clicker", "Ring", "Television"])
    #expect(
      bench.target.state.found.map(\.features) == [["keys"], ["keys"], ["keys"], []])
    #expect(bench.target.state.phones.map(\.name) == ["Ann's"])
    bench.target.closePairing()
    try bench.turn { !isDiscovering(bench) }
    #expect(bench.target.state.found == [] && !bench.target.state.isSearching)
  }

  @Test func adapterAndBluetoothdThatComeLater_lookToo() throws {
    let bench = try finding()
    // An adapter that is off cannot discover yet.
    bench.bluez.isBlocked = true
    bench.bluez.addAdapter("hci1", address: "00:11:22:33:44:66", isPowered: false)
    try bench.turn { bench.bluez.calls.contains("StartDiscovery hci1") }
    try bench.settle()
    bench.bluez.set(adapter: "hci1", "Powered", .boolean(true))
    try bench.turn { bench.bluez.adapter("hci1", "Discovering")?.flag == true }
    bench.bluez.crash()
    try bench.turn { bench.target.state.service == .noService }
    bench.bluez.calls = []
    try bench.bluez.come()
    try bench.turn { bench.bluez.calls.contains("StartDiscovery hci0") }
  }

  @Test func adapterThatWasSwitchedOff_looksAgain() throws {
    let bench = try finding()
    bench.bluez.set(adapter: "hci0", "Discovering", .boolean(false))
    bench.bluez.set(adapter: "hci0", "Powered", .boolean(false))
    bench.bluez.calls = []
    bench.bluez.set(adapter: "hci0", "Powered", .boolean(true))
    try bench.turn { isDiscovering(bench) }
  }

  /// BlueZ refuses to stop a discovery that has not begun yet.
  @Test func lookingThatIsEndedBeforeItBegan_ends() throws {
    let bench = try bench()
    bench.bluez.holdsDiscovery = true
    #expect(bench.target.find(for: .seconds(60)) == nil)
    try bench.turn { bench.bluez.calls.contains("StartDiscovery hci0") }
    bench.target.closePairing()
    try bench.settle()
    #expect(!bench.bluez.calls.contains("StopDiscovery hci0"), "one call at a time")
    bench.bluez.beginDiscovery()
    try bench.turn { bench.bluez.calls.contains("StopDiscovery hci0") && !isDiscovering(bench) }
  }

  @Test func controllerThatRefusesToLook_isAskedAgain() throws {
    let bench = try bench()
    bench.bluez.failingStarts = 2
    #expect(bench.target.find(for: .seconds(60)) == nil)
    try bench.turn { isDiscovering(bench) }
    #expect(bench.bluez.failingStarts == 0)
  }

  @Test func pairingThatIsOpenedWithoutLooking_endsIt() throws {
    let bench = try finding()
    #expect(bench.target.openPairing(for: .seconds(600)) == nil)
    try bench.turn { !isDiscovering(bench) }
    #expect(!bench.target.state.isSearching && bench.target.state.pairingUntil != nil)
  }

  @Test func windowThatExpires_endsLooking() throws {
    let bench = try bench()
    #expect(bench.target.find(for: .milliseconds(300)) == nil)
    try bench.turn { isDiscovering(bench) }
    try bench.turn { !isDiscovering(bench) && bench.target.state.pairingUntil == nil }
    #expect(!bench.target.state.isSearching)
  }

  @Test func remoteThatIsAdded_isPaired_trusted_andConnected() throws {
    let bench = try finding(withoutNumber)
    let answer = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    // Discovery slows down connecting, so it stops during pairing.
    try bench.turn { !isDiscovering(bench) }
    bench.bluez.endPairing(remote)
    try bench.turn { answer() == .success("Ring is paired") }
    try bench.turn {
      bench.bluez.device(remote, "Trusted")?.flag == true
        && bench.bluez.calls.contains("Connect \(remote)")
    }
    #expect(bench.target.state.phones.map(\.address) == [remote])
    #expect(bench.target.state.found == [])
  }

  /// Also if automatic reconnecting is off.
  @Test func controllerThatIsAdded_isDialled() throws {
    var options = withoutNumber
    options.reconnects = false
    let bench = try finding(options, uuid: "0000110e-0000-1000-8000-00805f9b34fb")
    let answer = add(bench, remote)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.bluez.endPairing(remote)
    try bench.turn { answer() != nil }
    try bench.turn { bench.bluez.calls.contains("ConnectProfile \(remote) 0000110e") }
  }

  @Test func numberThatIsCompared_isEnough() throws {
    let bench = try finding()
    let answer = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.bluez.askAgent("RequestConfirmation", [FakeBluez.object(remote), .uint32(123_456)])
    try bench.turn { bench.target.state.request != nil }
    let request = try #require(bench.target.state.request)
    #expect(bench.target.answerPairing(request.number, accepts: true) == nil)
    try bench.turn { bench.bluez.answers == [nil] }
    bench.bluez.endPairing(remote)
    try bench.turn { answer() == .success("Ring is paired") }
    #expect(!bench.bluez.calls.contains("RemoveDevice \(remote)"))
  }

  /// BlueZ asks for no confirmation of a device without a number if the unit starts the pairing.
  @Test func remoteWithoutANumber_isNotKept_whereOneIsWanted() throws {
    let bench = try finding()
    let answer = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    // BlueZ answers the call after it has read the device, or never.
    bench.bluez.endPairing(remote, answers: false)
    try bench.turn { bench.bluez.calls.contains("RemoveDevice \(remote)") }
    try bench.turn { answer() != nil }
    guard case .failure(let refusal)? = answer() else {
      Issue.record("it was kept")
      return
    }
    #expect(refusal.sentence.contains("pair-without-number"))
    #expect(!bench.bluez.calls.contains("Set \(remote) Trusted true"))
    try bench.turn { bench.target.state.phones == [] }
  }

  /// Low energy devices use private addresses. The real address arrives with the keys.
  @Test func remoteWhoseAddressBecomesAnother_isTheSame() throws {
    let bench = try finding()
    let answer = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.bluez.reveal(remote, as: "AA:AA:AA:AA:AA:AA")
    bench.bluez.endPairing(remote)
    try bench.turn { answer() != nil && bench.bluez.device(remote, "Address") == nil }
    guard case .failure? = answer() else {
      Issue.record("it was kept")
      return
    }
    #expect(!bench.bluez.calls.contains { $0.hasSuffix("Trusted true") })
  }

  @Test func remoteThatKeepsNoKey_isNotPaired() throws {
    let bench = try finding(withoutNumber)
    let answer = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.bluez.endPairing(remote, isBonded: false)
    try bench.turn { answer() == .failure(Refusal(.pairingFailed, "Ring: it keeps no key")) }
    try bench.turn { bench.bluez.calls.contains("RemoveDevice \(remote)") }
  }

  @Test func remoteOrBluetoothdThatGoesInTheMidst_isSaid_andAnotherCanBeAdded() throws {
    let bench = try finding(withoutNumber)
    let gone = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    #expect(bench.target.state.adding == "Ring")
    #expect(add(bench)()?.refusal?.code == .pairingBusy)
    bench.bluez.removeDevice(remote)
    try bench.turn { gone() == .failure(Refusal(.pairingFailed, "Ring: it is gone")) }
    // Discovery starts again.
    try bench.turn { isDiscovering(bench) }
    bench.bluez.addDevice(remote, name: "Ring", uuids: [keyboard], isBonded: false)
    try bench.turn { bench.target.state.found.count == 1 }
    bench.bluez.calls = []
    let crashed = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.bluez.crash()
    try bench.turn { crashed() == .failure(Refusal(.pairingFailed, "Ring: bluetoothd is gone")) }
    #expect(bench.target.state.adding == nil)
  }

  /// The bond may already be on its way when the pairing is cancelled.
  @Test func bondThatComesAfterTheWindowWasClosed_isNotKept() throws {
    let bench = try finding()
    let answer = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.bluez.endPairing(remote, answers: false)
    bench.target.closePairing()
    #expect(answer() == .failure(Refusal(.pairingFailed, "Ring: pairing was closed")))
    try bench.turn { bench.bluez.calls.contains("RemoveDevice \(remote)") }
    try bench.settle()
    #expect(!bench.bluez.calls.contains("Set \(remote) Trusted true"))
  }

  @Test func bondThatBluetoothdMadeBeforeItCrashed_isNotKept() throws {
    let bench = try finding()
    _ = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.bluez.crash()
    try bench.turn { bench.target.state.service == .noService }
    bench.bluez.set(remote, "Bonded", .boolean(true))
    bench.bluez.calls = []
    try bench.bluez.come()
    try bench.turn { bench.bluez.calls.contains("RemoveDevice \(remote)") }
    try bench.settle()
    #expect(!bench.bluez.calls.contains("Set \(remote) Trusted true"))
  }

  /// BlueZ answers only after it has read everything of a device, which may take long.
  @Test func bondThatIsThereWhenTheWindowCloses_isKept_andConnected() throws {
    let bench = try finding(withoutNumber)
    let answer = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.bluez.endPairing(remote, answers: false)
    // BlueZ sends one signal for the link and one for the bond; the link arrives first.
    try bench.turn { bench.target.state.phones.first?.isBonded == true }
    bench.target.closePairing()
    #expect(answer() == .success("Ring is paired"))
    try bench.turn { bench.bluez.calls.contains("Connect \(remote)") }
  }

  @Test func window_staysOpenForAsLongAsADeviceIsAdded() throws {
    let bench = try finding()
    let before = try #require(bench.target.state.pairingUntil)
    _ = add(bench)
    let after = try #require(bench.target.state.pairingUntil)
    #expect(after > before + .seconds(20))
    #expect(bench.target.openPairing(for: .seconds(10)) == nil)
    #expect(try #require(bench.target.state.pairingUntil) >= after, "nor does a shorter one end it")
  }

  /// The same remote is in range of both adapters, and paired with one of them.
  @Test func deviceOfTwoAdapters_isTheOneThatIsMeant() throws {
    let bench = try finding()
    bench.bluez.addAdapter("hci1", address: "00:11:22:33:44:66")
    bench.bluez.addDevice(remote, name: "Ring", adapter: "hci1", uuids: [keyboard])
    try bench.turn { bench.target.state.phones.count == 1 && bench.target.state.found == [] }
    bench.bluez.calls = []
    #expect(try bench.answer { bench.target.forget(remote, answer: $0) } == nil)
    try bench.turn { bench.target.state.phones == [] }
    #expect(bench.bluez.device(remote, "Address") != nil, "the other one is no phone of ours")
    // An unknown device with the same name as a phone is not that phone.
    bench.bluez.addDevice(Bench.other, name: "Ring", adapter: "hci1", uuids: [keyboard])
    try bench.turn { bench.target.state.phones.count == 1 }
    #expect(try bench.answer { bench.target.forget("Ring", answer: $0) } == nil)
    try bench.turn { bench.bluez.device(Bench.other, "Address", adapter: "hci1") == nil }
  }

  @Test func whatCannotBeAdded_isSaid() throws {
    let bench = try bench(withoutNumber)
    bench.bluez.addDevice(Bench.other, name: "Ann's", isBonded: true)
    let closed = add(bench)
    #expect(closed()?.refusal?.code == .pairingClosed)
    #expect(bench.target.openPairing(for: .seconds(60)) == nil)
    try bench.turn { bench.target.state.phones.count == 1 }
    #expect(add(bench, "Nobody")()?.refusal?.code == .noSuchPhone)
    #expect(add(bench, "Ann's")()?.refusal?.code == .phonePaired)
    bench.bluez.addDevice(remote, name: "Ring", isBonded: false)
    try bench.turn { bench.target.state.found.count == 1 }
    let failed = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.bluez.endPairing(remote, error: "ConnectionAttemptFailed")
    try bench.turn {
      failed()
        == .failure(
          Refusal(.pairingFailed, "Ring: it does not answer; is it waiting to be paired?"))
    }
    // Add it again, and then close the window.
    bench.bluez.calls = []
    let cancelled = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.target.closePairing()
    #expect(cancelled() == .failure(Refusal(.pairingFailed, "Ring: pairing was closed")))
    try bench.turn { bench.bluez.calls.contains("CancelPairing \(remote)") }
  }
}
