public import Artwork
public import AudioCodecs
public import AudioEngine
public import LocalPlayer
public import MusicFiles
public import NowPlaying
internal import SystemClock
internal import Threads

/// A head unit without its surfaces. It connects the model of Now Playing with the players. Both the command `play` on
/// a terminal and the daemon use this type.
///
/// Used on the control thread only. Only ``init(files:sink:options:)`` and ``shutDown()`` block. The initialiser blocks
/// only for a short time. The owner of the event loop waits for ``descriptors`` and ``nextDeadline``, and calls
/// ``turn()`` after each event and command.
public final class HeadUnit {
  /// Options that are set at the start.
  public struct Options {
    /// If not nil, the device is always set up for this format. If nil, the device is set up for the format of each
    /// track.
    public var fixed: StreamFormat?
    /// The gain of each track.
    public var replayGain = ReplayGainSettings()
    /// The initial volume.
    public var volume = Volume(level: .loudest)
    /// A gain in decibels that is added to the volume.
    public var trimDecibels = 0.0
    /// The amount by which the music is lowered while an overlay plays.
    public var ducking = Ducking()
    /// The interval of a skip.
    public var skipInterval = Duration.seconds(15)
    /// The language of texts.
    public var language = LanguageTag.undefined
    /// What people wanted of each source in the last run.
    public var wishes = PlayWishes()
    /// Sets the buttons of the screen while files play. Called whenever a screen connects (T1). If nil, the buttons are
    /// shuffle and repeat.
    public var buttons: ((inout NowPlayingTemplate) -> Void)?
    /// See ``NowPlayingCenter/PerformsLater``.
    public var performsLater: NowPlayingCenter.PerformsLater = { _, _ in false }
    /// Called before *undo* brings back another queue of the player.
    public var onListLeft: (LocalPlayer) -> Void = { _ in }
    /// Called after each new revision of the state of ``HeadUnit/center``.
    public var didPublish: () -> Void = {}
    /// The cache that stores covers. Nil if no surface shows covers.
    public var artworkCache: ArtworkCache?

    /// The defaults.
    public init() {}
  }

  /// Sessions, commands and state. Surfaces connect to this object.
  public let center: NowPlayingCenter
  /// The player, which has the files and the order in which they play. Send commands to the center, not to the player.
  public let player: LocalPlayer
  /// The engine. Use it to read its counters and, after the end of playback was reported, the time until the last frame
  /// is heard.
  public let engine: PlaybackEngine

  /// False for an output that is a file, which takes frames as fast as they are decoded.
  let keepsTime: Bool
  /// The local player as a source of Now Playing.
  public let source: LocalSource
  private let chime: ChimeSource
  private let covers: TrackCovers?
  private var volume: OutputVolume
  private var prepared: String?

  /// An event that ``turn()`` returns.
  public enum Event {
    /// An event of ``HeadUnit/player``.
    case player(LocalPlayer.Event)
    /// The storage of a file has delivered no data for ``LocalSource/bufferingDelay``. Silence replaces the frames
    /// until data arrives.
    case starved(MusicFile)
    /// A picture was skipped, its name or MIME type declares another kind of picture, or the cache of covers cannot be
    /// used.
    case cover(CoverNotice)

    /// The event of the player. Nil for other events.
    public var ofPlayer: LocalPlayer.Event? {
      if case .player(let event) = self { event } else { nil }
    }
  }

  /// Starts the engine's threads. Nothing plays yet.
  ///
  /// - Parameters:
  ///   - files: can be empty. The player can get other files later.
  ///   - marks: see ``LocalSource/marks``.
  public init(
    files: [MusicFile], sink: any AudioSink, options: Options = Options(), marks: SongMarks? = nil
  ) {
    keepsTime = sink.keepsTime
    engine = PlaybackEngine(sink: sink, fixed: options.fixed)
    center = NowPlayingCenter(
      volume: options.volume, language: options.language, ducking: options.ducking,
      wishes: options.wishes,
      performsLater: options.performsLater, didPublish: options.didPublish)
    player = LocalPlayer(
      files: files, engine: engine, replayGain: options.replayGain,
      onListLeft: options.onListLeft, clock: { .now() })
    let covers = options.artworkCache.map { TrackCovers(ArtworkLoader(cache: $0)) }
    self.covers = covers
    source = LocalSource(
      player: player, center: center, artwork: { covers?.artwork($0, $1) },
      skipInterval: options.skipInterval,
      configure: options.buttons ?? LocalSource.defaultButtons, clock: MonotonicInstant.now)
    source.marks = marks
    chime = ChimeSource(engine: engine, center: center, clock: MonotonicInstant.now)
    volume = OutputVolume(
      trimDecibels: options.trimDecibels, duckingDecibels: options.ducking.decibels)
    volume.follow(center, engine)
  }

