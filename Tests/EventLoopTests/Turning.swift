import EventLoop
import Testing

extension EventLoop {
  /// Turns until `condition` holds. The limit is for a test that has failed, not a judgement.
  func turn(
    until condition: () -> Bool, _ sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let deadline = EventClock.monotonic.now + 20_000_000_000
    while !condition() {
      try #require(EventClock.monotonic.now < deadline, sourceLocation: sourceLocation)
      try step(timeout: .milliseconds(100))
    }
  }
}
