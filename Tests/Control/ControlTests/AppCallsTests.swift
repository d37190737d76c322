import BusMethods
import EventLoop
import Foundation
import Glibc
import LibraryModel
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

@testable import Control

/// Apps call the real server through a real socket.
@Suite struct AppCallsTests {
  /// A program with one connection.
  private final class App {
    let bench: Bench
    let bus: Bus

    init(_ bench: Bench) throws {
      self.bench = bench
      bus = try bench.peer()
      try bench.loop.turn { [bus] in bus.isReady }
    }

    func call<Arguments, Results>(
      _ method: ControlMethod<Arguments, Results>, _ arguments: Arguments
    ) throws -> Result<Results, ControlError> {
      var answer: Result<Results, ControlError>?
      bus.call(
        method.method, at: ControlInterface.path, arguments, timeout: Hang.limit
      ) { result, details in
        answer = result.mapError { ControlError($0, details: details, .connected) }
      }
      try bench.loop.turn { answer != nil }
      return try #require(answer)
    }

    /// Opens a session and returns its number.
    func open(_ id: String = "radio") throws -> Int {
      try call(Session1.open, SessionOpening(id)).get().number
    }

    func code<Arguments, Results>(
      _ method: ControlMethod<Arguments, Results>, _ arguments: Arguments
    ) throws -> Refusal.Code? {
      if case .failure(let error) = try call(method, arguments) { error.refusal.code } else { nil }
    }
  }

  private func lastSession(_ bench: Bench) throws -> FakeSession {
    try #require(bench.unit.fakeApps?.sessions.last)
  }

