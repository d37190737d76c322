internal import EventLoop
internal import HeadUnit
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying

// The playlists of the unit, and the favourites.
extension UnitDaemon {
  /// Handles changes of the queue and of what plays. Call this after each event.
  func updateLists(at now: MonotonicInstant) {
    unitQueue.awaited = music.awaitedPosition
    unitQueue.prepareFollowing()
    unitQueue.update(at: now)
    let player = unit.player
    unitLists.current.update(
      player.state.isStopped ? nil : player.state.file, list: player.context?.list, unitLibrary)
    let isPlaying = unit.center.state.session == LocalSource.sessionID && !player.state.isStopped
    unitLibrary.playingVolume = isPlaying ? player.state.file?.volume?.identity : nil
  }
}
