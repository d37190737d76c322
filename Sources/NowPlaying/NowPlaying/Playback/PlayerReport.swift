/// The data that a player measures itself. A player can send reports as often as it needs (P7).
///
/// The session derives duration, elapsed time, state and rate from the report. The source adds title and artwork. The
/// source itself publishes no ``MediaPlaybackSnapshot``.
public struct PlayerReport: Hashable, Sendable {
  /// The player's condition, apart from the rate.
  public enum Condition: Hashable, Sendable {
    /// Content advances at the rate of the report.
    case ready
    /// Content should advance, but the player waits for data.
    case buffering
    /// Nothing is loaded, or the content has ended.
    case stopped
  }

  /// The content that the report is about.
  public var contentID: String
  /// The gross length, with advertisements; nil if unknown.
  public var duration: MediaDuration?
  /// The gross position; nil if the content has no position.
  public var position: Duration?
  /// The rate at which content advances; 0 means paused (P3). A value that is not finite is treated as 0.
  public var rate: Double
  /// The normal rate, above 0. Playback returns to this rate after seeking. An invalid value is treated as 1.
  public var defaultRate: Double
  /// See ``Condition``.
  public var condition: Condition
  /// Number of completed seeks (P2).
  public var seeksCompleted: Int
  /// The time at which the values of the report were measured.
  public var timestamp: MonotonicInstant
  /// See ``MediaPlaybackSnapshot/advancesInSuspend``.
  public var advancesInSuspend: Bool

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

  /// The report as a snapshot.
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
