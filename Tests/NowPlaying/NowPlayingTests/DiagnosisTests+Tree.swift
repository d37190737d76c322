import NowPlaying
import Testing

// D2: the decision tree.
extension DiagnosisTests {
  /// A symptom, the pattern that the tree must find for this symptom, and a closure that causes the failure.
  typealias Case = (DecisionTree.Symptom, FailurePattern, @Sendable (Bench) -> Void)

  static let cases: [Case] = [
    (.appearsThenDisappears, .noHandler, { $0.source.left = Set(CommandKind.allCases) }),
    (
      .appearsThenDisappears, .disabled,
      { for kind in CommandKind.allCases { $0.source.enabled[kind] = false } }
    ),
    (.appearsThenDisappears, .noContent, { $0.source.tracks = [] }),
    (
      .commandsDead, .disabled,
      {
        $0.source.enabled[.next] = false
        $0.source.publish()
        $0.screen.send(.next)
      }
    ),
    (
      .commandsDead, .noHandler,
      {
        $0.source.left = [.stars]
        $0.source.publish()
        $0.screen.send(.stars(1))
      }
    ),
    (
      .commandsDead, .noAnswer,
      {
        $0.source.keepsReplies = true
        $0.screen.send(.next)
        $0.source.replies = []
      }
    ),
    (
      .commandsDead, .noAnswer,
      {
        $0.source.keepsReplies = true
        $0.screen.send(.next)
        $0.clock.advance(seconds: 3)
        $0.center.expire(at: $0.clock.now)
      }
    ),
    (
      .commandsDead, .noInterval,
      {
        $0.source.intervals = []
        $0.source.publish()
        $0.screen.send(.skipForward(nil))
      }
    ),
    (
      .commandsDead, .noChannel,
      {
        let phone = ScriptedSurface("phone", in: $0.center, clock: $0.clock)
        phone.port.disconnect(at: $0.clock.now)
        phone.send(.next)
      }
    ),
    (.artwork, .noPicture, { $0.source.tracks = [song("x")] }),
    (
      .artwork, .noPicture,
      {
        $0.source.tracks = [song("x", artwork: Artwork(id: "none") { _ in .none })]
        $0.source.publish()
        $0.center.artwork(for: "x", size: .largest, at: $0.clock.now) { _ in }
      }
    ),
    (
      .artwork, .unusablePicture,
      {
        let huge = ArtworkRepresentation(
          reference: "x", dataType: .jpeg, size: ArtworkSize(width: 9000, height: 9000))
        $0.source.tracks = [song("x", artwork: Artwork(id: "x") { _ in .ready(huge) })]
        $0.source.publish()
        $0.center.artwork(
          for: "x", size: ArtworkSize(width: 10, height: 10), at: $0.clock.now
        ) { _ in }
      }
    ),
    (
      .artwork, .latePicture,
      {
        $0.source.tracks = ["x", "y"].map { id in song(id, artwork: Artwork(id: id) { _ in .later })
        }
        $0.source.publish()
        $0.center.artwork(for: "x", size: .largest, at: $0.clock.now) { _ in }
        $0.source.go(to: 1)
        $0.center.artworkArrived(1, nil, at: $0.clock.now)
      }
    ),
    (
      .artwork, .severalPictures,
      {
        for id in ["one", "two"] {
          $0.source.tracks = [song("x", artwork: Artwork(id: id) { _ in .later })]
          $0.source.publish()
        }
      }
    ),
    (
      .outOfStep, .wrongStatus,
      {
        $0.clock.advance(seconds: 9)
        $0.screen.port.observed(DisplayedState(status: .paused), at: $0.clock.now)
      }
    ),
    (
      .outOfStep, .wrongStatus,
      {
        $0.source.followsInstructions = false
        _ = $0.center.beginInterruption(.call, at: $0.clock.now)
      }
    ),
    (
      .outOfStep, .wrongElapsed,
      {
        $0.clock.advance(seconds: 9)
        $0.screen.port.observed(DisplayedState(elapsed: .seconds(99)), at: $0.clock.now)
      }
    ),
    (
      .outOfStep, .anotherWriter,
      {
        $0.clock.advance(seconds: 9)
        $0.screen.port.observed(DisplayedState(title: "Radio"), at: $0.clock.now)
      }
    ),
    (.outOfStep, .noDuration, { $0.source.tracks = [song("x", seconds: nil)] }),
    (
      .customButtons, .noScreen,
      { $0.screen.port.disconnect(at: $0.clock.now) }
    ),
    (
      .customButtons, .lateConfiguration,
      { $0.source.session.updateTemplate(at: $0.clock.now) { $0.updateNowPlayingButtons([]) } }
    ),
  ]

