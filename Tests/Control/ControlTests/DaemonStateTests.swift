import Control
import EventLoop
import Foundation
import Glibc
import NowPlaying
import SystemClock
import Reports
import TestKit
import Testing

@Suite struct DaemonStateTests {
  private var quick: ClientPolicy {
    var policy = Bench.policy
    policy.pingInterval = .milliseconds(20)
    policy.answerTimeout = .milliseconds(60)
    policy.firstRetry = .milliseconds(1)
    policy.longestRetry = .milliseconds(10)
    policy.loopCount = 1000
    return policy
  }

  private func client(_ bench: Bench, _ policy: ClientPolicy) -> ControlClient {
    let client = ControlClient(bench.loop, path: bench.path, policy: policy)
    client.start()
    return client
  }

  @Test func missingSocket_isReportedAsMissing() throws {
    let bench = try Bench(isListening: false)
    let client = client(bench, quick)
    #expect(client.state == .socketMissing(socket: bench.path))
    let answer = try bench.answer { client.call(Unit1.getLatency, $0) }
    #expect(answer == .failure(.unreachable(.socketMissing(socket: bench.path))))
    // The daemon starts later.
    try bench.restart()
    try bench.loop.turn { client.state == .connected }
  }

  @Test func socketWithoutListener_isReportedAsDead() throws {
    let bench = try Bench(isListening: false)
    close(try #require(UnixSocket.bound(to: bench.path)))
    let client = client(bench, quick)
    try bench.loop.turn { client.state == .dead(reason: nil) }
    try bench.restart()
    try bench.loop.turn { client.state == .connected }
  }

  @Test(.disabled(if: getuid() == 0, "root may open every socket"))
  func socketWithoutPermission_isReportedAsNoPermission() throws {
    let bench = try Bench(mode: 0o000)
    #expect(client(bench, quick).state == .noPermission(socket: bench.path))
  }

  @Test func pathWithSpecialCharacters_connects() throws {
    let folder = try TemporaryFolder()
    let loop = EventLoop()
    let turns = Turns(loop)
    let unit = FakeUnit(turns)
    let path = folder.path("a b;c,d=e%20ü'\"")
    let server = try ControlServer(loop, unit, turns, path: path)
    let client = ControlClient(loop, path: path, policy: quick)
    client.start()
    try loop.turn { client.state == .connected }
    withExtendedLifetime(server) {}
  }

  @Test func restartedDaemon_isReconnected_andAllSubscriptionsAreRenewed() throws {
    let bench = try Bench()
    let client = client(bench, quick)
    var states: [DaemonState] = []
    var shown: [NowPlayingState] = []
    var lines: [String] = []
    client.onState = { states.append($0) }
    client.onNowPlaying = { shown.append($0) }
    client.onLog = { lines.append($0.text) }
    client.register(as: "screen", showsTemplate: true) { _ in }
    client.follow(log: true)
    try bench.loop.turn { shown.count == 1 }
    bench.server = nil
    try bench.loop.turn { client.state != .connected }
    // Without a connection, the client keeps the last state of Now Playing.
    #expect(client.nowPlaying == shown[0])
    bench.source.go(to: 1)
    try bench.restart()
    try bench.loop.turn { shown.count == 2 }
    #expect(shown[1] == bench.center.state)
    #expect(
      bench.center.inspection(at: MonotonicInstant.now()).surfaces.map(\.id) == ["screen"])
    _ = try bench.answer { client.call(Unit1.getFacts, .boot, $0) }
    bench.unit.addLogLine("back")
    try bench.loop.turn { lines == ["back"] }
    #expect(states.first == .connected && states.last == .connected)
    #expect(states.count >= 3)
  }

  @Test func pendingCall_failsWhenTheDaemonEnds() throws {
    let bench = try Bench()
    let client = client(bench, quick)
    try bench.loop.turn { client.state == .connected }
    bench.source.keepsReplies = true
    var result: Result<CommandOutcome, ControlError>?
    client.call(Commands1.send, SentCommand(.media(.next))) { result = $0 }
    try bench.loop.turn { !bench.source.replies.isEmpty }
    bench.server = nil
    try bench.loop.turn { result != nil }
    guard case .failure(.unreachable)? = result else {
      Issue.record("\(String(describing: result))")
      return
    }
  }

