import ALSASink
import AudioCodecs
import AudioEngine
import Glibc
import LocalPlayer

/// `autoharp play`: a local player with a terminal as its surface.
final class PlayCommand {
  /// The bar moves by an eighth of a cell; ten pictures a second show every step of it.
  private static let pictureMilliseconds: Int32 = 100
  private static let skipSeconds = 15.0
  private static let gainStep = 1.0

  private let options: PlayOptions
  private let signals: SignalPipe
  private var trouble = false

  // Set once there is something to play.
  private var player: LocalPlayer?
  private var engine: PlaybackEngine?
  private var output = ""
  private var screen: TerminalScreen?
  private var keys = KeyDecoder()
  private var notice: String?
  private var isEnding = false
  private var isQuitting = false
  private var lastPlainLine = ""

  init(_ options: PlayOptions) {
    self.options = options
    signals = SignalPipe(catching: [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP])
  }

  /// Plays everything. Returns when it is over, or somebody stopped it.
  func run() -> ExitStatus {
    let files = findMusic()
    guard !files.isEmpty, !isQuitting else {
      if !isQuitting { Console.complain("nothing to play") }
      return .trouble
    }
    guard let sink = chooseSink() else { return .trouble }
    let engine = PlaybackEngine(sink: sink)
    let player = LocalPlayer(files: files, engine: engine, replayGain: replayGain)
    self.engine = engine
    self.player = player
    output = sink.name
    player.setGain(options.gainDecibels)
    if options.repeatAll { player.setRepeat(.all) }
    if options.shuffle { player.shuffleFromTheStart() }

    enterScreen()
    player.start(at: options.startSeconds)
    loop(player, engine)
    if isQuitting { fadeOut(player, engine) }
    // In this order, so that a second Ctrl-C finds the terminal as it was.
    screen?.leave()
    signals.release()
    engine.shutDown()
    reportCounters(engine)
    return trouble ? .trouble : .success
  }

  // MARK: Before

  private var replayGain: ReplayGainMode {
    switch options.replayGain {
    case .off: .off
    case .track: .track
    case .album: .album
    }
  }

  private func findMusic() -> [MusicFile] {
    let isTerminal = TerminalScreen.isTerminal(STDERR_FILENO)
    var shown = 0
    let scan = MusicScan(paths: options.paths) { count in
      // A large stick takes a while; every hundred files is often enough to see it move.
      if isTerminal, count % 100 == 0 {
        try? Console.write("\rReading tags: \(count) files ", to: STDERR_FILENO)
        shown = count
      }
      return true
    }
    if shown > 0 { try? Console.write("\r\u{1B}[K", to: STDERR_FILENO) }
    for file in scan.unplayable { complain("\(file.path): \(file.reason)") }
    if signals.take().contains(where: { $0 != SIGWINCH }) { isQuitting = true }
    return scan.files
  }

  private func chooseSink() -> (any AudioSink)? {
    ALSASink.prepareProcess()
    switch options.output {
    case .null:
      return nullSink
    case .wav(let path):
      return WAVSink(path: path)
    case .alsa(let name):
      if let problem = ALSASink.problem(opening: name) {
        complain("\(problem.reason). 'autoharp --list-outputs' lists the outputs.")
        return nil
      }
      return alsaSink(name)
    case nil:
      guard let problem = ALSASink.problem(opening: "default") else { return alsaSink("default") }
      say(Self.whySilent(problem))
      return nullSink
    }
  }

  /// A sentence for somebody who named no output and hears nothing.
  static func whySilent(_ problem: SinkError) -> String {
    let why = problem.isAbsent ? "No sound card (\(problem.reason));" : "\(problem.reason);"
    return "\(why) playing silently, in real time."
  }

  private var nullSink: NullSink {
    NullSink(
      periodFrames: options.periodFrames ?? 512,
      bufferMilliseconds: options.bufferMilliseconds ?? 50)
  }

  private func alsaSink(_ name: String) -> ALSASink {
    let buffering = ALSASink.Buffering(
      periodFrames: options.periodFrames, bufferMilliseconds: options.bufferMilliseconds)
    return ALSASink(name: name, buffering: buffering)
  }

  // MARK: During

  private func loop(_ player: LocalPlayer, _ engine: PlaybackEngine) {
    while !isQuitting {
      for event in player.handleEvents() { report(event, player) }
      if isQuitting { return }
      if isEnding, engine.secondsToEnd <= 0 { return }
      draw(player)
      wait(player, engine)
    }
  }

