import Bluez
@testable import AVRCPTarget
import EventLoop
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// Tests the player, the pairing and the connections separately, without an ``AVRCPTarget``.
@Suite struct PartsTests {
  private let phone = Bench.phone

  // MARK: The player

  private func player(_ bench: ClientBench, _ center: NowPlayingCenter) -> BluezPlayer {
    BluezPlayer(bench.client, center, AVRCPTarget.Options(), clock: { .now() })
  }

  @Test func player_showsTheTrack_andSendsCommands() throws {
    let bench = try ClientBench()
    let center = NowPlayingCenter(volume: Volume(level: VolumeLevel(step: 64, of: 127)))
    let source = Source(in: center)
    let player = player(bench, center)
    try bench.start()
    try bench.turn { player.adapterPlayers["hci0"]?.registration == .registered }
    #expect(bench.bluez.player()?.title == "first")
    bench.bluez.press(.forward)
    try bench.turn { source.performed == ["next"] }
    #expect(player.presses.count == 1)
    #expect(bench.bluez.agent == nil && bench.bluez.adapter("hci0", "Pairable")?.flag == false)
  }

  @Test func player_adapterRemoved_disconnects() throws {
    let bench = try ClientBench()
    let center = NowPlayingCenter(volume: Volume(level: VolumeLevel(step: 64, of: 127)))
    let player = player(bench, center)
    try bench.start()
    try bench.turn { player.port != nil }
    bench.bluez.removeAdapter("hci0")
    try bench.turn { player.port == nil && player.adapterPlayers.isEmpty }
  }

  // MARK: Pairing

  @Test func pairing_opensAndCloses_andAnswersTheAgent() throws {
    let bench = try ClientBench { $0.addDevice(Bench.phone, isBonded: false) }
    let pairing = Pairing(bench.client, AVRCPTarget.Options(), clock: { .now() })
    try bench.start()
    try bench.turn { bench.bluez.agent?.isDefault == true }
    #expect(pairing.open(for: nil, discovers: false) == nil)
    try bench.turn { bench.client.adapter("hci0").isPairable }
    bench.bluez.askAgent(
      "RequestConfirmation", [FakeBluez.object(phone), .uint32(1234)])
    try bench.turn { pairing.policy.request?.passkey == "001234" }
    let number = try #require(pairing.policy.request?.number)
    #expect(pairing.answer(number, accepts: true) == nil)
    try bench.turn { bench.bluez.answers == [nil] }
    pairing.close()
    try bench.turn { !bench.client.adapter("hci0").isPairable }
    #expect(bench.bluez.players.isEmpty)
  }

  @Test func pairing_deviceAddedFromTheUnit_isPassedToOnPaired() throws {
    let bench = try ClientBench { $0.addDevice(Bench.phone, name: "Ring", isBonded: false) }
    var options = AVRCPTarget.Options()
    options.pairsWithoutNumber = true
    let pairing = Pairing(bench.client, options, clock: { .now() })
    var paired: [String] = []
    var isAdding: [Bool] = []
    pairing.onPaired = { paired.append($0.name) }
    pairing.onAdding = { [unowned pairing] in isAdding.append(pairing.adding != nil) }
    try bench.start()
    try bench.turn { bench.bluez.agent?.isDefault == true }
    #expect(pairing.open(for: nil, discovers: true) == nil)
    var answer: Result<String, Refusal>?
    pairing.add("Ring") { answer = $0 }
    try bench.turn { bench.bluez.calls.contains { $0.hasPrefix("Pair ") } }
    bench.bluez.endPairing(phone)
    try bench.turn { answer != nil }
    #expect(paired == ["Ring"] && isAdding == [true, false])
    #expect(!bench.bluez.calls.contains { $0.hasPrefix("Connect") })
  }

  // MARK: Connections

  private func connections(
    _ bench: ClientBench, _ rules: Connections.Rules = Connections.Rules(), lastUsed: [String] = [],
    controllers: [String] = [Bench.phone, Bench.other]
  ) -> Connections {
    Connections(
      bench.client, AVRCPTarget.Options(), rules, lastUsed: lastUsed, controllers: controllers,
      seed: 1, clock: { .now() })
  }

  private func dials(_ bench: ClientBench) -> [String] {
    bench.bluez.calls.filter { $0.hasPrefix("ConnectProfile") }
  }

  @Test func connections_dialTheLastUsedFirst_andStoreTheOrder() throws {
    let bench = try ClientBench {
      $0.addDevice(Bench.other, name: "Other")
      $0.addDevice(Bench.phone, name: "Ann's")
    }
    let connections = connections(bench, lastUsed: [phone])
    var lastUsed: [[String]] = []
    connections.onLastUsed = { lastUsed.append($0) }
    try bench.start()
    try bench.turn { connections.controlsSince.count == 2 }
    #expect(dials(bench).map { $0.contains(phone) } == [true, false])
    #expect(lastUsed.last == [Bench.other, phone])
  }

  @Test func connections_dialOnlyPermittedDevices_andPauseDuringPairing() throws {
    let bench = try ClientBench {
      $0.addDevice(Bench.other, name: "Other")
      $0.addDevice(Bench.phone, name: "Ann's")
    }
    var isPairing = true
    let connections = connections(
      bench,
      Connections.Rules(
        isPermitted: { [phone] in $0.address == phone }, isPairing: { isPairing }))
    try bench.start()
    #expect(connections.plan.nextDeadline != nil && dials(bench).isEmpty)
    isPairing = false
    connections.update()
    try bench.turn { connections.controlsSince.keys.sorted() == [phone] }
    #expect(dials(bench).count == 1)
  }

  @Test func connections_lastControllerDisconnects_isReported() throws {
    let bench = try ClientBench { $0.addDevice(Bench.phone, isConnected: true) }
    let connections = connections(bench)
    var count = 0
    connections.onLastDisconnected = { count += 1 }
    try bench.start()
    try bench.turn { connections.controlsSince[phone] != nil }
    bench.bluez.disconnect(phone, reason: "Remote")
    try bench.turn { count == 1 }
    #expect(connections.controlsSince.isEmpty)
  }
}
