import NowPlaying
import Testing

@testable import LocalPlayer

@Suite struct WaitTests {
  private let start = MonotonicInstant(awake: .seconds(100))

  private func after(_ milliseconds: Int) -> MonotonicInstant {
    start.advanced(by: .milliseconds(milliseconds))
  }

  @Test func update_afterTheLimit_isLongWithoutDeadline() {
    var wait = Wait(patience: .milliseconds(300))
    #expect(!wait.isGoingOn && !wait.isLong && wait.deadline == nil)
    wait.go(on: start)
    #expect(wait.isGoingOn && !wait.isLong && wait.deadline == after(300))
    wait.go(on: after(299))
    #expect(!wait.isLong && wait.deadline == after(300), "it began with the first")
    wait.go(on: after(300))
    #expect(wait.isLong && wait.deadline == nil)
  }

  @Test func end_thenUpdate_startsANewWait() {
    var wait = Wait(patience: .milliseconds(300))
    wait.go(on: start)
    wait.go(on: after(400))
    wait.end()
    #expect(!wait.isGoingOn && !wait.isLong && wait.deadline == nil)
    wait.go(on: after(500))
    #expect(!wait.isLong && wait.deadline == after(800))
  }
}
