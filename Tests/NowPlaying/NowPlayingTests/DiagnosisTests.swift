// The name of a test begins with its rule.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import NowPlaying
import Testing

/// Findings as text: rules D1 to D3.
@Suite struct DiagnosisTests {
  func inspection(_ bench: Bench) -> Inspection {
    bench.center.inspection(at: bench.clock.now)
  }

  // MARK: D1

  @Test func D1_aHealthySystem_hasNothingBad() {
    let bench = Bench(playing: true)
    let token = bench.screen.port.beginChannelCheck(at: bench.clock.now)
    bench.screen.port.channelShowed(token, at: bench.clock.now)
    bench.screen.port.channelReturned(token, at: bench.clock.now)
    #expect(
      Checks.run(inspection(bench)).map(\.description) == [
        "ok  now playing: local is playing",
        "ok  local: active, alone, commands enabled, content published",
        "note  local: no artwork; the placeholder is shown",
        "ok  screen: channel: to surface passed in 0 ms, from surface passed in 0 ms",
      ])
  }

  @Test func D1_everyFinding_saysWhatToDo() {
    let clock = ManualClock()
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    #expect(
      Checks.run(center.inspection(at: clock.now)).map(\.description) == [
        "bad  now playing: there is no session → open one",
        "note  surfaces: none is connected → connect one",
      ])
    let source = ScriptedSource("a", in: center, clock: clock, activated: false)
    source.left = Set(CommandKind.allCases)
    source.tracks = []
    source.publish()
    let checks = Checks.run(center.inspection(at: clock.now))
    #expect(
      checks.prefix(4).map(\.description) == [
        "bad  now playing: no session is eligible → see below what each lacks",
        "bad  a: the audio session is not active → activate it before playback",
        "bad  a: no command has a handler → declare at least play and pause",
        "bad  a: no content is published → publish content with a title",
      ])
    #expect(checks.allSatisfy { $0.grade != .bad || $0.remedy != nil })
  }

  @Test func D1_theFirstPage_oneByOne() {
    let findings: [(String, (Bench) -> Void)] = [
      ("its output is lost", { $0.source.session.outputLost(at: $0.clock.now) }),
      (
        "plays although it was told to pause",
        {
          $0.source.obeys = false
          _ = $0.center.beginInterruption(.call, at: $0.clock.now)
        }
      ),
      ("disabled now: next", { $0.source.enabled[.next] = false }),
      ("skipForward prefers no interval", { $0.source.intervals = [] }),
      ("the duration is not known", { $0.source.tracks = [song("x", seconds: nil)] }),
      (
        "no title that everybody sees",
        { $0.source.tracks = [.music(MusicContent(id: "x", metadata: [], duration: nil))] }
      ),
      (
        "no playback snapshot",
        {
          var description = $0.source.description
          description.playback = .snapshot(nil)
          $0.source.session.publish(description, at: $0.clock.now)
        }
      ),
      (
        "no elapsed time",
        {
          var description = $0.source.description
          description.playback = .snapshot(
            MediaPlaybackSnapshot(state: .playing(), elapsedTime: nil, timestamp: $0.clock.now))
          $0.source.session.publish(description, at: $0.clock.now)
        }
      ),
    ]
    for (finding, breakIt) in findings {
      let bench = Bench(playing: true)
      #expect(!Checks.run(inspection(bench)).contains { $0.finding == finding })
      breakIt(bench)
      if !["no playback snapshot", "no elapsed time"].contains(finding) { bench.source.publish() }
      let check = Checks.run(inspection(bench)).first { $0.finding == finding }
      #expect(check?.remedy != nil, "\(finding)")
    }
  }

  /// A laptop without a screen has no fault; a unit whose screen program died has one.
  @Test func D1_aScreenThatHasGone_isBad_andOneThatNeverWasIsNot() {
    let clock = ManualClock()
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    func isMissed() -> Bool {
      let inspection = center.inspection(at: clock.now)
      let paths = DecisionTree.walk(inspection)
      let isAsked = paths.contains { $0.symptom == .customButtons && $0.pattern == .noScreen }
      let isBad = Checks.run(inspection).contains { $0.subject == "surfaces" && $0.grade == .bad }
      #expect(isAsked == isBad)
      return isBad
    }
    #expect(!isMissed())
    let port = center.connect(
      SurfaceDescription(id: "screen", showsTemplate: true), at: clock.now
    ) { _ in }
    #expect(!isMissed())
    port.disconnect(at: clock.now)
    #expect(isMissed())
  }

  @Test func D1_aBrokenChannel_isBad() {
    let bench = Bench(playing: true)
    _ = bench.screen.port.beginChannelCheck(at: bench.clock.now)
    bench.clock.advance(seconds: 3)
    bench.center.expire(at: bench.clock.now)
    #expect(
      Checks.run(inspection(bench)).last?.description
        == "bad  screen: channel: to surface failed, from surface failed → bring the channel up anew"
    )
  }

  /// Keys show nothing, so they are not tested. A unit with keys only has no surface yet.
  @Test func D1_aSurfaceThatOnlySends_isNotJudged() {
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    let now = ManualClock().now
    let port = center.connect(SurfaceDescription(id: "keys", isInputOnly: true), at: now) { _ in }
    let checks = Checks.run(center.inspection(at: now))
    #expect(!checks.contains { $0.subject == "keys" })
    #expect(checks.contains { $0.subject == "surfaces" && $0.finding == "none is connected" })
    port.disconnect(at: now)
  }

  // MARK: D3

  @Test func D3_expectedAndCurrent_sideBySide_forEverySurface() {
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
    #expect(
      tables[1].description == """
        phone: 1 differences seen, 1 repaired
          title  Song local-1  ≠  Radio
          subtitle  Artist  ?  not told
          detail  Album  ?  not told
          duration  4:00  =  4:00
          status  playing  =  playing
          elapsed  1:15  =  1:14
          volume  30 %  ?  not told
          track number  0  ?  not told
          repeat  off  ?  not told
          shuffled  false  ?  not told
        """)
  }
}
