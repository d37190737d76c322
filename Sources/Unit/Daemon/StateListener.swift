internal import NowPlaying

/// Hears of each new state. No surface: that would be checked, and counted among those who show it.
final class StateListener: NowPlayingStateObserver {
  private let onState: () -> Void

  init(_ onState: @escaping () -> Void) { self.onState = onState }

  func nowPlayingPublished(_ state: NowPlayingState) { onState() }
}