  @Test func daemonWithoutAnswer_isReportedAsHanging() throws {
    let bench = try Bench(isListening: false)
    // The socket accepts connections, but no process answers.
    let listening = try #require(UnixSocket.bound(to: bench.path))
    defer { close(listening) }
    listen(listening, 1)
    let client = client(bench, quick)
    #expect(client.isConnecting)
    var reports = 0
    client.onState = { if case .hangs = $0 { reports += 1 } }
    try bench.loop.turn { if case .hangs = client.state { true } else { false } }
    #expect(!client.isConnecting)
    let answer = try bench.answer { client.call(Unit1.getLatency, $0) }
    guard case .failure(.unreachable(.hangs(let time))) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(time >= .milliseconds(60))
    #expect(reports == 1)
  }

  @Test func stoppedProcess_isReportedAsHanging_andRecovers() throws {
    let folder = try TemporaryFolder()
    let daemon = try ForeignDaemon.start(folder.path("control"))
    defer {
      kill(daemon.processIdentifier, SIGKILL)
      daemon.waitUntilExit()
    }
    let loop = EventLoop()
    let client = ControlClient(loop, path: folder.path("control"), policy: quick)
    client.start()
    try loop.turn { client.state == .connected }
    kill(daemon.processIdentifier, SIGSTOP)
    try loop.turn { if case .hangs = client.state { true } else { false } }
    kill(daemon.processIdentifier, SIGCONT)
    try loop.turn { client.state == .connected }
  }

  @Test func clientWithoutChecks_doesNotWakeUp() throws {
    let bench = try Bench()
    var policy = quick
    policy.pingInterval = nil
    let client = client(bench, policy)
    try bench.loop.turn { client.state == .connected }
    // The daemon runs on the same loop. It answers the requests of the client. After that, no event follows.
    while try bench.loop.step(timeout: .milliseconds(5)) {}
    let interval = try #require(quick.pingInterval)
    let isAwake = try bench.loop.step(timeout: interval * 10)
    #expect(!isAwake)
  }

  @Test func daemonThatEndsRepeatedly_isReportedAsRestartLoop() throws {
    var policy = quick
    policy.loopCount = 3
    let bench = try Bench()
    let client = client(bench, policy)
    for count in 1...4 {
      // The daemon starts, and its boot facts contain the reason why the previous run ended.
      try bench.loop.turn { client.state == .connected }
      _ = try bench.answer { client.call(Unit1.getFacts, .boot, $0) }
      bench.server = nil
      try bench.loop.turn { client.state != .connected }
      if count < 3 {
        if case .restarting = client.state { Issue.record("a loop after \(count)") }
      } else {
        try bench.loop.turn {
          client.state == .restarting(count: count, reason: "watchdog")
        }
      }
      try bench.restart()
    }
  }

  /// A client that asks the service manager at this bus.
  private func client(_ bench: Bench, _ bus: PrivateBus) -> ControlClient {
    var policy = quick
    policy.serviceName = "autoharp.service"
    return ControlClient(
      bench.loop, path: bench.path, policy: policy, systemBus: .bus(bus.address))
  }

  @Test func serviceManager_providesTheReasonOfTheEnd() throws {
    let bus = try PrivateBus()
    let bench = try Bench(isListening: false)
    let manager = try FakeServiceManager(bench.loop, bus.address)
    try bench.loop.turn { manager.hasName }
    let client = client(bench, bus)
    var reported: [DaemonState] = []
    client.onState = { reported.append($0) }
    client.start()
    // The socket is missing, so the client asks the service manager for the reason.
    try bench.loop.turn { manager.requests > 0 }
    try bench.loop.turn { client.state == .restarting(count: 1007, reason: "watchdog") }
    // The client reports only this state. It does not report that the socket is missing.
    try bench.loop.turn { !reported.isEmpty }
    #expect(reported == [.restarting(count: 1007, reason: "watchdog")])
  }

