internal import EventLoop
internal import HeadUnit
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying

// The playlists of the unit, and the favourites.
extension UnitDaemon {
  /// Connects the library and the lists to the queue and to the heart of Now Playing.
  func connectLists() {
    useQueueSettings()
    unitQueue.onChange = { [turns] in turns.request() }
    unitQueue.library = { [weak self] in self?.unitLibrary }
    unitQueue.awaited = { [weak self] in self?.music.awaitedPosition }
    unitLists.library = { [weak self] in self?.unitLibrary }
    unitQueue.lists = { [weak self] in self?.unitLists }
    let playlists = unitLists.playlists
    playlists.volumes = { [unitQueue] in unitQueue.volumes }
    playlists.onChange = { [weak self] in
      self?.unit.marksChanged()
      self?.turns.request()
    }
    unit.marks = playlists.marks
  }

  /// Handles changes of the queue and of what plays. Call this after each event.
  func updateLists(at now: MonotonicInstant) {
    unitQueue.prepareFollowing()
    unitQueue.update(at: now)
    let player = unit.player
    unitLists.current.update(
      player.state.isStopped ? nil : player.state.file, list: player.context?.list, unitLibrary)
    let isPlaying = unit.center.state.session == LocalSource.sessionID && !player.state.isStopped
    unitLibrary?.playingVolume = isPlaying ? player.state.file?.volume?.identity : nil
  }
}
