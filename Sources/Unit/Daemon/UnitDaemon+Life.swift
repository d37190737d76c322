internal import AVRCPTarget
internal import AudioEngine
public import EventLoop
internal import HeadUnit
internal import LocalPlayer
internal import NowPlaying
internal import PhonePlayer
internal import Reports
internal import Settings
internal import SystemClock
internal import UnitState

// The run, health, reloading the configuration, and the end.
extension UnitDaemon {
  /// Runs the daemon until a signal ends it. Returns the exit status.
  public func run() throws(SystemError) -> Int32 {
    try begin()
    let status = try loop.run()
    shutDown()
    return status
  }

  /// Starts all parts. After this call, the loop carries everything out.
  func begin() throws(SystemError) {
    try listen()
    unitLibrary.open()
    if unitLibrary.absence == nil { music.useLibrary() }
    tellVolumes()
    controlSocket.open()
    keys.open(settings, at: .now())
    car.start()
    car.use(settings, keys)
    music.start()
    if !music.isFinderBusy { startLibrary() }
    turn()
    turns.begin { [weak self] in self?.turn() }
    bluetooth.start()
    sound.measurePresses(settings.isRadioTimed, besideSocket: thisRun.socket)
    thisRun.noteReady()
    ServiceManager.ready(status: "plays from \(settings.musicFolders.joined(separator: ", "))")
  }

  /// Reads the configuration again, on a separate thread.
  func reload() {
    switch reloading {
    case .idle: break
    case .reading(let task), .outdated(let task):
      // The file may have changed after the thread has read it.
      reloading = .outdated(task)
      return
    }
    ServiceManager.reloading()
    let read = readConfiguration
    let changeCount = unitSettings.changeCount
    do throws(SystemError) {
      reloading = .reading(
        try BackgroundTask(loop, "configuration") {
          let configuration = read()
          return (configuration, ButtonPictureFiles(configuration.settings))
        } completion: { [weak self] configuration, pictures in
          self?.use(configuration, pictures, readAfter: changeCount)
        })
    } catch {
      log(.configurationWrong, "the configuration cannot be read again: \(error)", at: .now())
      ServiceManager.ready()
    }
  }

  private func use(
    _ new: Configuration, _ pictures: ButtonPictureFiles, readAfter changeCount: Int
  ) {
    let isOutdated = if case .outdated = reloading { true } else { false }
    reloading = .idle
    let old = settings
    for notice in new.notices { log(.configurationWrong, notice.description, at: .now()) }
    unitSettings.use(new, readAfter: changeCount)
    apply(after: old)
    if settings.buttons != old.buttons || settings.buttonPictures != old.buttonPictures {
      buttons.use(settings, pictures)
      unit.configureButtons()
    }
    if settings.musicFolders != old.musicFolders {
      music.find(in: settings.musicFolders)
      tellVolumes()
    }
    if settings.needsRestart(after: old) {
      log(.configurationNeedsRestart, "some changes take effect only at the next start", at: .now())
    }
    log(.configurationRead, "the configuration was read again", at: .now())
    turns.request()
    ServiceManager.ready()
    if isOutdated { reload() }
  }

  /// The progress of a reload of the configuration. A thread reads the files.
  enum Reloading {
    typealias Task = BackgroundTask<(Configuration, ButtonPictureFiles)>

    case idle
    case reading(Task)
    /// Another request has arrived while the thread reads. The files are read again afterwards.
    case outdated(Task)
  }

  // MARK: The end

  /// Fades out, saves, and ends the loop.
  func end() {
    guard !isEnding else { return }
    isEnding = true
    ServiceManager.stopping()
    log(.unitStopping, "the daemon stops", at: .now())
    memory.reach(.stopped)
    bluetooth.stop()
    turn()
    // The state is encoded before the fade-out. Otherwise the fade-out would be saved as a pause.
    memory.saveLast()
    savedClock?.save()
    let fade = unit.fadeOut()
    let timer = TimerSource(loop, clock: .monotonic) { [weak self] in self?.loop.exit(0) }
    timer.set(after: fade)
    sources.append(timer)
  }

  func shutDown() {
    unitLibrary.shutDown()
    keys.shutDown()
    music.shutDown()
    unitLists.playlists.shutDown()
    // The state names the queue, so the queue is saved first.
    unitQueue.shutDown()
    memory.shutDown()
    bluetooth.shutDown()
    unitSettings.shutDown(within: 1000)
    savedClock?.finish(within: 500)
    unit.shutDown()
    controlSocket.close()
  }
}
