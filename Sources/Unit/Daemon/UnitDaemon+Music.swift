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

  /// A stick whose notice arrives within this time after the start was probably plugged in before.
  private static let startTime = Duration.seconds(30)

  func storageChanged() {
    let new = storage.takeNew()
    for notice in new { log(notice, at: .now()) }
    // A notice about a stick must not show an old notice about /data again, which the driver may have
    // removed.
    if new.contains(where: { !$0.isAboutStick }), let notice = standingNotice {
      outbox.put(.notice(notice))
    }
  }

  func checkMedium() {
    if let notice = music.checkMedium(at: .now()) { outbox.put(.notice(notice)) }
    turns.request()
  }

  /// The first wrong line of the configuration, if no earlier run has shown a notice about the same lines.
  func newConfigurationNotices() -> [UnitNotice] {
    let wrong = unitSettings.configuration.notices.filter { $0.kind == .wrong }
    guard let first = wrong.first else { return [] }
    let text = (["config"] + wrong.map(\.description)).joined(separator: "\n")
    guard memory.noteShown(notice: text) else { return [] }
    let name = first.file.split(separator: "/").last.map(String.init) ?? first.file
    return [UnitNotice(.configurationWrong, about: first.line.map { "\(name):\($0)" } ?? name)]
  }

  /// The notices about sticks that the driver has not seen yet. A notice that arrives soon after the start is
  /// shown if no earlier run has shown it. A notice that arrives later is shown each time, and also one about a
  /// stick that does not answer, because it may answer the next time.
  func newStickNotices() -> [UnitNotice] {
    var shown: [UnitNotice] = []
    for (notice, arrival) in storage.takeUnseen() {
      guard let kind = notice.kind else { continue }
      let isNew = memory.noteShown(notice: Self.key(notice.identifier, notice.stick))
      let isEarly = arrival.awake - began.awake < Self.startTime
      let isShown = isNew || !isEarly || kind == .mediumSilent
      let seen = UnitNotice(kind, about: notice.about)
      if isShown, !shown.contains(seen) { shown.append(seen) }
    }
    return shown
  }

  /// The text by which a notice about a stick is recognised in a later run.
  private static func key(_ identifier: String, _ stick: String) -> String {
    "\(identifier)\n\(stick)"
  }

  /// The notices about volumes that the driver has not seen yet. A notice about unplayable files is
  /// shown again if their number or their formats change.
  func newVolumeNotices() -> [UnitNotice] {
    let sticks = music.sticks.mounted
    return music.volumes.takeNotices { volume, files in
      let stick = sticks.first { $0.point == FileName.bytes(volume.path) }
      let text =
        ["\(files.count)", stick?.identity ?? volume.path] + files.formats
      return memory.noteShown(notice: text.joined(separator: "\n"))
    }
  }

  /// If the library does not answer this long after its start, the folders are searched.
  private static let libraryTime = Duration.seconds(15)

  func useQueueSettings() {
    unitQueue.goesOn = settings.queueEnd == .next
    music.playsNewSticks = settings.stickComes == .play
  }

  /// Starts the library and reads the playlists, which must not delay the first sound.
  func startLibrary() {
    guard !isSafeMode else { return }
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
    // If a stick that was repaired is damaged again, the driver has to know.
    for stick in music.sticks.mounted {
      memory.forgetShown(notice: Self.key("stick.damaged", stick.identity))
    }
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