  @Test func everyCall_reachesTheSession() throws {
    let now = MonotonicInstant(awake: .seconds(100))
    let bench = try Bench(clock: { now })
    let app = try App(bench)
    let opened = try app.call(Session1.open, AppValues.opening).get()
    #expect(
      opened
        == Numbered(1, SessionWelcome(language: "de", hasScreen: true, hasPlayed: true)))
    let session = try lastSession(bench)
    #expect(session.opening == AppValues.opening)
    #expect(session.access.id == "radio" && session.access.user == getuid())
    #expect(try app.call(Session1.setActive, Numbered(1, true)).get() == .done)
    let streams = try (0..<2).map { _ in
      try app.call(Sound1.openSound, Numbered(1, AppValues.format)).get().stream
    }
    var publication = AppValues.publication
    publication.playback = .streams(.paused, players: streams, leader: streams[1])
    try app.call(Session1.publish, Numbered(1, publication)).get()
    #expect(try app.call(Session1.claim, Numbered(1, .person)).get() == .granted)
    let answer = CommandAnswer.failed(Refusal(.failed, "no network", remedy: "wait"))
    try app.call(Session1.answer, Numbered(1, Numbered(7, answer))).get()
    let template = AppValues.opening.template
    try app.call(Session1.setTemplate, Numbered(1, Numbered(8, template))).get()
    let picture = try #require(
      ButtonPicture(.png, [UInt8](repeating: 7, count: ButtonPicture.limit)))
    try app.call(Session1.setButtonPicture, Numbered(1, NamedPicture("heart", picture))).get()
    try app.call(Session1.setButtonPicture, Numbered(1, NamedPicture("heart", nil))).get()
    _ = try app.call(Session1.giveArtwork, Numbered(1, GivenArtwork(9, .png))).get()
    try app.call(Session1.giveNoArtwork, Numbered(1, 10)).get()
    try app.call(Sound1.mark, Numbered(streams[0], AppValues.mark)).get()
    try app.call(Sound1.flush, Numbered(streams[0], 11)).get()
    try app.call(Sound1.finish, Numbered(streams[0], 12)).get()
    try app.call(Sound1.closeSound, streams[0]).get()
    try app.call(Session1.close, Numbered(1, false)).get()
    #expect(
      session.calls == [
        .active(true), .sound(AppValues.format, streams[0]), .sound(AppValues.format, streams[1]),
        .publish(publication), .claim(.person), .answer(7, answer),
        .template(template, screen: 8), .picture(picture, "heart"), .picture(nil, "heart"),
        .artwork(9, .png), .artwork(10, nil), .mark(AppValues.mark, streams[0]),
        .flush(streams[0], 11), .finish(streams[0], 12), .closeSound(streams[0]),
        .end(.closed(notifyingOthers: false)),
      ])
    for (method, number) in [(Session1.giveNoArtwork, 1), (Sound1.flush, streams[1])] {
      #expect(
        try app.code(method, Numbered(number, 1))
          == (number == 1 ? .noSuchSession : .noSuchStream))
    }
  }

  @Test func choiceOfAnApp_reachesIt_orSaysThatItsProgramDoesNotRun() throws {
    let bench = try Bench()
    let apps = try #require(bench.unit.fakeApps)
    apps.volumes = [VolumeState(app: "radio", name: "Radio", isOpen: true, obstacle: nil)]
    let app = try App(bench)
    apps.choice = .told
    #expect(try app.code(Sources1.choose, "app:radio") == nil)
    apps.choice = .absent
    #expect(try app.code(Sources1.choose, "app:radio") == .sourceAbsent)
    #expect(apps.chosen == ["radio", "radio"])
  }

  @Test func frames_passThroughTheSocketThatTheAppGets() throws {
    let bench = try Bench()
    let app = try App(bench)
    let opened = try app.call(
      Sound1.openSound, Numbered(try app.open(), AppValues.format)
    ).get()
    #expect(opened.format == AppValues.format)
    let socket = try #require(opened.socket)
    let end = try #require(try lastSession(bench).ends.first)
    let packet = [UInt8](0..<100)
    #expect(send(socket.number, packet, packet.count, Int32(MSG_NOSIGNAL)) == 100)
    var received = [UInt8](repeating: 0, count: 200)
    #expect(recv(end, &received, 200, 0) == 100 && Array(received.prefix(100)) == packet)
    withExtendedLifetime(opened) {}
  }

  @Test func endOfTheApp_isTheEndOfItsSocket() throws {
    let bench = try Bench()
    let app = try App(bench)
    var socket = try app.call(
      Sound1.openSound, Numbered(try app.open(), AppValues.format)
    ).get().socket
    let end = try #require(try lastSession(bench).ends.first)
    var byte: UInt8 = 0
    #expect(recv(end, &byte, 1, Int32(MSG_DONTWAIT)) == -1 && errno == EAGAIN)
    #expect(socket != nil)
    socket = nil
    #expect(recv(end, &byte, 1, 0) == 0)
  }

  @Test func disconnection_endsTheSessionsOfThisConnectionOnly() throws {
    let bench = try Bench()
    let (one, other) = (try App(bench), try App(bench))
    _ = (try one.open("a"), try one.open("a.b"), try other.open("c"))
    let sessions = try #require(bench.unit.fakeApps?.sessions)
    one.bus.close()
    try bench.loop.turn { sessions[1].calls.count == 1 && sessions[0].calls.count == 1 }
    #expect(sessions[0].calls == [.end(.lost)])
    #expect(sessions[2].calls.isEmpty)
    bench.server = nil
    #expect(sessions[2].calls == [.end(.lost)])
    #expect(sessions[0].calls.count == 1)
  }

  @Test func sessionWithTheSameIdentity_replacesTheEarlierOne() throws {
    let bench = try Bench()
    let (one, other) = (try App(bench), try App(bench))
    let first = try one.open()
    let second = try other.open()
    let sessions = try #require(bench.unit.fakeApps?.sessions)
    #expect(sessions[0].calls == [.end(.replaced)] && sessions[1].calls.isEmpty)
    #expect(try one.code(Session1.setActive, Numbered(first, true)) == .noSuchSession)
    #expect(try other.code(Session1.setActive, Numbered(second, true)) == nil)
  }

  @Test func sessionOfAnotherApp_isUnknown() throws {
    let bench = try Bench()
    let (one, other) = (try App(bench), try App(bench))
    let session = try one.open("a")
    _ = try other.open("b")
    let stream = try one.call(Sound1.openSound, Numbered(session, AppValues.format)).get().stream
    #expect(try other.code(Session1.close, Numbered(session, true)) == .noSuchSession)
    #expect(
      try other.code(Session1.publish, Numbered(session, SessionPublication())) == .noSuchSession)
    #expect(try other.code(Sound1.openSound, Numbered(session, AppValues.format)) == .noSuchSession)
    #expect(try other.code(Sound1.closeSound, stream) == .noSuchStream)
    #expect(try other.code(Sound1.mark, Numbered(stream, AppValues.mark)) == .noSuchStream)
    // A publication can name only streams of its own session.
    var publication = SessionPublication()
    publication.playback = .streams(.paused, players: [stream], leader: stream)
    let second = try one.open("a.b")
    #expect(try one.code(Session1.publish, Numbered(second, publication)) == .noSuchStream)
    #expect(try one.code(Session1.publish, Numbered(session, publication)) == nil)
  }

  @Test func signals_reachOnlyTheirOwner() throws {
    let bench = try Bench()
    let (one, other) = (try App(bench), try App(bench))
    let session = try one.open("a")
    _ = try other.open("b")
    var received: [[String]] = [[], []]
    let matches = try [one, other].enumerated().map { index, app in
      try app.bus.match(MatchRule(path: ControlInterface.path)) { message in
        received[index].append(message.member)
      }
    }
    let port = try #require(bench.unit.fakeApps?.sessions.first?.port)
    port.send(.media(.play), number: 1)
    port.send(.resume)
    port.send(ConnectedScreen(number: 1, name: "screen"))
    port.send(WantedArtwork(1, "a", "b", 0, 0))
    port.send(SessionStatus())
    port.send(HeardFrame(stream: 1, frame: 2, at: MonotonicInstant(awake: .zero)))
    port.send(.fed, of: 1)
    let names = [
      "Command", "Instruction", "ScreenConnected", "ArtworkWanted", "Status", "Heard", "Ran",
    ]
    try bench.loop.turn { received[0].count == names.count }
    #expect(received[0] == names)
    // After the end of the session, nothing is sent. The answer of the next call arrives after all signals.
    try one.call(Session1.close, Numbered(session, true)).get()
    port.send(.fed, of: 1)
    _ = try (one.open("a"), other.open("b.c"))
    #expect(received[0] == names && received[1].isEmpty)
    withExtendedLifetime(matches) {}
  }

  @Test func unitWithoutApps_refusesASession() throws {
    let bench = try Bench()
    bench.unit.fakeApps = nil
    #expect(try App(bench).code(Session1.open, SessionOpening("a")) == .noApps)
  }

  @Test func refusalOfASession_opensNothing() throws {
    let bench = try Bench()
    bench.unit.fakeApps?.refusal = Refusal(.failed, "no")
    let app = try App(bench)
    for _ in 0..<10 { #expect(try app.code(Session1.open, SessionOpening("a")) == .failed) }
    bench.unit.fakeApps?.refusal = nil
    let session = try app.open("a")
    bench.unit.fakeApps?.refusal = Refusal(.failed, "no")
    for _ in 0..<10 {
      #expect(try app.code(Sound1.openSound, Numbered(session, AppValues.format)) == .failed)
    }
    bench.unit.fakeApps?.refusal = nil
    #expect(try app.code(Sound1.openSound, Numbered(session, AppValues.format)) == nil)
  }

  // MARK: Limits

  @Test func sessionsAndStreams_areLimited() throws {
    let bench = try Bench()
    let app = try App(bench)
    let sessions = try ["a", "b", "c", "d"].map { try app.open($0) }
    #expect(try app.code(Session1.open, SessionOpening("e")) == .tooManySessions)
    for session in sessions {
      #expect(try app.code(Sound1.openSound, Numbered(session, AppValues.format)) == nil)
    }
    #expect(
      try app.code(Sound1.openSound, Numbered(sessions[0], AppValues.format)) == .tooManyStreams)
  }

  @Test func publications_areLimitedPerSecond() throws {
    var now = MonotonicInstant(awake: .seconds(100))
    let bench = try Bench(clock: { now })
    let app = try App(bench)
    let session = try app.open()
    func accepted() throws -> Int {
      try (0..<60).count { _ in
        try app.code(Session1.publish, Numbered(session, SessionPublication())) == nil
      }
    }
    // `Open` counts, too.
    #expect(try accepted() == 39)
    #expect(
      try app.code(Session1.publish, Numbered(session, SessionPublication())) == .tooManyCalls)
    now = now.advanced(by: .milliseconds(500))
    #expect(try accepted() == 10)
    // An answer to a command is always accepted.
    #expect(
      try app.code(Session1.answer, Numbered(session, Numbered(1, .success))) == nil)
  }

  @Test func longMessage_endsTheConnectionAndItsSessions() throws {
    let bench = try Bench()
    let app = try App(bench)
    let session = try app.open()
    let name = BusValue.string("a")
    _ = try bench.call(
      app.bus, Session1.interface.name, "SetButtonPicture",
      [.uint64(UInt64(session)), name, .string("png"), .bytes([UInt8](repeating: 0, count: 65536))])
    #expect(bench.endings == [.oversizedMessage])
    #expect(try lastSession(bench).calls == [.end(.lost)])
  }

  @Test func pictureAboveTheLimit_isRefused() throws {
    let bench = try Bench()
    let app = try App(bench)
    let session = BusValue.uint64(UInt64(try app.open()))
    func set(_ name: String, _ count: Int) throws -> String? {
      let result = try bench.call(
        app.bus, Session1.interface.name, "SetButtonPicture",
        [session, .string(name), .string("png"), .bytes([UInt8](repeating: 0, count: count))])
      guard case .failure(.remote(let name, let message)) = result else { return nil }
      #expect(name == BusErrorName.invalidArguments)
      return message.split(separator: ":").first.map(String.init)
    }
    #expect(try set("a", ButtonPicture.limit) == nil)
    #expect(try set("a", ButtonPicture.limit + 1) == "bytes")
    #expect(try set("a", 0) == "bytes")
    #expect(try set("", 1) == "name" && set(String(repeating: "a", count: 257), 1) == "name")
  }

  // MARK: Descriptors

  @Test func clientThatCannotReceiveDescriptors_opensNoStream() throws {
    let bench = try Bench()
    let text = try Python.sound(bench, session: 1, negotiates: false)
    #expect(text.contains("no-descriptors"), "\(text)")
    #expect(try lastSession(bench).calls == [.end(.lost)])
    let other = try Python.sound(bench, session: 2, negotiates: true)
    #expect(other == "a descriptor", "\(other)")
  }

  @Test func clientThatDoesNotRead_getsNoDescriptors() throws {
    let bench = try Bench()
    let app = try App(bench)
    let session = try app.open()
    let stream = try app.call(Sound1.openSound, Numbered(session, AppValues.format)).get().stream
    let fake = try lastSession(bench)
    let client = try #require(bench.server?.clients.values.first)
    // The loop does not run while the signals are sent, so the client does not read.
    while client.isReading { fake.port.send(.starved, of: stream) }
    #expect(throws: Refusal.self) { try client.requireDescriptors() }
    // Positions are left out meanwhile.
    var heard = 0
    let match = try app.bus.match(MatchRule(member: "Heard")) { _ in heard += 1 }
    fake.port.send(HeardFrame(stream: stream, frame: 1, at: MonotonicInstant(awake: .zero)))
    try bench.loop.turn { client.isReading }
    fake.port.send(HeardFrame(stream: stream, frame: 2, at: MonotonicInstant(awake: .zero)))
    try bench.loop.turn { heard > 0 }
    #expect(try app.code(Sound1.openSound, Numbered(session, AppValues.format)) == nil)
    #expect(heard == 1)
    withExtendedLifetime(match) {}
  }

  @Test func clientThatSendsDescriptors_isDropped_andItsSessionEnds() throws {
    let bench = try Bench()
    let app = try App(bench)
    _ = try app.open()
    let descriptor = try #require(BusDescriptor(duplicating: 0))
    let result = try bench.call(
      app.bus, Session1.interface.name, "Open",
      [.string("a"), .properties(["new": .descriptor(descriptor)])])
    #expect(result == .failure(.disconnected))
    #expect(bench.endings == [.malformedMessage])
    #expect(try lastSession(bench).calls == [.end(.lost)])
  }

  // MARK: Rights

  @Test(.enabled(if: getuid() == 0, "needs root, to run as another user"))
  func app_seesNothingButItsOwnSession() throws {
    let radio = AppAccess(id: "radio", user: 65534, name: "Radio")
    let rule = AccessRule(user: 0, console: nil, screen: nil, apps: [radio])
    let bench = try Bench(mode: 0o666, access: rule)
    chmod(bench.folder.url.path, 0o755)
    // The types of the arguments are checked before the right, so each call has arguments of its types.
    let samples = [
      "s": "", "as": "0", "a{sv}": "0", "b": "false", "u": "0", "t": "0", "x": "0", "d": "0",
    ]
    for method in ControlInterface.all.flatMap(\.rows) where method.right != .publish {
      let row = method.method
      let types = row.arguments.map(\.signature)
      let arguments = try types.map { try #require(samples[$0]) }
      let answer = try call(bench, [row.interface, row.name, types.joined()] + arguments)
      #expect(answer.contains("Access denied"), "\(row.fullName): \(answer)")
    }
    #expect(
      try call(bench, [Session1.interface.name, "Open", "sa{sv}", "radio", "0"])
        .hasPrefix("ta{sv} 1 "))
    #expect(try lastSession(bench).access == radio)
    #expect(
      try call(bench, [Session1.interface.name, "Open", "sa{sv}", "other", "0"])
        .contains("does not belong"))
    #expect(bench.unit.fakeApps?.sessions.count == 1)
  }

  @Test(.enabled(if: getuid() == 0, "needs root, to run as another user"))
  func app_mayNameAPerson_onlyIfItsFilePermitsIt() throws {
    for mayClaim in [true, false] {
      let radio = AppAccess(id: "radio", user: 65534, mayClaimForPerson: mayClaim)
      let rule = AccessRule(user: 0, console: nil, screen: nil, apps: [radio])
      let bench = try Bench(mode: 0o666, access: rule)
      chmod(bench.folder.url.path, 0o755)
      let text = try Python.claim(bench)
      #expect(text.contains("granted") == mayClaim, "\(text)")
      #expect(text.contains("not-your-app") != mayClaim)
    }
  }

  @Test(.enabled(if: getuid() == 0, "needs root, to run as another user"))
  func app_hasFewConnections() throws {
    let radio = AppAccess(id: "radio", user: 65534)
    let rule = AccessRule(user: 0, console: nil, screen: nil, apps: [radio])
    let bench = try Bench(mode: 0o666, access: rule)
    chmod(bench.folder.url.path, 0o755)
    let text = try Python.connections(bench, 10)
    #expect(text == "8")
  }

  /// Calls a method as the user `nobody`.
  private func call(_ bench: Bench, _ arguments: [String]) throws -> String {
    let options = [
      "--reuid=65534", "--regid=65534", "--clear-groups", "busctl", "--address=\(bench.address)",
    ]
    let call = ["call", "org.autoharp", ControlInterface.path] + arguments
    switch try bench.loop.run("setpriv", options + call) {
    case .success(let text): return text
    case .failure(let error): return "\(error)"
    }
  }
}

