internal import AppPlayer
internal import Artwork
internal import AudioCodecs
internal import AudioEngine
internal import Control
public import EventLoop
internal import Files
internal import Glibc
internal import HeadUnit
internal import Input
internal import LibraryModel
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import PhonePlayer
internal import Reports
internal import Settings
internal import SystemClock
internal import Threads
internal import UnitState

/// The head unit as it runs in a car: plays, saves its state, and recovers from failures.
///
/// All methods run on the control thread. All events arrive through the event loop. After each event, ``turn()``
/// updates the head unit, saves and logs the changes, and sets the timers.
public final class UnitDaemon {
  // Objects that are created before all parts.
  let loop: EventLoop
  let turns: Turns
  let outbox: UnitOutbox
  let log: UnitLog
  let memory: UnitMemory
  let thisRun: UnitRun
  let mounted = MountedVolumes()
  let resumption: Resumption

  // The parts, in the order in which they are created.
  let board: BoardMonitor
  private let machineControl: MachineControl
  /// Saves the time of day for a machine without a clock chip. Nil if `AUTOHARP_CLOCK` is not set, as on a desktop.
  private let savedClock: SavedClock?
  let unitSettings: UnitSettings
  let reload: ConfigurationReload
  let buttons: ConfiguredButtons
  private let unitLibrary: UnitLibrary
  let unitLists: UnitLists
  let unit: HeadUnit
  private let libraryPace: LibraryPace
  let bluetooth: UnitBluetooth
  let sound: UnitSound
  let holds: UnitHolds
  let recentLists: RecentListSaver
  let queueSaver: QueueSaver
  let queue: UnitQueue
  let growth: QueueGrowth
  let following: FollowingList
  let queueCommands: QueueCommands
  let listOwner: UnitListOwner
  let keys: UnitKeys
  let car: CarWires
  let apps: UnitApps
  let music: MusicFolders
  private let movedFiles: MovedFileSearch
  let notices: UnitNotices
  private let presentMusic: PresentMusic
  private let storageReader: StorageReader
  let control: UnitControl
  let controlSocket: ControlSocket

  private var sources: [EventSource] = []
  private var deadline: TimerSource?
  private var isEnding = false

