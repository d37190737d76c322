internal import AudioCodecs
public import AudioEngine
public import NowPlaying

/// The local player as a source of Now Playing: it says what the player does, and does what is
/// asked of it.
///
/// Control thread only. Says everything after each change; what is news is the session's business
/// (P1, P2, P7). What was asked for and is not heard yet is not said: a change comes back once,
/// when it is there, or after ``patience`` as buffering.
public final class LocalSource {
  /// By this name the session is known.
  public static let sessionID = SessionID("local")
  /// A command whose effect is not there after so long is shown as buffering.
  public static let patience = Duration.milliseconds(300)
  /// What *skip* does, forwards and back.
  private let skipInterval: Duration

  /// More commands whose effect is awaited are forgotten, the oldest first: without an output there
  /// is none.
  private static let awaitedLimit = 32

  private let player: LocalPlayer
  private let artwork: (_ contentID: String, MusicFile) -> Artwork?
  private let clock: () -> MonotonicInstant
  private let configure: (LocalSource, inout NowPlayingTemplate) -> Void
  private var session: MediaSession?
  private var heldSeek: HeldSeek?
  /// What was said last.
  private var said: SessionDescription?
  private var seeksCompleted = 0
  /// Which playing was said last.
  private var saidID = 0
  /// Its place in the order, from 0: the player's own is that of what was asked for.
  public private(set) var saidPlace = 0
  /// Something is asked for that is not heard yet.
  private var seeking = Wait(patience: patience)
  /// What plays does not come from its storage.
  private var starving = Wait(patience: patience)
  /// Called with a file that has not come from its storage for ``patience``.
  public var onStarved: ((MusicFile) -> Void)?
  /// Commands that were answered, and whose effect is not there yet.
  private var awaited: [(effect: Effect, reply: CommandReply)] = []

  /// Opens the session, and activates it: the player may sound from now on (E2).
  ///
  /// - Parameters:
  ///   - artwork: the cover of a file, which must be the same one as long as the content is; nil
  ///     where there is none to be had.
  ///   - configure: the screen's own buttons, whenever a screen connects (T1).
  ///   - clock: the moment that it is.
  public init(
    player: LocalPlayer, center: NowPlayingCenter,
    artwork: @escaping (_ contentID: String, MusicFile) -> Artwork? = { _, _ in nil },
    skipInterval: Duration = .seconds(15),
    configure: @escaping (LocalSource, inout NowPlayingTemplate) -> Void = usualButtons,
    clock: @escaping () -> MonotonicInstant
  ) {
    self.player = player
    self.artwork = artwork
    self.skipInterval = skipInterval
    self.clock = clock
    self.configure = configure
    session = center.openSession(
      Self.sessionID,
      didConnect: { [weak self] _, template in self?.setUp(&template) },
      instruct: { [weak self] in self?.obey($0) }, at: clock())
    session?.activate(at: clock())
    update()
  }

  /// Says how everything is. After each ``LocalPlayer/handleEvents()``, and at ``nextDeadline``.
  public func update() {
    let now = clock()
    lookForStarving(at: now)
    stepHeldSeek(at: now)
    if player.isSeeking, !player.state.isStopped {
      seeking.go(on: now)
      // What is held is told to be silent before it sounds (E4), so it is said at once.
      guard seeking.isLong || session?.sound.hold != nil else { return sayModes(at: now) }
    } else if seeking.isGoingOn {
      seeking.end()
      // The beginning of another track is no seek.
      if heldSeek == nil, player.playingID == saidID { seeksCompleted += 1 }
    }
    saidID = player.playingID
    saidPlace = player.state.place
    say(description(at: now), at: now)
  }

  private func lookForStarving(at now: MonotonicInstant) {
    guard let file = player.awaited else { return starving.end() }
    let wasLong = starving.isLong
    starving.go(on: now)
    if starving.isLong, !wasLong { onStarved?(file) }
  }

  private func say(_ description: SessionDescription, at now: MonotonicInstant) {
    said = description
    session?.publish(description, at: now)
  }

  /// Repeat and shuffle make no sound to wait for.
  private func sayModes(at now: MonotonicInstant) {
    guard var description = said else { return }
    description.commands = zip(description.commands, commands(canSeek: false)).map { old, new in
      switch new.offer.kind {
      case .changeRepeatMode, .changeShuffleMode: new
      default: old
      }
    }
    say(description, at: now)
  }

