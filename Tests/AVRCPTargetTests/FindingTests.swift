import AVRCPTarget
import EventLoop
import NowPlaying
import Reports
import TestKit
import Testing

/// Remotes that wait to be called, on a bus.
@Suite struct FindingTests {
  private let remote = Bench.phone
  private let keyboard = "00001124-0000-1000-8000-00805f9b34fb"

  private func bench(_ options: AVRCPTarget.Options = Bench.quiet) throws -> Bench {
    let bench = try Bench(options: options)
    try bench.turn { bench.bluez.agent?.isDefault == true }
    return bench
  }

  /// Looking around, with one found.
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

  private func add(_ bench: Bench, _ name: String = "Ring") -> () -> Result<String, PhoneRefusal>? {
    var answer: Result<String, PhoneRefusal>?
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
    try bench.turn { bench.target.state.found.count == 4 }
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
    bench.bluez.addAdapter("hci1", address: "00:11:22:33:44:66")
    try bench.turn { bench.bluez.adapter("hci1", "Discovering")?.flag == true }
    bench.bluez.crash()
    try bench.turn { bench.target.state.service == .noService }
    bench.bluez.calls = []
    try bench.bluez.come()
    try bench.turn { bench.bluez.calls.contains("StartDiscovery hci0") }
  }

  @Test func remoteThatIsAdded_isPaired_trusted_andConnected() throws {
    let bench = try finding(withoutNumber)
    let answer = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    // What looks around calls nobody well.
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

  @Test func controllerThatIsAdded_isDialled() throws {
    var options = withoutNumber
    options.reconnects = true
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

  /// BlueZ asks nobody about a device without a number where the unit itself pairs with it.
  @Test func remoteWithoutANumber_isNotKept_whereOneIsWanted() throws {
    let bench = try finding()
    let answer = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.bluez.endPairing(remote)
    try bench.turn { bench.bluez.calls.contains("RemoveDevice \(remote)") }
    try bench.turn { answer() != nil }
    guard case .failure(let refusal)? = answer() else {
      Issue.record("it was kept")
      return
    }
    #expect(refusal.words.contains("pair-without-number"))
    #expect(!bench.bluez.calls.contains("Set \(remote) Trusted true"))
    try bench.turn { bench.target.state.phones == [] }
  }

  @Test func whatCannotBeAdded_isSaid() throws {
    let bench = try bench(withoutNumber)
    bench.bluez.addDevice(Bench.other, name: "Ann's", isBonded: true)
    let closed = add(bench)
    #expect(
      closed() == .failure(PhoneRefusal("pairing is not open; 'bt find' opens it, and looks")))
    #expect(bench.target.openPairing(for: .seconds(60)) == nil)
    try bench.turn { bench.target.state.phones.count == 1 }
    #expect(add(bench, "Nobody")() == .failure(PhoneRefusal("no phone has that address or name")))
    #expect(add(bench, "Ann's")() == .failure(PhoneRefusal("Ann's is paired already")))
    bench.bluez.addDevice(remote, name: "Ring", isBonded: false)
    try bench.turn { bench.target.state.found.count == 1 }
    let failed = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    #expect(add(bench)() == .failure(PhoneRefusal("another device is being paired")))
    bench.bluez.endPairing(remote, error: "ConnectionAttemptFailed")
    try bench.turn { failed() != nil }
    guard case .failure? = failed() else {
      Issue.record("it did not fail")
      return
    }
    // And once more, until the window is closed.
    bench.bluez.calls = []
    let cancelled = add(bench)
    try bench.turn { bench.bluez.calls.contains("Pair \(remote)") }
    bench.target.closePairing()
    try bench.turn { cancelled() != nil }
    #expect(bench.bluez.calls.contains("CancelPairing \(remote)"))
  }
}
