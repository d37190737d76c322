internal import NowPlaying

/// Something is waited for, and after a while that has to be said: a value.
struct Wait {
  /// After so much it is long.
  let patience: Duration
  private var since: MonotonicInstant?
  /// It has gone on for its patience or more.
  private(set) var isLong = false

  /// - Parameter patience: after so much it is long.
  init(patience: Duration) { self.patience = patience }

  /// Whether anything is waited for.
  var isGoingOn: Bool { since != nil }

  /// When it becomes long; nil where it is already, or where nothing is waited for.
  var deadline: MonotonicInstant? { isLong ? nil : since?.advanced(by: patience) }

  /// It is waited for, since now or since before.
  mutating func go(on now: MonotonicInstant) {
    let since = since ?? now
    self.since = since
    isLong = now.wholeTime(since: since) >= patience
  }

  /// It is there, or nobody wants it any more.
  mutating func end() { self = Wait(patience: patience) }
}
