public import Artwork
public import AudioCodecs
public import AudioEngine
public import LocalPlayer
public import MusicFiles
public import NowPlaying
internal import SystemClock
internal import Threads

/// A head unit without its surfaces: the model of Now Playing, and what plays, joined. The terminal's
/// `play` and the daemon both stand on it.
///
/// Control thread only, and nothing here blocks but ``init(files:sink:options:)`` for a moment and
/// ``shutDown()``. Whoever has a loop waits for ``descriptors`` and ``nextDeadline``, and calls
/// ``turn()`` after everything that happens.
public final class HeadUnit {
  /// How it is set up.
  public struct Options {
    /// What the device is set up for, once and for all; nil to follow each track.
    public var fixed: StreamFormat?
    /// Which ReplayGain tags are obeyed.
    public var replayGain = ReplayGainMode.off
    /// The volume to begin with.
    public var volume = Volume(level: .loudest)
    /// Added to the volume, in decibels.
    public var trimDecibels = 0.0
    /// How the music is turned down under what sounds over it.
    public var ducking = Ducking()
    /// How far a skip goes.
    public var skipInterval = Duration.seconds(15)
    /// What people read.
    public var language = LanguageTag.undefined
    /// The screen's own buttons while files play, whenever a screen connects (T1); nil for shuffle and
    /// repeat.
    public var buttons: ((LocalSource, inout NowPlayingTemplate) -> Void)?
    /// Where covers are kept; nil where nobody will see any.
    public var artworkCache: ArtworkCache?

    /// The defaults.
    public init() {}
  }

  /// Sessions, commands, state: what surfaces connect to.
  public let center: NowPlayingCenter
  /// The files, and the order in which they play. Commands go through the center.
  public let player: LocalPlayer
  /// What sounds. Counters, and the time to the end.
  public let engine: PlaybackEngine

  private let keepsTime: Bool
  private let source: LocalSource
  private let chime: ChimeSource
  private let covers: TrackCovers?
  private var volume: OutputVolume
  private var prepared: String?

  /// Starts the engine's threads; nothing plays yet.
  ///
  /// - Parameter files: may be empty, until the player is given others.
  public init(files: [MusicFile], sink: any AudioSink, options: Options = Options()) {
    keepsTime = sink.keepsTime
    engine = PlaybackEngine(sink: sink, fixed: options.fixed)
    center = NowPlayingCenter(
      volume: options.volume, language: options.language, ducking: options.ducking)
    player = LocalPlayer(files: files, engine: engine, replayGain: options.replayGain)
    let covers = options.artworkCache.map { TrackCovers(ArtworkLoader(cache: $0)) }
    self.covers = covers
    source = LocalSource(
      player: player, center: center, artwork: { covers?.artwork($0, $1) },
      skipInterval: options.skipInterval,
      configure: options.buttons ?? LocalSource.usualButtons, clock: MonotonicInstant.now)
    chime = ChimeSource(engine: engine, center: center, clock: MonotonicInstant.now)
    volume = OutputVolume(trimDecibels: options.trimDecibels)
    volume.follow(center, engine)
  }

  /// Readable when ``turn()`` has something to do.
  public var descriptors: [Int32] {
    [engine.wakeUp.descriptor] + (covers.map { [$0.wakeUp.descriptor] } ?? [])
  }

  /// When ``turn()`` has something to do without a descriptor; nil for never.
  public var nextDeadline: MonotonicInstant? {
    [source.nextDeadline, center.nextDeadline].compactMap { $0 }.min()
  }

  /// Takes what has happened below, lets it have its effect above, and carries out what was asked.
  /// Returns what a log shows.
  public func turn() -> [LocalPlayer.Event] {
    let events = player.handleEvents()
    for event in events { take(event) }
    let now = MonotonicInstant.now()
    if let covers {
      covers.wakeUp.clear()
      _ = covers.deliver(to: center, at: now)
    }
    source.update()
    prepareCover()
    center.expire(at: now)
    volume.follow(center, engine)
    return events
  }

  /// Called with a file that does not come from its storage, while silence stands in for it.
  public var onStarved: ((MusicFile) -> Void)? {
    get { source.onStarved }
    set { source.onStarved = newValue }
  }

  /// Plays a chime or a spoken file over the music. Nil, or why not.
  public func playChime(path: String, name: String) -> HoldReason? {
    chime.play(path: path, name: name)
  }

  /// Asks for the screen's buttons again: others were configured.
  public func configureButtons() { source.configureAgain() }

  /// See ``LocalSource/album(limit:)``.
  public func album(limit: Int) -> (title: String, items: [UpNextItem])? {
    source.album(limit: limit)
  }

  /// The place in the order of the track that is shown, from 0.
  public var place: Int { source.saidPlace }

  /// Whether a chime sounds.
  public var isChiming: Bool { chime.isSounding }

  /// Whether the cover of a file is known before it plays.
  func hasPreparedCover(of path: String) -> Bool { covers?.isPrepared(path) ?? false }

  /// Lets what sounds fade out, as before the output is closed, so that stopping does not click.
  /// Returns how long that takes to be heard: the fade, and what the device holds; one that says
  /// nonsense is not waited for, and a file not at all.
  public func fadeOut() -> Duration {
    engine.setPaused(true)
    guard let device = player.state.device, keepsTime else { return .zero }
    let milliseconds = 10 + 1000 * device.bufferFrames / max(device.sampleRate, 1)
    return .milliseconds(min(milliseconds, 2500))
  }

  /// Ends the sessions, stops the threads, closes the output. Blocks until that is done.
  public func shutDown() {
    chime.stop()
    source.end()
    engine.shutDown()
    covers?.shutDown()
  }

  private func take(_ event: LocalPlayer.Event) {
    switch event {
    case .applied(let effect, let handedOver, let heard):
      let given = MonotonicInstant.near(nanoseconds: handedOver)
      let heard = MonotonicInstant.near(nanoseconds: heard)
      source.applied(effect, handedOver: given, heard: heard)
      volume.applied(effect, handedOver: given, heard: heard, to: center)
    case .outputFailed:
      source.outputLost()
    case .outputRegained:
      source.outputRegained()
    case .overlayEnded(let id), .overlayFailed(let id, _):
      chime.overlayEnded(id: id)
    default:
      break
    }
  }

  /// The cover of the next track, while this one plays.
  private func prepareCover() {
    let next = player.upNext
    // What was found in advance is wanted until it is shown.
    guard let covers, next?.path != prepared, !player.isSeeking else { return }
    prepared = next?.path
    covers.prepare(next)
  }
}
