package import NowPlaying

/// One thing that BlueZ reads, in the order in which it may be said.
package enum PlayerProperty: Hashable, Sendable {
  /// Also where nothing differs from before: BlueZ's clock begins anew with it.
  case metadata(PlayerProperties.Track)
  case position(Duration)
  case status(PlayerProperties.Status, StatusVariant = .plain)
  case shuffle(Bool)
  case loop(PlayerProperties.Loop)
  case flag(PlayerProperties.Flag, Bool)
}

/// How a status is written. BlueZ reads the words without regard to case, and asks with regard to it
/// whether one is another than before (media.c, `set_status`): so the same status in the other
/// spelling is told to phones once more.
package enum StatusVariant: Hashable, Sendable {
  case plain
  case capitals

  /// The other one.
  var other: StatusVariant { self == .plain ? .capitals : .plain }
}

/// What BlueZ believes after what it was told: its picture of the player, clock included. It keeps
/// BlueZ's rules, so that it can be asked what a phone is told at any moment.
package struct PlayerSnapshot: Equatable, Sendable {
  /// As it was told.
  package private(set) var playerProperties: PlayerProperties
  /// Whether it was ever told a track; before that, a phone is told that none is selected.
  package private(set) var hasTrack = false
  /// How the status was written.
  package private(set) var spelling = StatusVariant.plain
  private var anchor = Duration.zero
  private var anchoredAt: MonotonicInstant
  /// It outlives its track, unless the next one names another (media.c, `mp->duration`).
  private var length: Duration?

  /// BlueZ's picture of a player of which it knows nothing yet.
  package init(at now: MonotonicInstant) {
    playerProperties = PlayerProperties(track: nil, flags: [])
    anchoredAt = now
  }

  /// What GetPlayStatus answers. BlueZ's clock runs at 1, and only while it is told `Playing`.
  package func position(at now: MonotonicInstant) -> Duration {
    playerProperties.status == .playing ? anchor + now.awakeTime(since: anchoredAt) : anchor
  }

  /// What GetPlayStatus answers; nil where BlueZ knows none.
  package var duration: Duration? { length == .zero ? nil : length }

  /// BlueZ reads a dictionary.
  package mutating func take(_ properties: [PlayerProperty], at now: MonotonicInstant) {
    for property in properties { take(property, at: now) }
  }

  /// BlueZ reads one property.
  package mutating func take(_ property: PlayerProperty, at now: MonotonicInstant) {
    switch property {
    case .metadata(let track):
      playerProperties.track = track
      hasTrack = true
      length = track.length ?? .zero
      set(.zero, at: now)
    case .position(let position): set(position, at: now)
    case .status(let status, let spelling):
      guard status != playerProperties.status || spelling != self.spelling else { return }
      set(position(at: now), at: now)
      playerProperties.status = status
      self.spelling = spelling
    case .shuffle(let isOn): playerProperties.isShuffled = isOn
    case .loop(let loop): playerProperties.loop = loop
    case .flag(let flag, let isOn):
      if isOn { playerProperties.flags.insert(flag) } else { playerProperties.flags.remove(flag) }
    }
  }

  private mutating func set(_ position: Duration, at now: MonotonicInstant) {
    anchor = position
    anchoredAt = now
  }
}
