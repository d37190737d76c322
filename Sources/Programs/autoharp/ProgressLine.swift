import Glibc
import Synchronization
import Text
import Threads

/// A line on standard error that shows the progress of an operation. It is removed at the end of the operation. Nothing
/// is shown if standard error is not a terminal.
struct ProgressLine {
  /// The delay before the line is shown, in seconds. A shorter operation shows no progress.
  private static let delay = 0.3
  private static let erase: StaticString = "\r\u{1B}[K"
  /// True while the line is shown. Static, because the signal handler has no instance. Atomic without a lock, so that
  /// the signal handler can use it.
  private static let isShown = Atomic<Bool>(false)

  private let isPossible = TerminalEnvironment.canDraw(on: STDERR_FILENO)
  private var limiter = RateLimiter(from: MonotonicClock.seconds + delay)

  /// Shows `text`, made safe for a terminal, if the next update is due.
  mutating func show(_ text: @autoclosure () -> String) {
    guard isPossible, limiter.isDue(at: MonotonicClock.seconds) else { return }
    // A wrapped line could not be erased, so the text is truncated.
    let line = TextWidth.truncated(TextWidth.sanitized(text(), limit: 400), to: columns - 1)
    Self.isShown.store(true, ordering: .relaxed)
    try? StandardStreams.write("\(Self.erase)\(line)", to: STDERR_FILENO)
  }

  /// Removes the line. Must be called before other output and at the end of the operation.
  mutating func clear() {
    guard Self.isShown.exchange(false, ordering: .relaxed) else { return }
    try? StandardStreams.write("\(Self.erase)", to: STDERR_FILENO)
  }

  private var columns: Int { TerminalScreen(output: STDERR_FILENO).size().columns }

  /// Installs handlers that remove the line and then end the program by the same signal, so that the parent process
  /// sees which signal ended the program.
  static func clearOnSignals(_ signals: [Int32]) {
    // Unblocks the signals, because this process can have inherited blocked signals from its parent process.
    var mask = sigset_t()
    sigemptyset(&mask)
    for number in signals { sigaddset(&mask, number) }
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
    // Lazy globals must not be initialised in a signal handler, so they are initialised here.
    _ = (isShown.load(ordering: .relaxed), erase)
    for number in signals {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        // The handler must call only functions that POSIX lists as async-signal-safe.
        if ProgressLine.isShown.load(ordering: .relaxed) {
          _ = write(
            STDERR_FILENO, ProgressLine.erase.utf8Start, ProgressLine.erase.utf8CodeUnitCount)
        }
        // SA_RESETHAND has removed the handler, so the signal ends the program after the handler returns.
        raise(number)
      }
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
    }
  }
}
