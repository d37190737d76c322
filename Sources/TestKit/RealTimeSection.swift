internal import CSanitizers

/// Code that the real-time sanitizer checks, in a build that has it.
public enum RealTimeSection {
  /// True if this build has the sanitizer (`make test-rt`).
  public static var isWatched: Bool { rtsan_is_there() }

  /// Calls `body`. If it allocates, locks or waits, the sanitizer ends the process.
  public static func run(_ body: () -> Void) {
    rtsan_enter()
    body()
    rtsan_exit()
  }
}
