import AudioEngine
import Glibc
import Testing
import Threads

extension PlaybackEngine {
  /// Calls `isDone` whenever the engine has something to say, until it is true. The position, and
  /// an amplifier's switch, move without events; to look at them sometimes is what a player does.
  ///
  /// - Parameter failures: of the device, for the words of a hang.
  func turn(
    sourceLocation: SourceLocation, until isDone: () -> Bool, orSay failures: () -> [SinkError]
  ) {
    // Far beyond what any test takes, so that only a hang meets it.
    let limit = Self.nanoseconds() + 60_000_000_000
    while !isDone() {
      guard Self.nanoseconds() < limit else {
        let words = failures().map(\.reason).joined(separator: "; ")
        Issue.record("nothing came; of the device: \(words)", sourceLocation: sourceLocation)
        return
      }
      var entry = pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&entry, 1, 5)
    }
  }

  /// The clock that the paced card stamps with.
  static func nanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
