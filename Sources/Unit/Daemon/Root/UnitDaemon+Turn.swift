internal import Control
internal import EventLoop
internal import HeadUnit
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import Reports
internal import Settings
internal import SystemClock

// The steps of a turn that concern several parts. ``turn()`` has their order.
extension UnitDaemon {
  func handlePlayerEvents() {
    for event in unit.turn() {
      switch event {
      case .player(let event):
        bluetooth.handle(event)
        sound.handle(event)
        music.handle(event)
        // A search that failed is repeated.
        if case .started = event { movedFiles.update() }
      case .starved(let file): sound.starved(file)
      case .cover(let notice): log.limited(notice, at: .now())
      }
    }
  }

  /// The library does not delay the music: it starts when the first track plays, or when no file is searched.
  func updateLibrary() {
    if !thisRun.isSafeMode, music.hasPlayed || !music.isFinderBusy {
      unitLists.playlists.start()
      unitLibrary.start()
    }
    if unitLibrary.takeLateness() { music.doWithoutLibrary() }
    guard unitLibrary.takeChange() else { return }
    libraryPace.update()
    if let notice = music.libraryChanged() { outbox.put(.notice(notice)) }
    movedFiles.update()
    growth.libraryChanged()
    queueCommands.playAwaitedVolume()
  }

  func updateQueue(at now: MonotonicInstant) {
    if let file = queueSaver.takeFileToContinue() { music.resume(at: file) }
    music.tellProgress()
    following.update()
    queueSaver.update(isArriving: queue.arrival != nil, at: now)
  }

  /// Tells the lists and the library what plays.
  func tellWhatPlays() {
    let player = unit.player
    unitLists.current.update(
      player.state.isStopped ? nil : player.state.file, list: player.context?.list, unitLibrary)
    let isPlaying = unit.center.state.session == LocalSource.sessionID && !player.state.isStopped
    unitLibrary.playingVolume = isPlaying ? player.state.file?.volume?.identity : nil
  }

  /// Reads which volumes are mounted, and tells the parts.
  func tellVolumes() {
    mounted.set(music.presentVolumes(in: settings.musicFolders))
    unitLibrary.setVolumes(mounted.present)
    queue.volumesChanged()
  }

  /// Plays the unit's own music, with a command of a surface that exists only for this command.
  func play() {
    handlePlayerEvents()
    let port = unit.center.connect(SurfaceDescription(id: "start"), at: .now()) { _ in }
    port.send(.media(.play), on: .text, at: .now())
    port.disconnect(at: .now())
  }
}
