internal import NowPlaying

/// Measures how long something has been awaited, as a value.
struct Wait {
  /// The wait is long after this time.
  let patience: Duration
  private var since: MonotonicInstant?
  /// Whether the wait has lasted for `patience` or longer.
  private(set) var isLong = false

  /// - Parameter patience: the wait is long after this time.
  init(patience: Duration) { self.patience = patience }

  /// Whether a wait is in progress.
  var isGoingOn: Bool { since != nil }

  /// When the wait becomes long. Nil if it is long already, or if no wait is in progress.
  var deadline: MonotonicInstant? { isLong ? nil : since?.advanced(by: patience) }

  /// Begins a wait, or continues it.
  mutating func go(on now: MonotonicInstant) {
    let since = since ?? now
    self.since = since
    isLong = now.wholeTime(since: since) >= patience
  }

  /// Ends the wait.
  mutating func end() { self = Wait(patience: patience) }
}
