import Glibc
import NowPlayingClient

/// Limits the messages of one kind to one a second. A value without I/O.
struct MessageLimiter {
  private var last: MonotonicInstant?
  private var suppressed = 0

  /// Returns how many messages were suppressed before this one; nil if this one is to be suppressed.
  mutating func take(at now: MonotonicInstant) -> Int? {
    if let last, now.awakeTime(since: last) < .seconds(1) {
      suppressed += 1
      return nil
    }
    last = now
    defer { suppressed = 0 }
    return suppressed
  }
}

/// Writes a message to the descriptor of standard error. Swift 6 does not permit access to the C variable `stderr`.
/// Errors are ignored.
func reportError(_ text: String) {
  let bytes = Array("autoharp-app: \(text)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
