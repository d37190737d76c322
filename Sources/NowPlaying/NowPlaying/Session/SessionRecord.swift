/// The center's record of a session.
struct SessionRecord {
  /// What people want: the session plays, or it is paused. The intent is kept while the session is held, which means
  /// that it must be silent (E4).
  enum Intent {
    case play, pause
  }

  let id: SessionID
  /// Distinguishes this session from earlier sessions with the same identity.
  let generation: Int
  let audio: AudioSession
  let starts: StartRule
  let instruct: (SessionInstruction) -> Void
  let didConnect: ((SurfaceDescription, inout NowPlayingTemplate) -> Void)?

  var description = SessionDescription()
  /// The content after the rules of ``ContentRules`` were applied (P5, P6, P7).
  var content: MediaContent?
  /// The last snapshot from the source.
  var reported: MediaPlaybackSnapshot?
  /// The published snapshot.
  var anchor: MediaPlaybackSnapshot?
  var isActive = false
  /// True if the session has been Now Playing.
  var wasPrimary = false
  var isOutputLost = false
  var claim = 0
  /// The end of the time in which a start is what a person wanted (``StartRule/ifWanted``). Nil before the first
  /// request of a person.
  var wantedUntil: MonotonicInstant?
  /// Why the session made its last claim.
  var claimReason = SoundChange.PrimaryReason.started
  var intent = Intent.pause
  /// True if a command requested play while the session was held. The session then resumes even if an interruption ends
  /// with `shouldResume` false.
  var isPlayRequestedWhileHeld = false
  /// True if the source has the instruction to resume and has not reported yet that it plays.
  var isResuming = false
  /// True if the source started although it is held. In this case the instruction to pause must be sent again.
  var startedWhileHeld = false
  var isDucked = false
  var sound = SoundRule.held(.audioSessionInactive)
  var template = NowPlayingTemplate()

  // For the diagnosis.
  var lateConfigurations = 0
  var startsWhileInactive = 0

  init(
    id: SessionID, generation: Int, audio: AudioSession, starts: StartRule,
    instruct: @escaping (SessionInstruction) -> Void,
    didConnect: ((SurfaceDescription, inout NowPlayingTemplate) -> Void)?
  ) {
    self.id = id
    self.generation = generation
    self.audio = audio
    self.starts = starts
    self.instruct = instruct
    self.didConnect = didConnect
  }
}

// Values that are derived from the record.
extension SessionRecord {
  var offers: [CommandOffer] { description.commands.map(\.offer) }

  func command(_ kind: CommandKind) -> MediaCommand? {
    description.commands.first { $0.offer.kind == kind }
  }

  /// See ``Candidate/hasEnded``. A session without an active audio session can become primary only if it was primary.
  var hasEnded: Bool { !isActive && wasPrimary }

  /// True if the source reports that it plays, or that it waits for data.
  var isPlayingOrBuffering: Bool { reported?.isPlayingOrBuffering ?? false }

  /// True if nothing is loaded, or the content has ended.
  var isStopped: Bool { reported == nil || reported?.state == .stopped }

  var candidate: Candidate {
    Candidate(
      id: id, audio: audio, isActive: isActive, hasEnded: hasEnded, hasContent: content != nil,
      commands: offers,
      isSounding: reported?.status.isAdvancing ?? false, claim: claim, isOutputLost: isOutputLost)
  }

  /// The snapshot that surfaces get. If a session is paused only because of a hold, and will resume, surfaces show it
  /// as interrupted (E4). This remains so until the source reports that it plays.
  var shown: MediaPlaybackSnapshot? {
    guard let anchor, sound.hold != nil || isResuming, anchor.state == .paused, intent == .play
    else { return self.anchor }
    return anchor.renamed(.interrupted)
  }

  /// Why ``shown`` is interrupted. Nil if it is not.
  func shownHold(_ interruptions: Interruptions) -> PlaybackHold? {
    guard shown?.status == .interrupted else { return nil }
    switch sound.hold {
    case .interruption(let reason):
      return .interruption(interruptions.current.first?.reason ?? reason)
    case .outputLost: return .outputLost
    // These holds end when the source starts: it activates its audio session, or becomes primary.
    case .audioSessionInactive, .takenOver, .silenced: return .resuming
    case nil: return isResuming ? .resuming : .source
    }
  }

  /// The commands that surfaces get. For live content, commands that move within the content are left out (P6).
  var shownOffers: [CommandOffer] {
    guard content?.duration == .live, !description.publishesItself else { return offers }
    return offers.filter { !$0.kind.movesWithinContent }
  }

  /// The reason why surfaces show this command grey, or do not show it. Nil if the source can get it, if its value is
  /// supported.
  func obstacle(to kind: CommandKind) -> CommandRefusal? {
    guard let offer = offers.first(where: { $0.kind == kind }) else {
      return description.obstacle.map { .source($0) } ?? .notOffered(kind)
    }
    guard shownOffers.contains(where: { $0.kind == kind }) else { return .liveContent(kind) }
    if offer.isEnabled { return nil }
    if let obstacle = description.obstacle { return .source(obstacle) }
    return command(kind)?.isPossible == false ? .notPossible(kind) : .disabled(kind)
  }