  /// The engine says that what was asked of the sound is there: the trace of commands ends.
  public func applied(
    _ effect: Effect, handedOver: MonotonicInstant, heard: MonotonicInstant
  ) {
    for (_, reply) in awaited.filter({ $0.effect.isSettled(by: effect) }) {
      reply.heard(at: heard, handedOver: handedOver)
    }
    awaited.removeAll { $0.effect.isSettled(by: effect) }
  }

  /// The output cannot be used now: what plays is held, and goes on by itself when it can (E7).
  public func outputLost() { session?.outputLost(at: clock()) }

  /// The output can be used again.
  public func outputRegained() { session?.outputRegained(at: clock()) }

  /// Shuffle and repeat.
  public static func usualButtons(_ source: LocalSource, _ template: inout NowPlayingTemplate) {
    template.updateNowPlayingButtons([.shuffle(), .repeat()])
  }

  private func setUp(_ template: inout NowPlayingTemplate) {
    configure(self, &template)
    template.isUpNextButtonEnabled = true
    template.isAlbumArtistButtonEnabled = true
  }

  /// Other buttons are wanted than when the screen connected.
  public func configureAgain() {
    session?.updateTemplate(at: clock()) { [weak self] in self?.setUp(&$0) }
  }

  /// When ``update()`` has something to do without an event; nil for never.
  public var nextDeadline: MonotonicInstant? {
    [heldSeek?.nextStep, seeking.deadline, starving.deadline].compactMap { $0 }.min()
  }

  /// The session ends, with all that it offered (C6).
  public func end() {
    session?.end(at: clock())
    session = nil
  }

  // MARK: What is told

  private func obey(_ instruction: SessionInstruction) {
    switch instruction {
    case .pause:
      heldSeek = nil
      player.pause()
    case .resume: player.resume()
    // What sounds over the music ducks it itself, on the frame: see ``ChimeSource``.
    case .duck, .unduck: break
    }
    update()
  }

  // MARK: What is said

  private func description(at now: MonotonicInstant) -> SessionDescription {
    guard let file = player.state.file else { return SessionDescription() }
    // What will play first is there before it plays, or nobody could ask for it (E1).
    let id = Self.contentID(player.playingID)
    let seconds = player.state.description?.durationSeconds
    let duration = seconds.map { MediaDuration.finite(.seconds($0)) }
    return SessionDescription(
      content: .music(content(id, file, duration)),
      playback: .players(Decks(report(id, duration, at: now))),
      commands: commands(canSeek: duration != nil),
      upNext: player.upNext(limit: NowPlayingState.upNextLimit).map { item($0, besides: file, id) })
  }

  /// Tracks of one album in one folder have one cover; others are not known before they play.
  private func item(_ file: MusicFile, besides current: MusicFile, _ contentID: String)
    -> UpNextItem
  {
    UpNextItem(
      id: file.path, title: file.metadata.title ?? file.fileName, artist: file.metadata.artist,
      duration: file.promisedSeconds.map { .seconds($0) },
      artworkID: file.isOfAlbum(of: current) ? artwork(contentID, current)?.id : nil)
  }

  /// The album that plays, or the folder where it is of none: its title, and the tracks in their own
  /// order. What plays has the identity of the content. Nil where nothing plays.
  public func album(limit: Int) -> (title: String, items: [UpNextItem])? {
    guard let file = player.state.file else { return nil }
    let id = Self.contentID(player.playingID)
    let items = player.album(of: file, limit: limit).map { other in
      let item = item(other, besides: file, id)
      return other.path == file.path
        ? UpNextItem(
          id: id, title: item.title, artist: item.artist, duration: item.duration,
          artworkID: artwork(id, file)?.id) : item
    }
    return (file.metadata.album ?? lastComponent(file.folder), items)
  }

  /// To the first track of the folder behind the one that plays, or before it; for a button.
  public func moveToFolder(_ direction: FolderStep, _ reply: CommandReply) {
    act(reply) { $0.moveToFolder(direction) ? .success : .noSuchContent }
  }

  private static func contentID(_ playingID: Int) -> String { "local-\(max(playingID, 1))" }

  private func content(
    _ id: String, _ file: MusicFile, _ duration: MediaDuration?
  ) -> MusicContent {
    var items = MetadataItems(
      player.state.metadata.comments.entries.compactMap {
        MetadataItem(tag: $0.name, value: $0.value)
      })
    if items.text(.title) == nil { items.append(MetadataItem(.title, file.fileName)) }
    return MusicContent(
      id: id, metadata: items, duration: duration, artwork: artwork(id, file))
  }

