import Control
import EventLoop
import NowPlaying
import SystemClock
import TestKit
import Testing

@Suite struct SystemBusTests {
  @Test func busThatComesLater_hasTheSameObject() throws {
    let folder = try TemporaryFolder()
    let bench = try Bench(bus: .bus("unix:path=\(folder.path("none"))"))
    // Nothing waits for it.
    let client = try bench.client()
    #expect(try bench.answer { client.getState($0) }.get() == bench.center.state)
  }

  @Test func callersOnABus_areClientsToo() throws {
    let bus = try PrivateBus()
    let bench = try Bench(bus: .bus(bus.address))
    let caller = try Bus(bench.loop, to: .bus(bus.address))
    var owner: String?
    let watch = try caller.watchName(ControlInterface.busName) { owner = $0 }
    try bench.loop.turn { owner != nil }

    func call(_ interface: BusInterface, _ member: String, _ arguments: [BusValue] = []) throws
      -> Result<[BusValue], BusError>
    {
      var answer: Result<[BusValue], BusError>?
      caller.call(
        ControlInterface.busName, ControlInterface.path, interface.name, member, arguments
      ) { answer = $0.map(\.values) }
      try bench.loop.turn { answer != nil }
      return try #require(answer)
    }
    #expect(try call(ControlInterface.commands, "Play") == .success([]))
    #expect(bench.source.performed == ["play"])

    // A surface, with its signals for it alone.
    var states = 0
    let match = try caller.match(
      MatchRule(sender: ControlInterface.busName, member: "StateChanged")
    ) { _ in states += 1 }
    guard
      case .success = try call(
        ControlInterface.surface, "Register", [.string("screen"), .boolean(true)])
    else {
      Issue.record("not registered")
      return
    }
    bench.source.setRate(0)
    try bench.loop.turn { states >= 1 }
    #expect(
      bench.center.inspection(at: MonotonicInstant.now()).surfaces.contains { $0.id == "screen" })
    watch.cancel()
    match.cancel()
    caller.close()
    try bench.loop.turn {
      !bench.center.inspection(at: MonotonicInstant.now()).surfaces.contains { $0.id == "screen" }
    }
  }

  @Test func busThatEnds_takesItsCallersWithIt() throws {
    let bus = try PrivateBus()
    let bench = try Bench(bus: .bus(bus.address))
    let caller = try Bus(bench.loop, to: .bus(bus.address))
    var owner: String?
    let watch = try caller.watchName(ControlInterface.busName) { owner = $0 }
    try bench.loop.turn { owner != nil }
    caller.call(
      ControlInterface.busName, ControlInterface.path, ControlInterface.surface.name, "Register",
      [.string("screen"), .boolean(false)]
    ) { _ in }
    func isThere() -> Bool {
      bench.center.inspection(at: MonotonicInstant.now()).surfaces.contains { $0.id == "screen" }
    }
    try bench.loop.turn { isThere() }
    bus.stop()
    try bench.loop.turn { !isThere() }
    // The socket goes on.
    let client = try bench.client()
    #expect(try bench.answer { client.getState($0) }.get() == bench.center.state)
    withExtendedLifetime(watch) {}
  }
}
