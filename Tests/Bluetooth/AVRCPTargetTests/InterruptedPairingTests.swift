import AVRCPTarget
import Bluez
import EventLoop
import NowPlaying
import Reports
import TestKit
import Testing

/// If the daemon dies while it pairs with a device, the next run decides whether it keeps the bond. The tests use a
/// fake BlueZ on a bus.
@Suite struct InterruptedPairingTests {
  private let remote = Bench.phone
  private let identity = "AA:AA:AA:AA:AA:AA"

  /// A fake storage for the marks of unconfirmed devices. A mark is the address of a device whose pairing the user has
  /// not confirmed. `store()` tells the target that all its marks are stored.
  private final class Storage {
    var marks: [Set<String>] = []
    var waiting: [() -> Void] = []

    init(_ target: AVRCPTarget) {
      target.onUnconfirmed = { [unowned self] in
        marks.append($0)
        waiting.append($1)
      }
    }

    func store() {
      let all = waiting
      waiting = []
      for stored in all { stored() }
    }
  }

  /// Creates a bench and starts to pair with a remote. The mark of the remote is stored when the test calls `store()`.
  private func pairing(pairsWithoutNumber: Bool = false) throws -> (Bench, Storage) {
    var options = Bench.quiet
    options.pairsWithoutNumber = pairsWithoutNumber
    let bench = try Bench(options: options)
    let storage = Storage(bench.target)
    try bench.turn { bench.bluez.agent?.isDefault == true }
    #expect(bench.target.find(for: .seconds(60)) == nil)
    bench.bluez.addDevice(remote, name: "Ring", isBonded: false)
    try bench.turn { bench.target.state.found.map(\.name) == ["Ring"] }
    bench.target.add("Ring") { _ in }
    return (bench, storage)
  }

  private func isPairing(_ bench: Bench) -> Bool { bench.bluez.calls.contains("Pair \(remote)") }

  @Test func add_beginsWhenTheMarkIsStored() throws {
    let (bench, storage) = try pairing()
    try bench.settle()
    #expect(storage.marks.last == [remote] && !isPairing(bench))
    storage.store()
    try bench.turn { isPairing(bench) }
    #expect(bench.bluez.calls.filter { $0 == "Pair \(remote)" }.count == 1)
  }

  @Test func add_endedBeforeTheMarkIsStored_doesNotBegin() throws {
    let (bench, storage) = try pairing()
    bench.target.closePairing()
    storage.store()
    try bench.settle()
    #expect(!isPairing(bench) && storage.marks.last == [])
  }

  @Test func mark_staysUntilTheBondIsRemoved() throws {
    let (bench, storage) = try pairing()
    storage.store()
    try bench.turn { isPairing(bench) }
    bench.bluez.endPairing(remote)
    try bench.turn { bench.bluez.calls.contains("RemoveDevice \(remote)") }
    try bench.turn { storage.marks.last == [] }
    #expect(bench.bluez.device(remote, "Address") == nil)
  }

  @Test func mark_goesWithTheConfirmation() throws {
    let (bench, storage) = try pairing()
    storage.store()
    try bench.turn { isPairing(bench) }
    bench.bluez.askAgent("RequestConfirmation", [FakeBluez.object(remote), .uint32(123_456)])
    try bench.turn { bench.target.state.request != nil }
    #expect(storage.marks.last == [remote])
    let request = try #require(bench.target.state.request)
    #expect(bench.target.answerPairing(request.number, accepts: true) == nil)
    #expect(storage.marks.last == [])
  }

  @Test func mark_hasBothAddresses_ifAPrivateAddressChanges() throws {
    let (bench, storage) = try pairing()
    storage.store()
    try bench.turn { isPairing(bench) }
    bench.bluez.changeAddress(of: remote, to: identity)
    try bench.turn { storage.marks.last == [remote, identity] }
  }

  @Test func add_withoutNumber_permittedByTheConfiguration_marksNothing() throws {
    let (bench, storage) = try pairing(pairsWithoutNumber: true)
    storage.store()
    try bench.turn { isPairing(bench) }
    #expect(!storage.marks.contains { !$0.isEmpty })
  }

  /// Creates a bench after a restart. The earlier run ended before the pairing of the `unconfirmed` devices was
  /// confirmed.
  private func restarted(
    unconfirmed: [String], pairsWithoutNumber: Bool = false, address: String? = nil
  ) throws -> Bench {
    var options = Bench.quiet
    options.pairsWithoutNumber = pairsWithoutNumber
    return try Bench(options: options, unconfirmed: unconfirmed) {
      $0.addDevice(remote, name: "Ring", isBonded: true)
      $0.addDevice(Bench.other, name: "Ann's", isBonded: true)
      if let address { $0.changeAddress(of: remote, to: address) }
    }
  }

  @Test(arguments: [nil, "AA:AA:AA:AA:AA:AA"])
  func start_bondOfAnInterruptedPairing_isRemoved(address: String?) throws {
    let bench = try restarted(unconfirmed: [remote], address: address)
    try bench.turn { bench.bluez.calls.contains { $0.hasPrefix("RemoveDevice") } }
    try bench.turn { bench.bluez.device(remote, "Address") == nil }
    try bench.turn { bench.bluez.device(Bench.other, "Trusted")?.flag == true }
    #expect(!bench.bluez.calls.contains("Set \(address ?? remote) Trusted true"))
  }

  @Test func start_interruptedPairingPermittedSince_keepsTheBond() throws {
    let bench = try restarted(unconfirmed: [remote], pairsWithoutNumber: true)
    try bench.turn { bench.bluez.device(remote, "Trusted")?.flag == true }
    #expect(!bench.bluez.calls.contains { $0.hasPrefix("RemoveDevice") })
  }

  /// The pairing of the earlier run failed. Later the device pairs by itself, and a person compares the number.
  @Test func start_deviceWithoutBond_canBePairedLater() throws {
    let bench = try Bench(unconfirmed: [remote])
    let storage = Storage(bench.target)
    try bench.turn { bench.bluez.agent?.isDefault == true }
    bench.bluez.addDevice(remote, name: "Ring", isBonded: false)
    #expect(bench.target.openPairing(for: .seconds(60)) == nil)
    bench.bluez.askAgent("RequestConfirmation", [FakeBluez.object(remote), .uint32(1)])
    try bench.turn { bench.target.state.request != nil }
    let request = try #require(bench.target.state.request)
    #expect(bench.target.answerPairing(request.number, accepts: true) == nil)
    #expect(storage.marks.last == [])
    bench.bluez.endPairing(remote)
    try bench.turn { bench.bluez.device(remote, "Trusted")?.flag == true }
  }
}
