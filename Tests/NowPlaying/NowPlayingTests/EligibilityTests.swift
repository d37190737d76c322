// The name of a test begins with the number of its rule in docs/now-playing.md.

import NowPlaying
import Testing

/// Tests which session is Now Playing: rules E1 to E8.
@Suite struct EligibilityTests {
  private let play = CommandOffer(.play)

  // MARK: E1

  @Test func E1_sessionWithAllParts_isPrimary() {
    let outcome = arbitrate([Candidate(id: "a", commands: [play])])
    #expect(outcome.primary == "a")
    #expect(outcome["a"]?.missing == [])
  }

  @Test func E1_missingHandler_isNamed() {
    let outcome = arbitrate([Candidate(id: "a", commands: [])])
    #expect(outcome.primary == nil)
    #expect(outcome["a"]?.missing == [.noCommandHandler])
  }

  @Test func E1_allCommandsDisabled_isNamed() {
    let pause = CommandOffer(.pause, isEnabled: false)
    let greyed = CommandOffer(.play, isEnabled: false)
    #expect(
      arbitrate([Candidate(id: "a", commands: [greyed, pause])])["a"]?.missing == [
        .noCommandEnabled
      ])
    #expect(arbitrate([Candidate(id: "a", commands: [play, pause])]).primary == "a")
  }

  @Test func E1_severalMissingParts_areAllNamed() {
    let candidate = Candidate(
      id: "a", audio: AudioSession(category: .ambient), isActive: false, hasContent: false,
      commands: [])
    #expect(
      candidate.missingParts == [
        .audioSessionInactive, .audioSessionMixable, .noCommandHandler, .noContent,
      ])
  }

  @Test func E1_removedPart_endsBeingPrimary() {
    let takeAway: [(MissingPart, (Bench) -> Void)] = [
      (
        .noCommandHandler,
        {
          $0.source.left = Set(CommandKind.allCases); $0.source.publish()
        }
      ),
      (
        .noCommandEnabled,
        {
          for kind in CommandKind.allCases { $0.source.enabled[kind] = false }
          $0.source.publish()
        }
      ),
      (
        .noContent,
        {
          $0.source.tracks = []; $0.source.publish()
        }
      ),
    ]
    for (part, take) in takeAway {
      let bench = Bench()
      #expect(bench.state.session == "local")
      take(bench)
      #expect(bench.state.session == nil, "\(part)")
      #expect(bench.state.commands.isEmpty, "\(part)")
      #expect(bench.source.session.missingParts == [part])
    }
  }

  // MARK: E2

  @Test func E2_playbackWhileInactive_isPaused_andHidden() {
    let clock = ManualClock()
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    let source = ScriptedSource("a", in: center, clock: clock, activated: false)
    source.play()
    #expect(source.instructions == [.pause(.audioSessionInactive)])
    #expect(center.state.session == nil)
    #expect(center.inspection(at: clock.now).sessions[0].startsWhileInactive == 1)

    source.session.activate(at: clock.now)
    #expect(center.state.status == .paused, "playback before the activation does not resume")
    source.play()
    #expect(center.state.status == .playing)
  }

  @Test func E2_deactivationWhilePlaying_isRefused() {
    let bench = Bench(playing: true)
    #expect(bench.source.session.deactivate(at: bench.clock.now) == .stillPlaying)
    #expect(bench.state.session == "local")
    bench.source.pause()
    #expect(bench.source.session.deactivate(at: bench.clock.now) == .done)
    #expect(bench.state.session == "local", "the last content stays shown")
    #expect(bench.source.session.missingParts == [.audioSessionInactive])
  }

  @Test(arguments: [true, false]) func E2_deactivation_resumesTheHeldSession_ifItNotifiesOthers(
    notifying: Bool
  ) {
    let bench = Bench(playing: true)
    let other = ScriptedSource("other", in: bench.center, clock: bench.clock)
    other.play()
    #expect(bench.source.instructions == [.pause(.takenOver(by: "other"))])
    other.pause()
    other.session.deactivate(notifyingOthers: notifying, at: bench.clock.now)
    #expect(bench.state.session == (notifying ? "local" : "other"))
    #expect(bench.source.instructions.contains(.resume) == notifying)
    #expect(bench.state.status == (notifying ? .playing : .paused))
  }

  // MARK: E3

  @Test(arguments: [
    AudioSession(category: .ambient), AudioSession(options: .mixWithOthers),
    AudioSession(options: .duckOthers),
  ])
  func E3_mixableSession_isNeverPrimary(audio: AudioSession) {
    let bench = Bench(playing: true)
    let chime = ScriptedSource("chime", in: bench.center, clock: bench.clock, audio: audio)
    chime.play()
    #expect(chime.session.missingParts == [.audioSessionMixable])
    #expect(
      chime.session.becomeActiveIfPossible(at: bench.clock.now)
        == .refused([.audioSessionMixable]))
    #expect(bench.state.session == "local")
    #expect(bench.state.status == .playing)
    #expect(chime.session.sound == .free)

    bench.source.session.end(at: bench.clock.now)
    #expect(bench.state.session == nil, "a mixable session is never primary")
  }

  @Test func E3_prompt_ducksWhileItSounds_andPublishesNothing() {
    let bench = Bench(playing: true)
    let prompt = ScriptedSource(
      "prompt", in: bench.center, clock: bench.clock, audio: AudioSession(options: .duckOthers))
    let revision = bench.state.revision
    prompt.publish()
    #expect(bench.source.instructions.isEmpty, "the prompt is not sounding")
    prompt.play()
    #expect(bench.source.instructions == [.duck(Ducking())])
    #expect(bench.source.session.sound == .ducked(by: "prompt"))
    prompt.stop()
    #expect(bench.source.instructions == [.duck(Ducking()), .unduck(Ducking())])
    #expect(bench.state.revision == revision)
    #expect(Ducking().decibels < 0 && Ducking().down > .zero && Ducking().up > .zero)
  }

  @Test func E3_mixingSession_givesOthersNoInstruction() {
    let bench = Bench(playing: true)
    let chime = ScriptedSource(
      "chime", in: bench.center, clock: bench.clock, audio: AudioSession(options: .mixWithOthers))
    chime.play()
    #expect(bench.source.instructions.isEmpty)
  }

  @Test func E3_promptThatEndsDuringACall_unducksBeforeTheResume() {
    let bench = Bench(playing: true)
    let prompt = ScriptedSource(
      "prompt", in: bench.center, clock: bench.clock, audio: AudioSession(options: .duckOthers))
    prompt.play()
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    prompt.stop()
    #expect(prompt.session.sound == .free, "interruptions do not hold overlays")
    bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now)
    #expect(
      bench.source.instructions == [
        .duck(Ducking()), .pause(.interruption(.call)), .unduck(Ducking()), .resume,
      ])
  }

  // MARK: E4

  @Test func E4_interruption_showsInterrupted_andPlaybackResumesAfterIt() {
    let bench = Bench(playing: true)
    bench.clock.advance(seconds: 10)
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    #expect(bench.state.status == .interrupted)
    #expect(bench.state.interruptions == [.call])
    #expect(bench.source.rate == 0)
    bench.clock.advance(seconds: 60)
    #expect(bench.screen.elapsed == 10)
    bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now)
    #expect(bench.state.status == .playing)
    #expect(bench.screen.elapsed == 10)
  }

  @Test func E4_interruptionThatEndsWithoutResume_leavesPaused() {
    let bench = Bench(playing: true)
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    bench.center.endInterruption(call, shouldResume: false, at: bench.clock.now)
    #expect(bench.state.status == .paused)
    #expect(!bench.source.instructions.contains(.resume))
  }

  /// For example, a phone that has not played disconnects during a call.
  @Test func E4_sessionThatIsNotNowPlayingEndsDuringAnInterruption_playbackResumesAfterIt() {
    let bench = Bench(playing: true)
    let other = ScriptedSource("other", in: bench.center, clock: bench.clock)
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    other.session.end(notifyingOthers: false, at: bench.clock.now)
    bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now)
    #expect(bench.source.instructions.last == .resume)
    #expect(bench.state.status == .playing)
  }

  @Test func E4_nowPlayingSessionEndsDuringAnInterruption_leavesSilence() {
    let bench = Bench(playing: true)
    let other = ScriptedSource("other", in: bench.center, clock: bench.clock)
    other.play()
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    other.session.end(notifyingOthers: false, at: bench.clock.now)
    bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now)
    #expect(!bench.source.instructions.contains(.resume))
    #expect(bench.state.status == .paused)
  }

  @Test func E4_pausedBefore_staysPaused() {
    let bench = Bench()
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    #expect(bench.state.status == .paused)
    bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now)
    #expect(bench.state.status == .paused)
    #expect(bench.source.instructions.isEmpty)
  }

  @Test func E4_pausedByTheSource_staysPaused() {
    let bench = Bench(playing: true)
    bench.source.pause()
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    #expect(bench.state.status == .paused)
    bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now)
    #expect(bench.state.status == .paused)
    #expect(bench.source.instructions == [])
  }

  @Test func E4_playPendingAtInterruption_isPaused_andResumesAfterIt() {
    let bench = Bench()
    bench.source.keepsReplies = true
    bench.screen.send(.play)
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    #expect(
      bench.source.instructions == [.pause(.interruption(.call))],
      "without the instruction, the source could start during the call")
    bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now)
    #expect(bench.state.status == .playing)
  }

  @Test func E4_playDuringInterruption_appliesToThatInterruptionOnly() {
    let bench = Bench()
    let first = bench.center.beginInterruption(.call, at: bench.clock.now)
    bench.screen.send(.play)
    bench.center.endInterruption(first, shouldResume: false, at: bench.clock.now)
    #expect(bench.state.status == .playing)
    let second = bench.center.beginInterruption(.call, at: bench.clock.now)
    bench.center.endInterruption(second, shouldResume: false, at: bench.clock.now)
    #expect(bench.state.status == .paused)
  }

  /// A source that is not Now Playing can request to play too, for example after a user has tapped one of its lists.
  @Test func E4_wishToPlayDuringAnInterruption_isCarriedOutAfterIt() {
    let bench = Bench(playing: true)
    let phone = ScriptedSource("phone", in: bench.center, clock: bench.clock)
    phone.play()
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    bench.source.session.requestPlay(at: bench.clock.now)
    #expect(bench.state.session == "local" && bench.state.status == .interrupted)
    bench.center.endInterruption(call, shouldResume: false, at: bench.clock.now)
    #expect(bench.state.session == "local" && bench.state.status == .playing)
    #expect(phone.instructions.last == .pause(.interruption(.call)))
  }

  @Test func E4_secondInterruptionDuringResume_cancelsTheResume() {
    let bench = Bench(playing: true)
    let first = bench.center.beginInterruption(.call, at: bench.clock.now)
    bench.source.followsInstructions = false
    bench.center.endInterruption(first, shouldResume: true, at: bench.clock.now)
    let second = bench.center.beginInterruption(.call, at: bench.clock.now)
    bench.center.endInterruption(second, shouldResume: false, at: bench.clock.now)
    bench.source.keepsReplies = true
    bench.screen.send(.play)
    #expect(bench.source.performed == ["play"])
    #expect(
      bench.state.status == .paused, "no interruption is active, and playback has not started")
  }

  @Test func E4_pauseDuringInterruption_preventsTheResume() {
    let bench = Bench(playing: true)
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    bench.screen.send(.pause)
    #expect(bench.screen.answers == [.success])
    #expect(bench.state.status == .paused, "playback will not resume")
    #expect(bench.source.performed.isEmpty, "the source is already silent")
    bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now)
    #expect(bench.state.status == .paused)
    #expect(!bench.source.instructions.contains(.resume))
  }

  @Test func E4_volumeMuteAndPauseDuringInterruption_actAndAreKept() {
    let bench = Bench(playing: true)
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    let quiet = VolumeLevel(thousandths: 300)
    bench.screen.send(.volume(.set(quiet)))
    bench.screen.send(.volume(.setMuted(true)))
    #expect(bench.state.volume == Volume(level: quiet, isMuted: true))
    #expect(bench.state.status == .interrupted, "they do not touch the interruption")
    bench.screen.send(.pause)
    bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now)
    #expect(bench.state.volume == Volume(level: quiet, isMuted: true))
    #expect(bench.state.status == .paused)
  }

  @Test func E4_playDuringInterruption_resumesAfterIt_evenWithoutShouldResume() {
    let bench = Bench()
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    let number = bench.screen.send(.play)
    #expect(bench.center.trace[number]?.verdict == .deferred)
    #expect(bench.source.performed.isEmpty)
    #expect(bench.state.status == .interrupted)
    bench.center.endInterruption(call, shouldResume: false, at: bench.clock.now)
    #expect(bench.source.instructions == [.resume])
    #expect(bench.state.status == .playing)
  }

  @Test(arguments: [true, false]) func E4_callWhileReversing_resumesAfterBothEnd(callFirst: Bool) {
    let bench = Bench(playing: true)
    let reversing = bench.center.beginInterruption(.reversing, at: bench.clock.now)
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    #expect(bench.state.interruptions == [.reversing, .call])
    #expect(
      bench.source.instructions == [.pause(.interruption(.reversing))],
      "one instruction for both interruptions")
    let ends = callFirst ? [call, reversing] : [reversing, call]
    bench.center.endInterruption(ends[0], shouldResume: true, at: bench.clock.now)
    #expect(bench.state.status == .interrupted)
    bench.center.endInterruption(ends[1], shouldResume: true, at: bench.clock.now)
    #expect(bench.state.status == .playing)
  }

  @Test func E4_oneOfTwoInterruptionsWithoutResume_leavesPaused() {
    let bench = Bench(playing: true)
    let reversing = bench.center.beginInterruption(.reversing, at: bench.clock.now)
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    bench.center.endInterruption(call, shouldResume: false, at: bench.clock.now)
    bench.center.endInterruption(reversing, shouldResume: true, at: bench.clock.now)
    #expect(bench.state.status == .paused)
  }

  @Test func E4_endOfAnUnknownInterruption_isIgnored() {
    let bench = Bench(playing: true)
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    #expect(!bench.center.endInterruption(call + 1, shouldResume: true, at: bench.clock.now))
    #expect(bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now))
    #expect(!bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now))
    #expect(bench.state.status == .playing)
  }

  @Test func E4_sourceThatPausesLate_isShownInterruptedAtOnce() {
    let bench = Bench(playing: true)
    bench.source.followsInstructions = false
    bench.clock.advance(seconds: 10)
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    #expect(bench.state.status == .interrupted)
    let count = bench.screen.states.count
    for _ in 0..<30 {
      bench.clock.advance(seconds: 1)
      bench.source.publish()
    }
    #expect(bench.screen.states.count == count, "reports of a held source are not published")
    #expect(bench.screen.elapsed == 10)
    bench.source.followsInstructions = true
    bench.source.pause()
    #expect(bench.screen.elapsed == 40, "the position at which the source stopped")
    bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now)
    #expect(bench.state.status == .playing)
  }

  @Test func E4_playbackStartedWhileHeld_isPaused_andResumesAfterwards() {
    let bench = Bench()
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    bench.source.play()
    #expect(bench.source.instructions == [.pause(.interruption(.call))])
    #expect(bench.state.status == .interrupted)
    bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now)
    #expect(bench.state.status == .playing)
  }

  @Test func E4_slowResume_showsInterruptedUntilPlaying() {
    let bench = Bench(playing: true)
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    bench.source.followsInstructions = false
    bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now)
    #expect(bench.source.instructions.last == .resume)
    #expect(bench.state.status == .interrupted, "playback has not started")
    bench.clock.advance(seconds: 1)
    bench.source.play()
    #expect(bench.state.status == .playing)
    let statuses = bench.screen.states.map(\.status)
    #expect(Array(statuses.suffix(4)) == [.playing, .interrupted, .interrupted, .playing])
  }

  @Test func E4_pauseDuringResume_isPerformed() {
    let bench = Bench(playing: true)
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    bench.source.followsInstructions = false
    bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now)
    bench.screen.send(.pause)
    #expect(
      bench.source.performed == ["pause"],
      "the instruction to resume was sent, so pause is passed on")
    #expect(bench.state.status == .paused)
  }

  // MARK: E5

  @Test func E5_sourceThatStarts_becomesPrimary_andTheFirstResumesWhenItEnds() {
    let bench = Bench(playing: true)
    bench.clock.advance(seconds: 42)
    let phone = ScriptedSource("phone", in: bench.center, clock: bench.clock)
    let reasons = bench.screen.reasons { phone.play() }
    #expect(reasons == [[.session, .trackChange, .upNext]], "all changes are one publication")
    #expect(bench.state.session == "phone")
    #expect(bench.source.rate == 0)
    #expect(bench.source.session.sound == .held(.takenOver(by: "phone")))

    phone.session.end(at: bench.clock.now)
    #expect(bench.state.session == "local")
    #expect(bench.state.status == .playing)
    #expect(bench.screen.elapsed == 42)
  }

  @Test func E5_becomeActiveIfPossible_returnsTheResult() {
    let bench = Bench(playing: true)
    let other = ScriptedSource("other", in: bench.center, clock: bench.clock)
    other.tracks = []
    other.publish()
    #expect(other.session.becomeActiveIfPossible(at: bench.clock.now) == .refused([.noContent]))
    #expect(bench.state.session == "local")
    other.tracks = [song("x")]
    other.publish()
    #expect(other.session.becomeActiveIfPossible(at: bench.clock.now) == .granted)
    #expect(bench.state.session == "other")
    #expect(other.session.becomeActiveIfPossible(at: bench.clock.now) == .alreadyPrimary)
    #expect(bench.source.instructions == [.pause(.takenOver(by: "other"))])
    other.session.end(at: bench.clock.now)
    #expect(other.session.becomeActiveIfPossible(at: bench.clock.now) == .refused([]))
  }

  @Test func E5_pauseOfTheSecondSession_keepsTheFirstPausedWhenItEnds() {
    let bench = Bench(playing: true)
    let phone = ScriptedSource("phone", in: bench.center, clock: bench.clock)
    phone.play()
    bench.screen.send(.pause)
    phone.session.end(at: bench.clock.now)
    #expect(bench.state.session == "local")
    #expect(bench.state.status == .paused)
  }

  @Test func E5_claims_theNewestWins_andTiesKeepTheirOrder() {
    let candidates = [
      Candidate(id: "a", commands: [play], claim: 2),
      Candidate(id: "b", commands: [play], claim: 7),
      Candidate(id: "c", commands: [play], claim: 7),
      Candidate(id: "d", isActive: false, commands: [play], claim: 9),
    ]
    let outcome = arbitrate(candidates)
    #expect(outcome.primary == "b")
    #expect(outcome["a"]?.sound == .held(.takenOver(by: "b")))
    #expect(outcome["b"]?.sound == .free)
    #expect(outcome["d"]?.sound == .held(.audioSessionInactive))
  }

  // MARK: E6

  @Test func E6_onlySession_isPrimaryWithoutARequest() {
    let bench = Bench()
    #expect(bench.state.session == "local")
    #expect(bench.source.session.becomeActiveIfPossible(at: bench.clock.now) == .alreadyPrimary)
  }

  @Test func E6_lastRemainingSession_becomesPrimaryAgain() {
    let bench = Bench()
    let other = ScriptedSource("other", in: bench.center, clock: bench.clock)
    other.play()
    #expect(bench.state.session == "other")
    other.session.end(at: bench.clock.now)
    #expect(bench.state.session == "local")
  }

  // MARK: E7

  @Test func E7_outputLostAndRegained_staysPrimary_withoutFlicker() {
    let bench = Bench(playing: true)
    bench.clock.advance(seconds: 5)
    let count = bench.screen.states.count
    bench.source.session.outputLost(at: bench.clock.now)
    #expect(bench.state.status == .interrupted)
    bench.clock.advance(seconds: 5)
    bench.source.session.outputRegained(at: bench.clock.now)
    #expect(bench.state.status == .playing)
    let since = bench.screen.states.dropFirst(count)
    #expect(since.map(\.status) == [.interrupted, .playing])
    #expect(since.allSatisfy { $0.session == "local" && $0.content != nil })
  }

  @Test func E7_regainedOutput_replacesASilentPrimary_butNotASoundingOne() {
    for isSounding in [true, false] {
      let bench = Bench(playing: true)
      bench.source.session.outputLost(at: bench.clock.now)
      let other = ScriptedSource("other", in: bench.center, clock: bench.clock)
      other.play()
      #expect(bench.state.session == "other")
      if !isSounding { other.pause() }
      bench.source.session.outputRegained(at: bench.clock.now)
      #expect(bench.state.session == (isSounding ? "other" : "local"))
      #expect(bench.state.status == .playing)
    }
  }

  @Test func E7_regainedOutputOfAPausedSession_keepsThePrimary() {
    let bench = Bench()
    let other = ScriptedSource("other", in: bench.center, clock: bench.clock)
    other.play()
    other.pause()
    bench.source.session.outputLost(at: bench.clock.now)
    bench.source.session.outputRegained(at: bench.clock.now)
    #expect(bench.state.session == "other")
  }

  // MARK: E8

  @Test func E8_twoPlayersOfOneSession_makeOneTrackChange() {
    let bench = Bench(playing: true)
    bench.clock.advance(seconds: 230)
    let out = bench.source.report
    bench.source.index = 1
    var description = bench.source.description
    let fadeStart = bench.clock.now
    let reasons = bench.screen.reasons {
      // A cross-fade of ten seconds: the old player ends while the new player plays.
      for second in 0..<20 {
        var old = out
        old.position = .seconds(min(240, 230 + Double(second)))
        old.condition = second < 10 ? .ready : .stopped
        old.timestamp = bench.clock.now
        var new = out
        new.contentID = "local-2"
        new.position = bench.clock.now.awakeTime(since: fadeStart)
        new.timestamp = bench.clock.now
        description.playback = .players(SessionPlayers([0: old, 1: new], leader: 1)!)
        bench.source.session.publish(description, at: bench.clock.now)
        bench.clock.advance(seconds: 1)
      }
    }
    #expect(reasons == [[.trackChange, .upNext]], "the end of the old player is not a pause")
    #expect(bench.screen.elapsed == 20)
    #expect(bench.center.inspection(at: bench.clock.now).sessions.count == 1)
    #expect(bench.source.instructions.isEmpty, "players of one session do not pause each other")
  }

  @Test func E8_leaderThatIsNoPlayer_isRejected() {
    let bench = Bench()
    #expect(SessionPlayers([0: bench.source.report], leader: 1) == nil)
  }
}
