internal import NowPlaying

extension DisplayedState {
  /// What BlueZ was told, in the words of the state. A text that was cut as it had to be is the
  /// state's own.
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
    // Where there is no length, BlueZ cannot be told a place; while a key seeks, its clock stands.
    guard picture.duration != nil, [.playing, .paused].contains(picture.playerProperties.status)
    else { return }
    elapsed = min(picture.position(at: now), picture.duration ?? .zero)
  }
}
