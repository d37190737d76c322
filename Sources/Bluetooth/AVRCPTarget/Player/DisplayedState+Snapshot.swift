internal import NowPlaying

extension DisplayedState {
  /// Converts BlueZ's state so that it can be compared with the state of the head unit. Long texts
  /// are shortened for BlueZ. If BlueZ has the expected shortened text, the result contains the
  /// full text.
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
    // Without a length, BlueZ accepts no position. While a person holds a seek key, BlueZ's clock
    // stands still. In both cases the elapsed time stays nil, so it is not compared.
    guard snapshot.duration != nil, [.playing, .paused].contains(snapshot.playerProperties.status)
    else { return }
    elapsed = min(snapshot.position(at: now), snapshot.duration ?? .zero)
  }
}
