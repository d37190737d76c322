internal import CSanitizers

/// A section of code that the real-time sanitizer checks, if the build contains this sanitizer.
public enum RealTimeSection {
  /// True if this build contains the sanitizer, as with `make test-rt`.
  public static var isWatched: Bool { rtsan_is_there() }

  /// Calls `body`. If `body` allocates memory, locks or waits, the sanitizer ends the process.
  public static func run(_ body: () -> Void) {
    rtsan_enter()
    body()
    rtsan_exit()
  }
}
