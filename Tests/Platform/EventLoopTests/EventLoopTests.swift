import EventLoop
import Glibc
import TestKit
import Testing
import Threads

@Suite struct EventLoopTests {
  @Test func step_withoutAnEvent_returnsFalse() throws {
    let loop = EventLoop()
    #expect(try !loop.step())
    #expect(try !loop.step(timeout: .milliseconds(2)))
  }

  @Test func run_returnsTheExitCode() throws {
    let loop = EventLoop()
    let timer = TimerSource(loop) { [unowned loop] in loop.exit(7) }
    timer.set(after: .zero)
    #expect(try loop.run() == 7)
  }

  @Test func defer_runsInOrder_afterTheHandler_beforeOtherSources() throws {
    let loop = EventLoop()
    var seen: [String] = []
    let other = TimerSource(loop, priority: .important) { seen.append("other") }
    let first = TimerSource(loop, priority: .init(rawValue: -500)) { [unowned loop] in
      loop.defer {
        seen.append("one")
        loop.defer { seen.append("three") }
      }
      loop.defer { seen.append("two") }
      seen.append("handler")
    }
    other.set(after: .zero)
    first.set(after: .zero)
    try loop.turn { seen.count == 5 }
    #expect(seen == ["handler", "one", "two", "three", "other"])
  }

  @Test func priority_decidesTheOrder() throws {
    let loop = EventLoop()
    var seen: [Int64] = []
    let timers = [0, 100, -100, 5].map { (value: Int64) in
      TimerSource(loop, priority: .init(rawValue: value)) { seen.append(value) }
    }
    for timer in timers { timer.set(at: 1) }
    try loop.turn { seen.count == timers.count }
    #expect(seen == [-100, 0, 5, 100])
  }

  @Test func anotherThread_wakesTheLoop() throws {
    let loop = EventLoop()
    let wake = WakeUp()
    var woken = false
    let source = try DescriptorSource(loop, descriptor: wake.descriptor) { _ in
      wake.clear()
      woken = true
    }
    let thread = NamedThread("waker") { wake.signal() }
    try loop.turn { woken }
    thread.join()
    source.cancel()
    #expect(try !loop.step())
  }

  @Test func clocks_runForward() {
    for clock in EventClock.allCases {
      let before = clock.now
      #expect(before > 0)
      #expect(clock.now >= before)
    }
    #expect(EventClock.boottime.now >= EventClock.monotonic.now - 1_000_000)
  }
}
