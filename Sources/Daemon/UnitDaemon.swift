internal import Artwork
internal import AudioCodecs
public import AudioEngine
internal import Control
public import EventLoop
internal import Files
internal import Glibc
internal import HeadUnit
internal import LocalPlayer
package import NowPlaying
internal import Reports
public import Settings
internal import StateStore
internal import SystemClock
internal import Threads
internal import UnitState

/// The head unit as it runs in a car: plays, remembers and heals.
///
/// Control thread. Everything that happens comes in by the event loop; after each of it ``turn()``
/// lets the head unit follow, and looks at what is to be remembered, said and fed.
public final class UnitDaemon {
  /// What it is started with.
  public struct Start {
    /// What the configuration says.
    public var configuration: Configuration
    /// Reads it again.
    public var readConfiguration: () -> Configuration
    /// Where the sound goes; words that come from below are given to the closure, on any thread.
    public var makeSink:
      (Settings, _ trouble: @escaping @Sendable (String) -> Void) -> any AudioSink
    /// The control socket, whatever the configuration says.
    public var socket: String?
    /// For the log.
    public var version: String

    /// Joins all.
    public init(
      configuration: Configuration, readConfiguration: @escaping () -> Configuration,
      makeSink:
        @escaping (Settings, _ trouble: @escaping @Sendable (String) -> Void) ->
        any AudioSink,
      socket: String? = nil, version: String
    ) {
      self.configuration = configuration
      self.readConfiguration = readConfiguration
      self.makeSink = makeSink
      self.socket = socket
      self.version = version
    }
  }

  /// A run that lasted so long is no failed start.
  private static let steadyAfter = Duration.seconds(20)
  /// So many starts that failed one after the other, and nothing is played by itself.
  private static let failuresThatMakeCareful = 3
  /// The medium may take so long to give the state, or the unit begins without.
  private static let stateMilliseconds = 1500
  /// A folder that is mounted is often filled a moment later.
  private static let settleTime = Duration.milliseconds(300)

  let loop: EventLoop
  let unit: HeadUnit
  let log: UnitLog
  private(set) var configuration: Configuration
  let version: String
  /// When this run began, and when it was ready.
  let began = MonotonicInstant.now()
  private(set) var readyAt: MonotonicInstant?
  /// Whether the state can be saved, as far as is known.
  private(set) var isSaving = true
  /// Those that the console began.
  var interruptions: [Interruption.Reason: Int] = [:]

  package var onTrace: ((CommandRecord) -> Void)?
  private var told: [CommandRecord] = []
  private let readConfiguration: () -> Configuration
  private let trouble = TroubleBox()
  private let store: StateStore
  private var keeper: StateKeeper
  private let finder = MusicFinder()
  private let mounts = MountWatch()
  private var heartbeat = Heartbeat()
  private var follower = CommandFollower()
  /// What the last run left, until the music that it names was found or somebody asked for other.
  private var pending: UnitState?
  /// It would play what it finds, if it finds what it left.
  private let playsOnFinding: Bool
  /// The track that plays was lost with its medium: where it was, and whether it goes on.
  private var lost: (path: String, seconds: Double, plays: Bool)?
  private(set) var sound = SoundFacts()
  private var sources: [EventSource] = []
  private var deadline: TimerSource?
  private var saving: TimerSource?
  private var beat: TimerSource?
  private var steady: TimerSource?
  private var rescan: TimerSource?
  private var memory: SurfacePort?
  private var server: ControlServer?
  private let socket: String
  private var isFindingLastFile = false
  private var isTurning = false
  private var isEnding = false

