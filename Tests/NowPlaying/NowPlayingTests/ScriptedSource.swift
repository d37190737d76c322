import NowPlaying

/// A source without sound. It has tracks, and carries out commands. It records the commands and the instructions that
/// it receives.
final class ScriptedSource {
  let clock: ManualClock
  private(set) var session: MediaSession!

  // A test can set these values before it calls `publish`.
  var tracks: [MediaContent]
  var index = 0
  var enabled: [CommandKind: Bool] = [:]
  /// The commands that the source does not offer.
  var left: Set<CommandKind> = []
  var intervals: [Duration] = [.seconds(15), .seconds(30)]
  var repeatMode = MediaCommand.RepeatMode.off
  var shuffleMode = MediaCommand.ShuffleMode.off
  var publishesItself = false
  var stars: Double?
  /// The length that the player reports, for content without a length.
  var knownDuration: MediaDuration?
  /// If true, the source carries out instructions at once. If false, it only records them.
  var followsInstructions = true
  /// If `failure` is not nil, each command gets this answer and changes nothing. If `failure` is nil, commands are
  /// carried out and answered with `success`.
  var failure: CommandAnswer?
  /// If true, replies are only stored in `replies`, so commands get no answer.
  var keepsReplies = false
  var advancesInSuspend = false

  var impossible: Set<CommandKind> = []

  // Recorded events.
  var instructions: [SessionInstruction] = []
  var performed: [String] = []
  var replies: [CommandReply] = []

  private(set) var rate = 0.0
  private(set) var defaultRate = 1.0
  private(set) var condition = PlayerReport.Condition.ready
  private(set) var seeks = 0
  private var position = Duration.zero
  private var since: MonotonicInstant

  init(
    _ id: SessionID, in center: NowPlayingCenter, clock: ManualClock,
    audio: AudioSession = AudioSession(), starts: StartRule = .always,
    tracks: [MediaContent]? = nil, activated: Bool = true,
    didConnect: ((SurfaceDescription, inout NowPlayingTemplate) -> Void)? = nil
  ) {
    self.clock = clock
    since = clock.now
    self.tracks = tracks ?? (1...4).map { song("\(id)-\($0)") }
    session = center.openSession(
      id, audio: audio, starts: starts, didConnect: didConnect,
      instruct: { [weak self] in self?.follow($0) }, at: clock.now)
    if activated { session.activate(at: clock.now) }
  }

  var content: MediaContent? { tracks.isEmpty ? nil : tracks[index] }

  /// The position of the player, in gross time.
  var here: Duration {
    let passed =
      advancesInSuspend
      ? clock.now.wholeTime(since: since) : clock.now.awakeTime(since: since)
    let target = position + .seconds(seconds(passed) * (condition == .ready ? rate : 0))
    let end = (content?.duration ?? knownDuration)?.length ?? .seconds(1_000_000)
    return min(max(.zero, target), end)
  }

  var report: PlayerReport {
    PlayerReport(
      contentID: content?.id ?? "", duration: knownDuration,
      position: content?.duration == .live ? nil : here, rate: rate, defaultRate: defaultRate,
      condition: condition, seeksCompleted: seeks, timestamp: clock.now,
      advancesInSuspend: advancesInSuspend)
  }

  var description: SessionDescription {
    SessionDescription(
      content: content, playback: .players(SessionPlayers(report)), commands: commands,
      upNext: tracks.dropFirst(index + 1).map {
        UpNextItem(id: $0.id, title: $0.lines().title ?? "", artist: $0.lines().subtitle)
      }, publishesItself: publishesItself)
  }

  func publish() { session.publish(description, at: clock.now) }

  // MARK: Actions of the source itself

  private func anchor(_ change: () -> Void) {
    let here = here
    change()
    position = here
    since = clock.now
  }

  func play() {
    anchor {
      rate = defaultRate
      condition = .ready
    }
    publish()
  }

  func pause() {
    anchor {
      rate = 0
      condition = .ready
    }
    publish()
  }

  func stop() {
    anchor {
      rate = 0
      condition = .stopped
    }
    position = .zero
    publish()
  }

  func buffer() {
    anchor { condition = .buffering }
    publish()
  }

  func setRate(_ rate: Double, isDefault: Bool = true) {
    anchor {
      if isDefault { defaultRate = rate }
      if self.rate != 0 || !isDefault { self.rate = rate }
    }
    publish()
  }

  func seek(to target: Duration) {
    position = target
    since = clock.now
    seeks += 1
    publish()
  }

  func go(to index: Int) {
    self.index = index
    position = .zero
    since = clock.now
    publish()
  }

  // MARK: Instructions and commands

  private func follow(_ instruction: SessionInstruction) {
    instructions.append(instruction)
    guard followsInstructions else { return }
    switch instruction {
    case .pause: pause()
    case .resume: play()
    case .duck, .unduck: break
    }
  }

