internal import EventLoop

/// Tries again to open GPIO lines that could not be opened. Reports a failure only if its reason is new.
///
/// The time between two attempts grows, because a board can lack the line permanently.
final class LineRetry {
  /// Called with the reason of a failure if it differs from the reason of the failure before.
  var onFailure: ((String) -> Void)?

  private static let longestWait = Duration.seconds(60)
  private let firstWait: Duration
  private var wait: Duration
  private var lastFailure = ""
  private var timer: TimerSource?

  /// - Parameter open: called when the lines must be opened again.
  init(_ loop: EventLoop, firstWait: Duration, open: @escaping () -> Void) {
    self.firstWait = firstWait
    wait = firstWait
    timer = TimerSource(loop) { open() }
  }

  /// Forgets the failures. Must be called when the lines are open, or when other lines are chosen.
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
