// The name of a test begins with the number of its rule in docs/now-playing.md.

import NowPlaying
import Testing

/// Tests findings, the decision tree, and the comparison of the state with what surfaces show: rules D1 to D3.
@Suite struct DiagnosisTests {
  func inspection(_ bench: Bench) -> Inspection {
    bench.center.inspection(at: bench.clock.now)
  }

  /// A person holds the key *next* until the last track plays. Then the command is refused, but this is not a fault.
  @Test func D2_commandThatTheContentMakesImpossible_isNoFault() {
    let bench = Bench(playing: true)
    bench.source.impossible = [.next]
    bench.source.publish()
    for _ in 0..<3 {
      bench.screen.send(.next, on: .keys)
      bench.clock.advance(seconds: 1)
    }
    #expect(bench.screen.answers.allSatisfy { $0.refusal?.code == .disabled })
    #expect(bench.state.command(.next)?.isEnabled == false)
    #expect(DecisionTree.walk(.commandsDead, inspection(bench))?.pattern == nil)
    #expect(!Checks.run(inspection(bench)).contains { $0.code == "commands.disabled" })
  }

  // MARK: D1

  @Test func D1_healthySystem_hasNoBadFinding() {
    let bench = Bench(playing: true)
    let token = bench.screen.port.beginChannelCheck(at: bench.clock.now)
    bench.screen.port.channelShowed(token, at: bench.clock.now)
    bench.screen.port.channelReturned(token, at: bench.clock.now)
    let checks = Checks.run(inspection(bench))
    #expect(
      checks.map { "\($0.grade.rawValue) \($0.subject) \($0.code)" } == [
        "ok now playing now-playing.session", "ok local session.eligible",
        "note local content.no-artwork", "ok screen surface.channel",
      ])
  }

  @Test func D1_emptySessionBesideThePrimary_isANote() {
    let bench = Bench(playing: true)
    let empty = ScriptedSource("b", in: bench.center, clock: bench.clock, tracks: [])
    empty.publish()
    let checks = Checks.run(inspection(bench)).filter { $0.subject == "b" }
    #expect(checks.map(\.code) == ["session.no-content"] && checks[0].grade == .note)
  }

  @Test func D1_titleInTheLanguageOfThePeople_isGood() {
    let music = MusicContent(
      id: "m", metadata: [MetadataItem(.title, "Morgen", language: "de")],
      duration: .finite(.seconds(60)))
    let bench = Bench(tracks: [.music(music)])
    bench.source.publish()
    func hasTitle() -> Bool {
      !Checks.run(inspection(bench)).contains { $0.code == "content.no-title" }
    }
    #expect(!hasTitle())
    bench.center.setLanguage("de", at: bench.clock.now)
    #expect(hasTitle())
  }

  @Test func D1_everyFinding_hasARemedy() {
    let clock = ManualClock()
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    let missing = Checks.run(center.inspection(at: clock.now))
    #expect(
      missing.map { "\($0.grade.rawValue) \($0.code)" } == [
        "bad now-playing.no-session", "note surfaces.none",
      ])
    #expect(missing.allSatisfy { $0.remedy != nil })
    let source = ScriptedSource("a", in: center, clock: clock, activated: false)
    source.left = Set(CommandKind.allCases)
    source.tracks = []
    source.publish()
    let checks = Checks.run(center.inspection(at: clock.now))
    #expect(
      checks.prefix(4).map(\.code) == [
        "now-playing.nothing", "session.inactive", "session.no-handler", "session.no-content",
      ])
    #expect(checks.prefix(4).map(\.subject) == ["now playing", "a", "a", "a"])
    #expect(checks.prefix(4).allSatisfy { $0.grade == .note }, "nothing to play is not a fault")
    source.tracks = [song("a")]
    source.publish()
    #expect(
      Checks.run(center.inspection(at: clock.now)).prefix(3).map {
        "\($0.grade.rawValue) \($0.code)"
      }
        == ["bad now-playing.not-eligible", "note session.inactive", "bad session.no-handler"])
    #expect(checks.allSatisfy { $0.grade != .bad || $0.remedy != nil })
  }

  @Test func D1_run_findsEachFault() {
    let faults: [(code: String, cause: (Bench) -> Void)] = [
      ("session.output-lost", { $0.source.session.outputLost(at: $0.clock.now) }),
      (
        "session.ignores-pause",
        {
          $0.source.followsInstructions = false
          _ = $0.center.beginInterruption(.call, at: $0.clock.now)
        }
      ),
      ("commands.disabled", { $0.source.enabled[.next] = false }),
      ("commands.no-interval", { $0.source.intervals = [] }),
      ("content.no-duration", { $0.source.tracks = [song("x", seconds: nil)] }),
      (
        "content.no-title",
        { $0.source.tracks = [.music(MusicContent(id: "x", metadata: [], duration: nil))] }
      ),
      (
        "playback.none",
        {
          var description = $0.source.description
          description.playback = .snapshot(nil)
          $0.source.session.publish(description, at: $0.clock.now)
        }
      ),
      (
        "playback.no-elapsed-time",
        {
          var description = $0.source.description
          description.playback = .snapshot(
            MediaPlaybackSnapshot(state: .playing(), elapsedTime: nil, timestamp: $0.clock.now))
          $0.source.session.publish(description, at: $0.clock.now)
        }
      ),
    ]
    for (code, cause) in faults {
      let bench = Bench(playing: true)
      #expect(!Checks.run(inspection(bench)).contains { $0.code == code })
      cause(bench)
      if !code.hasPrefix("playback.") { bench.source.publish() }
      let check = Checks.run(inspection(bench)).first { $0.code == code }
      #expect(check?.remedy != nil, "\(code)")
    }
  }

  /// If no screen has ever connected, there is no bad finding. If a screen has connected and disconnected, there is a
  /// bad finding.
  @Test func D1_disconnectedScreen_isBad_butAUnitWithoutScreenIsGood() {
    let clock = ManualClock()
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    func reportsMissingScreen() -> Bool {
      let inspection = center.inspection(at: clock.now)
      let paths = DecisionTree.walk(inspection)
      let isAsked = paths.contains { $0.symptom == .customButtons && $0.pattern == .noScreen }
      let isBad = Checks.run(inspection).contains { $0.subject == "surfaces" && $0.grade == .bad }
      #expect(isAsked == isBad)
      return isBad
    }
    #expect(!reportsMissingScreen())
    let port = center.connect(
      SurfaceDescription(id: "screen", showsTemplate: true), at: clock.now
    ) { _ in }
    #expect(!reportsMissingScreen())
    port.disconnect(at: clock.now)
    #expect(reportsMissingScreen())
  }

  /// A screen whose panel was unplugged unregisters itself, so it is not reported as lost. A screen that disconnects
  /// without unregistering is reported.
  @Test func D1_unregisteredScreen_isNotMissed() {
    let clock = ManualClock()
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    func connect(_ id: SurfaceID) -> SurfacePort {
      center.connect(SurfaceDescription(id: id, showsTemplate: true), at: clock.now) { _ in }
    }
    func codes() -> [String] {
      Checks.run(center.inspection(at: clock.now)).map(\.code).filter { $0.hasPrefix("surfaces.") }
    }
    let (first, second) = (connect("screen"), connect("window"))
    func history() -> Inspection.ScreenHistory { center.inspection(at: clock.now).screenHistory }
    first.unregister(at: clock.now)
    #expect(codes().isEmpty && history() == .expected)
    second.disconnect(at: clock.now)
    #expect(codes() == ["surfaces.screen-lost"])
    let paths = DecisionTree.walk(center.inspection(at: clock.now))
    #expect(paths.contains { $0.pattern == .noScreen })
    connect("screen").unregister(at: clock.now)
    #expect(codes() == ["surfaces.none"] && history() == .ended)
    #expect(
      !DecisionTree.walk(center.inspection(at: clock.now)).contains {
        $0.symptom == .customButtons
      })
  }

  /// A screen reports each state that it shows. If no report follows a new state, the screen probably shows an old
  /// state.
  @Test func D1_screenThatStopsReporting_isBad() {
    let bench = Bench(playing: true)
    func codes() -> [String] {
      Checks.run(inspection(bench)).filter { $0.grade == .bad }.map(\.code)
    }
    bench.clock.advance(seconds: 9)
    // A screen that has never reported a state cannot read back its picture, so the missing report is not a fault.
    #expect(codes() == [])
    bench.screen.port.observed(
      DisplayedState(of: bench.state, at: bench.clock.now), at: bench.clock.now)
    bench.clock.advance(seconds: 9)
    #expect(codes() == [])
    bench.source.pause()
    #expect(codes() == [])
    bench.clock.advance(seconds: 2)
    #expect(codes() == ["surface.stands-still"])
    bench.screen.port.observed(DisplayedState(), at: bench.clock.now)
    #expect(codes() == [])
  }

  /// A screen that hangs while nothing changes is found, because the diagnosis asks it again.
  @Test func D1_screenThatDoesNotAnswerAProbe_isBad() {
    let bench = Bench(playing: true)
    let id = bench.screen.port.id
    func codes() -> [String] {
      Checks.run(inspection(bench)).filter { $0.grade == .bad }.map(\.code)
    }
    #expect(bench.center.probeScreens(at: bench.clock.now) == [], "it has never reported a state")
    bench.screen.port.observed(
      DisplayedState(of: bench.state, at: bench.clock.now), at: bench.clock.now)
    let given = bench.screen.states.count
    #expect(bench.center.probeScreens(at: bench.clock.now) == [id])
    #expect(
      bench.screen.states.count == given + 1 && bench.center.awaitsScreens(at: bench.clock.now))
    #expect(codes() == [])
    bench.clock.advance(seconds: 2)
    #expect(!bench.center.awaitsScreens(at: bench.clock.now))
    #expect(codes() == ["surface.stands-still"])
    bench.screen.port.observed(
      DisplayedState(of: bench.state, at: bench.clock.now), at: bench.clock.now)
    #expect(codes() == [])
    // A difference that was found stays a finding.
    bench.screen.port.observed(DisplayedState(title: "another"), at: bench.clock.now)
    #expect(bench.center.probeScreens(at: bench.clock.now) == [])
    #expect(codes() == ["surface.differs"])
  }

  @Test func D1_failedChannel_isBad() {
    let bench = Bench(playing: true)
    _ = bench.screen.port.beginChannelCheck(at: bench.clock.now)
    bench.clock.advance(seconds: 3)
    bench.center.expire(at: bench.clock.now)
    let check = Checks.run(inspection(bench)).last
    #expect(check?.code == "surface.channel" && check?.grade == .bad)
    #expect(check?.subject == "screen" && check?.remedy != nil)
  }

  /// Keys show nothing, so no finding is about keys. If keys are the only surface, the finding `surfaces.none` reports
  /// that no surface is connected.
  @Test func D1_inputOnlySurface_isNotChecked() {
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    let now = ManualClock().now
    let port = center.connect(SurfaceDescription(id: "keys", isInputOnly: true), at: now) { _ in }
    let checks = Checks.run(center.inspection(at: now))
    #expect(!checks.contains { $0.subject == "keys" })
    #expect(checks.contains { $0.code == "surfaces.none" })
    port.disconnect(at: now)
  }

  // MARK: D3

  @Test func D3_comparison_hasExpectedAndShownValues_forEverySurface() {
    let bench = Bench(playing: true)
    let phone = ScriptedSurface("phone", in: bench.center, clock: bench.clock)
    bench.clock.advance(seconds: 75)
    phone.port.observed(
      DisplayedState(
        title: "Radio", duration: .seconds(240), status: .playing, elapsed: .seconds(74)),
      at: bench.clock.now)
    let tables = DisplayComparison.all(inspection(bench))
    #expect(tables.map(\.surface) == ["screen", "phone"])
    #expect(tables[0].rows.allSatisfy { $0.shown == nil })
    #expect(tables[1].differencesSeen == 1 && tables[1].repairs == 1)
    let reported = tables[1].rows.filter { $0.shown != nil }
    #expect(
      reported.map { [$0.field, $0.expected ?? "", $0.shown ?? ""] } == [
        ["title", "Song local-1", "Radio"], ["duration", "4:00", "4:00"],
        ["status", "playing", "playing"], ["elapsed", "1:15", "1:14"],
      ])
    #expect(reported.filter { !$0.isSame }.map(\.field) == ["title"])
    let missing = tables[1].rows.filter { $0.shown == nil }
    #expect(
      missing.map { [$0.field, $0.expected ?? ""] } == [
        ["subtitle", "Artist"], ["detail", "Album"], ["volume", "30 %"], ["track number", "0"],
        ["repeat", "off"], ["shuffled", "false"],
      ])
  }
}
