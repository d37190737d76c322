internal import AudioCodecs
internal import AudioEngine
internal import Control
internal import EventLoop
internal import HeadUnit
internal import LocalPlayer
internal import MusicFiles
internal import NowPlaying
internal import PhonePlayer
internal import Reports
internal import Settings
internal import SystemClock

/// Collects the facts about the sound: logs and traces the events of the output, and measures the latencies of
/// commands. Feeds the watchdog while the output makes progress. Never changes what plays.
///
/// Used on the control thread. No function blocks.
final class UnitSound {
  /// Used instead of the watchdog's interval if there is no watchdog. The output is checked several times per interval.
  private static let intervalWithoutWatchdog = Duration.seconds(6)

  private let loop: EventLoop
  private let unit: HeadUnit
  private let phones: UnitBluetooth
  private let memory: UnitMemory
  private let outbox: UnitOutbox
  private let log: UnitLog
  private let failures: PendingFailures
  private let chosenCard: () -> UnitDaemon.Start.SoundCard?
  /// Lists the sound cards of the machine. The kernel answers at once, so this function does not block.
  let cards: () -> [UnitDaemon.Start.SoundCard]
  /// Reads the amplifier. Nil if the output mutes no amplifier.
  let amplifier: DeviceReader<AmplifierReading>?
  /// Reads the mixers of the sound cards.
  let mixer: DeviceReader<[UnitDaemon.Start.MixerElement]?>
  private(set) var history = SoundHistory()
  private var progress = OutputProgress()
  private var commands = CommandTraceReader()
  /// The number of the last change of Now Playing that was logged.
  private var loggedChange = 0
  private var watchdog: TimerSource?
  private var failureSource: DescriptorSource?

  /// - Parameters:
  ///   - output: the name of the output.
  ///   - failures: collects the messages of the output about failures of the amplifier.
  init(
    _ loop: EventLoop, _ start: UnitDaemon.Start, output: String, _ failures: PendingFailures,
    _ unit: HeadUnit, _ phones: UnitBluetooth, _ memory: UnitMemory, _ outbox: UnitOutbox,
    log: UnitLog
  ) {
    self.loop = loop
    self.unit = unit
    self.phones = phones
    self.memory = memory
    self.outbox = outbox
    self.log = log
    self.failures = failures
    chosenCard = start.chosenCard
    cards = start.soundCards
    amplifier = start.amplifier.map { DeviceReader(loop, $0) }
    mixer = DeviceReader(loop, silent: nil, start.mixer)
    history.configuredOutput = output
  }

  /// Starts to check the output at intervals. The timer has the same priority as all other events. So the watchdog is
  /// fed even while phones and clients keep the loop busy.
  func start() throws(SystemError) {
    failureSource = try DescriptorSource(loop, descriptor: failures.descriptor) {
      [failures, log] _ in
      for text in failures.take() { log(.amplifierFailed, text, at: .now()) }
    }
    watchdog = TimerSource(loop, clock: .monotonic) { [weak self] in self?.checkOutput() }
    checkOutput()
  }

  // MARK: Events

  /// Must be called with each event of the player.
  func handle(_ event: LocalPlayer.Event) {
    let now = MonotonicInstant.now()
    switch event {
    case .output(let device, let conversion):
      history.opened(device, conversion)
      history.card = chosenCard()
      if let test = device.cardTest { memory.noteTest(of: test.card, step: test.step) }
      logAndTrace(
        .outputOpened,
        "\(history.output): \(device.sampleRate) Hz \(device.samples) \(device.layout.name), "
          + "period \(device.periodFrames), buffer \(device.bufferFrames) frames"
          + (conversion.map { "; converting \($0)" } ?? ""), at: now)
    case .outputFailed(let error):
      history.lost(error)
      logAndTrace(.outputFailed, error.reason, at: now)
      outbox.put(.notice(UnitNotice(.outputGone)))
    case .outputRegained:
      history.recovered()
      logAndTrace(.outputReturned, "the output works again", at: now)
      outbox.put(.notice(UnitNotice(.outputBack)))
    case .changedOver(let seconds):
      logAndTrace(
        .outputChanged, "silent for \(Int(seconds * 1000)) ms while the output changed", at: now)
    case .realTimeRefused(let property):
      history.refused = property
      logAndTrace(.realTimeRefused, "the output plays without \(property)", at: now)
    case .ranDry(let nanoseconds):
      history.addUnderrun(at: nanoseconds)
      let text = "the output received frames too late; playback continues"
      log.limited(.outputUnderrun, text, at: now)
      trace(.outputUnderrun, text, at: now)
    case .starvationEnded(let seconds):
      history.mediumWait?.end(at: now)
      let milliseconds = Int((seconds * 1000).rounded())
      log.limited(.trackContinues, "silent for \(milliseconds) ms: no data arrived", at: now)
    case .overlayFailed(_, let error):
      log(.chimeFailed, "the chime cannot be played: \(error)", at: now)
    case .applied(_, _, let heard):
      history.soundHeard(at: .near(nanoseconds: heard))
    default: break
    }
  }

