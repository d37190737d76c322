import Bluez
import AVRCPTarget
import EventLoop
import NowPlaying
import Reports
import TestKit
import Testing

/// Tests how the unit finds and pairs remotes that do not connect by themselves, with a fake BlueZ on a bus.
@Suite struct RemotePairingTests {
  private let remote = Bench.phone
  private let keyboard = "00001124-0000-1000-8000-00805f9b34fb"

  private func bench(_ options: AVRCPTarget.Options = Bench.quiet) throws -> Bench {
    let bench = try Bench(options: options)
    try bench.turn { bench.bluez.agent?.isDefault == true }
    return bench
  }

  /// A bench in which discovery is on and one device was found.
  private func discovering(
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

  /// The answer for a remote that was not paired.
  private func failure(_ failure: PairingFailure) -> Result<String, Refusal> {
    .failure(failure.refusal(of: "Ring"))
  }

  private func isDiscovering(_ bench: Bench) -> Bool {
    bench.bluez.adapter("hci0", "Discovering")?.flag ?? false
  }

  @Test func find_opensPairing_listsRemotesFirst_andEndsWithPairing() throws {
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

  @Test func find_adapterOrBluetoothdAddedLater_discoversToo() throws {
    let bench = try discovering()
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
    try bench.bluez.start()
    try bench.turn { bench.bluez.calls.contains("StartDiscovery hci0") }
  }

  @Test func find_adapterSwitchedOffAndOn_discoversAgain() throws {
    let bench = try discovering()
    bench.bluez.set(adapter: "hci0", "Discovering", .boolean(false))
    bench.bluez.set(adapter: "hci0", "Powered", .boolean(false))
    bench.bluez.calls = []
    bench.bluez.set(adapter: "hci0", "Powered", .boolean(true))
    try bench.turn { isDiscovering(bench) }
  }

  /// BlueZ refuses to stop a discovery that has not begun. So the unit waits for the answer to StartDiscovery.
  @Test func find_closedBeforeDiscoveryBegins_stopsDiscovery() throws {
    let bench = try bench()
    bench.bluez.delaysDiscovery = true
    #expect(bench.target.find(for: .seconds(60)) == nil)
    try bench.turn { bench.bluez.calls.contains("StartDiscovery hci0") }
    bench.target.closePairing()
    try bench.settle()
    #expect(
      !bench.bluez.calls.contains("StopDiscovery hci0"), "BlueZ has not answered StartDiscovery")
    bench.bluez.beginDiscovery()
    try bench.turn { bench.bluez.calls.contains("StopDiscovery hci0") && !isDiscovering(bench) }
  }

  @Test func find_refusedStart_isRepeated() throws {
    let bench = try bench()
    bench.bluez.failingStarts = 2
    #expect(bench.target.find(for: .seconds(60)) == nil)
    try bench.turn { isDiscovering(bench) }
    #expect(bench.bluez.failingStarts == 0)
  }

  @Test func openPairing_duringDiscovery_stopsDiscovery() throws {
    let bench = try discovering()
    #expect(bench.target.openPairing(for: .seconds(600)) == nil)
    try bench.turn { !isDiscovering(bench) }
    #expect(!bench.target.state.isSearching && bench.target.state.pairingUntil != nil)
  }

  @Test func find_windowExpires_stopsDiscovery() throws {
    let bench = try bench()
    #expect(bench.target.find(for: .milliseconds(300)) == nil)
    try bench.turn { isDiscovering(bench) }
    try bench.turn { !isDiscovering(bench) && bench.target.state.pairingUntil == nil }
    #expect(!bench.target.state.isSearching)
  }

  @Test func add_remote_isPaired_trusted_andConnected() throws {
    let bench = try discovering(withoutNumber)
    let answer = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    // Discovery slows down connecting, so the unit stops discovery during pairing.
    try bench.turn { !isDiscovering(bench) }
    bench.bluez.endPairing(remote)
    try bench.turn { answer()?.isSuccess == true }
    try bench.turn {
      bench.bluez.device(remote, "Trusted")?.flag == true
        && bench.bluez.calls.contains("Connect \(remote)")
    }
    #expect(bench.target.state.phones.map(\.address) == [remote])
    #expect(bench.target.state.found == [])
  }

  /// The unit dials a newly paired controller even if automatic reconnecting is off.
  @Test func add_controller_isDialled() throws {
    var options = withoutNumber
    options.reconnects = false
    let bench = try discovering(options, uuid: "0000110e-0000-1000-8000-00805f9b34fb")
    let answer = add(bench, remote)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.bluez.endPairing(remote)
    try bench.turn { answer() != nil }
    try bench.turn { bench.bluez.calls.contains("ConnectProfile \(remote) 0000110e") }
  }

  @Test func add_confirmedNumber_permitsTheBond() throws {
    let bench = try discovering()
    let answer = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.bluez.askAgent("RequestConfirmation", [FakeBluez.object(remote), .uint32(123_456)])
    try bench.turn { bench.target.state.request != nil }
    let request = try #require(bench.target.state.request)
    #expect(bench.target.answerPairing(request.number, accepts: true) == nil)
    try bench.turn { bench.bluez.answers == [nil] }
    bench.bluez.endPairing(remote)
    try bench.turn { answer()?.isSuccess == true }
    #expect(!bench.bluez.calls.contains("RemoveDevice \(remote)"))
  }

  /// The unit starts the pairing, and the device has no number to compare. Then BlueZ does not ask the agent for a
  /// confirmation. If the configuration requires a number, the unit removes the bond afterwards.
  @Test func add_remoteWithoutNumber_isRemoved_ifANumberIsRequired() throws {
    let bench = try discovering()
    let answer = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    // BlueZ answers the call `Pair` only after it has read all data of the device, or never. The unit does not wait for
    // this answer.
    bench.bluez.endPairing(remote, answers: false)
    try bench.turn { bench.bluez.calls.contains("RemoveDevice \(remote)") }
    try bench.turn { answer() != nil }
    guard case .failure(let refusal)? = answer() else {
      Issue.record("the bond was kept")
      return
    }
    #expect(refusal == PairingFailure.noNumber.refusal(of: "Ring"))
    #expect(
      bench.log.contains {
        $0.event == .pairingFailed && $0.text.contains(PairingFailure.noNumber.code)
          && $0.text.contains("pair-without-number")
      })
    #expect(!bench.bluez.calls.contains("Set \(remote) Trusted true"))
    try bench.turn { bench.target.state.phones == [] }
  }

