import Glibc
import Synchronization
import Text

/// One line on standard error about something that takes a while; gone when it is over. Where
/// that is no terminal, nothing is shown.
struct ProgressLine {
  /// What is over sooner needs no words.
  private static let patience = 0.3
  private static let erase: StaticString = "\r\u{1B}[K"
  /// For the signal handler, which can ask no instance. Lock-free, so it may.
  private static let isShown = Atomic<Bool>(false)

  private let isPossible = TerminalEnvironment.canDraw(on: STDERR_FILENO)
  private var limiter = RateLimiter(from: monotonicSeconds() + patience)

  /// Shows `text`, made harmless, if it is time.
  mutating func show(_ text: @autoclosure () -> String) {
    guard isPossible, limiter.isDue(at: monotonicSeconds()) else { return }
    // Wrapped lines could not be erased.
    let line = TextWidth.truncated(TextWidth.sanitized(text(), limit: 400), to: columns - 1)
    Self.isShown.store(true, ordering: .relaxed)
    try? StandardStreams.write("\(Self.erase)\(line)", to: STDERR_FILENO)
  }

  /// Removes the line: before other lines are written, and when it is over.
  mutating func clear() {
    guard Self.isShown.exchange(false, ordering: .relaxed) else { return }
    try? StandardStreams.write("\(Self.erase)", to: STDERR_FILENO)
  }

  private var columns: Int { TerminalScreen(output: STDERR_FILENO).size().columns }

  /// Has `signals` remove the line before they end the program, as they do by themselves: whoever
  /// started it then sees that it was interrupted.
  static func clearBeforeDeath(by signals: [Int32]) {
    // Whoever started the program may have left them blocked.
    var mask = sigset_t()
    sigemptyset(&mask)
    for number in signals { sigaddset(&mask, number) }
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    // A handler must not be the first to use what is made on first use.
    _ = (isShown.load(ordering: .relaxed), erase)
    for number in signals {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        // Only what POSIX calls async-signal-safe.
        if ProgressLine.isShown.load(ordering: .relaxed) {
          _ = write(
            STDERR_FILENO, ProgressLine.erase.utf8Start, ProgressLine.erase.utf8CodeUnitCount)
        }
        // The handler is spent, and the signal comes once more as soon as it has returned.
        raise(number)
      }
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
    }
  }
}
