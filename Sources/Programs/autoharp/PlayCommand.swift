import AudioCodecs
import AudioEngine
import Glibc
import HeadUnit
import LocalPlayer
internal import MusicFiles
import NowPlaying
import Text

/// `autoharp play`: finds the music, opens the output and plays.
struct PlayCommand {
  private let options: PlayOptions
  private let signals: SignalPipe
  private let surface = PlaySurface()
  private let failures = PendingFailures()

  init(_ options: PlayOptions) {
    self.options = options
    signals = SignalPipe(catching: [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP])
  }

  /// Plays all music. Returns at the end of the music, or when the user ends the program.
  func run() -> ExitStatus {
    var paths = options.paths
    if let choice = options.library {
      switch LibrarySearch(choice, signals: signals).run() {
      case .paths(let found): paths = found
      case .cancelled: return .success
      case .declined: return .failure
      case .failed(let refusal):
        surface.reportError(refusal.description)
        return .failure
      }
    }
    // Nil means that the user has stopped the search, which is not a failure.
    guard let music = findMusic(paths) else { return .success }
    guard !music.files.isEmpty else {
      surface.reportError("no music to play")
      return .failure
    }
    switch SinkChoice(options, failures: failures) {
    case .refused(let reason):
      surface.reportError(reason)
      return .failure
    case .sink(let sink, let notice):
      if let notice { surface.log(notice) }
      return play(music, to: sink)
    }
  }

  private func play(_ music: MusicScan, to sink: any AudioSink) -> ExitStatus {
    // Only a WAV file uses this encoding (24 bits). A sound card uses the widest sample format that it supports.
    let fixed = options.fixedRate.map {
      StreamFormat(sampleRate: $0, layout: .stereo, encoding: .integer(bits: 24))
    }
    var setUp = HeadUnit.Options()
    setUp.fixed = fixed
    setUp.replayGain = ReplayGainSettings(replayGain)
    setUp.trimDecibels = options.gainDecibels
    let unit = HeadUnit(files: music.files, sink: sink, options: setUp)
    if options.repeatAll { unit.player.setRepeat(.all) }
    if options.shuffle { unit.player.shuffleFromTheStart() }
    unit.player.cue(at: options.startSeconds)
    let session = PlaySession(
      unit, sink: sink, signals: signals, failures: failures, surface: surface, options: options,
      headerDamage: music.headerDamage)
    session.run()
    // The terminal must be restored before the signals are released. From then on, another Ctrl-C ends the program
    // immediately.
    surface.leave()
    signals.release()
    unit.shutDown()
    reportCounters(unit.engine, session)
    return surface.hasReportedErrors ? .failure : .success
  }

  private var replayGain: ReplayGainSettings.Mode {
    switch options.replayGain {
    case .off: .off
    case .track: .track
    case .album: .album
    case .auto: .automatic
    }
  }

  /// Searches for the music, and reports the unplayable files. Nil if the user stopped the search.
  private func findMusic(_ paths: [String]) -> MusicScan? {
    var progress = ProgressLine()
    let scan = MusicScan(paths: paths) { count in
      progress.show("Reading folders… \(count) files")
      for number in signals.take() {
        switch number {
        case SIGWINCH:
          break
        case SIGTSTP:
          progress.clear()
          signals.suspend()
        default:
          return false
        }
      }
      return true
    }
    progress.clear()
    guard !scan.wasStopped else { return nil }
    for file in scan.unplayable { surface.reportError("\(file.path): \(file.reason)") }
    return scan
  }

  private func reportCounters(_ engine: PlaybackEngine, _ session: PlaySession) {
    if engine.xrunCount > 0 {
      let why = session.wasSuspended ? "the program was suspended" : "try a larger --buffer"
      let count = engine.xrunCount == 1 ? "once" : "\(engine.xrunCount) times"
      StandardStreams.printError("the output ran out of frames \(count) (\(why))")
    }
    if engine.starvedFrameCount > 0, !session.isQuitting {
      StandardStreams.printError(
        "\(engine.starvedFrameCount) frames were decoded too late (slow disk or processor)")
    }
  }
}
