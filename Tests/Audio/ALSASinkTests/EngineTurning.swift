import AudioEngine
import Glibc
import Testing
import Threads

extension PlaybackEngine {
  /// Calls `isDone` at each event of the engine until it is true. The position and the amplifier's
  /// switch change without events, so this polls them, as a player does.
  ///
  /// - Parameter failures: errors of the device, for the message of a hang.
  func turn(
    sourceLocation: SourceLocation, until isDone: () -> Bool, failures: () -> [SinkError]
  ) {
    // Much longer than any test takes: only a hang reaches it.
    let limit = Self.nanoseconds() + 60_000_000_000
    while !isDone() {
      guard Self.nanoseconds() < limit else {
        let reasons = failures().map(\.reason).joined(separator: "; ")
        Issue.record(
          "no event within 60 s; errors of the device: \(reasons)", sourceLocation: sourceLocation)
        return
      }
      var entry = pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&entry, 1, 5)
    }
  }

  /// The clock of the paced card's stamps.
  static func nanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
