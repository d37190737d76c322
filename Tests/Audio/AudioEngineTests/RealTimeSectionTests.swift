import Foundation
import TestKit
import Testing

/// These tests prove that the real-time sanitizer works. `make test-rt` runs each test in its own process, and requires
/// that the sanitizer ends the process.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["AUTOHARP_MUST_DIE"] != nil))
struct RealTimeSectionTests {
  private final class Box {
    var value = 1
  }

  @Test func mustDie_allocation() {
    #expect(RealTimeSection.isWatched)
    var box: Box?
    RealTimeSection.run { box = Box() }
    #expect(box?.value == 1)
  }

  @Test func mustDie_lock() {
    let lock = NSLock()
    RealTimeSection.run { lock.lock() }
    lock.unlock()
  }

  @Test func mustDie_wait() {
    RealTimeSection.run { usleep(1) }
  }
}