  /// Creates all parts. Blocks until the saved state was read, at most 1.5 s. Does not play and serves no client yet.
  public init(_ start: Start) {
    loop = EventLoop()
    turns = Turns(loop)
    outbox = UnitOutbox(turns)
    let settings = start.configuration.settings
    log = UnitLog(level: LogLine.Severity(settings.logLevel), outbox: outbox)
    log(.unitStarted, "\(start.version) starts", at: .now())
    for notice in start.configuration.notices {
      log(LogEvent(notice.kind), notice.description, at: .now())
    }

    // The machine and the settings.
    board = BoardMonitor(loop, log: log)
    machineControl = MachineControl(
      loop, start.powerRequest, mark: start.erasureMark, log: log)
    savedClock = SavedClock(loop, path: SavedClock.standardPath)
    unitSettings = UnitSettings(
      loop, start.configuration, UnitClock(loop), turns, log: log)
    reload = ConfigurationReload(loop, start.readConfiguration, unitSettings, turns, log: log)
    let storage = StorageMonitor(folder: StorageMonitor.standardFolder)
    for notice in storage.notices { log(notice, at: .now()) }

    // The state that the last run has saved.
    memory = UnitMemory(
      loop, settings, turns,
      lastEnd: ProcessEnd.last(in: UnitRun.folder(ofSocket: start.socketPath)), log: log)
    let state = memory.opened
    let plan = StartPlan(state, settings)
    if case .safeMode(let failures) = plan {
      log(.unitSafeMode, "the last \(failures) starts failed", at: .now())
    }
    let isSafeMode = plan.isSafeMode
    thisRun = UnitRun(start, isSafeMode: isSafeMode, turns)
    resumption = Resumption(plan, state)

    // The lists and the head unit.
    buttons = ConfiguredButtons(settings, turns, log: log)
    let tests = state.cardTests.map { DeviceFormat.CardTest(card: $0.card, step: $0.step) }
    let failures = PendingFailures()
    let sink = start.makeSink(settings, tests) { failures.put($0) }
    unitLibrary = UnitLibrary(
      loop, settings, absence: isSafeMode ? .safeMode : settings.isLibraryOn ? nil : .off,
      configurationFiles: thisRun.configurationFiles, socket: thisRun.socket,
      names: mounted.names, turns, log: log)
    let playlists = UnitPlaylists(loop, settings, isHeld: isSafeMode, mounted, turns, log: log)
    unitLists = UnitLists(playlists, unitLibrary)
    recentLists = RecentListSaver(
      folder: settings.stateFolder, isHeld: isSafeMode, turns, log: log)
    let options = HeadUnit.Options(
      unitSettings, plan, state, buttons, resumption, recentLists, turns)
    unit = HeadUnit(files: [], sink: sink, options: options, marks: playlists.marks)
    unit.player.setRepeat(
      state.repeatMode == .off ? .off : state.repeatMode == .one ? .one : .all)
    switch state.shuffleMode {
    case .off: break
    case .items: unit.player.setShuffle(.items)
    case .collections: unit.player.setShuffle(.collections)
    }
    libraryPace = LibraryPace(loop, unit, unitLibrary)

    // Phones and sound.
    bluetooth = UnitBluetooth(loop, unit, settings, plan, memory, buttons, turns, log: log)
    apps = UnitApps(loop, unit, plan, buttons, options.artworkCache, turns, log: log)
    sound = UnitSound(
      loop, start, output: sink.name, failures, unit, bluetooth, memory, outbox, log: log)
    holds = UnitHolds(
      loop, unit.center,
      file: HoldFile(
        folder: UnitRun.folder(ofSocket: thisRun.socket), boot: MachineReadings.boot ?? ""), turns)

    // The queue.
    queueSaver = QueueSaver(
      unit.player, mounted, folder: settings.stateFolder, state: state, isHeld: isSafeMode, turns,
      log: log)
    queue = UnitQueue(unit, recentLists, resumption, mounted, turns)
    growth = QueueGrowth(queue, unitLibrary, mounted, turns)
    let neighbours = ListNeighbours(lists: unitLists, mounted: mounted)
    following = FollowingList(queue, growth, neighbours, settings)
    queueCommands = QueueCommands(queue, unitLists, recentLists, mounted, turns)
    let jumps = QueueJumps(queue, queueCommands, neighbours, turns)
    listOwner = UnitListOwner(unit, queueCommands, jumps, outbox, turns, log: log)

    // Keys, car and media.
    keys = UnitKeys(loop, unit.center, bluetooth.target, outbox, turns, log: log)
    car = CarWires(
      loop, start.carLines, settings, unit.center, memory, savedClock, machineControl, turns,
      log: log)
    music = MusicFolders(
      unit, queue, resumption, settings, unitLibrary, mounted, outbox, turns, log: log)
    movedFiles = MovedFileSearch(
      unitLibrary, queue, growth, music, playlists, mounted, log: log)
    notices = UnitNotices(
      loop, isSafeMode: isSafeMode, storage, music, unitSettings, bluetooth, memory, outbox, turns,
      log: log)

    // Clients.
    storageReader = StorageReader(loop)
    presentMusic = PresentMusic(queueCommands, music, recentLists, mounted, turns)
    control = UnitControl(
      UnitParts(
        loop: loop, run: thisRun, unit: unit, settings: unitSettings, memory: memory,
        notices: notices, music: music, lists: unitLists, queue: queueCommands,
        bluetooth: bluetooth, apps: apps, keys: keys, car: car, holds: holds,
        sound: sound, board: board, machine: machineControl, storage: storageReader,
        devices: DeviceTextReader(loop), services: ServiceReader(loop), outbox: outbox, log: log),
      turns)
    controlSocket = ControlSocket(
      loop, control, path: thisRun.socket, lock: start.socketLock, turns, log: log)
  }

