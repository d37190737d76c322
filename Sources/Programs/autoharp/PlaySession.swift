import AudioCodecs
import AudioEngine
import Glibc
import HeadUnit
import LocalPlayer
internal import MusicFiles
import NowPlaying
import SystemClock
import Text
import Threads

/// The terminal as a surface of the head unit: keys become commands, and the view shows the state of Now Playing.
/// Events of the player are written to the log.
final class PlaySession {
  /// The time between two redraws. The progress bar moves in eighths of a column, and ten redraws per second show each
  /// step.
  private static let redrawMilliseconds: Int32 = 100
  private static let foregroundMilliseconds: Int32 = 1000
  /// The minimum time between two messages about underruns. Without this limit, a slow machine would cause hundreds of
  /// messages a minute.
  private static let underrunLogInterval = Duration.seconds(10)
  /// The maximum number of damaged places that are listed for one header. A header can have thousands of damaged
  /// places.
  private static let maximumHeaderDamage = 5

  private let unit: HeadUnit
  private let output: String
  /// True if the output plays in real time. False for a file, which is written as fast as possible.
  private let keepsTime: Bool
  private let signals: SignalPipe
  private let failures: PendingFailures
  private let surface: PlaySurface
  private let chime: String?
  private var port: SurfacePort?
  private var tracer: CommandTraceReader?

  /// True if playback ended early: the user has ended it, or the terminal or the output was lost.
  private(set) var isQuitting = false
  /// True if the process was suspended. A suspension causes an underrun.
  private(set) var wasSuspended = false
  private var isEnding = false
  private var decoder = TerminalKeyDecoder()
  private var notice: String?
  private var showsKeys = false
  private var lastUnderrunLog: MonotonicInstant?
  /// The damage of headers that is not reported yet, keyed by the path of the file.
  private var headerDamage: [String: [DecodeError]]

  init(
    _ unit: HeadUnit, sink: any AudioSink, signals: SignalPipe, failures: PendingFailures,
    surface: PlaySurface, options: PlayOptions, headerDamage: [String: [DecodeError]]
  ) {
    self.unit = unit
    output = sink.name
    keepsTime = sink.keepsTime
    self.signals = signals
    self.failures = failures
    self.surface = surface
    chime = options.chime
    self.headerDamage = headerDamage
    if options.trace { tracer = CommandTraceReader() }
    // The view reads the present state whenever it is drawn, so the handler for new states does nothing.
    port = unit.center.connect(SurfaceDescription(id: "terminal"), at: .now()) { _ in }
  }

  /// Plays the queue. Returns when all music was heard, or when playback ends early, see `isQuitting`.
  func run() {
    surface.enter()
    send(.media(.play))
    while !isQuitting {
      for event in unit.turn().compactMap(\.ofPlayer) { report(event) }
      for text in failures.take() { surface.showMessage(text) }
      for record in tracer?.takeFinished(unit.center.trace, of: "terminal", at: .now()) ?? [] {
        surface.showMessage("\(record)")
      }
      isQuitting = isQuitting || surface.isOutputClosed
      if isQuitting { break }
      if isEnding, unit.engine.secondsToEnd <= 0, !unit.isChiming { return }
      surface.draw(
        NowPlayingView.Model(
          of: unit, output: output, isEnding: isEnding, hasKeys: surface.hasKeys,
          showsKeys: showsKeys,
          notice: notice, at: .now()))
      wait()
    }
    fadeOut()
  }

  // MARK: Input

