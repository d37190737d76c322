import AudioEngine
import Glibc
import Testing
import Threads

extension PlaybackEngine {
  /// Calls `isDone` until it returns true: after each event of the engine, and at least every 5 ms. The position and
  /// the amplifier's switch change without events, so the tests must poll both, as a player does.
  ///
  /// - Parameter failures: returns the errors of the device, for the message if the condition is not met in time.
  func turn(
    sourceLocation: SourceLocation, until isDone: () -> Bool, failures: () -> [SinkError]
  ) {
    // The limit is much longer than any test takes. Only a test that hangs reaches the limit.
    let limit = Self.nanoseconds() + 60_000_000_000
    while !isDone() {
      guard Self.nanoseconds() < limit else {
        let reasons = failures().map(\.reason).joined(separator: "; ")
        Issue.record(
          "the condition was not met within 60 s; errors of the device: \(reasons)",
          sourceLocation: sourceLocation)
        return
      }
      var entry = pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&entry, 1, 5)
    }
  }

  /// The time of CLOCK_MONOTONIC in nanoseconds. The simulated card uses the same clock for its timestamps.
  static func nanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