/// Clients that do not use libsystemd.
private enum Python {
  /// A D-Bus client in a few lines. `call` returns the bytes of the answer as text, and the number of descriptors.
  private static let library = """
    import socket, struct, sys
    def pad(b, n): return b + bytes(-len(b) % n)
    def text(s): return struct.pack('<I', len(s)) + s.encode() + b'\\0'
    class Client:
      def __init__(self, path, fds):
        self.s = socket.socket(socket.AF_UNIX); self.s.connect(path); self.n = 0
        self.s.sendall(b'\\0AUTH ANONYMOUS \\r\\n')
        self.line()
        if fds: self.s.sendall(b'NEGOTIATE_UNIX_FD\\r\\n'); self.line()
        self.s.sendall(b'BEGIN\\r\\n')
      def line(self):
        b = b''
        while not b.endswith(b'\\r\\n'):
          c = self.s.recv(1)
          if not c: raise EOFError
          b += c
        if not b.startswith((b'OK', b'AGREE')): raise EOFError(b)
      def call(self, interface, member, signature, body):
        self.n += 1; f = b''
        for code, kind, value in ((1, 'o', '/org/autoharp'), (2, 's', interface), (3, 's', member)):
          f = pad(f, 8) + bytes([code, 1]) + kind.encode() + b'\\0' + text(value)
        f = pad(f, 8) + bytes([8, 1]) + b'g\\0' + bytes([len(signature)]) + signature.encode() + b'\\0'
        h = b'l\\1\\0\\1' + struct.pack('<III', len(body), self.n, len(f))
        self.s.sendall(pad(h + f, 8) + body)
        d, fds, _, _ = socket.recv_fds(self.s, 16, 9)
        while len(d) < 16: d += self.s.recv(16 - len(d))
        n, _, m = struct.unpack('<III', d[4:16]); rest = (m + 7) // 8 * 8 + n
        while len(d) < 16 + rest:
          more, other, _, _ = socket.recv_fds(self.s, 16 + rest - len(d), 9); d += more; fds += other
        return d.decode('latin-1'), len(fds)
    OPEN = text('radio'); OPEN = pad(OPEN, 4) + struct.pack('<I', 0); OPEN = pad(OPEN, 8)
    """

