package import NowPlaying

/// One property that BlueZ reads. The cases are in the order in which properties must be sent.
package enum PlayerProperty: Hashable, Sendable {
  /// The metadata. BlueZ restarts its clock each time it receives metadata, even if nothing has changed. Nil if there
  /// is nothing to play.
  case metadata(PlayerProperties.Track?)
  case position(Duration)
  case status(PlayerProperties.Status, StatusVariant = .plain)
  case shuffle(Bool)
  case loop(PlayerProperties.Loop)
  case flag(PlayerProperties.Flag, Bool)
}

/// Two ways to write a status. BlueZ ignores upper and lower case when it reads the word, but not when it compares the
/// word with the previous word (media.c, `set_status`). So BlueZ notifies phones again if the same status is sent in
/// the other variant.
package enum StatusVariant: Hashable, Sendable {
  case plain
  case capitals

  /// The opposite variant.
  var other: StatusVariant { self == .plain ? .capitals : .plain }
}

/// A model of BlueZ's state: the properties that BlueZ has received, and BlueZ's clock. The model follows the rules of
/// BlueZ. So the model shows at any time what BlueZ would answer to a phone.
package struct PlayerSnapshot: Equatable, Sendable {
  /// The properties as they were sent.
  package private(set) var playerProperties: PlayerProperties
  /// The variant in which the status was written.
  package private(set) var statusVariant = StatusVariant.plain
  private var anchor = Duration.zero
  private var anchoredAt: MonotonicInstant
  /// The length. BlueZ would keep this length if the next metadata had none (media.c, `mp->duration`). So the daemon
  /// always sends a length, and 0 if the length is unknown.
  private var length: Duration?

  /// Creates the state that BlueZ has before it receives any property.
  package init(at now: MonotonicInstant) {
    playerProperties = PlayerProperties(track: nil, flags: [])
    anchoredAt = now
  }

  /// The position that GetPlayStatus reports. BlueZ's clock runs at rate 1, and only while the status is `Playing`.
  package func position(at now: MonotonicInstant) -> Duration {
    playerProperties.status == .playing ? anchor + now.awakeTime(since: anchoredAt) : anchor
  }

  /// The length that GetPlayStatus reports. Nil if unknown.
  package var duration: Duration? { length == .zero ? nil : length }

  /// Applies the properties of a dictionary in the same way as BlueZ.
  package mutating func apply(_ properties: [PlayerProperty], at now: MonotonicInstant) {
    for property in properties { apply(property, at: now) }
  }

  /// Applies one property in the same way as BlueZ.
  package mutating func apply(_ property: PlayerProperty, at now: MonotonicInstant) {
    switch property {
    case .metadata(let track):
      playerProperties.track = track
      length = track?.length ?? .zero
      set(.zero, at: now)
    case .position(let position): set(position, at: now)
    case .status(let status, let statusVariant):
      guard status != playerProperties.status || statusVariant != self.statusVariant else { return }
      set(position(at: now), at: now)
      playerProperties.status = status
      self.statusVariant = statusVariant
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

extension DisplayedState {
  /// Converts BlueZ's state so that it can be compared with the state of the head unit. Long texts are shortened for
  /// BlueZ. If BlueZ has the expected shortened text, the result contains the full text.
  init(
    of snapshot: PlayerSnapshot, as state: NowPlayingState, limits: TextLimits,
    at now: MonotonicInstant
  ) {
    let expected = PlayerProperties(state, limits: limits)
    func text(
      _ part: KeyPath<PlayerProperties.Track, String>, _ own: String?
    ) -> String {
      let shown = snapshot.playerProperties.track?[keyPath: part] ?? ""
      return shown == expected.track?[keyPath: part] ?? "" ? own ?? "" : shown
    }
    self.init(
      title: text(\.title, state.lines.title), subtitle: text(\.artist, state.lines.subtitle),
      detail: text(\.album, state.lines.detail))
    if snapshot.duration == expected.track?.length {
      duration = state.duration?.length
    } else {
      duration = snapshot.duration ?? .zero
    }
    if snapshot.playerProperties.status == expected.status {
      status = state.status
    } else {
      switch snapshot.playerProperties.status {
      case .playing: status = .playing
      case .paused: status = .paused
      case .stopped: status = .stopped
      case .forwardSeek: status = .seekingForward
      case .reverseSeek: status = .seekingBackward
      }
    }
    let number = snapshot.playerProperties.track?.number
    trackNumber =
      number == expected.track?.number
      ? DisplayedState(of: state, at: now).trackNumber : number ?? 0
    repeatMode = snapshot.playerProperties.loop.mode
    isShuffled = snapshot.playerProperties.isShuffled
    // Without a length, BlueZ accepts no position. While a person holds a seek key, BlueZ's clock stands still. In both
    // cases the elapsed time stays nil, so it is not compared.
    guard snapshot.duration != nil, [.playing, .paused].contains(snapshot.playerProperties.status)
    else { return }
    elapsed = min(snapshot.position(at: now), snapshot.duration ?? .zero)
  }
}
