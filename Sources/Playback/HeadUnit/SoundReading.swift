internal import AudioEngine
internal import LocalPlayer
public import NowPlaying

/// What the engine plays and what the center publishes at the same moment. The diagnosis compares these values. The
/// values of the engine come from the output thread.
public struct SoundReading: Sendable {
  /// The gains of the volume, as linear factors.
  public struct Gain: Hashable, Sendable {
    /// The gain of the volume that surfaces show.
    public var published: Float
    /// The gain that the output applies.
    public var applied: Float

    public init(published: Float, applied: Float) {
      self.published = published
      self.applied = applied
    }
  }

  /// The position of the local player.
  public struct Position: Hashable, Sendable {
    /// The published status.
    public var status: PlaybackStatus
    /// The published position.
    public var published: Duration
    /// The position that is heard.
    public var heard: Duration

    public init(status: PlaybackStatus, published: Duration, heard: Duration) {
      self.status = status
      self.published = published
      self.heard = heard
    }
  }

  /// The time of the reading.
  public var at: MonotonicInstant
  /// The revision of the published state.
  public var revision: Int
  /// The time at which this revision was published.
  public var publishedAt: MonotonicInstant
  /// The number of frames of silence that replaced late frames so far.
  public var starvedFrames: Int
  /// The gains of the volume.
  public var gain: Gain
  /// True if the sound of a player should be heard now. The daemon sets this value, because only the daemon knows all
  /// players.
  public var isWanted = false
  /// Nil while no position can be compared: the local player is not shown, has stopped, seeks, waits for data, or is at
  /// the end of a track, or the output takes frames faster than real time.
  public var position: Position?

  public init(
    at: MonotonicInstant, revision: Int = 1, publishedAt: MonotonicInstant, starvedFrames: Int = 0,
    gain: Gain = Gain(published: 1, applied: 1), position: Position? = nil
  ) {
    self.at = at
    self.revision = revision
    self.publishedAt = publishedAt
    self.starvedFrames = starvedFrames
    self.gain = gain
    self.position = position
  }
}

extension HeadUnit {
  /// Reads the engine and the center at the same moment.
  public func soundReading(at now: MonotonicInstant) -> SoundReading {
    SoundReading(
      at: now, revision: center.state.revision, publishedAt: center.publications.last?.at ?? now,
      starvedFrames: engine.starvedFrameCount,
      gain: .init(published: publishedGain, applied: engine.outputGain), position: position(at: now)
    )
  }

  /// The position is not compared in this time before the end of a track, because the position stands still for a
  /// moment before the next track begins.
  private static let endOfTrack = Duration.seconds(1)

  private func position(at now: MonotonicInstant) -> SoundReading.Position? {
    let state = center.state
    guard keepsTime, state.session == LocalSource.sessionID, player.hasEngine, !player.isSeeking,
      [.playing, .paused, .interrupted].contains(state.status),
      let published = state.elapsed(at: now), let heard = engine.heardPosition(),
      heard.trackID == player.playingID
    else { return nil }
    if let length = state.duration?.length, published > length - Self.endOfTrack { return nil }
    return SoundReading.Position(
      status: state.status, published: published, heard: .seconds(heard.seconds))
  }
}
