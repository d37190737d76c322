import NowPlaying
import Testing

@testable import LocalPlayer

@Suite struct WaitTests {
  private let start = MonotonicInstant(awake: .seconds(100))

  private func after(_ milliseconds: Int) -> MonotonicInstant {
    start.advanced(by: .milliseconds(milliseconds))
  }

  @Test func update_afterTheLimit_isLongWithoutDeadline() {
    var wait = Wait(limit: .milliseconds(300))
    #expect(!wait.isActive && !wait.isLong && wait.deadline == nil)
    wait.update(at: start)
    #expect(wait.isActive && !wait.isLong && wait.deadline == after(300))
    wait.update(at: after(299))
    #expect(!wait.isLong && wait.deadline == after(300), "the wait began with the first update")
    wait.update(at: after(300))
    #expect(wait.isLong && wait.deadline == nil)
  }

  @Test func end_thenUpdate_startsANewWait() {
    var wait = Wait(limit: .milliseconds(300))
    wait.update(at: start)
    wait.update(at: after(400))
    wait.end()
    #expect(!wait.isActive && !wait.isLong && wait.deadline == nil)
    wait.update(at: after(500))
    #expect(!wait.isLong && wait.deadline == after(800))
  }
}
