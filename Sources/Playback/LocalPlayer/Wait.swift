internal import NowPlaying

/// Measures the duration of a wait.
struct Wait {
  /// The wait is long after this time.
  let limit: Duration
  private var since: MonotonicInstant?
  /// True if the wait has lasted for `limit` or longer.
  private(set) var isLong = false

  /// - Parameter limit: the wait is long after this time.
  init(limit: Duration) { self.limit = limit }

  /// True if a wait is in progress.
  var isActive: Bool { since != nil }

  /// The time at which the wait becomes long. Nil if the wait is long already, or if no wait is in progress.
  var deadline: MonotonicInstant? { isLong ? nil : since?.advanced(by: limit) }

  /// Begins a wait, or continues it.
  mutating func update(at now: MonotonicInstant) {
    let since = since ?? now
    self.since = since
    isLong = now.wholeTime(since: since) >= limit
  }

  /// Ends the wait.
  mutating func end() { self = Wait(limit: limit) }
}