  /// Opens what it needs; nothing plays yet, and nobody is served.
  public init(_ start: Start) {
    loop = EventLoop()
    configuration = start.configuration
    readConfiguration = start.readConfiguration
    version = start.version
    socket = start.socket ?? start.configuration.settings.controlSocket
    let settings = start.configuration.settings
    log = UnitLog(level: LogLine.Severity(settings.logLevel))
    log(.notice, "\(start.version) starts", at: .now())
    for notice in start.configuration.notices { log(.warning, notice.description, at: .now()) }

    store = StateStore(folder: settings.stateFolder)
    var state = UnitState()
    let opening = store.opening(within: Self.stateMilliseconds)
    if opening == nil {
      log(.warning, "\(settings.stateFolder) does not answer; it begins anew", at: .now())
    } else if let payload = opening?.payload {
      do {
        state = try UnitState(decoding: payload)
      } catch {
        log(.warning, "the state that was saved cannot be used: \(error.reason)", at: .now())
      }
    }
    state.starts.begin(
      reasonOfLast: "it crashed or was killed", boot: MachineFacts.boot ?? "")
    let isCareful = state.starts.failuresInARow >= Self.failuresThatMakeCareful
    if isCareful {
      log(
        .error,
        "\(state.starts.failuresInARow) starts in a row have failed; it does not play by itself",
        at: .now())
    }
    playsOnFinding =
      !isCareful
      && (settings.start == .play || (settings.start == .resume && state.wasPlaying))
    keeper = StateKeeper(state, folders: settings.musicFolders)
    pending = state

    var options = HeadUnit.Options()
    options.fixed = settings.outputRate.map {
      StreamFormat(sampleRate: $0, layout: .stereo, encoding: .integer(bits: 24))
    }
    options.replayGain =
      switch settings.replayGain {
      case .off: .off
      case .track: .track
      case .album: .album
      }
    options.volume = Volume(
      restoring: state.volume.map { Volume.Stored(level: $0, isMuted: state.isMuted) },
      startMaximum: VolumeLevel(step: settings.startVolumeMaximum, of: 100))
    options.ducking.decibels = settings.duckingDecibels
    options.skipInterval = settings.skipInterval
    options.language = LanguageTag(settings.language)
    var limits = ArtworkCache.Limits()
    limits.bytes = settings.artworkFolderSize
    limits.files = settings.artworkFolderFiles
    limits.memoryBytes = settings.artworkMemory
    options.artworkCache = ArtworkCache(folder: settings.artworkFolder, limits: limits)
    let sink = start.makeSink(settings) { [trouble] in trouble.put($0) }
    sound.output = sink.name
    unit = HeadUnit(files: [], sink: sink, options: options)
    unit.player.setRepeat(
      state.repeatMode == .off ? .off : state.repeatMode == .one ? .one : .all)
    if state.shuffleMode != .off { unit.player.setShuffled(true) }
  }

  /// Runs until it is asked to stop. Returns the exit status.
  public func run() throws(SystemError) -> Int32 {
    try listen()
    serveControl()
    findLastFile()
    turn()
    readyAt = .now()
    ServiceManager.ready(status: "plays from \(settings.musicFolders.joined(separator: ", "))")
    let status = try loop.run()
    shutDown()
    return status
  }

  var settings: Settings { configuration.settings }

  /// The music does not depend on it: without its socket the unit plays, and says so.
  private func serveControl() {
    do {
      let server = try ControlServer(loop, self, path: socket, bus: .system)
      server.onRefused = { [weak self] in self?.log(.warning, "control socket: \($0)", at: .now()) }
      // What was asked may have a deadline of its own.
      server.onActivity = { [weak self] in self?.turn() }
      self.server = server
    } catch {
      log(.error, "\(socket): \(error)", at: .now())
    }
  }

  // MARK: What comes in

