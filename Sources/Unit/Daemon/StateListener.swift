internal import NowPlaying

/// Observes each new state. It is not a surface: a surface would be checked, and counted as one
/// that shows the state.
final class StateListener: NowPlayingStateObserver {
  private let onState: () -> Void

  init(_ onState: @escaping () -> Void) { self.onState = onState }

  func nowPlayingPublished(_ state: NowPlayingState) { onState() }
}