  // MARK: Start

  /// Runs the daemon until a signal ends it. Returns the exit status.
  public func run() throws(SystemError) -> Int32 {
    try begin()
    let status = try loop.run()
    shutDown()
    return status
  }

  /// Starts all parts. After this call, everything runs in the event loop.
  func begin() throws(SystemError) {
    try listen()
    unitLibrary.open()
    if unitLibrary.absence == nil { music.useLibrary() }
    music.updateVolumes()
    // `car` passes the turns of the rotary encoder to `keys`, so `keys` is opened first.
    keys.open(settings, at: .now())
    car.start()
    car.use(settings, keys)
    music.start()
    // The control socket opens after the search for music has started, so that it does not delay the first sound. The
    // socket opens before the first turn, because this turn sends the events of the start to the clients.
    controlSocket.open()
    turn()
    turns.begin { [weak self] in self?.turn() }
    // bluetoothd and its phones must not delay the first sound.
    bluetooth.start()
    thisRun.noteReady()
    ServiceManager.ready(status: "plays from \(settings.musicFolders.joined(separator: ", "))")
  }

  private func listen() throws(SystemError) {
    for descriptor in unit.descriptors {
      sources.append(
        try DescriptorSource(loop, descriptor: descriptor) { [turns] _ in turns.request() })
    }
    for signal in [SIGTERM, SIGINT] {
      sources.append(try SignalSource(loop, signal: signal) { [thisRun] in thisRun.requestEnd() })
    }
    sources.append(try SignalSource(loop, signal: SIGHUP) { [reload] in reload.begin() })
    deadline = TimerSource(loop, clock: .monotonic) { [turns] in turns.request() }
    try storageReader.start()
    try music.listen(loop)
    try memory.start()
    try queueSaver.listen(loop)
    try recentLists.listen(loop)
    try notices.start()
    try sound.start()
  }

  // MARK: Turn

  /// Updates all parts. Called after each event that has requested a turn. A part that needs data from another part is
  /// updated after that part.
  func turn() {
    handlePlayerEvents()
    useChangedSettings()
    unit.setAttenuation(car.attenuation, for: .reverseGear)
    unit.setAttenuation(holds.isDucked ? .lowered : .none, for: .client)
    if music.takeMountsChange() {
      music.updateVolumes()
      notices.mountsChanged()
    }
    updateLibrary()
    bluetooth.phones.update()
    apps.update()
    let isPlayRequested = music.takePlayRequest() || apps.takePlayRequest()
    if isPlayRequested, bluetooth.phones.primary == nil, apps.player.primary == nil {
      send(.media(.play))
    }
    if let choice = queueCommands.takeFolderChoice() { music.play(choice) }
    music.considerNewSticks(isPhoneFirst: bluetooth.isPhoneFirst)
    if let stick = music.takeStickToPlay() { send(.list(.playSource(stick))) }
    if unitLists.playlists.takeChange() { unit.marksChanged() }
    let now = MonotonicInstant.now()
    updateQueue(at: now)
    presentMusic.update()
    tellWhatPlays()
    for answer in buttons.takeChimes() { answer(control.playChime()) }
    sound.update(at: now)
    controlSocket.update()
    // The saved state refers to an entry of the saved queue, so the queue is saved first.
    memory.update(
      from: unit, phone: bluetooth.phones.primary, app: apps.wanted, queue: queueSaver.currentEntry,
      heard: queueSaver.heard,
      keepsPosition: resumption.keepsSavedPosition, sticks: music.sticks.known, at: now)
    memory.save(
      waitsForQueue: queueSaver.isSaving(at: now),
      isAdvancing: unit.center.state.status.isAdvancing, at: now)
    let deadlines = [
      unit.nextDeadline, sound.nextDeadline, bluetooth.phones.nextDeadline,
      apps.player.nextDeadline,
    ]
    deadline?.set(at: deadlines.compactMap { $0?.awake }.min())
    if thisRun.takeEndRequest() { end() }
  }

  // MARK: End

