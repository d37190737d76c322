import BusMethods
import EventLoop
import TestKit
import Testing

/// Tests typed D-Bus methods over a real socket.
@Suite struct MethodHandlersTests {
  private struct Sum: Equatable, Sendable {
    var first = 0
    var second = 0
    var isNegative = false
    var note: String?
  }

  private static let add = BusMethod<Sum, Int>(
    "Sums1.Add",
    takes: .record(Sum()) { field, sum in
      try field("first", &sum.first, .count)
      try field("second", &sum.second, .number(0...10))
      try field.options("options")
      try field.flag("isNegative", &sum.isNegative)
      try field.option("note", &sum.note, .text)
    }, returns: .one("sum", .count))
  private static let reset = BusMethod<Void, Void>("Sums1.Reset", takes: .none, returns: .none)
  private static let changed = BusSignal<String>("Sums1.Changed", carries: .one("text", .text))

  private final class Server {
    private(set) var sums: [Sum] = []
    private(set) var kept: TypedCall<Sum, Int, String>?
    private(set) var callers: [String] = []
    var keeps = false

    static func makeHandlers() -> MethodHandlers<Server, String> {
      var handlers = MethodHandlers<Server, String>()
      handlers.on(add, check: { sum, _ in if sum.first == 13 { throw Refused() } }) {
        $0.answer($1)
      }
      handlers.on(reset) { server, call in
        server.kept = nil
        server.callers.append(call.caller)
        call.reply()
      }
      return handlers
    }

    private func answer(_ call: TypedCall<Sum, Int, String>) {
      sums.append(call.arguments)
      if keeps {
        kept = call
      } else {
        call.reply(call.arguments.first + call.arguments.second)
      }
    }
  }

  private struct Refused: Error {}

  private final class Bench {
    let loop = EventLoop()
    let server = Server()
    let peer: Bus
    private let folder: TemporaryFolder
    private let listener: PeerListener
    private let tree = ObjectTree()
    private(set) var accepted: Bus?

    init() throws {
      folder = try TemporaryFolder()
      let path = folder.path("socket")
      listener = try PeerListener(loop, path: path)
      peer = try Bus(loop, to: .socket(path))
      let handlers = Server.makeHandlers()
      handlers.checkComplete([add.row, reset.row])
      let interface = BusInterface(
        add.row.interface, methods: [add.row.declaration, reset.row.declaration],
        signals: [changed.declaration])
      try tree.add(
        BusObject(path: "/sums", interfaces: [interface]) { [unowned self] call in
          do { try handlers.handle(call, server, "a caller") } catch {
            call.fail("org.autoharp.Error.Test", "\(error)")
          }
        })
      listener.onPeer = { [unowned self] in
        $0.objects = tree
        accepted = $0
      }
      try loop.turn { peer.isReady && accepted != nil }
    }

    func ask<Arguments, Results>(
      _ method: BusMethod<Arguments, Results>, _ arguments: Arguments
    ) throws -> Result<Results, any Error> {
      var answer: Result<Results, any Error>?
      peer.call(method, at: "/sums", arguments, timeout: Hang.limit) { result, _ in
        answer = result
      }
      try loop.turn { answer != nil }
      return try #require(answer)
    }
  }

  @Test func call_arrivesWithItsArguments_andIsAnswered() throws {
    let bench = try Bench()
    let sum = Sum(first: 3, second: 99, isNegative: true, note: "a")
    #expect(try bench.ask(Self.add, sum).get() == 13, "the second number has a limit")
    #expect(bench.server.sums == [Sum(first: 3, second: 10, isNegative: true, note: "a")])
    try bench.ask(Self.reset, ()).get()
    #expect(bench.server.callers == ["a caller"])
  }

  @Test func call_thatTheCheckRefuses_doesNotReachTheHandler() throws {
    let bench = try Bench()
    #expect(throws: BusError.self) { try bench.ask(Self.add, Sum(first: 13)).get() }
    #expect(bench.server.sums.isEmpty)
  }

  @Test func keptCall_isAnsweredLater_andADroppedOneIsAnError() throws {
    let bench = try Bench()
    bench.server.keeps = true
    var answers: [Int?] = []
    func ask() throws {
      bench.peer.call(Self.add, at: "/sums", Sum(first: 1), timeout: Hang.limit) { result, _ in
        answers.append(try? result.get())
      }
      try bench.loop.turn { bench.server.kept != nil }
    }
    try ask()
    bench.server.kept?.reply(5)
    try bench.loop.turn { answers == [5] }
    try bench.ask(Self.reset, ()).get()
    try ask()
    try bench.ask(Self.reset, ()).get()
    try bench.loop.turn { answers == [5, nil] }
  }

  @Test func signal_arrivesWithItsValues() throws {
    let bench = try Bench()
    var texts: [String] = []
    let match = try bench.peer.match(Self.changed, at: "/sums") {
      texts.append((try? $0.get()) ?? "unreadable")
    }
    try bench.accepted?.emit(Self.changed, at: "/sums", "a")
    try bench.accepted?.emit("/sums", Self.changed.interface, Self.changed.name, [.byte(1)])
    try bench.loop.turn { texts.count == 2 }
    #expect(texts == ["a", "unreadable"])
    withExtendedLifetime(match) {}
  }

  @Test func methodWithoutAHandler_endsTheProgram() async {
    await #expect(processExitsWith: .failure) {
      MethodHandlers<Void, Void>().checkComplete([
        BusMethod<Void, Void>("Sums1.Reset", takes: .none, returns: .none).row
      ])
    }
  }

  @Test func handlerWithoutAMethod_endsTheProgram() async {
    await #expect(processExitsWith: .failure) {
      var handlers = MethodHandlers<Void, Void>()
      handlers.on(BusMethod<Void, Void>("Sums1.Reset", takes: .none, returns: .none)) {
        $1.reply()
      }
      handlers.checkComplete([])
    }
  }
}
