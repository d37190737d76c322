import Control
import EventLoop
import Glibc
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// A control server with a ``FakeUnit`` on a private socket, and its clients. All run on one event loop.
final class Bench {
  let loop = EventLoop()
  let turns: Turns
  let folder: TemporaryFolder
  let path: String
  let unit: FakeUnit
  var server: ControlServer?
  /// The events that the server has reported for the log.
  var events: [ControlServer.Event] = []
  private(set) var turnCount = 0

  init(
    mode: UInt32 = 0o660, access: AccessRule = .ofThisSystem,
    limits: PeerListener.Limits = .init(),
    clock: @escaping () -> MonotonicInstant = MonotonicInstant.now,
    isListening: Bool = true
  ) throws {
    folder = try TemporaryFolder()
    path = folder.path("control")
    turns = Turns(loop)
    unit = FakeUnit(turns, clock: clock)
    turns.begin { [unowned self] in
      turnCount += 1
      server?.update()
    }
    if isListening {
      server = try ControlServer(
        loop, unit, turns, path: path, mode: mode, access: access, limits: limits,
        clock: clock, events: { [unowned self] in events.append($0) })
    }
  }

  /// The reasons for which the server has disconnected clients.
  var endings: [Bus.Ending] {
    events.compactMap { if case .dropped(_, let ending) = $0 { ending } else { nil } }
  }

  var center: NowPlayingCenter { unit.center }
  var source: ScriptedSource { unit.source }
  var address: String { "unix:path=\(path)" }

  /// A policy of clients that do not ask the service manager of this machine.
  static var policy: ClientPolicy {
    var policy = ClientPolicy()
    policy.serviceName = nil
    return policy
  }

  func restart() throws {
    server = nil
    server = try ControlServer(loop, unit, turns, path: path)
  }

  /// A connected client.
  func client(_ policy: ClientPolicy = policy) throws -> ControlClient {
    let client = ControlClient(loop, path: path, policy: policy)
    client.start()
    try loop.turn { client.state == .connected }
    return client
  }

  /// Waits for the answer to a request.
  func answer<Value>(
    _ ask: (@escaping ControlClient.Completion<Value>) -> Void,
    fileID: String = #fileID, line: Int = #line
  ) throws -> Result<Value, ControlError> {
    var result: Result<Value, ControlError>?
    ask { result = $0 }
    try loop.turn(until: { result != nil }, fileID: fileID, line: line)
    return try #require(result)
  }

  /// Calls a method directly over D-Bus, as a client that does not use `ControlClient`.
  func call(
    _ bus: Bus, _ interface: String, _ member: String, _ arguments: [BusValue] = []
  ) throws -> Result<[BusValue], BusError> {
    var answer: Result<[BusValue], BusError>?
    bus.call(nil, ControlInterface.path, interface, member, arguments) {
      answer = $0.map(\.values)
    }
    try loop.turn { answer != nil }
    return try #require(answer)
  }

  /// A D-Bus connection to the daemon that does not use `ControlClient`.
  func peer() throws -> Bus { try Bus(loop, to: .peer(address)) }

  /// Connects without a D-Bus library, sends the authentication, and returns the descriptor of the socket.
  func rawClient() throws -> Int32 {
    let descriptor = try #require(UnixSocket.connected(to: path))
    let auth = "\0AUTH ANONYMOUS \r\nBEGIN\r\n"
    write(descriptor, auth, auth.utf8.count)
    return descriptor
  }
}
