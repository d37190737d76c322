internal import CSanitizers

/// A stretch of code that the real-time sanitizer watches, in a build that has it.
public enum RealTimeSection {
  /// Whether this build has the sanitizer (`make test-rt`).
  public static var isWatched: Bool { rtsan_is_there() }

  /// Calls `body`. Where it allocates, locks or waits, the sanitizer ends the process.
  public static func run(_ body: () -> Void) {
    rtsan_enter()
    body()
    rtsan_exit()
  }
}