  /// The descriptors of the unit. When one of these descriptors is readable, ``turn()`` must be called.
  public var descriptors: [Int32] {
    [engine.wakeUp.descriptor] + (covers.map { [$0.wakeUp.descriptor] } ?? [])
  }

  /// The time at which ``turn()`` must be called even if no descriptor is readable; nil if there is no such time.
  public var nextDeadline: MonotonicInstant? {
    [source.nextDeadline, center.nextDeadline].compactMap { $0 }.min()
  }

  /// Takes the events of the engine and the covers that were found, and passes the changes to the model. Also carries
  /// out the work whose time has come. Returns the events for the log.
  public func turn() -> [Event] {
    let events = player.handleEvents()
    for event in events { handle(event) }
    let now = MonotonicInstant.now()
    if let covers {
      covers.wakeUp.clear()
      covers.deliver(to: center, at: now)
    }
    source.update()
    let notices = covers?.takeNotices() ?? []
    prepareCover()
    center.expire(at: now)
    volume.follow(center, engine)
    return events.map { .player($0) } + (source.takeStarved().map { [.starved($0)] } ?? [])
      + notices.map { .cover($0) }
  }

  /// The gain with which the published volume must be heard.
  var publishedGain: Float { volume.gain(of: center.volume) }

  /// Lowers the sound of the whole unit, or raises it again. The gain changes with a fade.
  public func setAttenuation(_ attenuation: SoundAttenuation, for reason: SoundAttenuation.Reason) {
    center.setAttenuation(attenuation, for: reason, at: .now())
    volume.follow(center, engine)
  }

  /// Must be called when the marks of songs (``SongMarks``) have changed.
  public func marksChanged() { source.marksChanged() }

  /// Plays a chime or a spoken file over the music. Returns nil, or the reason why the file cannot play.
  public func playChime(path: String, name: String) -> HoldReason? {
    chime.play(path: path, name: name)
  }

  /// Sets the screen's buttons again after a change of the configuration.
  public func configureButtons() { source.configureAgain() }

  /// Uses these settings from now on, also for the track that plays.
  public func setReplayGain(_ settings: ReplayGainSettings) { player.setReplayGain(settings) }

  /// Uses this interval for the next skips.
  public func setSkipInterval(_ interval: Duration) {
    guard interval != source.skipInterval else { return }
    source.skipInterval = interval
    source.update()
  }

  public func album(limit: Int) -> (title: String, items: [UpNextItem])? {
    source.album(limit: limit)
  }

  /// The index of the published track in the playing order, from 0.
  public var queueIndex: Int { source.publishedIndex }

  /// True if a chime plays or is about to play.
  public var isChiming: Bool { chime.isSounding }

  /// True if the cover of this file was searched in advance and the search has ended.
  func hasPreparedCover(of path: String) -> Bool { covers?.isPrepared(path) ?? false }

  /// Fades out, so that there is no click when the output is closed. Returns the time until the end of the fade is
  /// heard: the time of the fade, and of the frames that the device plays before it. The time is limited, because the
  /// device may report a wrong value. If the output is a file, the time is zero.
  public func fadeOut() -> Duration {
    engine.setPaused(true)
    guard let device = player.state.device, keepsTime else { return .zero }
    // If the buffer is rewritten, the fade is heard after the safeguard, and after the block that the device plays
    // next. The 20 ms are for the fade, which takes 5 ms, and for this block.
    let frames = device.rewritableFrames == nil ? device.bufferFrames : engine.safeguardFrames
    let milliseconds = 20 + 1000 * frames / max(device.sampleRate, 1)
    return .milliseconds(min(milliseconds, 2500))
  }

  /// Ends the sessions, stops the threads and closes the output. Blocks until the threads have stopped.
  public func shutDown() {
    chime.stop()
    source.end()
    engine.shutDown()
    covers?.shutDown()
  }

  private func handle(_ event: LocalPlayer.Event) {
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

  /// Searches for the cover of the next track while the present track plays.
  private func prepareCover() {
    let next = player.upNext
    // During a seek no new search begins, because it would drop the cover that was found in advance. The found cover is
    // needed until its track is shown.
    guard let covers, next?.path != prepared, !player.isSeeking else { return }
    prepared = next?.path
    covers.prepare(next)
  }
}