  /// Must be called when the medium of a file delivers no data in time. See ``HeadUnit/Event/starved(_:)``.
  func starved(_ file: MusicFile) {
    history.mediumWait = MediumWait(
      path: file.path, mounts: MachineReadings.mounts(), at: .now())
    let text = "playback waits for \(file.path): its medium is slow or does not answer"
    log.limited(.trackWaits, text, at: .now())
    trace(.trackWaits, text, at: .now())
  }

  /// Adds an event of the sound to the log and to the trace.
  private func logAndTrace(_ event: LogEvent, _ text: String, at now: MonotonicInstant) {
    log(event, text, at: now)
    trace(event, text, at: now)
  }

  private func trace(_ event: LogEvent, _ text: String, at now: MonotonicInstant) {
    let entry = TraceEntry.sink("\(event.rawValue): \(text)", at: now.sinceOrigin)
    history.add(entry)
    outbox.put(.trace(entry))
  }

  // MARK: Commands

  /// Logs and traces the finished commands. Call this in each turn.
  func update(at now: MonotonicInstant) {
    for change in unit.center.soundChanges where change.number > loggedChange {
      loggedChange = change.number
      outbox.put(.trace(TraceEntry(change)))
      if let event = LogEvent(change.event) { log(event, "\(change.event)", at: change.at) }
    }
    for record in commands.takeFinished(unit.center.trace, at: now) {
      history.add(record)
      log(.command, "\(record)", at: now)
      outbox.put(.trace(.command(.init(record))))
    }
  }

  /// The time at which ``update(at:)`` must be called. Nil if no call is necessary.
  var nextDeadline: MonotonicInstant? { commands.nextDeadline }

  /// The table of command latencies.
  var latency: LatencyTable {
    var table = LatencyTable()
    for record in history.accepted { table.add(record) }
    return table
  }

  // MARK: Progress

  /// True if the output should accept frames, but has accepted none for ``OutputProgress/timeout``.
  var isStalled: Bool { progress.isStalled }

  /// Checks that the output makes progress when something should be heard. Feeds the watchdog if the output works.
  private func checkOutput() {
    let interval = ServiceManager.watchdogInterval
    let output = OutputProgress.Output(
      isWanted: isWanted, frames: unit.engine.outputFrame, isLost: history.failure != nil)
    let wasStalled = progress.isStalled
    guard let message = progress.problem(output, at: .now()) else {
      ServiceManager.notifyWatchdog()
      watchdog?.set(after: (interval ?? Self.intervalWithoutWatchdog) / 3)
      return
    }
    if !wasStalled {
      log(
        .unitStalled,
        interval == nil ? message : "\(message); the watchdog will restart the daemon", at: .now())
    }
    // While the output is stalled, the watchdog is not fed. So the service manager ends this process and starts a new
    // one, which continues at the saved position.
    if interval != nil { memory.noteReason(message) }
    watchdog?.set(after: (interval ?? Self.intervalWithoutWatchdog) / 4)
  }

  /// True if something should be heard. A phone counts only if it has sent sound since the last call, because a phone
  /// can report *playing* and send no sound.
  private var isWanted: Bool {
    unit.center.state.status == .playing
      && (unit.player.hasEngine || phones.phones.hasNewSound())
  }

  /// The present reading of the sound, for `diagnose`.
  var reading: SoundReading {
    var reading = unit.soundReading(at: .now())
    reading.isWanted = isWanted
    return reading
  }
}
