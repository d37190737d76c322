internal import AudioCodecs
public import AudioEngine
public import MusicFiles
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
  let skipInterval: Duration

  /// More commands whose effect is awaited are forgotten, the oldest first: without an output there
  /// is none.
  static let awaitedLimit = 32

  let player: LocalPlayer
  let artwork: (_ contentID: String, MusicFile) -> Artwork?
  let clock: () -> MonotonicInstant
  private let configure: (LocalSource, inout NowPlayingTemplate) -> Void
  private var session: MediaSession?
  var heldSeek: HeldSeek?
  /// What was said last.
  private var said: SessionDescription?
  var seeksCompleted = 0
  /// Which playing was said last.
  private var saidID = 0
  /// Its place in the order, from 0: the player's own is that of what was asked for.
  public private(set) var saidPlace = 0
  /// Something is asked for that is not heard yet.
  var seeking = Wait(patience: patience)
  /// What plays does not come from its storage.
  var starving = Wait(patience: patience)
  /// Called with a file that has not come from its storage for ``patience``.
  public var onStarved: ((MusicFile) -> Void)?
  /// Commands that were answered, and whose effect is not there yet.
  var awaited: [(effect: Effect, reply: CommandReply)] = []

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
}

extension Duration {
  /// As the engine counts.
  var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }
}
