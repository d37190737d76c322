import Control
import EventLoop
import Foundation
import NowPlaying
import Reports
import TestKit
import Testing
import UnitState

/// The daemon as a process. Its system bus is a private bus with a fake BlueZ, which has no radio.
@Suite struct PhoneTests {
  private let loop = EventLoop()
  private let bus: PrivateBus
  private let bluez: FakeBluez

  init() throws {
    bus = try PrivateBus()
    bluez = try FakeBluez(loop, address: bus.address)
    bluez.addAdapter()
    bluez.addDevice("AA:BB:CC:DD:EE:FF")
    bluez.addDevice("AA:BB:CC:DD:EE:00", name: "Other")
  }

  /// Runs the loop until a condition holds. If it does not, reports what the daemon has called.
  private func turn(
    until condition: () -> Bool, fileID: String = #fileID, line: Int = #line
  ) throws {
    do {
      try loop.turn(until: condition, fileID: fileID, line: line)
    } catch {
      Issue.record("\(bluez.calls)")
      throw error
    }
  }

  private func serve(_ home: ServeProcess.Home) throws -> ServeProcess {
    try ServeProcess(home, environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address])
  }

  @Test func phone_controlsTheUnit_andReadsTheTrack() throws {
    let home = try ServeProcess.Home(["start = play", "dial-phones = no"])
    try home.music("a", seconds: 60)
    try home.music("b", seconds: 50)
    let daemon = try serve(home)
    try turn { bluez.player()?.title == "a" && bluez.player()?.status == "Playing" }
    #expect(bluez.player()?.duration == 60_000)
    bluez.press(.forward)
    try turn { bluez.player()?.title == "b" }
    bluez.press(.pause)
    try turn { bluez.player()?.status == "Paused" }
    bluez.set("LoopStatus", .string("Playlist"))
    try turn { bluez.player()?.settings["Repeat"] == "alltracks" }

    // bluetoothd crashes: the music continues, and player and agent are registered again.
    bluez.press(.play)
    try turn { bluez.player()?.status == "Playing" }
    bluez.crash()
    #expect(daemon.waits(for: .bluetoothdLost) != nil)
    try bluez.start()
    try turn { bluez.player()?.title == "b" && bluez.player()?.status == "Playing" }
    bluez.press(.backward)
    bluez.press(.stop)
    try turn { bluez.player()?.status == "Stopped" }
    #expect(daemon.end() == 0)
  }

  @Test func controller_isDialledFirst_alsoAfterARestart() throws {
    let home = try ServeProcess.Home()
    let first = try serve(home)
    try turn { bluez.calls.filter { $0.hasPrefix("ConnectProfile") }.count == 2 }
    #expect(first.waits(for: .deviceControls, "AA:BB:CC:DD:EE:FF") != nil)
    let order = bluez.calls.filter { $0.hasPrefix("ConnectProfile") }
    // After the first phone has disconnected, the phone that was dialled last presses a key.
    let last = try #require(order.last?.split(separator: " ").dropFirst().first).description
    bluez.disconnect(order[0].split(separator: " ")[1].description, reason: "Remote")
    #expect(first.waits(for: .deviceDisconnected) != nil)
    bluez.press(.stop)
    #expect(first.waits(for: .deviceProven, last) != nil)
    #expect(first.end() == 0)
    bluez.crash()
    bluez.calls = []
    try bluez.start()
    let second = try serve(home)
    try turn { bluez.calls.filter { $0.hasPrefix("ConnectProfile") }.count == 2 }
    #expect(bluez.calls.filter { $0.hasPrefix("ConnectProfile") } == order.reversed())
    #expect(second.end() == 0)
  }

  private func client(_ home: ServeProcess.Home) throws -> ControlClient {
    var policy = ClientPolicy()
    policy.serviceName = nil
    let client = ControlClient(loop, path: home.socket, policy: policy)
    client.start()
    try turn { client.state == .connected }
    return client
  }

  @Test func phoneThatPlayedBefore_isAwaited_withANotice() throws {
    let home = try ServeProcess.Home(["start = play", "phone-wait = 30 s"])
    var state = UnitState()
    state.phoneSource = .init(address: "AA:BB:CC:DD:EE:FF", name: "Ann's", wasPlaying: true)
    let store = StateStore(folder: home.folder.path("data"))
    _ = store.opening(within: Hang.milliseconds)
    store.save(state.encoded())
    #expect(store.shutDown(within: Hang.milliseconds))
    let daemon = try serve(home)
    let client = try client(home)
    var notices: [UnitNotice] = []
    client.onNotice = { notices.append($0) }
    client.follow(notices: true)
    try turn { notices.contains(UnitNotice(.phoneAwaited, about: "Ann's")) }
    #expect(daemon.end() == 0)
  }

  /// The daemon is killed while it pairs with a remote that shows no passkey. Then bluetoothd stores the bond, and only
  /// the next daemon can remove it.
  @Test func remoteWithoutNumber_isRemoved_ifTheDaemonDiedBefore() throws {
    let remote = "AA:BB:CC:DD:EE:01"
    let home = try ServeProcess.Home(["dial-phones = no"])
    let first = try serve(home)
    try turn { bluez.agent?.isDefault == true }
    bluez.addDevice(remote, name: "Ring", isBonded: false)
    let client = try client(home)
    var found: [PhonesState.Phone] = []
    client.onPhones = { found = $0.found }
    client.subscribeToPhones()
    client.call(Bluetooth1.find, nil) { _ in }
    try turn { found.contains { $0.name == "Ring" } }
    client.call(Bluetooth1.add, "Ring") { _ in }
    try turn { bluez.calls.contains("Pair \(remote)") }
    #expect(try SavedUnitState(home).latest?.unconfirmed == [remote])
    _ = first.end(SIGKILL)
    bluez.endPairing(remote)

    let second = try serve(home)
    try turn { bluez.calls.contains("RemoveDevice \(remote)") }
    #expect(bluez.device(remote, "Trusted")?.flag != true)
    #expect(try SavedUnitState(home).waits { $0.unconfirmed == [] })
    #expect(second.end() == 0)
  }

  /// Runs a command of the console. Meanwhile, BlueZ and the clients of the test continue.
  private func console(
    _ home: ServeProcess.Home, _ words: [String], options: [String] = []
  ) throws -> ConsoleProcess {
    let socket = home.socket
    return try loop.run { try ConsoleProcess(socket, words, options: options) }.get()
  }

  /// Runs `diagnose phone`. Returns the codes of its findings.
  private func findings(_ home: ServeProcess.Home) throws -> Set<Substring> {
    let output = try console(home, ["diagnose", "phone"], options: ["--json"]).output
    return Set(output.matches(of: /"(phone\.[a-z-]+)"/).map(\.1))
  }

  private func stream(_ address: String, endpoint: Int = 0, volume: UInt16? = 127) throws {
    bluez.configure(address, endpoint: endpoint, volume: volume) { [bluez] in
      if $0 { bluez.startStream(address) }
    }
    try turn { bluez.acquired.last == address }
  }

  /// The buttons stay at their positions, also if the phone does not offer their command. During an interruption, a
  /// surface gets the reason, the buttons of the unit work, and the driver can cancel the resumption.
  @Test func phoneThatPlays_isInterrupted_withItsReason_andKeepsTheConfiguredButtons() throws {
    let ann = "AA:BB:CC:DD:EE:01"
    bluez.addDevice(
      ann, name: "Ann's", uuids: [FakeBluez.source, FakeBluez.target], isConnected: true)
    let home = try ServeProcess.Home([
      "dial-phones = no", "button = shuffle", "button = rate", "button = more: mute",
    ])
    let daemon = try serve(home)
    try turn { bluez.endpoints.count == 3 && bluez.player() != nil }
    let client = try client(home)
    var state: NowPlayingState?
    client.onNowPlaying = { state = $0 }
    client.register(as: "painter", showsTemplate: true) { client.confirmShown($0) }
    bluez.addPlayer(
      ann,
      with: [
        "Status": .string("playing"), "Shuffle": .string("off"), "Position": .uint32(5_000),
        "Track": FakeBluez.track("Phone song", artist: "Ann", album: "A", milliseconds: 180_000),
      ])
    try stream(ann)
    try turn { state?.status == .playing && state?.lines.title == "Phone song" }
    func buttons() -> [Bool]? { state?.template.buttons.map(\.isEnabled) }
    #expect(state?.template.buttons.map(\.kind) == [.shuffle, .playbackRate, .more])
    #expect(buttons() == [true, false, true])
    func plays() -> Int { bluez.calls.filter { $0.hasPrefix("Play ") }.count }
    func pauses() -> Int { bluez.calls.filter { $0.hasPrefix("Pause ") }.count }

    // The phone gets one command at the beginning of a call, and one after it.
    #expect(try console(home, ["interrupt", "begin", "call"]).status == 0)
    try turn { state?.hold == .interruption(.call) && pauses() == 1 }
    bluez.setPlayer(ann, 0, "Status", .string("paused"))
    #expect(try console(home, ["interrupt", "end", "call"]).status == 0)
    try turn { state?.hold == .resuming && plays() == 1 }
    bluez.setPlayer(ann, 0, "Status", .string("playing"))
    try turn { state?.hold == nil && state?.status == .playing }
    #expect(pauses() == 1 && plays() == 1)

    #expect(try console(home, ["interrupt", "begin", "call"]).status == 0)
    try turn { state?.hold == .interruption(.call) && pauses() == 2 }
    bluez.setPlayer(ann, 0, "Status", .string("paused"))
    #expect(buttons()?.last == true)
    var answers: [CommandOutcome] = []
    for command: SentCommand in [
      SentCommand(.template(.button(2))), SentCommand(.media(.togglePlayPause)),
    ] {
      client.call(Commands1.send, command) {
        if case .success(let answer) = $0 { answers.append(answer) }
      }
    }
    try turn { answers.count == 2 && state?.volume.isMuted == true }
    #expect(try console(home, ["interrupt", "end", "call"]).status == 0)
    try turn { state?.hold == nil }
    #expect(state?.status == .paused && plays() == 1)
    #expect(daemon.end() == 0)
  }

  /// Phones with which nothing is wrong.
  @Test(arguments: [
    ["Status": BusValue.string("playing")],
    ["Status": .string("paused"), "Position": .uint32(5_000)],
    [
      "Status": .string("playing"),
      "Track": FakeBluez.track("Live", artist: "A", album: "B", milliseconds: 0),
    ],
    [
      "Status": .string("playing"), "Position": .uint32(5_000), "Shuffle": .string("off"),
      "Track": FakeBluez.track("Song", artist: "A", album: "B", milliseconds: 180_000),
    ],
  ]) func diagnose_ofAUnitWithAPhone_findsNoFault(_ player: [String: BusValue]) throws {
    let ann = "AA:BB:CC:DD:EE:01"
    bluez.addDevice(
      ann, name: "Ann's", uuids: [FakeBluez.source, FakeBluez.target], isConnected: true)
    let home = try ServeProcess.Home(["dial-phones = no"])
    let daemon = try serve(home)
    try turn { bluez.endpoints.count == 3 && bluez.player() != nil }
    bluez.addPlayer(ann, with: player)
    try stream(ann)
    for command in [["pause"], ["play"], ["rate", "2"], ["stars", "3"]] {
      let answer = try console(home, command)
      #expect(answer.status < 2, "the console knows \(command)")
      let run = try console(home, ["diagnose", "--details"])
      #expect(run.status == 0, "\(command): \(run.output)")
    }
    #expect(daemon.end() == 0)
  }

  @Test func diagnosis_findsWhatDriversComplainOf() throws {
    let (ann, bob) = ("AA:BB:CC:DD:EE:01", "AA:BB:CC:DD:EE:02")
    for (address, name) in [(ann, "Ann's"), (bob, "Bob's")] {
      bluez.addDevice(
        address, name: name, uuids: [FakeBluez.source, FakeBluez.target], isConnected: true)
    }
    let home = try ServeProcess.Home(["dial-phones = no"])
    let daemon = try serve(home)
    try turn { bluez.endpoints.count == 3 && bluez.player() != nil }
    try stream(ann, endpoint: 0, volume: nil)
    #expect(
      try findings(home) == ["phone.no-dialling", "phone.no-player", "phone.no-volume"])
    // Between two valid packets come an invalid packet and a gap in the sequence numbers.
    let encoder = try SBCEncoder([0x21, 0x15, 2, 53])
    let frame = encoder.frame { _, _ in 0 }.bytes
    for packet in [mediaPacket(1, [frame]), [1, 2, 3], mediaPacket(5, [frame])] {
      try turn { bluez.sendPacket(ann, packet) }
    }
    bluez.addPlayer(ann, with: ["Status": .string("playing")])
    bluez.set(adapter: "hci0", "Discovering", .boolean(true))
    try stream(bob, endpoint: 1, volume: 60)
    let wanted: Set<Substring> = [
      "phone.no-dialling", "phone.no-volume", "phone.no-position", "phone.stutter",
      "phone.damaged", "phone.several-streams", "phone.searching", "phone.no-player",
    ]
    var found: Set<Substring> = []
    try turn {
      found = (try? findings(home)) ?? []
      return found == wanted
    }
    #expect(found == wanted)
    #expect(daemon.end() == 0)
  }

  @Test func missingBus_doesNotPreventPlayback() throws {
    let home = try ServeProcess.Home(["start = play"])
    try home.music("a", seconds: 60)
    bus.stop()
    let daemon = try serve(home)
    #expect(daemon.waits(for: .trackStarted, "1/1 ") != nil)
    #expect(daemon.end() == 0)
  }
}
