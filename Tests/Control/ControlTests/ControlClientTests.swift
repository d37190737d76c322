import Control
import EventLoop
import NowPlaying
import SystemClock
import Reports
import TestKit
import Testing

@Suite struct ControlClientTests {
  @Test func subscribe_receivesTheStateAndEachChange() throws {
    let bench = try Bench()
    let client = try bench.client()
    var states: [NowPlayingState] = []
    client.onNowPlaying = { states.append($0) }
    client.subscribe()
    try bench.loop.turn { !states.isEmpty }
    #expect(states == [bench.center.state])
    bench.source.setRate(1)
    try bench.loop.turn { states.count == 2 }
    bench.source.go(to: 2)
    try bench.loop.turn { states.count == 3 }
    #expect(states.map(\.revision) == Array(1...3).map { $0 + states[0].revision - 1 })
    #expect(states.last == bench.center.state)
    let now = MonotonicInstant.now()
    #expect(states.last?.elapsed(at: now) == bench.center.state.elapsed(at: now))
  }

  @Test func send_command_returnsItsNumberInTheTrace() throws {
    let bench = try Bench()
    let client = try bench.client()
    let outcome = try bench.answer { client.call(Commands1.send, SentCommand(.media(.next)), $0) }
      .get()
    #expect(outcome.answer == .success)
    let record = try #require(bench.center.trace[outcome.number])
    #expect(record.request == .media(.next))
    #expect(record.surface == ControlServer.sharedSurface)
    #expect(record.inputPath == .socket)
    #expect(bench.source.performed == ["next"])
  }
}
