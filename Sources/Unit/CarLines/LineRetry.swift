internal import EventLoop

/// Tries again to open lines that could not be opened, and reports each reason once.
///
/// The wait grows, because a line that the board does not have never appears.
final class LineRetry {
  /// Called with a reason that differs from the one before.
  var onFailure: ((String) -> Void)?

  private static let longestWait = Duration.seconds(60)
  private let firstWait: Duration
  private var wait: Duration
  private var lastFailure = ""
  private var timer: TimerSource?

  /// - Parameter open: called when the lines are to be opened again.
  init(_ loop: EventLoop, firstWait: Duration, open: @escaping () -> Void) {
    self.firstWait = firstWait
    wait = firstWait
    timer = TimerSource(loop) { open() }
  }

  /// Forgets the failures: the lines are open, or other lines are wanted.
  func reset() {
    timer?.stop()
    wait = firstWait
    lastFailure = ""
  }

  func failed(_ reason: String) {
    timer?.set(after: wait)
    wait = min(wait * 2, Self.longestWait)
    guard reason != lastFailure else { return }
    lastFailure = reason
    onFailure?(reason)
  }
}