  var timeline: PlaybackTimeline {
    PlaybackTimeline(
      duration: content?.duration, adTimeRanges: content?.adTimeRanges ?? [])
  }
}

// Changes of the record.
extension SessionRecord {
  /// What a new description from the source means for Now Playing.
  enum Edge {
    /// Playback has started. This counts as a claim (E5).
    case started
    /// Playback has stopped without a command and without a hold.
    case stopped
  }

  /// Applies a new description from the source.
  /// - Parameter mayStart: false if a start is not a claim (``StartRule``).
  mutating func apply(_ new: SessionDescription, mayStart: Bool = true, at now: MonotonicInstant)
    -> Edge?
  {
    let oldContent = content
    let report: PlayerReport?
    let snapshot: MediaPlaybackSnapshot?
    switch new.playback {
    case .snapshot(let given): (report, snapshot) = (nil, given)
    case .players(let decks): (report, snapshot) = (decks.leading, decks.leading?.snapshot)
    }
    description = new
    if new.publishesItself {
      content = new.content
    } else {
      // If the report is about another track than the content, the duration of the report does not apply.
      let known = report?.contentID == new.content?.id ? report?.duration : nil
      content = ContentRules.replacing(oldContent, with: new.content, playerDuration: known)
    }
    return applyClock(
      snapshot, isOtherTrack: oldContent?.id != content?.id, mayStart: mayStart, at: now)
  }

  private mutating func applyClock(
    _ snapshot: MediaPlaybackSnapshot?, isOtherTrack: Bool, mayStart: Bool,
    at now: MonotonicInstant
  ) -> Edge? {
    let wasPlayingOrBuffering = isPlayingOrBuffering
    let wasAdvancing = reported?.status.isAdvancing ?? false
    reported = snapshot
    let starts = isPlayingOrBuffering && !wasPlayingOrBuffering
    let ends = !isPlayingOrBuffering && wasPlayingOrBuffering
    let isHeld = sound.hold != nil

    // A source can get the instruction to pause while it waits for data, and begin to sound later. This counts as a
    // start too.
    if isHeld, starts || snapshot?.status.isAdvancing == true && !wasAdvancing {
      startedWhileHeld = true
    }
    if starts {
      if !isActive { startsWhileInactive += 1 } else if mayStart { intent = .play }
    }
    // A held source stops because of an instruction, so the intent stays the same. If the source is not held, the stop
    // changes the intent to pause.
    let hasStopped = ends && !isHeld && intent == .play
    if ends, !isHeld { intent = .pause }
    if isResuming, isPlayingOrBuffering || snapshot?.state == .stopped || snapshot == nil {
      isResuming = false
      if !isPlayingOrBuffering { intent = .pause }
    }

    let duration = content?.duration
    if isHeld, let snapshot, snapshot.isPlayingOrBuffering {
      // The source reports that it plays, although it must be silent. So surfaces keep the position at which the hold
      // began.
      if isOtherTrack || anchor == nil {
        anchor = snapshot.held(as: .paused, at: now, duration: duration)
      }
    } else {
      anchor = isOtherTrack ? snapshot : AnchorRule.anchor(anchor, snapshot, duration: duration)
    }
    return starts && isActive && mayStart ? .started : hasStopped ? .stopped : nil
  }

  /// Applies a new rule for the sound. Returns the instructions for the source.
  mutating func follow(_ rule: SoundRule, ducking: Ducking, at now: MonotonicInstant)
    -> [SessionInstruction]
  {
    let old = sound
    sound = rule
    defer { startedWhileHeld = false }
    guard let reason = rule.hold else {
      var instructions: [SessionInstruction] = []
      let mustDuck = rule != .free
      if mustDuck != isDucked {
        isDucked = mustDuck
        instructions.append(mustDuck ? .duck(ducking) : .unduck(ducking))
      }
      return old.hold == nil ? instructions : instructions + release()
    }
    if old.hold == nil {
      if let anchor, anchor.isPlayingOrBuffering {
        self.anchor = anchor.held(as: .paused, at: now, duration: content?.duration)
      }
      isResuming = false
      return isPlayingOrBuffering || intent == .play ? [.pause(reason)] : []
    }
    return startedWhileHeld || rule != old && isPlayingOrBuffering ? [.pause(reason)] : []
  }

  private mutating func release() -> [SessionInstruction] {
    isPlayRequestedWhileHeld = false
    guard intent == .play else { return [] }
    if isPlayingOrBuffering {
      // The source started during the hold, or never stopped. So the position that was stored for the hold is out of
      // date, and the report of the source has the correct position.
      anchor = reported
    } else {
      isResuming = true
    }
    return [.resume]
  }
}

extension MediaPlaybackSnapshot {
  /// True if content advances, or waits for data to advance.
  var isPlayingOrBuffering: Bool { status.isAdvancing || state == .buffering }
}