  private func wait(_ player: LocalPlayer, _ engine: PlaybackEngine) {
    var entries = [
      pollfd(fd: engine.wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let readsKeys = screen != nil && TerminalScreen.isTerminal(STDIN_FILENO)
    if readsKeys { entries.append(pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)) }
    var timeout: Int32 = -1
    if screen != nil, !player.state.isPaused { timeout = Self.pictureMilliseconds }
    if isEnding {
      let left = Int32(min(engine.secondsToEnd * 1000 + 1, 60_000))
      timeout = timeout < 0 ? left : min(timeout, left)
    }
    guard poll(&entries, nfds_t(entries.count), timeout) > 0 else { return }
    if entries[1].revents != 0 { handleSignals() }
    if readsKeys, entries[2].revents != 0 { readKeys(player) }
  }

  private func handleSignals() {
    for number in signals.take() {
      switch number {
      case SIGWINCH:
        break
      case SIGTSTP:
        screen?.leave()
        kill(getpid(), SIGSTOP)
        enterScreen()
      default:
        isQuitting = true
      }
    }
  }

  private func readKeys(_ player: LocalPlayer) {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else {
      // The terminal is gone.
      isQuitting = true
      return
    }
    for key in keys.keys(from: bytes[..<count]) { press(key, player) }
  }

  private func press(_ key: Key, _ player: LocalPlayer) {
    notice = nil
    switch key {
    case .space: player.togglePause()
    case .next: if !player.next() { notice = "This is the last track." }
    case .previous: player.previous()
    case .left: player.skip(by: -Self.skipSeconds)
    case .right: player.skip(by: Self.skipSeconds)
    case .plus: player.changeGain(by: Self.gainStep)
    case .minus: player.changeGain(by: -Self.gainStep)
    case .repeatMode: player.cycleRepeat()
    case .shuffle: player.setShuffled(!player.queue.isShuffled)
    case .quit: isQuitting = true
    }
    if !player.state.isStopped { isEnding = false }
  }

  // MARK: What is shown

  private func enterScreen() {
    guard TerminalScreen.isTerminal(STDOUT_FILENO) else { return }
    var screen = TerminalScreen()
    do {
      try screen.enter()
      self.screen = screen
    } catch {
      Console.complain("the terminal cannot be set up: \(systemWords(error.number))")
    }
  }

  private func draw(_ player: LocalPlayer) {
    guard screen != nil else { return }
    let size = screen?.size() ?? TerminalScreen.Size(columns: 80, rows: 24)
    let lines = NowPlayingView.lines(
      for: NowPlayingView.Model(
        of: player, output: output, isEnding: isEnding,
        hasKeys: TerminalScreen.isTerminal(STDIN_FILENO), notice: notice),
      columns: size.columns, color: TerminalEnvironment.allowsColor)
    do {
      try screen?.draw(Array(lines.prefix(max(1, size.rows - 1))), size: size)
    } catch {
      isQuitting = true
    }
  }

  private func report(_ event: LocalPlayer.Event, _ player: LocalPlayer) {
    switch event {
    case .started(let file, let description, let place):
      isEnding = false
      let place = "\(place + 1)/\(player.count)"
      let length = description.durationSeconds.map { ", \(TimeText.clock($0))" } ?? ""
      say(
        "\(place) \(words(file, file.metadata))  ["
          + "\(FormatText.source(codec: description.codec, description.format))\(length)]")
    case .metadataChanged(let file, let metadata):
      say("now \(words(file, metadata))")
    case .formatChanged:
      // The notice that comes with it says from what to what, and where.
      break
    case .damaged(let file, let error), .failed(let file, let error):
      complain("\(file.path): \(error)")
    case .moreDamage(let file, let places):
      complain("\(file.path): \(places) more places were left out")
    case .output(let device, let conversion):
      var text = "output \(output): \(FormatText.device(device, from: nil)) \(device.layout.name)"
      text += ", period \(device.periodFrames), buffer \(device.bufferFrames) frames"
      if let conversion { text += "; converting \(conversion)" }
      say(text)
    case .outputFailed(let error):
      complain(error.reason)
      // A device that never worked will not begin to, and a file that failed is lost.
      if player.state.device == nil || output.hasPrefix("wav:") { isQuitting = true }
    case .changedOver(let seconds):
      say("silent for \(Int((seconds * 1000).rounded())) ms while the output changed over")
    case .realTimeRefused(let words):
      complain("playing with no \(words)")
    case .ranDry:
      // The screen shows the count.
      if screen == nil { complain("output \(output) was not fed in time and plays on") }
    case .ended:
      isEnding = true
    }
  }

  private func words(_ file: MusicFile, _ metadata: AudioMetadata) -> String {
    [metadata.artist, metadata.album, metadata.title ?? file.fileName].compactMap { $0 }
      .map { TextWidth.sanitized($0, limit: 400) }.joined(separator: " – ")
  }

  /// A line of the plain log; the screen shows the same in its own way.
  private func say(_ line: String) {
    // Like any filter: when nobody reads on (`autoharp play … | head`), it is over.
    guard screen == nil else { return }
    do {
      try Console.print(line)
    } catch {
      isQuitting = true
    }
  }

  private func complain(_ line: String) {
    trouble = true
    guard screen != nil else { return Console.complain(line) }
    try? screen?.printAbove("autoharp: \(TextWidth.sanitized(line, limit: 2000))")
  }

  // MARK: After

  /// Lets the fade be heard before the device is closed, so that stopping does not click.
  private func fadeOut(_ player: LocalPlayer, _ engine: PlaybackEngine) {
    engine.setPaused(true)
    guard let device = player.state.device, !(output.hasPrefix("wav:")) else { return }
    let milliseconds = 10 + 1000 * device.bufferFrames / max(device.sampleRate, 1)
    var entry = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
    // A second signal is in earnest.
    _ = poll(&entry, 1, Int32(min(milliseconds, 2500)))
  }

  private func reportCounters(_ engine: PlaybackEngine) {
    if engine.xrunCount > 0 {
      Console.complain("the output ran dry \(engine.xrunCount) times (try --buffer)")
    }
    if engine.starvedFrameCount > 0, !isQuitting {
      Console.complain(
        "\(engine.starvedFrameCount) frames came too late (a slow disk, or processor)")
    }
  }
}
