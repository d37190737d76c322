/// Where playback was at one moment, and how it went on from there: the one truth from which
/// status and elapsed time are derived (P1, P3).
public struct MediaPlaybackSnapshot: Hashable, Sendable {
  /// How content advances. There is no flag beside it.
  public enum PlaybackState: Hashable, Sendable {
    /// At a rate: 1 is normal, 0.5 half, negative backwards. Finite and not 0.
    case playing(rate: Double = 1)
    /// Held; can go on.
    case paused
    /// Wants to play and waits for data.
    case buffering
    /// Held by the system, and will go on by itself if that permits (E4).
    case interrupted
    /// Nothing is loaded, or it has come to its end.
    case stopped

    /// A rate as another program reports it: 0 is paused (P3); nil where it is no number.
    public init?(reportedRate rate: Double) {
      guard rate.isFinite else { return nil }
      self = rate == 0 ? .paused : .playing(rate: rate)
    }
  }

  /// How content advances.
  public let state: PlaybackState
  /// The rate to return to, above 0; a rate above it is seeking.
  public let defaultPlaybackRate: Double
  /// Gross position (with advertisements) at ``timestamp``; nil where there is none (a broadcast).
  public let elapsedTime: Duration?
  /// When that was so.
  public let timestamp: MonotonicInstant
  /// Changes with every seek that has completed, so that a short one is not taken for drift (P2).
  public let seekNumber: Int
  /// Whether this goes on while the machine sleeps: a phone's playback does, our own does not.
  public let advancesInSuspend: Bool

  /// The rate of a playing state must be finite and not 0, and the default rate finite and above
  /// 0; anything else is a bug of the caller.
  public init(
    state: PlaybackState, defaultPlaybackRate: Double = 1, elapsedTime: Duration?,
    timestamp: MonotonicInstant, seekNumber: Int = 0, advancesInSuspend: Bool = false
  ) {
    if case .playing(let rate) = state { precondition(rate.isFinite && rate != 0, "rate \(rate)") }
    precondition(
      defaultPlaybackRate.isFinite && defaultPlaybackRate > 0, "rate \(defaultPlaybackRate)")
    self.state = state
    self.defaultPlaybackRate = defaultPlaybackRate
    self.elapsedTime = elapsedTime
    self.timestamp = timestamp
    self.seekNumber = seekNumber
    self.advancesInSuspend = advancesInSuspend
  }

  /// The rate at which content advances: 0 unless playing (P3).
  public var rate: Double {
    if case .playing(let rate) = state { return rate }
    return 0
  }

  /// What to call it (S1). Seeking is a rate: backwards, or faster than the rate to return to.
  public var status: PlaybackStatus {
    switch state {
    case .playing(let rate) where rate < 0: .seekingBackward
    case .playing(let rate) where rate > defaultPlaybackRate: .seekingForward
    case .playing: .playing
    case .paused: .paused
    case .buffering: .buffering
    case .interrupted: .interrupted
    case .stopped: .stopped
    }
  }

  /// The gross position at `now`: extrapolated while playing, else where it stands; never
  /// negative, never past `duration` (P1).
  public func position(at now: MonotonicInstant, duration: MediaDuration?) -> Duration? {
    guard let elapsedTime else { return nil }
    let passed =
      advancesInSuspend ? now.wholeTime(since: timestamp) : now.awakeTime(since: timestamp)
    let position = rate == 0 ? elapsedTime : elapsedTime + passed.scaled(by: rate)
    return position.clamped(from: .zero, to: duration?.length)
  }

  /// The same place under another state, from `now` on.
  func held(as state: PlaybackState, at now: MonotonicInstant, duration: MediaDuration?)
    -> MediaPlaybackSnapshot
  {
    MediaPlaybackSnapshot(
      state: state, defaultPlaybackRate: defaultPlaybackRate,
      elapsedTime: position(at: now, duration: duration), timestamp: now, seekNumber: seekNumber,
      advancesInSuspend: advancesInSuspend)
  }

  /// The same anchor under another name for its state.
  func renamed(_ state: PlaybackState) -> MediaPlaybackSnapshot {
    MediaPlaybackSnapshot(
      state: state, defaultPlaybackRate: defaultPlaybackRate, elapsedTime: elapsedTime,
      timestamp: timestamp, seekNumber: seekNumber, advancesInSuspend: advancesInSuspend)
  }
}
