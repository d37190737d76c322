/// The position of playback at one moment, and how playback continues from this moment. Status and elapsed time are
/// derived from this value only (P1, P3).
public struct MediaPlaybackSnapshot: Hashable, Sendable {
  /// Defines how content advances. No other property of the snapshot says whether content plays.
  public enum PlaybackState: Hashable, Sendable {
    /// Content advances at a rate. 1 is the normal rate, 0.5 is half of it, and a negative rate plays backwards. The
    /// rate is finite and not 0.
    case playing(rate: Double = 1)
    /// Playback is paused and can resume.
    case paused
    /// The session should play, but waits for data.
    case buffering
    /// The system has silenced the session. Playback resumes by itself if the system permits it (E4).
    case interrupted
    /// Nothing is loaded, or the content has ended.
    case stopped

    /// Creates a state from a rate that another program reports. The rate 0 means paused (P3). Nil if the rate is not
    /// finite.
    public init?(reportedRate rate: Double) {
      guard rate.isFinite else { return nil }
      self = rate == 0 ? .paused : .playing(rate: rate)
    }
  }

  /// How content advances.
  public let state: PlaybackState
  /// The normal rate, above 0; a higher rate is seeking.
  public let defaultPlaybackRate: Double
  /// The gross position (with advertisements) at ``timestamp``. Nil if there is no position, for example for a
  /// broadcast.
  public let elapsedTime: Duration?
  /// The time at which ``elapsedTime`` was measured.
  public let timestamp: MonotonicInstant
  /// Changes with each completed seek. Without this number, ``AnchorRule`` would treat a short seek as drift (P2).
  public let seekNumber: Int
  /// True if playback continues while the machine is suspended. This is true for a phone, and false for the unit's own
  /// player.
  public let advancesInSuspend: Bool

  /// Creates a snapshot. The rate of a playing state must be finite and not 0. The default rate must be finite and
  /// above 0. Other values are a mistake of the programmer and end the program.
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

  /// The rate at which content advances; 0 if the state is not playing (P3).
  public var rate: Double {
    if case .playing(let rate) = state { return rate }
    return 0
  }

  /// The status (S1). A rate below 0, or above the default rate, is seeking.
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

  /// The gross position at `now`. While content plays, the position is computed from the rate; otherwise the position
  /// is ``elapsedTime``. The position is never negative and never after `duration` (P1).
  public func position(at now: MonotonicInstant, duration: MediaDuration?) -> Duration? {
    guard let elapsedTime else { return nil }
    let passed =
      advancesInSuspend ? now.wholeTime(since: timestamp) : now.awakeTime(since: timestamp)
    let position = rate == 0 ? elapsedTime : elapsedTime + passed.scaled(by: rate)
    return position.clamped(from: .zero, to: duration?.length)
  }

  /// A snapshot with the state `state`, with the position at `now`, and with `now` as its timestamp.
  func held(as state: PlaybackState, at now: MonotonicInstant, duration: MediaDuration?)
    -> MediaPlaybackSnapshot
  {
    MediaPlaybackSnapshot(
      state: state, defaultPlaybackRate: defaultPlaybackRate,
      elapsedTime: position(at: now, duration: duration), timestamp: now, seekNumber: seekNumber,
      advancesInSuspend: advancesInSuspend)
  }

  /// A copy of this snapshot with the state `state`.
  func renamed(_ state: PlaybackState) -> MediaPlaybackSnapshot {
    MediaPlaybackSnapshot(
      state: state, defaultPlaybackRate: defaultPlaybackRate, elapsedTime: elapsedTime,
      timestamp: timestamp, seekNumber: seekNumber, advancesInSuspend: advancesInSuspend)
  }
}
