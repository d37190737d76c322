internal import Artwork
internal import AudioCodecs
internal import AudioEngine
internal import Control
internal import EventLoop
internal import Files
internal import Glibc
internal import HeadUnit
internal import Input
internal import LibraryModel
internal import LocalPlayer
internal import NowPlaying
internal import PhonePlayer
internal import Reports
internal import Settings
internal import SystemClock
internal import Threads
internal import UnitState

/// The head unit as it runs in a car: plays, saves its state, and recovers from failures.
///
/// All methods run on the control thread. All events arrive through the event loop. After each
/// event, ``turn()`` updates the head unit, saves and logs the changes, and sets the timers.
public final class UnitDaemon {
  /// The number of failed starts in a row after which nothing plays automatically.
  private static let failuresForSafeMode = 3
  /// The interval at which the daemon checks whether the search for music waits for a medium.
  private static let mediumInterval = Duration.seconds(5)

  let loop: EventLoop
  /// Requests ``turn()`` after the present event.
  let turns: Turns
  let outbox: UnitOutbox
  let unit: HeadUnit
  let log: UnitLog
  let unitSettings: UnitSettings
  let thisRun: UnitRun
  let notices: UnitNotices
  let holds: UnitHolds
  let keys: UnitKeys
  let car: CarWires
  let machineControl: MachineControl
  /// Nil if this process is no service of a head unit.
  let savedClock: SavedClock?
  let board: BoardMonitor
  let buttons: ConfiguredButtons
  let storageReader: StorageReader
  let control: UnitControl
  let controlSocket: ControlSocket
  let readConfiguration: @Sendable () -> Configuration
  /// The progress of a reload of the configuration.
  var reloading = Reloading.idle
  let memory: UnitMemory
  let unitQueue: UnitQueue
  let unitLists: UnitLists
  let music: MusicFolders
  let sound: UnitSound
  var sources: [EventSource] = []
  var deadline: TimerSource?
  var rescan: TimerSource?
  private var mediumTimer: TimerSource?
  private var listener: StateListener?
  let bluetooth: UnitBluetooth
  let unitLibrary: UnitLibrary
  let libraryPace: LibraryPace
  let movedFiles: MovedFileSearch
  let mounted = MountedVolumes()
  /// Runs once after the start of the library.
  var libraryTimer: TimerSource?
  var isEnding = false

  /// Opens everything that the daemon needs. Does not start playback and does not serve clients
  /// yet.
  public init(_ start: Start) {
    loop = EventLoop()
    turns = Turns(loop)
    outbox = UnitOutbox(turns)
    savedClock = SavedClock(loop, path: SavedClock.standardPath)
    readConfiguration = start.readConfiguration
    let settings = start.configuration.settings
    log = UnitLog(level: LogLine.Severity(settings.logLevel), outbox: outbox)
    board = BoardMonitor(loop, log: log)
    machineControl = MachineControl(
      loop, start.powerRequest, mark: start.erasureMark, log: log)
    log(.unitStarted, "\(start.version) starts", at: .now())
    for line in start.configuration.notices { log(.configurationWrong, "\(line)", at: .now()) }
    unitSettings = UnitSettings(
      loop, start.configuration, UnitClock(loop), turns, log: log)

    let storage = StorageMonitor(folder: StorageMonitor.standardFolder)
    for notice in storage.notices { log(notice, at: .now()) }

    memory = UnitMemory(loop, settings, turns, log: log)
    let state = memory.opened
    thisRun = UnitRun(
      start, isSafeMode: state.starts.failuresInARow >= Self.failuresForSafeMode, turns)
    let isSafeMode = thisRun.isSafeMode
    if isSafeMode {
      log(.unitSafeMode, "the last \(state.starts.failuresInARow) starts failed", at: .now())
    }
    let awaited = Self.awaitedPhone(state, settings, isSafeMode: isSafeMode)
    let playsWhenFound = !isSafeMode && awaited == nil && settings.plays(state.wasPlaying)

    var options = HeadUnit.Options(settings, state)
    buttons = ConfiguredButtons(settings, turns, log: log)
    options.buttons = { [buttons] in buttons.configure($0, &$1) }
    let tests = state.cardTests.map { DeviceFormat.CardTest(card: $0.card, step: $0.step) }
    let failures = PendingFailures()
    let sink = start.makeSink(settings, tests) { failures.put($0) }
    unitLibrary = UnitLibrary(
      loop, settings, absence: isSafeMode ? .safeMode : settings.isLibraryOn ? nil : .off,
      configurationFiles: thisRun.configurationFiles, socket: thisRun.socket, turns, log: log)
    let playlists = UnitPlaylists(loop, settings, isHeld: isSafeMode, mounted, turns, log: log)
    unitLists = UnitLists(playlists, unitLibrary)
    unit = HeadUnit(files: [], sink: sink, options: options, marks: playlists.marks)
    unit.player.setRepeat(
      state.repeatMode == .off ? .off : state.repeatMode == .one ? .one : .all)
    if state.shuffleMode != .off { unit.player.setShuffled(true) }
    bluetooth = UnitBluetooth(loop, unit, settings, memory, turns, log: log)
    if let awaited { bluetooth.wait(for: awaited, settings) }
    sound = UnitSound(
      loop, start, output: sink.name, failures, unit, bluetooth, memory, outbox, log: log)
    unitQueue = UnitQueue(
      unit, unitLists, mounted, folder: settings.stateFolder, state: state, isHeld: isSafeMode,
      turns, log: log)
    keys = UnitKeys(loop, unit.center, bluetooth.target, outbox, turns, log: log)
    holds = UnitHolds(loop, unit.center, turns)
    car = CarWires(
      loop, start.carLines, settings, unit.center, memory, savedClock, machineControl, turns,
      log: log)
    music = MusicFolders(
      unit, queue: unitQueue, folders: settings.musicFolders, state: state,
      playsWhenFound: playsWhenFound, unitLibrary, outbox, log: log)
    notices = UnitNotices(
      loop, isSafeMode: isSafeMode, storage, music, unitSettings, bluetooth, memory, outbox, turns,
      log: log)
    libraryPace = LibraryPace(loop, unit, unitLibrary)
    movedFiles = MovedFileSearch(unitLibrary, unitQueue, music, playlists, log: log)
    storageReader = StorageReader(loop)
    control = UnitControl(
      UnitParts(
        loop: loop, run: thisRun, unit: unit, settings: unitSettings, memory: memory,
        notices: notices,
        music: music, lists: unitLists, queue: unitQueue, bluetooth: bluetooth, keys: keys,
        car: car, holds: holds, sound: sound, board: board, machine: machineControl,
        storage: storageReader, outbox: outbox, log: log), turns)
    controlSocket = ControlSocket(
      loop, control, path: thisRun.socket, lock: start.socketLock, turns, log: log)
    useQueueSettings()
    unit.center.willPerformLater = { [weak self] in self?.performsLater($0, of: $1) ?? false }
  }