  /// Records the call of a handler. If neither `keepsReplies` nor `failure` is set, the method then does `work` and
  /// answers with `success`.
  private func handle(_ name: String, _ reply: CommandReply, _ work: () -> Void) {
    performed.append(name)
    if keepsReplies {
      replies.append(reply)
    } else if let failure {
      reply(failure, at: clock.now)
    } else {
      work()
      reply(.success, at: clock.now)
    }
  }

  private var commands: [MediaCommand] {
    let all: [MediaCommand] = [
      .play { [unowned self] in handle("play", $0) { play() } },
      .pause { [unowned self] in handle("pause", $0) { pause() } },
      .togglePlayPause { [unowned self] in handle("toggle", $0) { rate == 0 ? play() : pause() } },
      .stop { [unowned self] in handle("stop", $0) { stop() } },
      .next { [unowned self] in
        guard index + 1 < tracks.count else { return $0(.noSuchContent(), at: clock.now) }
        handle("next", $0) { go(to: index + 1) }
      },
      .previous { [unowned self] in handle("previous", $0) { go(to: max(0, index - 1)) } },
      .skipForward(preferredIntervals: intervals) { [unowned self] interval, reply in
        handle("+\(seconds(interval))", reply) { seek(to: here + interval) }
      },
      .skipBackward(preferredIntervals: intervals) { [unowned self] interval, reply in
        handle("-\(seconds(interval))", reply) { seek(to: here - interval) }
      },
      .seekForward(
        beginAction: { [unowned self] in handle("ff", $0) { setRate(5, isDefault: false) } },
        endAction: { [unowned self] in handle("ff end", $0) { setRate(1, isDefault: false) } }),
      .seekBackward(
        beginAction: { [unowned self] in handle("rew", $0) { setRate(-5, isDefault: false) } },
        endAction: { [unowned self] in handle("rew end", $0) { setRate(1, isDefault: false) } }),
      .seekToPosition { [unowned self] position, reply in
        handle("to \(seconds(position))", reply) { seek(to: position) }
      },
      .changePlaybackRate(supported: [0.5, 1, 2]) { [unowned self] rate, reply in
        handle("rate \(rate)", reply) { setRate(rate) }
      },
      .changeRepeatMode(current: repeatMode) { [unowned self] mode, reply in
        handle("repeat \(mode)", reply) {
          repeatMode = mode
          publish()
        }
      },
      .changeShuffleMode(current: shuffleMode, supported: [.off, .items]) {
        [unowned self] mode, reply in
        handle("shuffle \(mode)", reply) {
          shuffleMode = mode
          publish()
        }
      },
      .stars(current: stars) { [unowned self] stars, reply in handle("stars \(stars)", reply) {} },
      .like(isActive: false) { [unowned self] isSet, reply in handle("like \(isSet)", reply) {} },
      .dislike(isActive: false) { [unowned self] isSet, reply in
        handle("dislike \(isSet)", reply) {}
      },
      .bookmark(isActive: false) { [unowned self] isSet, reply in
        handle("bookmark \(isSet)", reply) {}
      },
      .enableLanguageOption(available: Self.languages) { [unowned self] id, reply in
        handle("language \(id)", reply) {}
      },
      .disableLanguageOption(available: Self.languages) { [unowned self] id, reply in
        handle("no language \(id)", reply) {}
      },
      .playQueueItem { [unowned self] id, reply in handle("play \(id)", reply) {} },
      .moveQueueItem { [unowned self] id, other, revision, reply in
        handle("move \(id) before \(other ?? "-") at \(revision)", reply) {}
      },
      .removeQueueItem { [unowned self] id, revision, reply in
        handle("remove \(id) at \(revision)", reply) {}
      },
      .clearQueue { [unowned self] in handle("clear at \($0)", $1) {} },
      .undoQueue { [unowned self] in handle("undo at \($0)", $1) {} },
    ]
    return all.filter { !left.contains($0.offer.kind) }
      .map { impossible.contains($0.offer.kind) ? $0.possible(false) : $0 }
      .map { enabled[$0.offer.kind].map($0.enabled) ?? $0 }
  }

  private static let languages = [
    LanguageOption(id: "de", kind: .audible, language: "de", name: "Deutsch")
  ]
}

/// A song. By default it is four minutes long.
func song(
  _ id: String, title: String? = nil, seconds: Double? = 240, artwork: Artwork? = nil
) -> MediaContent {
  .music(
    MusicContent(
      id: id, songTitle: title ?? "Song \(id)", artistName: "Artist", albumName: "Album",
      duration: seconds.map { .finite(.seconds($0)) }, artwork: artwork))
}

func seconds(_ duration: Duration) -> Double {
  let (seconds, attoseconds) = duration.components
  return Double(seconds) + Double(attoseconds) * 1e-18
}
