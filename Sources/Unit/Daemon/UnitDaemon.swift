internal import Artwork
internal import AudioCodecs
internal import AudioEngine
package import Control
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
  package let outbox: UnitOutbox
  let unit: HeadUnit
  let log: UnitLog
  let unitSettings: UnitSettings
  let version: String
  let parts: [(name: String, version: String)]
  /// True after three failed starts in a row. Then nothing plays automatically, and what strangers may have
  /// written is not read: the library, the playlists and the saved queue do not start.
  let isSafeMode: Bool
  /// The time at which this run began.
  let began = MonotonicInstant.now()
  /// The time at which this run was ready; nil until then.
  var readyAt: MonotonicInstant?
  /// The image's reports about the storage.
  let storage: StorageMonitor
  let holds: UnitHolds
  let keys: UnitKeys
  let car: CarWires
  let machineControl: MachineControl
  /// Nil if this process is no service of a head unit.
  let savedClock: SavedClock?
  let board: BoardMonitor
  let chosenCard: @Sendable () -> Start.SoundCard?
  let soundCards: @Sendable () -> [Start.SoundCard]
  /// Nil if the output mutes no amplifier.
  let amplifier: AmplifierReader?
  let buttons: ButtonsHolder
  let readConfiguration: @Sendable () -> Configuration
  /// The progress of a reload of the configuration.
  var reloading = Reloading.idle
  private let failures = PendingFailures()
  let memory: UnitMemory
  let unitQueue: UnitQueue
  let unitLists: UnitLists
  let music: MusicFolders
  /// Nil before the daemon runs.
  private(set) var storageReader: StorageReader?
  var outputProgress = OutputProgress()
  private var traceReader = CommandTraceReader()
  var sound = SoundHistory()
  var sources: [EventSource] = []
  var deadline: TimerSource?
  var watchdogTimer: TimerSource?
  var rescan: TimerSource?
  private var mediumTimer: TimerSource?
  var controlRetryTimer: TimerSource?
  var controlFailure: String?
  private var listener: StateListener?
  var server: ControlServer?
  let bluetooth: UnitBluetooth
  let unitLibrary: UnitLibrary
  let libraryPace: LibraryPace
  let movedFiles: MovedFileSearch
  let mounted = MountedVolumes()
  /// Runs once after the start of the library.
  var libraryTimer: TimerSource?
  let configurationFiles: [String]
  /// The times of presses at the radio. Nil if the configuration does not request them.
  var pressTimes: PressTimes?
  let socket: String
  let socketLock: SocketLock?
  var isEnding = false

  /// Opens everything that the daemon needs. Does not start playback and does not serve clients
  /// yet.
  public init(_ start: Start) {
    loop = EventLoop()
    turns = Turns(loop)
    outbox = UnitOutbox(turns)
    savedClock = SavedClock(loop, path: SavedClock.standardPath)
    chosenCard = start.chosenCard
    soundCards = start.soundCards
    amplifier = start.amplifier.map { [loop] in AmplifierReader(loop, $0) }
    readConfiguration = start.readConfiguration
    version = start.version
    parts = start.parts
    configurationFiles = start.configurationFiles
    socket = start.socket ?? start.configuration.settings.controlSocket
    socketLock = start.socketLock
    let settings = start.configuration.settings
    log = UnitLog(level: LogLine.Severity(settings.logLevel), outbox: outbox)
    board = BoardMonitor(loop, log: log)
    machineControl = MachineControl(
      loop, start.powerRequest, mark: start.erasureMark, log: log)
    log(.unitStarted, "\(start.version) starts", at: .now())
    for line in start.configuration.notices { log(.configurationWrong, "\(line)", at: .now()) }
    unitSettings = UnitSettings(
      loop, start.configuration, UnitClock(loop), turns, log: log)

    storage = StorageMonitor(folder: StorageMonitor.standardFolder)
    for notice in storage.notices { log(notice, at: .now()) }

    memory = UnitMemory(loop, settings, turns, log: log)
    let state = memory.opened
    isSafeMode = state.starts.failuresInARow >= Self.failuresForSafeMode
    if isSafeMode {
      log(.unitSafeMode, "the last \(state.starts.failuresInARow) starts failed", at: .now())
    }
    let awaited = Self.awaitedPhone(state, settings, isSafeMode: isSafeMode)
    let playsWhenFound = !isSafeMode && awaited == nil && settings.plays(state.wasPlaying)

    var options = HeadUnit.Options(settings, state)
    let chosen = ButtonsHolder()
    buttons = chosen
    options.buttons = { chosen.buttons?.configure($0, &$1) }
    let tests = state.cardTests.map { DeviceFormat.CardTest(card: $0.card, step: $0.step) }
    let sink = start.makeSink(settings, tests) { [failures] in failures.put($0) }
    sound.configuredOutput = sink.name
    unitLibrary = UnitLibrary(
      loop, settings, absence: isSafeMode ? .safeMode : settings.isLibraryOn ? nil : .off,
      configurationFiles: configurationFiles, socket: socket, turns, log: log)
    let playlists = UnitPlaylists(loop, settings, isHeld: isSafeMode, mounted, turns, log: log)
    unitLists = UnitLists(playlists, unitLibrary)
    unit = HeadUnit(files: [], sink: sink, options: options, marks: playlists.marks)
    unit.player.setRepeat(
      state.repeatMode == .off ? .off : state.repeatMode == .one ? .one : .all)
    if state.shuffleMode != .off { unit.player.setShuffled(true) }
    bluetooth = UnitBluetooth(loop, unit, settings, memory, turns, log: log)
    if let awaited { bluetooth.wait(for: awaited, settings) }
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
    libraryPace = LibraryPace(loop, unit, unitLibrary)
    movedFiles = MovedFileSearch(unitLibrary, unitQueue, music, playlists, log: log)
    useQueueSettings()
    unit.center.willPerformLater = { [weak self] in self?.performsLater($0, of: $1) ?? false }
    setButtons(ButtonPictureFiles(settings))
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
    storageReader = try StorageReader(loop)
    try watch(music.foundWake.descriptor) { daemon in
      if let notice = daemon.music.takeFindings() { daemon.outbox.put(.notice(notice)) }
      if !daemon.music.isFinderBusy { daemon.startLibrary() }
    }
    try watch(music.mountsWake.descriptor) { $0.mountsChanged() }
    try watch(failures.descriptor) { daemon in
      for text in daemon.failures.take() { daemon.log(.amplifierFailed, text, at: .now()) }
    }
    try memory.start()
    if !isSafeMode {
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
    if storage.descriptor >= 0 { try watch(storage.descriptor) { $0.storageChanged() } }
    for signal in [SIGTERM, SIGINT] {
      sources.append(try SignalSource(loop, signal: signal) { [weak self] in self?.end() })
    }
    sources.append(try SignalSource(loop, signal: SIGHUP) { [weak self] in self?.reload() })
    deadline = TimerSource(loop, clock: .monotonic) { [turns] in turns.request() }
    controlRetryTimer = TimerSource(loop, clock: .monotonic) { [weak self] in self?.serveControl() }
    rescan = TimerSource(loop, clock: .monotonic) { [weak self] in
      self?.music.find()
      self?.turns.request()
    }
    mediumTimer = TimerSource(loop, clock: .monotonic) { [weak self] in self?.checkMedium() }
    // This timer has the same priority as all other events. So the watchdog is fed even while
    // phones and clients keep the loop busy.
    watchdogTimer = TimerSource(loop, clock: .monotonic) { [weak self] in
      self?.checkOutput()
    }
    checkOutput()
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
    for record in traceReader.takeFinished(unit.center.trace, at: now) {
      sound.finished.add(record)
      log(.command, "\(record)", at: now)
      outbox.put(.trace(.command(.init(record))))
    }
    if let server { server.update() } else { _ = outbox.take() }
    memory.update(
      from: unit, phone: bluetooth.phones.primary, queue: unitQueue.place,
      keepsPosition: music.keepsSavedPosition, sticks: music.sticks.known, at: now)
    memory.save(
      waitsForQueue: unitQueue.isSaving(at: now),
      isAdvancing: unit.center.state.status.isAdvancing, at: now)
    let deadlines = [
      unit.nextDeadline, traceReader.nextDeadline, bluetooth.phones.nextDeadline,
    ]
    deadline?.set(at: deadlines.compactMap { $0?.awake }.min())
    if music.isFinderBusy, mediumTimer?.isEnabled == false {
      mediumTimer?.set(after: Self.mediumInterval)
    }
  }
}