  @Test(arguments: cases.indices) func D2_walk_namesThePattern(index: Int) {
    let (symptom, pattern, breakIt) = Self.cases[index]
    let artwork = Artwork(id: "cover") { _ in .later }
    let bench = Bench(
      tracks: [song("a", artwork: artwork), song("b", artwork: artwork)], playing: true)
    let healthy = DecisionTree.walk(symptom, inspection(bench))
    #expect(healthy?.pattern == nil, "\(symptom): \(healthy?.description ?? "")")
    breakIt(bench)
    bench.source.publish()
    let walk = DecisionTree.walk(symptom, inspection(bench))
    #expect(walk?.pattern == pattern, "\(symptom): \(walk?.description ?? "not walked")")
    #expect(walk?.description.contains("→ pattern \(pattern.rawValue) \(pattern.name)") == true)
  }

  /// A command that the source does not have explains the symptom, but the unit has no fault.
  @Test(arguments: [InputPath.socket, .dbus]) func D2_refusedCommand_isAnExplanation_andNoFault(
    path: InputPath
  ) {
    let bench = Bench(playing: true)
    let surface = ScriptedSurface("surface", in: bench.center, clock: bench.clock)
    bench.source.left = [.stars]
    bench.source.publish()
    for _ in 0..<2 {
      surface.send(.stars(2), on: path)
      bench.clock.advance(seconds: 1)
    }
    #expect(surface.answers.allSatisfy { $0 != .success })
    #expect(DecisionTree.walk(.commandsDead, inspection(bench))?.pattern == .noHandler)
    #expect(DecisionTree.walk(inspection(bench)).allSatisfy { $0.pattern == nil })
  }

  /// Without a symptom, only faults are searched: a song without a cover, a stream without a length, and a button that
  /// no command has are none.
  @Test func D2_healthyUnit_hasNoFault_whateverItPlays() {
    let bench = Bench(
      tracks: [song("x", seconds: nil)], playing: true,
      didConnect: { $1.updateNowPlayingButtons([.playbackRate(), .shuffle()]) })
    bench.source.left = [.changePlaybackRate]
    bench.source.publish()
    #expect(DecisionTree.walk(.artwork, inspection(bench))?.pattern == .noPicture)
    #expect(DecisionTree.walk(.outOfStep, inspection(bench))?.pattern == .noDuration)
    #expect(DecisionTree.walk(.customButtons, inspection(bench))?.pattern == .noHandler)
    let paths = DecisionTree.walk(inspection(bench))
    #expect(paths.allSatisfy { $0.pattern == nil })
    #expect(!Checks.run(inspection(bench)).contains { $0.grade == .bad })
  }

  @Test func D2_sourceThatHasEnded_hasItsPattern_whenAnotherOneIsShown() {
    let bench = Bench(playing: true)
    bench.source.stop()
    bench.source.session.deactivate(notifyingOthers: false, at: bench.clock.now)
    let phone = ScriptedSource("phone", in: bench.center, clock: bench.clock)
    phone.play()
    var inspection = inspection(bench)
    inspection.about = "local"
    #expect(DecisionTree.walk(.appearsThenDisappears, inspection)?.pattern == .deactivatedEarly)
    withExtendedLifetime(phone) {}
  }

  @Test func D2_unknownDurationBeforePlayback_isIgnored() {
    let bench = Bench(tracks: [song("x", seconds: nil)])
    bench.source.stop()
    #expect(bench.center.state.status == .stopped)
    #expect(DecisionTree.walk(.outOfStep, inspection(bench))?.pattern == nil)
  }

