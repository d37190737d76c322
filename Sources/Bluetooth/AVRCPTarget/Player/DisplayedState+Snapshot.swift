internal import NowPlaying

extension DisplayedState {
  /// The state that BlueZ has, in the terms of the head unit's state. A text that equals the
  /// shortened text of the state counts as the full text.
  init(
    of picture: PlayerSnapshot, as state: NowPlayingState, limits: TextLimits,
    at now: MonotonicInstant
  ) {
    let expected = PlayerProperties(state, limits: limits)
    func text(
      _ part: KeyPath<PlayerProperties.Track, String>, _ own: String?
    ) -> String {
      let told = picture.playerProperties.track?[keyPath: part] ?? ""
      return told == expected.track?[keyPath: part] ?? "" ? own ?? "" : told
    }
    self.init(
      title: text(\.title, state.lines.title), subtitle: text(\.artist, state.lines.subtitle),
      detail: text(\.album, state.lines.detail))
    if picture.duration == expected.track?.length {
      duration = state.duration?.length
    } else {
      duration = picture.duration ?? .zero
    }
    if picture.playerProperties.status == expected.status {
      status = state.status
    } else {
      switch picture.playerProperties.status {
      case .playing: status = .playing
      case .paused: status = .paused
      case .stopped: status = .stopped
      case .forwardSeek: status = .seekingForward
      case .reverseSeek: status = .seekingBackward
      }
    }
    let number = picture.playerProperties.track?.number
    trackNumber =
      number == expected.track?.number
      ? DisplayedState(of: state, at: now).trackNumber : number ?? 0
    repeatMode = picture.playerProperties.loop.mode
    isShuffled = picture.playerProperties.isShuffled
    // Without a length BlueZ accepts no position. While a key seeks, BlueZ's clock stands still.
    guard picture.duration != nil, [.playing, .paused].contains(picture.playerProperties.status)
    else { return }
    elapsed = min(picture.position(at: now), picture.duration ?? .zero)
  }
}
