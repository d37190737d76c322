/// What the center keeps about a session.
struct SessionRecord {
  /// What people want of it, also while it may not (E4).
  enum Intent {
    case play, pause
  }

  let id: SessionID
  /// Tells a former holder of the same identity from this one.
  let generation: Int
  let audio: AudioSession
  let instruct: (SessionInstruction) -> Void
  let didConnect: ((SurfaceDescription, inout NowPlayingTemplate) -> Void)?

  var description = SessionDescription()
  /// After the rules (P5, P6, P7).
  var content: MediaContent?
  /// As the source said it last.
  var reported: MediaPlaybackSnapshot?
  /// What was accepted for publication.
  var anchor: MediaPlaybackSnapshot?
  var isActive = false
  var isOutputLost = false
  var claim = 0
  var intent = Intent.pause
  /// Somebody pressed play while it was held: no interruption's end says otherwise.
  var isInsisted = false
  /// It was told to go on, and has not said yet that it does.
  var isResuming = false
  /// It started although it is held, and is to be told again.
  var startedWhileHeld = false
  var isDucked = false
  var sound = SoundRule.held(.audioSessionInactive)
  var template = NowPlayingTemplate()

  // For the diagnosis.
  var wasPrimary = false
  var wasDeactivatedAsPrimary = false
  var placeholdersRefused = 0
  var lateConfigurations = 0
  var startsWhileInactive = 0

  init(
    id: SessionID, generation: Int, audio: AudioSession,
    instruct: @escaping (SessionInstruction) -> Void,
    didConnect: ((SurfaceDescription, inout NowPlayingTemplate) -> Void)?
  ) {
    self.id = id
    self.generation = generation
    self.audio = audio
    self.instruct = instruct
    self.didConnect = didConnect
  }
}

// What follows from it.
extension SessionRecord {
  var offers: [CommandOffer] { description.commands.map(\.offer) }

  /// Whether the source says that it sounds, or would if it had data.
  var wantsToSound: Bool { reported?.wantsToSound ?? false }

  /// Whether it has nothing loaded, or has come to its end.
  var isStopped: Bool { reported == nil || reported?.state == .stopped }

  var candidate: Candidate {
    Candidate(
      id: id, audio: audio, isActive: isActive, hasContent: content != nil, commands: offers,
      isSounding: reported?.status.isAdvancing ?? false, claim: claim, isOutputLost: isOutputLost)
  }

  /// What surfaces are shown: what is held and will go on says so (E4).
  var shown: MediaPlaybackSnapshot? {
    guard let anchor, sound.hold != nil || isResuming, anchor.state == .paused, intent == .play
    else { return self.anchor }
    return anchor.renamed(.interrupted)
  }

  /// What surfaces are offered: live content has nowhere to move (P6).
  var shownOffers: [CommandOffer] {
    guard content?.duration == .live, !description.publishesItself else { return offers }
    return offers.filter { !$0.kind.movesWithinContent }
  }

  var timeline: PlaybackTimeline {
    PlaybackTimeline(
      duration: content?.duration, adTimeRanges: content?.adTimeRanges ?? [])
  }
}

// What changes it.
extension SessionRecord {
  /// The source says how it is now. Returns whether it has just started, which is a claim (E5).
  mutating func take(_ new: SessionDescription, at now: MonotonicInstant) -> Bool {
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
      // A report of another track than the content's says nothing about its length.
      let known = report?.contentID == new.content?.id ? report?.duration : nil
      content = ContentRules.replacing(oldContent, with: new.content, playerKnows: known)
      if new.content?.isPlaceholder == true, content?.isPlaceholder == false {
        placeholdersRefused += 1
      }
    }
    return takeClock(snapshot, isOtherTrack: oldContent?.id != content?.id, at: now)
  }

  private mutating func takeClock(
    _ snapshot: MediaPlaybackSnapshot?, isOtherTrack: Bool, at now: MonotonicInstant
  ) -> Bool {
    let wantedToSound = wantsToSound
    let wasAdvancing = reported?.status.isAdvancing ?? false
    reported = snapshot
    let starts = wantsToSound && !wantedToSound
    let ends = !wantsToSound && wantedToSound
    let isHeld = sound.hold != nil

    // What only waited for data when it was told to pause begins to sound all the same.
    if isHeld, starts || snapshot?.status.isAdvancing == true && !wasAdvancing {
      startedWhileHeld = true
    }
    if starts {
      if isActive { intent = .play } else { startsWhileInactive += 1 }
    }
    // Held, it obeys; free, it ends by its own intent.
    if ends, !isHeld { intent = .pause }
    if isResuming, wantsToSound || snapshot?.state == .stopped || snapshot == nil {
      isResuming = false
      if !wantsToSound { intent = .pause }
    }

    let duration = content?.duration
    if isHeld, let snapshot, snapshot.wantsToSound {
      // What it says it plays is not heard: the place stays where it was held.
      if isOtherTrack || anchor == nil {
        anchor = snapshot.held(as: .paused, at: now, duration: duration)
      }
    } else {
      anchor = isOtherTrack ? snapshot : AnchorRule.anchor(anchor, snapshot, duration: duration)
    }
    return starts && isActive
  }

  /// Its sound is under a new rule. Returns what the source must be told.
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
      if let anchor, anchor.wantsToSound {
        self.anchor = anchor.held(as: .paused, at: now, duration: content?.duration)
      }
      isResuming = false
      return wantsToSound || intent == .play ? [.pause(reason)] : []
    }
    return startedWhileHeld || rule != old && wantsToSound ? [.pause(reason)] : []
  }

  private mutating func release() -> [SessionInstruction] {
    isInsisted = false
    guard intent == .play else { return [] }
    if wantsToSound {
      // It has started by itself, or never stopped: then it knows best where it is.
      anchor = reported
    } else {
      isResuming = true
    }
    return [.resume]
  }
}

extension MediaPlaybackSnapshot {
  /// Whether it advances, or would if it had data.
  var wantsToSound: Bool { status.isAdvancing || state == .buffering }
}