  private func listen() throws(SystemError) {
    func watch(_ descriptor: Int32, _ handler: @escaping (UnitDaemon) -> Void)
      throws(SystemError)
    {
      sources.append(
        try DescriptorSource(loop, descriptor: descriptor, events: .readable) {
          [weak self] _ in
          guard let self else { return }
          handler(self)
          turn()
        })
    }
    for descriptor in unit.descriptors { try watch(descriptor) { _ in } }
    try watch(finder.wakeUp.descriptor) { $0.takeFindings() }
    try watch(mounts.wakeUp.descriptor) { $0.mountsChanged() }
    try watch(trouble.descriptor) { daemon in
      for words in daemon.trouble.take() { daemon.log(.warning, words, at: .now()) }
    }
    try watch(store.noticeDescriptor) { daemon in
      for notice in daemon.store.takeNotices() {
        if notice.kind == .notSaving { daemon.isSaving = false }
        if notice.kind == .savingAgain { daemon.isSaving = true }
        daemon.log(notice.kind == .savingAgain ? .notice : .warning, notice.text, at: .now())
      }
    }
    for signal in [SIGTERM, SIGINT] {
      sources.append(try SignalSource(loop, signal: signal) { [weak self] in self?.end() })
    }
    sources.append(try SignalSource(loop, signal: SIGHUP) { [weak self] in self?.reload() })
    deadline = TimerSource(loop, clock: .monotonic) { [weak self] in self?.turn() }
    saving = TimerSource(loop, clock: .monotonic) { [weak self] in self?.turn() }
    rescan = TimerSource(loop, clock: .monotonic) { [weak self] in
      guard let self else { return }
      finder.find(settings.musicFolders)
    }
    steady = TimerSource(loop, clock: .monotonic) { [weak self] in
      self?.keeper.reach(.steady, at: .now())
      self?.turn()
    }
    steady?.set(after: Self.steadyAfter)
    if let interval = ServiceManager.watchdogInterval {
      beat = TimerSource(loop, clock: .monotonic, priority: .idle) { [weak self] in
        self?.feed(interval)
      }
      feed(interval)
    }
    // Whatever changes the state, from whichever surface, is to be followed and remembered.
    memory = unit.center.connect(SurfaceDescription(id: "memory"), at: .now()) { [weak self] _ in
      guard let self else { return }
      loop.defer { [weak self] in self?.turn() }
    }
  }

  /// After everything that happens.
  func turn() {
    // What a turn changes is seen by this turn, or by the one that it asks for.
    guard !isTurning else { return }
    isTurning = true
    defer { isTurning = false }
    for event in unit.turn() { take(event) }
    let now = MonotonicInstant.now()
    keeper.look(at: unit, keeps: pending != nil || lost != nil, at: now)
    if let payload = keeper.takeDue(at: now) { store.save(payload) }
    for record in follower.takeFinished(unit.center.trace, at: now) {
      sound.finished.add(record)
      log(.debug, "\(record)", at: now)
    }
    tellTrace()
    let deadlines = [unit.nextDeadline, follower.nextDeadline].compactMap { $0 }
    set(deadline, at: deadlines.min()?.awake)
    // Elapsed time changes without an event.
    let progress: Duration? =
      unit.center.state.status.isAdvancing ? now.awake + SaveSchedule.interval : nil
    set(saving, at: [keeper.nextDeadline, progress].compactMap { $0 }.min())
  }

  /// The starts that are remembered, this one last.
  var history: StartHistory { keeper.history }