  static func sound(_ bench: Bench, session: Int, negotiates: Bool) throws -> String {
    try run(
      bench,
      """
      c = Client(sys.argv[1], \(negotiates ? "True" : "False"))
      c.call('org.autoharp.Session1', 'Open', 'sa{sv}', OPEN)
      d = b''
      for k, kind, v in (('kind', 's', text('track')), ('rate', 'u', struct.pack('<I', 44100)),
                         ('channels', 'u', struct.pack('<I', 2)), ('format', 's', text('s16'))):
        d = pad(d, 8) + text(k) + bytes([1]) + kind.encode() + b'\\0'
        d = pad(d, 4) + v
      body = struct.pack('<QI', \(session), len(d)) + bytes(4) + d
      t, n = c.call('org.autoharp.Sound1', 'OpenSound', 'ta{sv}', body)
      sys.stdout.write('a descriptor' if n == 1 else t)
      """)
  }

  static func claim(_ bench: Bench) throws -> String {
    try run(
      bench,
      """
      c = Client(sys.argv[1], True)
      c.call('org.autoharp.Session1', 'Open', 'sa{sv}', OPEN)
      print(c.call('org.autoharp.Session1', 'Claim', 'ts', struct.pack('<Q', 1) + text('person'))[0])
      """, isNobody: true)
  }

  static func connections(_ bench: Bench, _ count: Int) throws -> String {
    try run(
      bench,
      """
      clients = []
      for i in range(\(count)):
        try: clients.append(Client(sys.argv[1], True))
        except (EOFError, OSError): pass
      sys.stdout.write(str(len(clients)))
      """, isNobody: true)
  }

  private static func run(
    _ bench: Bench, _ program: String, isNobody: Bool = false
  ) throws -> String {
    // `nobody` cannot run the Python of every machine, so the program itself changes its user.
    let user = isNobody ? "import os; os.setgroups([]); os.setgid(65534); os.setuid(65534)\n" : ""
    return try bench.loop.run("python3", ["-c", library + "\n" + user + program, bench.path]).get()
  }
}