  private func report(
    _ id: String, _ duration: MediaDuration?, at now: MonotonicInstant
  ) -> PlayerReport {
    let state = player.state
    let isWaiting = seeking.isGoingOn || starving.isLong
    let condition: PlayerReport.Condition =
      state.isStopped ? .stopped : isWaiting && !state.isPaused ? .buffering : .ready
    return PlayerReport(
      contentID: id, duration: duration, position: .seconds(player.elapsedSeconds),
      rate: state.isPaused || state.isStopped ? 0 : heldSeek?.rate ?? 1, condition: condition,
      seeksCompleted: seeksCompleted, timestamp: now)
  }

  // MARK: What can be asked

  private func commands(canSeek: Bool) -> [MediaCommand] {
    [
      .play(perform { $0.resume() }), .pause(perform { $0.pause() }),
      .stop(perform { $0.stop() }),
      .next { [weak self] reply in self?.next(reply) }.enabled(player.hasNext),
      .previous { [weak self] reply in self?.move(reply) { $0.previous() } },
      .skipForward(preferredIntervals: [skipInterval]) { [weak self] interval, reply in
        self?.move(reply) { $0.skip(by: interval.seconds) }
      },
      .skipBackward(preferredIntervals: [skipInterval]) { [weak self] interval, reply in
        self?.move(reply) { $0.skip(by: -interval.seconds) }
      },
      .seekForward(
        beginAction: { [weak self] in self?.beginSeek(1, $0) },
        endAction: { [weak self] in self?.endSeek($0) }
      ).enabled(canSeek),
      .seekBackward(
        beginAction: { [weak self] in self?.beginSeek(-1, $0) },
        endAction: { [weak self] in self?.endSeek($0) }
      ).enabled(canSeek),
      .seekToPosition { [weak self] position, reply in
        self?.move(reply) { $0.seek(to: position.seconds) }
      }.enabled(canSeek),
      .changeRepeatMode(current: player.queue.repeatMode) { [weak self] mode, reply in
        self?.act(reply) { $0.setRepeat(mode) }
      },
      .changeShuffleMode(
        current: player.queue.isShuffled ? .items : .off, supported: [.off, .items]
      ) { [weak self] mode, reply in
        self?.act(reply) { $0.setShuffled(mode == .items) }
      },
    ]
  }

  private func perform(_ body: @escaping (LocalPlayer) -> Void) -> MediaCommand.Handler {
    { [weak self] reply in self?.act(reply, body) }
  }

  private func act(_ reply: CommandReply, _ body: (LocalPlayer) -> Void) {
    act(reply) {
      body($0)
      return .success
    }
  }

  private func act(_ reply: CommandReply, _ body: (LocalPlayer) -> CommandAnswer) {
    let before = player.lastEffect
    reply(body(player), at: clock())
    let effect = player.lastEffect
    // Another track under a pause is heard some day, but not as an answer.
    // Who asks for something else does not want to be carried on.
    if effect != before { heldSeek = nil }
    if effect != before, effect.isImmediate || !player.state.isPaused {
      awaited.append((effect, reply))
      if awaited.count > Self.awaitedLimit { awaited.removeFirst() }
    }
    update()
  }

  /// Within the track, which must have begun once.
  private func move(_ reply: CommandReply, _ body: (LocalPlayer) -> Bool) {
    act(reply) { body($0) ? .success : .nothingPlaying }
  }

  private func next(_ reply: CommandReply) {
    act(reply) { $0.next() ? .success : .noSuchContent }
  }

  private func beginSeek(_ direction: Double, _ reply: CommandReply) {
    guard !player.state.isStopped else { return reply(.nothingPlaying, at: clock()) }
    heldSeek = HeldSeek(
      of: player.playingID, from: player.elapsedSeconds, direction: direction, at: clock())
    reply(.success, at: clock())
    update()
  }

  private func endSeek(_ reply: CommandReply) {
    heldSeek = nil
    reply(.success, at: clock())
    update()
  }

  private func stepHeldSeek(at now: MonotonicInstant) {
    guard var seek = heldSeek else { return }
    let end = player.state.description?.durationSeconds
    if player.playingID != seek.playingID || player.state.isStopped {
      heldSeek = nil
    } else if let position = seek.step(at: now, end: end) {
      heldSeek = seek
      player.seek(to: position)
    }
  }
}

extension Duration {
  /// As the engine counts.
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