  @Test func D2_sessionThatNeverAppeared_hasItsPattern() {
    let cases: [(FailurePattern, AudioSession, (ScriptedSource, ManualClock) -> Void)] = [
      (.mixable, AudioSession(options: .mixWithOthers), { source, _ in source.publish() }),
      (
        .noHandler, AudioSession(),
        { source, _ in
          source.left = Set(CommandKind.allCases)
          source.publish()
        }
      ),
      (
        .disabled, AudioSession(),
        { source, _ in
          for kind in CommandKind.allCases { source.enabled[kind] = false }
          source.publish()
        }
      ),
      (.noContent, AudioSession(), { _, _ in }),
      (
        .noContent, AudioSession(),
        { source, _ in
          source.tracks = []
          source.publish()
        }
      ),
    ]
    for (pattern, audio, prepare) in cases {
      let clock = ManualClock()
      let center = NowPlayingCenter(volume: Volume(level: .loudest))
      let source = ScriptedSource("a", in: center, clock: clock, audio: audio)
      prepare(source, clock)
      #expect(
        DecisionTree.walk(.neverAppears, center.inspection(at: clock.now))?.pattern == pattern)
      #expect(DecisionTree.walk(.appearsThenDisappears, center.inspection(at: clock.now)) == nil)
    }
    let clock = ManualClock()
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    let source = ScriptedSource("a", in: center, clock: clock, activated: false)
    source.publish()
    #expect(
      DecisionTree.walk(.neverAppears, center.inspection(at: clock.now))?.pattern == .notActivated)
  }

  @Test func D2_secondarySession_hasThePatternAnotherSession() {
    let bench = Bench(playing: true)
    let phone = ScriptedSource("phone", in: bench.center, clock: bench.clock)
    phone.play()
    var inspection = inspection(bench)
    #expect(
      DecisionTree.walk(.appearsThenDisappears, inspection) == nil,
      "the primary session has no such symptom")
    inspection.about = "local"
    #expect(DecisionTree.walk(.appearsThenDisappears, inspection)?.pattern == .anotherSession)
  }

  @Test func D2_description_listsEveryQuestion() {
    let clock = ManualClock()
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    let source = ScriptedSource("a", in: center, clock: clock, activated: false)
    source.publish()
    let walk = DecisionTree.walk(.neverAppears, center.inspection(at: clock.now))
    let steps = walk?.steps ?? []
    #expect(
      steps.map(\.pattern) == [.mixable, .noHandler, .disabled, .outputLost, .notActivated])
    #expect(steps.map(\.isYes) == [false, false, false, false, true])
    let lines = (walk?.description ?? "").split(separator: "\n")
    #expect(lines.count == 7)
    for (line, step) in zip(lines.dropFirst(), steps) { #expect(line.contains(step.question)) }
    #expect(lines.last?.contains(FailurePattern.notActivated.rawValue) == true)
  }

  @Test func D2_walks_coverEverySymptomAndPattern() {
    let bench = Bench(playing: true)
    #expect(
      DecisionTree.walk(inspection(bench)).map(\.symptom)
        == [.commandsDead, .outOfStep, .customButtons])
    #expect(Set(FailurePattern.allCases.map(\.rawValue)).count == FailurePattern.allCases.count)
    let surplus = Bench(playing: true)
    surplus.screen.port.disconnect(at: surplus.clock.now)
    surplus.source.session.updateTemplate(at: surplus.clock.now) {
      $0.updateNowPlayingButtons((0..<6).map { _ in .more { _ in } })
    }
    let screen = ScriptedSurface(
      "other", in: surplus.center, clock: surplus.clock, showsTemplate: true)
    #expect(DecisionTree.walk(.customButtons, inspection(surplus))?.pattern == .surplusButtons)
    surplus.source.session.updateTemplate(at: surplus.clock.now) { $0 = NowPlayingTemplate() }
    #expect(screen.state.template.buttons.isEmpty)

    let lost = Bench()
    lost.source.tracks = []
    lost.source.publish()
    lost.source.session.outputLost(at: lost.clock.now)
    #expect(
      DecisionTree.walk(.appearsThenDisappears, inspection(lost))?.pattern == .outputLost)
  }
}