  /// Low energy devices use private addresses. The identity address arrives together with the encryption keys, so the
  /// address of the device changes during pairing.
  @Test func add_remoteChangesItsAddress_isStillRemoved() throws {
    let bench = try discovering()
    let answer = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.bluez.changeAddress(of: remote, to: "AA:AA:AA:AA:AA:AA")
    bench.bluez.endPairing(remote)
    try bench.turn { answer() != nil && bench.bluez.device(remote, "Address") == nil }
    guard case .failure? = answer() else {
      Issue.record("the bond was kept")
      return
    }
    #expect(!bench.bluez.calls.contains { $0.hasSuffix("Trusted true") })
  }

  @Test func add_remoteWithoutBond_fails() throws {
    let bench = try discovering(withoutNumber)
    let answer = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.bluez.endPairing(remote, isBonded: false)
    try bench.turn { answer() == failure(.noKey) }
    try bench.turn { bench.bluez.calls.contains("RemoveDevice \(remote)") }
  }

  @Test func add_remoteOrBluetoothdRemoved_fails_andTheNextCanBeAdded() throws {
    let bench = try discovering(withoutNumber)
    let removed = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    #expect(bench.target.state.adding == "Ring")
    #expect(add(bench)()?.refusal?.code == .pairingBusy)
    bench.bluez.removeDevice(remote)
    try bench.turn { removed() == failure(.deviceRemoved) }
    // Discovery starts again.
    try bench.turn { isDiscovering(bench) }
    bench.bluez.addDevice(remote, name: "Ring", uuids: [keyboard], isBonded: false)
    try bench.turn { bench.target.state.found.count == 1 }
    bench.bluez.calls = []
    let crashed = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.bluez.crash()
    try bench.turn { crashed() == failure(.serviceEnded) }
    #expect(bench.target.state.adding == nil)
  }

  /// When the window closes, the unit cancels the pairing, but the signal of BlueZ about the new bond can already be on
  /// its way. The unit then removes this bond.
  @Test func add_bondAfterTheWindowClosed_isRemoved() throws {
    let bench = try discovering()
    let answer = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.bluez.endPairing(remote, answers: false)
    bench.target.closePairing()
    #expect(answer() == failure(.windowClosed))
    try bench.turn { bench.bluez.calls.contains("RemoveDevice \(remote)") }
    try bench.settle()
    #expect(!bench.bluez.calls.contains("Set \(remote) Trusted true"))
  }

