import EventLoop
import TestKit
import Testing

@Suite struct TurnsTests {
  let loop = EventLoop()

  @Test func requestsOfOneEvent_becomeOneTurn_afterItsHandler() throws {
    let turns = Turns(loop)
    var (count, isHandling) = (0, false)
    turns.begin {
      #expect(!isHandling)
      count += 1
    }
    let timer = TimerSource(loop) {
      isHandling = true
      for _ in 0..<3 { turns.request() }
      isHandling = false
    }
    for expected in 1...2 {
      timer.set(after: .zero)
      try loop.turn { count == expected }
      while try loop.step() {}
      #expect(count == expected)
    }
  }

  @Test func requestInATurn_isFollowedByAnotherTurn() throws {
    let turns = Turns(loop)
    var count = 0
    turns.begin {
      count += 1
      if count < 3 { turns.request() }
    }
    turns.request()
    try loop.turn { count == 3 }
    while try loop.step() {}
    #expect(count == 3)
  }

  @Test func turnsThatAlwaysRequestAnother_doNotStopOtherEvents() throws {
    let turns = Turns(loop)
    turns.begin { turns.request() }
    turns.request()
    var count = 0
    var timer: TimerSource?
    timer = TimerSource(loop) {
      count += 1
      if count < 10 { timer?.set(after: .zero) }
    }
    timer?.set(after: .zero)
    try loop.turn { count == 10 }
    timer = nil
  }

  @Test func requestsBeforeTheBeginningAndAfterTheEnd_doNothing() throws {
    let turns = Turns(loop)
    var count = 0
    turns.request()
    while try loop.step() {}
    turns.begin { count += 1 }
    while try loop.step() {}
    #expect(count == 0)
    turns.request()
    turns.end()
    while try loop.step() {}
    #expect(count == 0)
    // The request before `end` caused no turn. This request does not block later turns.
    turns.begin { count += 1 }
    turns.request()
    try loop.turn { count == 1 }
  }
}
