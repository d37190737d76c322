internal import Control
internal import EventLoop
internal import Files
internal import HeadUnit
internal import NowPlaying
internal import PhonePlayer
internal import Reports
internal import Settings
internal import SystemClock
internal import Threads
internal import UnitState

// Changes of the storage and of the media with music.
extension UnitDaemon {
  /// The pause between a mount and the search for music. Often, the files appear a moment after the
  /// mount.
  private static let settleTime = Duration.milliseconds(300)

  func checkMedium() {
    if let notice = music.checkMedium(at: .now()) { outbox.put(.notice(notice)) }
    turns.request()
  }

  /// If the library does not answer this long after its start, the folders are searched.
  private static let libraryTime = Duration.seconds(15)

  func useQueueSettings() {
    unitQueue.goesOn = settings.queueEnd == .next
    music.playsNewSticks = settings.stickComes == .play
  }

  /// Starts the library and reads the playlists, which must not delay the first sound.
  func startLibrary() {
    guard !thisRun.isSafeMode else { return }
    unitLists.playlists.start()
    guard unitLibrary.absence == nil, libraryTimer == nil else { return }
    unitLibrary.start()
    let timer = TimerSource(loop, clock: .monotonic) { [weak self] in
      self?.music.doWithoutLibrary()
      self?.turns.request()
    }
    timer.set(after: Self.libraryTime)
    libraryTimer = timer
  }

  func libraryChanged() {
    libraryPace.update()
    if let notice = music.libraryChanged() { outbox.put(.notice(notice)) }
    movedFiles.update()
    unitQueue.libraryChanged()
  }

  /// Restores the saved queue when it was read.
  func queueOpened() {
    if let place = unitQueue.takeSaved() { music.resume(at: place) }
  }

  /// Tells the library and the queue which volumes are present.
  func tellVolumes() {
    let volumes = music.presentVolumes(in: settings.musicFolders)
    mounted.set(volumes)
    unitLibrary.setVolumes(volumes)
    unitQueue.volumesChanged()
  }

  func mountsChanged() {
    music.mountsChanged()
    tellVolumes()
    notices.mountsChanged()
    rescan?.set(after: Self.settleTime)
  }

  /// Plays the unit's own music, unless a phone is Now Playing.
  func playOwnMusic() {
    if bluetooth.phones.primary == nil { perform(.play) }
  }

  /// Sends a command in the same way as a surface.
  func perform(_ request: MediaRequest) {
    takePlayerEvents()
    // This surface exists only for this command.
    let port = unit.center.connect(SurfaceDescription(id: "start"), at: .now()) { _ in }
    port.send(.media(request), on: .text, at: .now())
    port.disconnect(at: .now())
  }
}