  private func wait() {
    let hasKeys = surface.hasKeys
    // If the surface has no keys, −1 stands for standard input, because `poll` ignores negative descriptors.
    let descriptors =
      [signals.descriptor, hasKeys ? STDIN_FILENO : -1, failures.descriptor] + unit.descriptors
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&entries, nfds_t(entries.count), timeout) > 0 else { return }
    if entries[0].revents != 0 { handleSignals() }
    if entries[1].revents != 0 { readKeys() }
  }

  /// The maximum wait for an event, in milliseconds; −1 for no limit. Some changes of the view cause no event, such as
  /// a movement of the progress bar. The wait must end when the next such change is due.
  private var timeout: Int32 {
    var timeouts: [Int32] = []
    if surface.isDrawing, unit.center.state.status.isAdvancing {
      timeouts.append(Self.redrawMilliseconds)
    }
    if surface.awaitsForeground { timeouts.append(Self.foregroundMilliseconds) }
    if isEnding { timeouts.append(Int32(min(unit.engine.secondsToEnd * 1000 + 1, 60_000))) }
    for deadline in [unit.nextDeadline, tracer?.nextDeadline] {
      guard let deadline else { continue }
      let left = deadline.wholeTime(since: .now()) / .milliseconds(1)
      timeouts.append(Int32(min(left.rounded(.up), 60_000)))
    }
    return timeouts.min() ?? -1
  }

  private func handleSignals() {
    for number in signals.take() {
      switch number {
      case SIGWINCH:
        break
      case SIGTSTP:
        surface.leave()
        signals.suspend()
        wasSuspended = true
        surface.enter()
      default:
        isQuitting = true
      }
    }
  }

  private func readKeys() {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else {
      // The terminal was closed.
      isQuitting = true
      return
    }
    for key in decoder.keys(from: bytes[..<count]).compactMap(PlayKey.init) { press(key) }
  }

  private func press(_ key: PlayKey) {
    notice = nil
    let closesKeys = showsKeys
    showsKeys = false
    switch key {
    case .space: send(.media(.togglePlayPause))
    case .next: send(.media(.next))
    case .previous: send(.media(.previous))
    case .left: send(.media(.skipBackward(nil)))
    case .right: send(.media(.skipForward(nil)))
    case .plus: send(.volume(.change(thousandths: Volume.keyStep)))
    case .minus: send(.volume(.change(thousandths: -Volume.keyStep)))
    case .mute: send(.volume(.toggleMuted))
    case .repeatMode: cycle(.changeRepeatMode)
    case .shuffle: cycle(.changeShuffleMode)
    case .chime: playChime()
    case .help: showsKeys = !closesKeys
    case .quit: isQuitting = true
    }
    if !unit.player.state.isStopped { isEnding = false }
  }

  private func cycle(_ kind: CommandKind) {
    if let request = unit.center.state.command(kind)?.nextMode { send(.media(request)) }
  }

  private func send(_ request: CommandRequest) {
    port?.send(request, on: .text, at: .now()) { [weak self] answer in
      guard answer != .success else { return }
      self?.notice = request == .media(.next) ? "This is the last track." : "\(answer)"
    }
  }

  private func playChime() {
    guard let chime else {
      notice = "No chime is set. Use --chime FILE."
      return
    }
    if let reason = unit.playChime(path: chime, name: "chime") {
      notice = "The chime cannot play: \(reason)."
    }
  }

  // MARK: Output

  private func report(_ event: LocalPlayer.Event) {
    switch event {
    case .started(let file, let description, let index):
      isEnding = false
      reportHeaderDamage(of: file)
      let number = "\(index + 1)/\(unit.player.count)"
      let length = description.durationSeconds.map { ", \(TimeText.clock($0))" } ?? ""
      surface.log(
        "\(number) \(trackText(file, description.metadata))  ["
          + "\(FormatText.source(codec: description.codec, description.format))\(length)]")
    case .metadataChanged(let file, let metadata):
      surface.log("now \(trackText(file, metadata))")
    case .formatChanged:
      // Not logged, because other events report the old and the new format.
      break
    case .damaged(let file, let error):
      surface.reportError("\(file.path): \(error)")
    case .moreDamage(let file, let count):
      surface.reportError("\(file.path): \(count) more damaged parts were skipped")
    case .failed(let file, let error, _):
      // Damage of the header can explain the failure, so it is reported first.
      reportHeaderDamage(of: file)
      surface.reportError("\(file.path): \(error)")
    case .output(let device, let conversion):
      var text = "output \(output): \(FormatText.device(device, from: nil)) \(device.layout.name)"
      text += ", period \(device.periodFrames), buffer \(device.bufferFrames) frames"
      if let conversion { text += "; converting \(conversion)" }
      surface.log(text)
    case .outputFailed(let error):
      surface.reportError(error.reason)
      // A device that has not worked since the start will not begin to work. An output file that has failed cannot be
      // continued.
      if unit.player.state.device == nil || !keepsTime { isQuitting = true }
    case .outputRegained:
      surface.log("the output works again")
    case .changedOver(let seconds):
      surface.log("silent for \(Int((seconds * 1000).rounded())) ms while the output changed")
    case .realTimeRefused(let property):
      surface.showMessage("the system grants no \(property); playback continues")
    case .ranDry:
      // The total number of underruns is reported at the end.
      let now = MonotonicInstant.now()
      if let lastUnderrunLog, now.wholeTime(since: lastUnderrunLog) < Self.underrunLogInterval {
        break
      }
      lastUnderrunLog = now
      surface.log("the output received frames too late; playback continues")
    case .ended, .noneOpened:
      isEnding = true
    case .overlayFailed(_, let error):
      surface.reportError("\(chime ?? "chime"): \(error)")
    // The number of late frames is reported at the end.
    case .overlayBegan, .overlayEnded, .applied, .starvationEnded:
      break
    }
  }

  /// Reports the damage of a header only once, even if the file plays several times. The sound is complete, so the
  /// damage is not a failure.
  private func reportHeaderDamage(of file: MusicFile) {
    guard let damage = headerDamage.removeValue(forKey: file.path) else { return }
    for error in damage.prefix(Self.maximumHeaderDamage) {
      surface.showMessage("\(file.path): \(error)")
    }
    let rest = damage.count - Self.maximumHeaderDamage
    if rest > 0 {
      surface.showMessage("\(file.path): its header is damaged in \(rest) more places")
    }
  }

  private func trackText(_ file: MusicFile, _ metadata: AudioMetadata) -> String {
    [metadata.artist, metadata.album, metadata.title ?? file.shownTitle].compactMap { $0 }
      .map { TextWidth.sanitized($0, limit: 400) }.joined(separator: " – ")
  }

  // MARK: The end

  /// Fades out, and waits until the fade was heard. The device is closed only after the fade, so the stop causes no
  /// click.
  private func fadeOut() {
    let milliseconds = unit.fadeOut() / .milliseconds(1)
    guard milliseconds > 0 else { return }
    var entry = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
    // A second signal ends the wait.
    _ = poll(&entry, 1, Int32(milliseconds))
  }
}