  /// Fades out the sound, saves the state, and ends the event loop.
  private func end() {
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
    let timer = TimerSource(loop, clock: .monotonic) { [loop] in loop.exit(0) }
    timer.set(after: fade)
    sources.append(timer)
  }

  /// Stops first the parts that can begin something new, then the parts that save, then the sound and the socket.
  func shutDown() {
    unitLibrary.shutDown()
    keys.shutDown()
    music.shutDown()
    unitLists.playlists.shutDown()
    // The saved state refers to an entry of the saved queue, so the queue is saved first.
    recentLists.shutDown()
    queueSaver.shutDown()
    memory.shutDown()
    bluetooth.shutDown()
    apps.player.shutDown()
    unitSettings.shutDown(within: 1000)
    savedClock?.finish(within: 500)
    unit.shutDown()
    controlSocket.close()
  }
}

// Applies settings to the running daemon.
extension UnitDaemon {
  var settings: Settings { unitSettings.configuration.settings }

  private func useChangedSettings() {
    if let old = unitSettings.takeChange() { use(after: old) }
    guard let new = reload.take() else { return }
    let old = settings
    for notice in new.configuration.notices {
      log(LogEvent(notice.kind), notice.description, at: .now())
    }
    unitSettings.use(new.configuration, readAfter: new.changeCount)
    use(after: old)
    if settings.buttons != old.buttons || settings.buttonPictures != old.buttonPictures {
      buttons.use(settings, new.pictures)
      unit.configureButtons()
      bluetooth.phones.configureButtons()
      apps.player.configureButtons()
    }
    if settings.musicFolders != old.musicFolders {
      music.find(in: settings.musicFolders)
      music.updateVolumes()
    }
    log(.configurationRead, "the configuration was read again", at: .now())
    reload.end()
  }

  /// Passes to each part the new settings that a running daemon can apply. The other settings take effect at the next
  /// start, and their names are logged.
  private func use(after old: Settings) {
    log.level = LogLine.Severity(settings.logLevel)
    keys.configure(settings)
    following.use(settings)
    music.use(settings)
    unit.center.setLanguage(LanguageTag(settings.language), at: .now())
    bluetooth.use(settings)
    unit.setReplayGain(ReplayGainSettings(settings))
    unit.setSkipInterval(settings.skipInterval)
    car.use(settings, keys)
    let waiting = SettingKey.waitingForRestart(settings, after: old)
    if !waiting.isEmpty {
      let names = waiting.joined(separator: ", ")
      log(.configurationNeedsRestart, "takes effect at the next start: \(names)", at: .now())
    }
  }
}

// The steps of a turn that concern several parts. ``turn()`` calls them in order.
extension UnitDaemon {
  private func handlePlayerEvents() {
    for event in unit.turn() {
      switch event {
      case .player(let event):
        bluetooth.handle(event)
        apps.handle(event)
        sound.handle(event)
        music.handle(event)
        // A failed search for moved files is repeated when a track starts.
        if case .started = event { movedFiles.update() }
      case .starved(let file): sound.starved(file)
      case .cover(let notice): log.limited(notice, at: .now())
      }
    }
  }

  /// Starts the library, and handles its changes. The library starts only when the first track plays or the search for
  /// files has ended, so that it does not delay the music.
  private func updateLibrary() {
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
  private func tellWhatPlays() {
    let player = unit.player
    unitLists.current.update(
      player.state.isStopped ? nil : player.state.file, list: player.context?.list, unitLibrary)
    let isPlaying = unit.center.state.session == LocalSource.sessionID && !player.state.isStopped
    unitLibrary.playingVolume = isPlaying ? player.state.file?.volume?.identity : nil
  }

  /// Sends a command: a temporary surface connects, sends the command, and disconnects.
  private func send(_ request: CommandRequest) {
    handlePlayerEvents()
    let port = unit.center.connect(SurfaceDescription(id: "start"), at: .now()) { _ in }
    port.send(request, on: .text, at: .now())
    port.disconnect(at: .now())
  }
}