  // MARK: Events

  func listen() throws(SystemError) {
    func watch(_ descriptor: Int32, _ handler: @escaping (UnitDaemon) -> Void)
      throws(SystemError)
    {
      sources.append(
        try DescriptorSource(loop, descriptor: descriptor, events: .readable) {
          [weak self] _ in
          guard let self else { return }
          handler(self)
          turns.request()
        })
    }
    for descriptor in unit.descriptors { try watch(descriptor) { _ in } }
    try storageReader.start()
    try watch(music.foundWake.descriptor) { daemon in
      if let notice = daemon.music.takeFindings() { daemon.outbox.put(.notice(notice)) }
      if !daemon.music.isFinderBusy { daemon.startLibrary() }
    }
    try watch(music.mountsWake.descriptor) { $0.mountsChanged() }
    try memory.start()
    if !thisRun.isSafeMode {
      try watch(unitQueue.store.openingDescriptor) { $0.queueOpened() }
      try watch(unitQueue.places.store.openingDescriptor) { $0.unitQueue.places.takeSaved() }
    }
    for store in [unitQueue.store, unitQueue.places.store] {
      try watch(store.noticeDescriptor) { daemon in
        for notice in store.takeNotices() {
          daemon.log(LogEvent(notice.kind), "the queue: \(notice.text)", at: .now())
        }
      }
    }
    try notices.start()
    for signal in [SIGTERM, SIGINT] {
      sources.append(try SignalSource(loop, signal: signal) { [weak self] in self?.end() })
    }
    sources.append(try SignalSource(loop, signal: SIGHUP) { [weak self] in self?.reload() })
    deadline = TimerSource(loop, clock: .monotonic) { [turns] in turns.request() }
    rescan = TimerSource(loop, clock: .monotonic) { [weak self] in
      self?.music.find()
      self?.turns.request()
    }
    mediumTimer = TimerSource(loop, clock: .monotonic) { [weak self] in self?.checkMedium() }
    try sound.start()
    // Any surface can change the state. The listener requests a turn, so that the change is saved.
    let listener = StateListener { [turns] in turns.request() }
    unit.center.add(stateObserver: listener)
    self.listener = listener
  }

  /// Called after each event that has requested it.
  func turn() {
    takePlayerEvents()
    if let old = unitSettings.takeChange() { useChange(after: old) }
    let now = MonotonicInstant.now()
    unit.setAttenuation(max(car.attenuation, holds.isDucked ? .lowered : .none))
    keys.takeJumps().forEach(unitQueue.jump)
    if unitLibrary.takeChange() { libraryChanged() }
    if music.takePlayRequest() { playOwnMusic() }
    bluetooth.phones.update()
    if unitLists.playlists.takeChange() { unit.marksChanged() }
    updateLists(at: now)
    sound.update(at: now)
    for answer in buttons.takeChimes() { answer(control.playChime()) }
    controlSocket.update()
    memory.update(
      from: unit, phone: bluetooth.phones.primary, queue: unitQueue.place,
      keepsPosition: music.keepsSavedPosition, sticks: music.sticks.known, at: now)
    memory.save(
      waitsForQueue: unitQueue.isSaving(at: now),
      isAdvancing: unit.center.state.status.isAdvancing, at: now)
    let deadlines = [
      unit.nextDeadline, sound.nextDeadline, bluetooth.phones.nextDeadline,
    ]
    deadline?.set(at: deadlines.compactMap { $0?.awake }.min())
    if thisRun.takeEndRequest() { end() }
    if music.isFinderBusy, mediumTimer?.isEnabled == false {
      mediumTimer?.set(after: Self.mediumInterval)
    }
  }
}
