// The name of a test begins with the number of its rule in docs/now-playing.md. swift-format-ignore-file:
// AlwaysUseLowerCamelCase

import NowPlaying
import Testing

/// Why music is silent, and why it stopped: the reason of a hold, the changes that are kept, and the end of a session.
@Suite struct SoundChangeTests {
  private func events(_ bench: Bench) -> [SoundChange.Event] {
    bench.center.soundChanges.map(\.event)
  }

  // MARK: The reason of a hold

  @Test func E4_interruption_isTheReasonInTheState_theFirstOneOfSeveral() {
    let bench = Bench(playing: true)
    #expect(bench.state.hold == nil)
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    let reversing = bench.center.beginInterruption(.reversing, at: bench.clock.now)
    #expect(bench.state.status == .interrupted && bench.state.hold == .interruption(.call))
    bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now)
    #expect(bench.state.hold == .interruption(.reversing))
    bench.center.endInterruption(reversing, shouldResume: true, at: bench.clock.now)
    #expect(bench.state.status == .playing && bench.state.hold == nil)
  }

  @Test func E7_lostOutput_isTheReasonInTheState() {
    let bench = Bench(playing: true)
    bench.source.session.outputLost(at: bench.clock.now)
    #expect(bench.state.status == .interrupted && bench.state.hold == .outputLost)
  }

  /// A phone gets the command *play* after a call, and plays some seconds later.
  @Test func E4_sourceThatIsToldToResume_isTheReason_untilItPlays() {
    let bench = Bench(playing: true)
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    bench.source.followsInstructions = false
    bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now)
    #expect(bench.state.status == .interrupted && bench.state.hold == .resuming)
    #expect(bench.state.interruptions.isEmpty)
    bench.source.play()
    #expect(bench.state.status == .playing && bench.state.hold == nil)
  }

  @Test func P11_sourceThatReportsItsInterruption_isTheReason() {
    let bench = Bench(playing: true)
    var description = bench.source.description
    description.publishesItself = true
    description.playback = .snapshot(
      MediaPlaybackSnapshot(state: .interrupted, elapsedTime: nil, timestamp: bench.clock.now))
    bench.source.session.publish(description, at: bench.clock.now)
    #expect(bench.state.status == .interrupted && bench.state.hold == .source)
  }

  /// The central button of each screen cancels the resume, and a second tap requests it again.
  @Test func E4_centralButtonDuringAnInterruption_cancelsTheResume() throws {
    let bench = Bench(playing: true)
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    func tap() throws {
      bench.screen.send(.media(try #require(bench.state.transport.central).request))
    }
    try tap()
    #expect(bench.state.status == .paused && bench.state.hold == nil)
    try tap()
    #expect(bench.state.status == .interrupted)
    try tap()
    bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now)
    #expect(bench.state.status == .paused)
    #expect(!bench.source.instructions.contains(.resume))
  }

  // MARK: The changes

  @Test func changes_sayWhoTookNowPlaying_whoInterrupted_andWhoPaused() {
    let bench = Bench(playing: true)
    let phone = ScriptedSource("phone", in: bench.center, clock: bench.clock)
    phone.play()
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now)
    bench.screen.send(.pause)
    bench.source.play()
    bench.source.stop()
    #expect(
      events(bench) == [
        .primary("local", from: nil, .remaining), .primary("phone", from: "local", .started),
        .interruptionBegan(.call), .interruptionEnded(.call, shouldResume: true),
        .paused("phone", by: "screen", command: 1), .primary("local", from: "phone", .started),
        .stopped("local", .stopped),
      ])
    #expect(bench.center.soundChanges.map(\.number) == Array(1...7))
  }

  @Test func changes_ofThePast_areKeptUpToAHundred() {
    let bench = Bench(playing: true)
    for _ in 0..<60 {
      let call = bench.center.beginInterruption(.call, at: bench.clock.now)
      bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now)
    }
    #expect(bench.center.soundChanges.count == 100)
    #expect(bench.center.soundChanges.last?.number == 121)
  }

  @Test func changes_aSourceThatIsChosen_andOneThatRemains_haveTheirReasons() {
    let bench = Bench(playing: true)
    let phone = ScriptedSource("phone", in: bench.center, clock: bench.clock)
    phone.publish()
    #expect(phone.session.becomeActiveIfPossible(at: bench.clock.now) == .granted)
    phone.session.end(at: bench.clock.now)
    #expect(
      Array(events(bench).suffix(2)) == [
        .primary("phone", from: "local", .chosen), .primary("local", from: "phone", .remaining),
      ])
  }

  // MARK: A session that ends its sound (E2)

  @Test func E2_endedSession_staysShown_andAPausedSessionDoesNotStepIn() {
    let bench = Bench(playing: true)
    let phone = ScriptedSource("phone", in: bench.center, clock: bench.clock)
    phone.publish()
    bench.source.stop()
    #expect(
      bench.source.session.deactivate(notifyingOthers: false, at: bench.clock.now) == .done)
    #expect(bench.state.session == "local" && bench.state.status == .stopped)
    #expect(bench.state.command(.play)?.isEnabled == true)
    phone.publish()
    #expect(bench.state.session == "local")
    phone.play()
    #expect(bench.state.session == "phone")
    phone.session.end(at: bench.clock.now)
    #expect(bench.state.session == "local", "the last content is shown again")
  }

  @Test func E2_endedSession_getsTheCommandPlay() {
    let bench = Bench(playing: true)
    bench.source.stop()
    bench.source.session.deactivate(notifyingOthers: false, at: bench.clock.now)
    bench.source.keepsReplies = true
    bench.screen.send(.play)
    #expect(bench.source.performed.last == "play")
    bench.source.session.activate(at: bench.clock.now)
    bench.source.play()
    #expect(bench.state.status == .playing && bench.state.session == "local")
    #expect(bench.source.session.sound == .free)
  }

  // MARK: Diagnosis

  private func stops(_ bench: Bench) -> DecisionTree.Path? {
    DecisionTree.walk(.stopsByItself, bench.center.inspection(at: bench.clock.now))
  }

  @Test func D2_musicThatStopped_hasItsCause() {
    /// A cause returns the source that must live on.
    let causes: [(FailurePattern, (Bench) -> ScriptedSource?)] = [
      (
        .interrupted,
        {
          _ = $0.center.beginInterruption(.call, at: $0.clock.now)
          return nil
        }
      ),
      (
        .interrupted,
        {
          let call = $0.center.beginInterruption(.call, at: $0.clock.now)
          $0.center.endInterruption(call, shouldResume: false, at: $0.clock.now)
          return nil
        }
      ),
      (
        .outputLost,
        {
          $0.source.session.outputLost(at: $0.clock.now)
          return nil
        }
      ),
      (
        .takenOver,
        {
          let phone = ScriptedSource("phone", in: $0.center, clock: $0.clock)
          phone.play()
          return phone
        }
      ),
      (
        .pausedByPerson,
        {
          $0.screen.send(.pause)
          return nil
        }
      ),
      (
        .stoppedItself,
        {
          $0.source.stop()
          return nil
        }
      ),
      (
        .waitsForData,
        {
          $0.source.buffer()
          return nil
        }
      ),
      (
        .muted,
        {
          $0.screen.send(CommandRequest.volume(.setMuted(true)))
          return nil
        }
      ),
    ]
    for (pattern, cause) in causes {
      let bench = Bench(playing: true)
      #expect(stops(bench)?.pattern == nil, "\(pattern)")
      let other = cause(bench)
      #expect(stops(bench)?.pattern == pattern, "\(stops(bench)?.description ?? "")")
      withExtendedLifetime(other) {}
    }
  }

  @Test func D2_musicThatAnotherSourceEnded_saysWhichOne_andWhen() {
    let bench = Bench(playing: true)
    bench.clock.advance(seconds: 10)
    let phone = ScriptedSource("phone-1", in: bench.center, clock: bench.clock)
    phone.play()
    bench.clock.advance(seconds: 7)
    let question = stops(bench)?.steps.last?.question ?? ""
    withExtendedLifetime(phone) {}
    #expect(question.contains("phone-1") && question.contains("7 s"), "\(question)")
  }
}
