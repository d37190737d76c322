/// What a player knows by itself, as often as it likes to say so (P7).
///
/// The session derives duration, elapsed time, state and rate from it; the source adds title and
/// artwork and publishes no clock by hand.
public struct PlayerReport: Hashable, Sendable {
  /// Beyond the rate, what a player is doing.
  public enum Condition: Hashable, Sendable {
    /// Advances at its rate.
    case ready
    /// Wants to and waits for data.
    case buffering
    /// Has nothing, or came to its end.
    case stopped
  }

  /// Of which content it speaks.
  public var contentID: String
  /// Gross; nil while unknown.
  public var duration: MediaDuration?
  /// Gross; nil where there is none.
  public var position: Duration?
  /// The rate at which content advances; 0 is held (P3). No number counts as 0.
  public var rate: Double
  /// The rate to return to after seeking; above 0.
  public var defaultRate: Double
  /// See ``Condition``.
  public var condition: Condition
  /// How many seeks have completed (P2).
  public var seeksCompleted: Int
  /// When that was so.
  public var timestamp: MonotonicInstant
  /// See ``MediaPlaybackSnapshot/advancesInSuspend``.
  public var advancesInSuspend: Bool

  /// See the fields.
  public init(
    contentID: String, duration: MediaDuration?, position: Duration?, rate: Double,
    defaultRate: Double = 1, condition: Condition = .ready, seeksCompleted: Int = 0,
    timestamp: MonotonicInstant, advancesInSuspend: Bool = false
  ) {
    self.contentID = contentID
    self.duration = duration
    self.position = position
    self.rate = rate
    self.defaultRate = defaultRate
    self.condition = condition
    self.seeksCompleted = seeksCompleted
    self.timestamp = timestamp
    self.advancesInSuspend = advancesInSuspend
  }

  /// The snapshot that this is.
  public var snapshot: MediaPlaybackSnapshot {
    let state: MediaPlaybackSnapshot.PlaybackState =
      switch condition {
      case .ready: .init(reportedRate: rate) ?? .paused
      case .buffering: .buffering
      case .stopped: .stopped
      }
    let hasDefault = defaultRate.isFinite && defaultRate > 0
    return MediaPlaybackSnapshot(
      state: state, defaultPlaybackRate: hasDefault ? defaultRate : 1, elapsedTime: position,
      timestamp: timestamp, seekNumber: seeksCompleted, advancesInSuspend: advancesInSuspend)
  }
}