  @Test func add_bondMadeBeforeACrash_isRemoved() throws {
    let bench = try discovering()
    _ = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.bluez.crash()
    try bench.turn { bench.target.state.service == .noService }
    bench.bluez.set(remote, "Bonded", .boolean(true))
    bench.bluez.calls = []
    try bench.bluez.start()
    try bench.turn { bench.bluez.calls.contains("RemoveDevice \(remote)") }
    try bench.settle()
    #expect(!bench.bluez.calls.contains("Set \(remote) Trusted true"))
  }

  /// BlueZ answers the call `Pair` only after it has read all data of the device, which can take long. So the window
  /// can close before this answer.
  @Test func add_bondBeforeTheWindowCloses_isKept_andConnected() throws {
    let bench = try discovering(withoutNumber)
    let answer = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.bluez.endPairing(remote, answers: false)
    // BlueZ sends one signal for the link and another signal for the bond. The signal for the link arrives first, so
    // the test waits for the bond.
    try bench.turn { bench.target.state.phones.first?.isBonded == true }
    bench.target.closePairing()
    #expect(answer()?.isSuccess == true)
    try bench.turn { bench.bluez.calls.contains("Connect \(remote)") }
  }

  @Test func add_extendsThePairingWindow() throws {
    let bench = try discovering()
    let before = try #require(bench.target.state.pairingUntil)
    _ = add(bench)
    let after = try #require(bench.target.state.pairingUntil)
    #expect(after > before + .seconds(20))
    #expect(bench.target.openPairing(for: .seconds(10)) == nil)
    #expect(
      try #require(bench.target.state.pairingUntil) >= after,
      "a shorter time does not shorten the window")
  }

  /// The same remote is in range of two adapters, but it is paired only with `hci1`.
  @Test func forget_deviceOnTwoAdapters_removesThePairedOne() throws {
    let bench = try discovering()
    bench.bluez.addAdapter("hci1", address: "00:11:22:33:44:66")
    bench.bluez.addDevice(remote, name: "Ring", adapter: "hci1", uuids: [keyboard])
    try bench.turn { bench.target.state.phones.count == 1 && bench.target.state.found == [] }
    bench.bluez.calls = []
    #expect(try bench.answer { bench.target.forget(remote, answer: $0) } == nil)
    try bench.turn { bench.target.state.phones == [] }
    #expect(
      bench.bluez.device(remote, "Address") != nil, "the device of the other adapter is not removed"
    )
    // A paired remote on `hci1` has the same name as the unpaired remote on `hci0`. `forget` removes the paired remote.
    bench.bluez.addDevice(Bench.other, name: "Ring", adapter: "hci1", uuids: [keyboard])
    try bench.turn { bench.target.state.phones.count == 1 }
    #expect(try bench.answer { bench.target.forget("Ring", answer: $0) } == nil)
    try bench.turn { bench.bluez.device(Bench.other, "Address", adapter: "hci1") == nil }
  }

  @Test func add_impossible_isRefusedWithAReason() throws {
    let bench = try bench(withoutNumber)
    bench.bluez.addDevice(Bench.other, name: "Ann's", isBonded: true)
    let closed = add(bench)
    #expect(closed()?.refusal?.code == .pairingClosed)
    #expect(bench.target.openPairing(for: .seconds(60)) == nil)
    try bench.turn { bench.target.state.phones.count == 1 }
    #expect(add(bench, "Unknown")()?.refusal?.code == .noSuchPhone)
    #expect(add(bench, "Ann's")()?.refusal?.code == .phonePaired)
    bench.bluez.addDevice(remote, name: "Ring", isBonded: false)
    try bench.turn { bench.target.state.found.count == 1 }
    let failed = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.bluez.endPairing(remote, error: "ConnectionAttemptFailed")
    try bench.turn { failed() == failure(.noAnswer) }
    // During the second attempt, the test closes the window.
    bench.bluez.calls = []
    let cancelled = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.target.closePairing()
    #expect(cancelled() == failure(.windowClosed))
    try bench.turn { bench.bluez.calls.contains("CancelPairing \(remote)") }
  }
}