  private func tellTrace() {
    guard let onTrace else {
      told = []
      return
    }
    let records = unit.center.trace.records
    let known = Dictionary(told.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
    told = records
    for record in records where known[record.number] != record { onTrace(record) }
  }

  private func set(_ timer: TimerSource?, at moment: Duration?) {
    guard let moment else {
      timer?.stop()
      return
    }
    let (seconds, attoseconds) = moment.components
    timer?.set(at: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  // MARK: Music

  /// What played last, before all folders are read: a stick full of music takes its time.
  private func findLastFile() {
    let candidates = candidates
    isFindingLastFile = !candidates.isEmpty
    finder.find(isFindingLastFile ? candidates : settings.musicFolders)
  }

  /// Where the file may be that is to be gone back to.
  private var candidates: [String] {
    let folders = settings.musicFolders.map { FileName.bytes($0) }
    return pending?.file?.candidates(in: folders).map { FileName.text($0) } ?? []
  }

  /// To the place that was left.
  private func goBack(to path: String) {
    guard let state = pending else { return }
    pending = nil
    let seconds = Double(state.elapsedMilliseconds) / 1000
    go(to: path, at: seconds, plays: playsOnFinding)
    log(
      .notice,
      "\(playsOnFinding ? "goes on with" : "holds at") \(path), \(seconds) s", at: .now())
  }

  private func takeFindings() {
    guard let answer = finder.takeAnswer() else { return }
    if isFindingLastFile {
      isFindingLastFile = false
      if let file = answer.files.first {
        unit.player.setFiles([file])
        goBack(to: file.path)
      }
      finder.find(settings.musicFolders)
      return
    }
    for file in answer.unplayable {
      log(.warning, "\(file.path): \(file.reason)", at: .now())
    }
    sound.unplayable = answer.unplayable.count
    log(.info, "\(answer.files.count) files in the music folders", at: .now())
    unit.player.setFiles(answer.files)
    let paths = Set(answer.files.map(\.path))
    if let state = pending {
      if let path = candidates.first(where: paths.contains) {
        goBack(to: path)
      } else if state.file == nil, !answer.files.isEmpty {
        pending = nil
        if playsOnFinding { perform(.play) }
      }
      // Else its medium is not there yet, and may come.
    }
    if let lost, paths.contains(lost.path), unit.player.state.isStopped {
      self.lost = nil
      go(to: lost.path, at: lost.seconds, plays: lost.plays)
      log(.notice, "\(lost.path) is back", at: .now())
    }
  }

  private func mountsChanged() {
    mounts.wakeUp.clear()
    rescan?.set(after: Self.settleTime)
  }

  private func go(to path: String, at seconds: Double, plays: Bool) {
    if plays {
      _ = unit.player.cue(path: path, at: seconds)
      perform(.play)
    } else {
      _ = unit.player.hold(path: path, at: seconds)
    }
  }

  /// As any surface would ask.
  private func perform(_ request: MediaRequest) {
    unit.turn().forEach(take)
    memory?.send(.media(request), on: .text, at: .now())
  }

  // MARK: What the player says

  private func take(_ event: LocalPlayer.Event) {
    let now = MonotonicInstant.now()
    switch event {
    case .started(let file, let description, let place):
      // Whoever asked for other music does not want the old place any more.
      pending = nil
      lost = nil
      log(
        .info,
        "plays \(place + 1)/\(unit.player.count) \(file.path) [\(description.codec)]", at: now)
    case .metadataChanged(let file, let metadata):
      log(.info, "\(file.path): now \(metadata.title ?? "untitled")", at: now)
    case .formatChanged:
      break
    case .damaged(let file, let error):
      log(.warning, "\(file.path): \(error)", at: now)
    case .moreDamage(let file, let places):
      log(.warning, "\(file.path): \(places) more places were left out", at: now)
    case .failed(let file, let error):
      noteLoss(of: file, at: now)
      log(.warning, "\(file.path): \(error)", at: now)
    case .output(let device, let conversion):
      sound.opened(device, conversion)
      log(
        .info,
        "output \(sound.output): \(device.sampleRate) Hz \(device.samples) \(device.layout.name), "
          + "period \(device.periodFrames), buffer \(device.bufferFrames) frames"
          + (conversion.map { "; converting \($0)" } ?? ""), at: now)
    case .outputFailed(let error):
      sound.failure = error.reason
      log(.error, error.reason, at: now)
    case .outputRegained:
      sound.failure = nil
      log(.notice, "the output is back", at: now)
    case .changedOver(let seconds):
      log(.info, "silent for \(Int(seconds * 1000)) ms while the output changed over", at: now)
    case .realTimeRefused(let words):
      sound.refused = words
      log(.warning, "plays with no \(words)", at: now)
    case .ranDry(let nanoseconds):
      sound.ranDry(at: nanoseconds)
      log(.warning, "the output was not fed in time, and plays on", at: now)
    case .overlayFailed(_, let error):
      log(.warning, "the chime cannot be played: \(error)", at: now)
    case .applied(_, _, let heard):
      sound.heard(at: .near(nanoseconds: heard))
    case .ended, .overlayBegan, .overlayEnded:
      break
    }
  }

  /// A track that ends because its medium has gone is gone back to when it returns.
  private func noteLoss(of file: MusicFile, at now: MonotonicInstant) {
    var status = stat()
    guard lost == nil, stat(FileName.cString(file.path), &status) != 0 else { return }
    if file.path == unit.player.state.file?.path {
      lost = (file.path, unit.player.elapsedSeconds, !unit.player.state.isPaused)
      // What follows on the same medium would fail too, one after the other.
      unit.player.stop()
    } else {
      // The next one; what plays is heard to its end.
      lost = (file.path, 0, true)
    }
    finder.find(settings.musicFolders)
    log(.warning, "\(file.path) is gone; it is waited for", at: now)
  }

  // MARK: Well-being

  private func feed(_ interval: Duration) {
    let output = Heartbeat.Output(
      isWanted: unit.center.state.status == .playing, frames: unit.engine.outputFrame,
      isLost: sound.failure != nil)
    if let words = heartbeat.trouble(output, at: .now()) {
      // Not fed: the service manager ends this, and starts it again at the place that is saved.
      log(.error, "\(words); the watchdog is not fed", at: .now())
      keeper.noteReason(words, at: .now())
      turn()
      beat?.set(after: interval / 4)
      return
    }
    ServiceManager.feed()
    beat?.set(after: interval / 3)
  }

  /// Reads the configuration again.
  func reload() {
    ServiceManager.reloading()
    let old = settings
    configuration = readConfiguration()
    for notice in configuration.notices { log(.warning, notice.description, at: .now()) }
    log.level = LogLine.Severity(settings.logLevel)
    unit.center.setLanguage(LanguageTag(settings.language), at: .now())
    if settings.musicFolders != old.musicFolders { finder.find(settings.musicFolders) }
    if settings.needsRestart(after: old) {
      log(.notice, "some of what was changed holds from the next start on", at: .now())
    }
    log(.notice, "read the configuration again", at: .now())
    turn()
    ServiceManager.ready()
  }

  // MARK: The end

  /// Fades out, saves, and ends the loop.
  func end() {
    guard !isEnding else { return }
    isEnding = true
    ServiceManager.stopping()
    log(.notice, "stops", at: .now())
    keeper.reach(.stopped, at: .now())
    turn()
    // The state is as it was while it played: the fade is no pause.
    let payload = keeper.final()
    store.save(payload)
    let fade = unit.fadeOut()
    let timer = TimerSource(loop, clock: .monotonic) { [weak self] in self?.loop.exit(0) }
    timer.set(after: fade)
    sources.append(timer)
  }

  private func shutDown() {
    finder.shutDown()
    mounts.shutDown()
    if !store.shutDown(within: 2000) { log(.warning, "the state was not saved", at: .now()) }
    unit.shutDown()
  }
}

extension LogLine.Severity {
  init(_ level: Settings.LogLevel) {
    self =
      switch level {
      case .error: .error
      case .warning: .warning
      case .notice: .notice
      case .info: .info
      case .debug: .debug
      }
  }
}

extension Settings {
  /// Whether something differs that is only read at the start.
  func needsRestart(after old: Settings) -> Bool {
    output != old.output || outputPeriodFrames != old.outputPeriodFrames
      || outputBuffer != old.outputBuffer || outputRate != old.outputRate
      || amplifier != old.amplifier || amplifierSettle != old.amplifierSettle
      || amplifierHold != old.amplifierHold || duckingDecibels != old.duckingDecibels
      || replayGain != old.replayGain || skipInterval != old.skipInterval
      || artworkFolder != old.artworkFolder || artworkFolderSize != old.artworkFolderSize
      || artworkFolderFiles != old.artworkFolderFiles || artworkMemory != old.artworkMemory
      || stateFolder != old.stateFolder || controlSocket != old.controlSocket
  }
}
