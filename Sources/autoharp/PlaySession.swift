import AudioCodecs
import AudioEngine
import Glibc
import LocalPlayer
import NowPlaying
import Threads

/// The loop between a player and whoever listens: events, keys and signals come in, and the
/// surface shows what they change.
final class PlaySession {
  /// The bar moves by an eighth of a cell; ten pictures a second show every step of it.
  private static let pictureMilliseconds: Int32 = 100
  private static let foregroundMilliseconds: Int32 = 1000
  private static let skipSeconds = 15.0
  private static let gainStep = 1.0
  /// A header can be wrong in thousands of places.
  private static let maximumHeaderDamage = 5

  private let player: LocalPlayer
  private let engine: PlaybackEngine
  private let output: String
  /// The output plays in real time, and is not a file that is written as fast as it can be.
  private let keepsTime: Bool
  private let signals: SignalPipe
  private let trouble: TroubleBox
  private let surface: PlaySurface

  /// Somebody, or something, ended it early.
  private(set) var isQuitting = false
  /// It stood still for a time, as its output will have noticed.
  private(set) var wasSuspended = false
  private var isEnding = false
  private var keys = KeyDecoder()
  private var notice: String?
  /// Files whose damaged headers were told of.
  private var told: Set<String> = []

  init(
    player: LocalPlayer, engine: PlaybackEngine, sink: any AudioSink, signals: SignalPipe,
    trouble: TroubleBox, surface: PlaySurface
  ) {
    self.player = player
    self.engine = engine
    output = sink.name
    keepsTime = sink.keepsTime
    self.signals = signals
    self.trouble = trouble
    self.surface = surface
  }

  /// Returns when all was heard, or somebody stopped it.
  func run() {
    surface.enter()
    while !isQuitting {
      for event in player.handleEvents() { report(event) }
      for words in trouble.take() { surface.remark(words) }
      isQuitting = isQuitting || surface.isGone
      if isQuitting { break }
      if isEnding, engine.secondsToEnd <= 0 { return }
      surface.draw(
        NowPlayingView.Model(
          of: player, output: output, isEnding: isEnding, hasKeys: surface.hasKeys, notice: notice))
      wait()
    }
    fadeOut()
  }

  // MARK: What comes in

  private func wait() {
    var entries = [
      pollfd(fd: engine.wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: trouble.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let hasKeys = surface.hasKeys
    if hasKeys { entries.append(pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)) }
    guard poll(&entries, nfds_t(entries.count), timeout) > 0 else { return }
    if entries[1].revents != 0 { handleSignals() }
    if hasKeys, entries[3].revents != 0 { readKeys() }
  }

  /// Milliseconds until something changes that no event tells of; −1 for ever.
  private var timeout: Int32 {
    var timeouts: [Int32] = []
    if surface.hasPicture, !player.state.isPaused { timeouts.append(Self.pictureMilliseconds) }
    if surface.awaitsForeground { timeouts.append(Self.foregroundMilliseconds) }
    if isEnding { timeouts.append(Int32(min(engine.secondsToEnd * 1000 + 1, 60_000))) }
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
      // The terminal is gone.
      isQuitting = true
      return
    }
    for key in keys.keys(from: bytes[..<count]) { press(key) }
  }

  private func press(_ key: Key) {
    notice = nil
    switch key {
    case .space: player.togglePause()
    case .next: if !player.next() { notice = "This is the last track." }
    case .previous: player.previous()
    case .left: player.skip(by: -Self.skipSeconds)
    case .right: player.skip(by: Self.skipSeconds)
    case .plus: player.changeGain(by: Self.gainStep)
    case .minus: player.changeGain(by: -Self.gainStep)
    case .mute: player.toggleMute()
    case .repeatMode: player.cycleRepeat()
    case .shuffle: player.setShuffled(!player.queue.isShuffled)
    case .quit: isQuitting = true
    }
    if !player.state.isStopped { isEnding = false }
  }

  // MARK: What is told

  private func report(_ event: LocalPlayer.Event) {
    switch event {
    case .started(let file, let description, let place):
      isEnding = false
      tellHeaderDamage(of: file)
      let place = "\(place + 1)/\(player.count)"
      let length = description.durationSeconds.map { ", \(TimeText.clock($0))" } ?? ""
      surface.say(
        "\(place) \(words(file, file.metadata))  ["
          + "\(FormatText.source(codec: description.codec, description.format))\(length)]")
    case .metadataChanged(let file, let metadata):
      surface.say("now \(words(file, metadata))")
    case .formatChanged:
      // The notice that comes with it says from what to what, and where.
      break
    case .damaged(let file, let error):
      surface.complain("\(file.path): \(error)")
    case .moreDamage(let file, let places):
      surface.complain("\(file.path): \(places) more places were left out")
    case .failed(let file, let error):
      // What is wrong with the header may be why.
      tellHeaderDamage(of: file)
      surface.complain("\(file.path): \(error)")
    case .output(let device, let conversion):
      var text = "output \(output): \(FormatText.device(device, from: nil)) \(device.layout.name)"
      text += ", period \(device.periodFrames), buffer \(device.bufferFrames) frames"
      if let conversion { text += "; converting \(conversion)" }
      surface.say(text)
    case .outputFailed(let error):
      surface.complain(error.reason)
      // A device that never worked will not begin to, and a file that failed is lost.
      if player.state.device == nil || !keepsTime { isQuitting = true }
    case .changedOver(let seconds):
      surface.say("silent for \(Int((seconds * 1000).rounded())) ms while the output changed over")
    case .realTimeRefused(let words):
      surface.remark("playing with no \(words)")
    case .ranDry:
      // How often is said at the end.
      surface.say("the output was not fed in time, and plays on")
    case .ended:
      isEnding = true
    }
  }

  /// Once per file, however often it plays. The music is all there, so it is no failure.
  private func tellHeaderDamage(of file: MusicFile) {
    let damage = file.headerDamage
    guard !damage.isEmpty, told.insert(file.path).inserted else { return }
    for error in damage.prefix(Self.maximumHeaderDamage) {
      surface.remark("\(file.path): \(error)")
    }
    let rest = damage.count - Self.maximumHeaderDamage
    if rest > 0 {
      surface.remark("\(file.path): its header is damaged in \(rest) more places")
    }
  }

  private func words(_ file: MusicFile, _ metadata: AudioMetadata) -> String {
    [metadata.artist, metadata.album, metadata.title ?? file.fileName].compactMap { $0 }
      .map { TextWidth.sanitized($0, limit: 400) }.joined(separator: " – ")
  }

  // MARK: The end

  /// Lets the fade be heard before the device is closed, so that stopping does not click.
  private func fadeOut() {
    engine.setPaused(true)
    guard let device = player.state.device, keepsTime else { return }
    let milliseconds = 10 + 1000 * device.bufferFrames / max(device.sampleRate, 1)
    var entry = pollfd(fd: signals.descriptor, events: Int16(POLLIN), revents: 0)
    // A second signal is in earnest.
    _ = poll(&entry, 1, Int32(min(milliseconds, 2500)))
  }
}