  /// After an ordered stop or restart, the daemon has not ended by a fault. An automatic restart can follow a crash,
  /// and its result is `success` too.
  @Test(
    arguments: [
      ("deactivating", "success", 0, DaemonState.stopped), ("inactive", "success", 3, .stopped),
      ("activating", "success", 0, .stopped), ("activating", "success", 2, .dead(reason: nil)),
      ("active", "success", 0, .dead(reason: nil)),
      ("failed", "watchdog", 0, .dead(reason: "watchdog")),
    ])
  func orderedStop_isNotAnEndWithoutAReason(
    _ active: String, _ result: String, _ restarts: UInt32, _ state: DaemonState
  ) throws {
    let bus = try PrivateBus()
    let bench = try Bench(isListening: false)
    let manager = try FakeServiceManager(
      bench.loop, bus.address,
      ["ActiveState": .string(active), "Result": .string(result), "NRestarts": .uint32(restarts)])
    try bench.loop.turn { manager.hasName }
    close(try #require(UnixSocket.bound(to: bench.path)))
    let client = client(bench, bus)
    var reported: [DaemonState] = []
    client.onState = { reported.append($0) }
    client.start()
    try bench.loop.turn { !reported.isEmpty }
    #expect(reported == [state] && manager.requests > 0)
    // Further attempts to connect do not report it again.
    try bench.loop.turn { manager.requests > 1 }
    #expect(reported == [state])
  }
}

/// A process that implements only a minimum of D-Bus: it answers each call with an empty reply.
private enum ForeignDaemon {
  static func start(_ path: String) throws -> ChildProcess {
    let daemon = ChildProcess()
    daemon.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    daemon.arguments = ["python3", "-c", program, path]
    let output = Pipe()
    daemon.standardOutput = output
    try daemon.run()
    // The process prints a line as soon as it listens.
    _ = output.fileHandleForReading.availableData
    return daemon
  }

  private static let program = #"""
    import socket, struct, sys
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[1])
    listener.listen()
    print("listening", flush=True)
    peer = listener.accept()[0]
    stream = peer.makefile("rb")
    stream.read(1)
    while (line := stream.readline().split()) != [b"BEGIN"]:
        if line[0] == b"AUTH" and line[1] == b"EXTERNAL" and len(line) == 2:
            peer.sendall(b"DATA\r\n")
        elif line[0] in (b"AUTH", b"DATA"):
            peer.sendall(b"OK 0123456789abcdef0123456789abcdef\r\n")
        else:
            peer.sendall(b"ERROR\r\n")
    serial = 0
    while header := stream.read(16):
        body, number, fields = struct.unpack("<III", header[4:])
        stream.read((fields + 7) // 8 * 8 + body)
        serial += 1
        answer = struct.pack("<4sIII", b"l\x02\x01\x01", 0, serial, 8)
        peer.sendall(answer + struct.pack("<4sI", b"\x05\x01u\x00", number))
    """#
}

/// A fake systemd with the methods and properties that the client uses.
private final class FakeServiceManager {
  private let bus: Bus
  private(set) var hasName = false
  private(set) var requests = 0

  init(_ loop: EventLoop, _ address: String, _ changes: [String: BusValue] = [:]) throws {
    bus = try Bus(loop, to: .bus(address))
    let tree = ObjectTree()
    let unit = "/org/freedesktop/systemd1/unit/autoharp_2eservice"
    try tree.add(
      BusObject(
        path: "/org/freedesktop/systemd1",
        interfaces: [
          BusInterface(
            "org.freedesktop.systemd1.Manager",
            methods: [.init("GetUnit", [.init("name", "s")], returns: [.init("unit", "o")])])
        ],
        onCall: { [unowned self] call in
          requests += 1
          call.reply([.objectPath(unit)])
        }))
    var values: [String: BusValue] = [
      "NRestarts": .uint32(1007), "Result": .string("watchdog"), "ExecMainStatus": .int32(6),
      "ActiveState": .string("activating"), "SubState": .string("auto-restart"),
    ]
    if !changes.isEmpty { values["SubState"] = .string("dead") }
    values.merge(changes) { $1 }
    try tree.add(
      BusObject(
        path: unit,
        interfaces: [
          BusInterface(
            "org.freedesktop.systemd1.Service",
            properties: values.map { .init($0.key, $0.value.signature) })
        ], onGet: { _, name in values[name] }))
    bus.objects = tree
    bus.onConnected = { [unowned self] in
      bus.requestName("org.freedesktop.systemd1") { [weak self] _ in self?.hasName = true }
    }
  }
}
