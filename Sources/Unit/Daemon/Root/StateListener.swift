internal import NowPlaying

/// Observes each new state. This type is not a surface, because each surface is checked, and is
/// counted among the surfaces that show the state.
final class StateListener: NowPlayingStateObserver {
  private let onState: () -> Void

  init(_ onState: @escaping () -> Void) { self.onState = onState }

  func nowPlayingPublished(_ state: NowPlayingState) { onState() }
}
