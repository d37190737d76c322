import AppPlayer
import AppStream
import HeadUnit
import LocalPlayer
import NowPlaying
import SystemClock
import TestKit
import Testing

/// Apps and the music of the unit, with the real engine and a sound card. The number of a rule is that of
/// docs/now-playing.md.
@Suite(.enabled(if: PacedPCM.obstacle == nil, Comment(rawValue: PacedPCM.obstacle ?? "")))
struct AppPlayerTests {
  // MARK: Sound

  @Test func frames_areHeard_sampleForSample() throws {
    let unit = try AppUnit()
    let app = try TestApp(unit, "radio", isChosen: true)
    #expect(unit.state.session == "app-radio" && unit.state.status == .paused)
    #expect(unit.state.content?.metadata.text(.appName) == "radio")
    unit.send(.play)
    try unit.turn { app.heard ?? 0 > 60_000 }
    #expect(unit.state.status == .playing && app.count(.play) == 1)
    let runs = app.runs(in: try unit.heard())
    #expect(runs.count == 1)
    #expect(try #require(runs.first).lowerBound < 1000)
    #expect(try #require(runs.first).upperBound > 50_000)
  }

  @Test func pause_isSilentAtOnce_andContinuesWithTheNextFrame() throws {
    let unit = try AppUnit()
    let app = try TestApp(unit, "radio", isChosen: true)
    unit.send(.play)
    try unit.turn { app.heard ?? 0 > 10_000 }
    // The app hangs, and is silent nevertheless.
    app.answers = false
    unit.send(.pause)
    #expect(unit.state.status == .paused && unit.state.intentIsPause)
    app.answers = true
    app.publish(.paused)
    let paused = try #require(app.heard)
    unit.send(.play)
    try unit.turn { app.heard ?? 0 > paused + 30_000 }
    let runs = app.runs(in: try unit.heard())
    // The fades of the pause are between the runs.
    let gaps = zip(runs, runs.dropFirst()).map { $1.lowerBound - $0.upperBound }
    #expect(gaps.allSatisfy { (0...2000).contains($0) }, "\(runs)")
  }

  @Test func refusedPause_soundsAgain() throws {
    let unit = try AppUnit()
    let app = try TestApp(unit, "radio", isChosen: true)
    unit.send(.play)
    try unit.turn { app.heard ?? 0 > 10_000 }
    app.refusal = .failed(Refusal(.failed, "no"))
    unit.send(.pause)
    let heard = try #require(app.heard)
    try unit.turn { app.heard ?? 0 > heard + 20_000 }
    #expect(unit.state.status == .playing)
  }

  @Test func flush_dropsTheFramesBelowIt_andThePositionIsThatOfTheNextFrame() throws {
    let unit = try AppUnit()
    let app = try TestApp(unit, "radio", isChosen: true)
    unit.send(.play)
    try unit.turn { app.heard ?? 0 > 20_000 }
    let next: Int64 = 3_000_000
    try unit.player.mark(
      app.stream, FrameMark(frame: UInt64(next), content: nil, time: .seconds(300)),
      of: app.session)
    try app.flush(next: next)
    try unit.turn { app.heard ?? 0 > next + 20_000 }
    let position = try #require(
      unit.state.playback?.position(at: .now(), duration: unit.state.content?.duration))
    #expect(position > .seconds(300) && position < .seconds(310))
    let runs = app.runs(in: try unit.heard())
    #expect(runs.count == 2 && runs[0].upperBound < 200_000)
    #expect(runs[1].lowerBound >= next && runs[1].lowerBound < next + 2000)
  }

  @Test func marks_changeTheContentWhenTheirFrameIsHeard_alsoIfTheAppHangs() throws {
    let unit = try AppUnit()
    let app = try TestApp(unit, "radio", isChosen: true)
    try unit.player.mark(
      app.stream,
      FrameMark(frame: 30_000, content: TestApp.song("Second"), time: .seconds(7), rate: 1.5),
      of: app.session)
    app.wanted = 20_000
    unit.send(.play)
    try unit.turn { app.heard ?? 0 > 10_000 }
    app.answers = false
    #expect(unit.state.content?.id == "First")
    app.wanted = .max
    try unit.turn { unit.state.content?.id == "Second" }
    #expect(try #require(app.heard) >= 30_000)
    #expect(unit.state.playback?.state == .playing(rate: 1.5))
    let elapsed = try #require(unit.state.playback?.elapsedTime)
    #expect(elapsed >= .seconds(7) && elapsed < .seconds(8))
  }

  @Test func appThatSendsNothing_isBuffering_andPlaysWhenFramesArrive() throws {
    let unit = try AppUnit()
    let app = try TestApp(unit, "radio", isChosen: true)
    app.wanted = 20_000
    unit.send(.play)
    try unit.turn { app.events.contains(.starved(stream: app.stream)) }
    #expect(unit.state.status == .buffering)
    app.wanted = .max
    try unit.turn { app.events.contains(.fed(stream: app.stream)) }
    try unit.turn { unit.state.status == .playing }
    try unit.turn { app.heard ?? 0 > 40_000 }
    let runs = app.runs(in: try unit.heard())
    #expect(zip(runs, runs.dropFirst()).allSatisfy { $1.lowerBound - $0.upperBound < 2000 })
  }

  @Test func finishedStream_isStopped() throws {
    let unit = try AppUnit()
    let app = try TestApp(unit, "radio", isChosen: true)
    app.wanted = 30_000
    unit.player.finish(app.stream, at: 30_000, of: app.session)
    unit.send(.play)
    try unit.turn { unit.state.status == .stopped }
    #expect(app.heard == 30_000)
    #expect(unit.state.session == "app-radio")
  }

  @Test func pictureOfAnApp_isThatOfItsFile() throws {
    let unit = try AppUnit()
    let picture = try #require(ButtonPicture(.png, [1, 2, 3]))
    let opened = unit.player.open(
      SessionID(app: "books"), name: "Books", picture: picture, audio: AudioSession(),
      template: AppTemplate(), send: { _ in })
    _ = opened.session.setActive(true)
    var description = AppDescription()
    description.content = TestApp.song("First")
    description.commands = [CommandOffer(.play)]
    opened.session.publish(description)
    #expect(opened.session.claim(isPerson: true) == .granted)
    #expect(
      unit.unit.center.buttonPicture(named: NowPlayingTemplate.sourcePicture) == picture)
  }

  @Test func buttonsOfTheUnit_stayBehindThoseOfTheApp() throws {
    let unit = try AppUnit()
    let button = TemplateState.Button(kind: .image("heart"), isEnabled: true, isSelected: false)
    let app = try TestApp(
      unit, "radio", isChosen: true,
      template: AppTemplate(buttons: [TemplateState.Button](repeating: button, count: 6)))
    #expect(unit.state.template.buttons.count == 5)
    #expect(unit.state.template.unitButtons.map(\.kind) == [.image("mute")])
    let before = app.events.count
    unit.send(.template(.button(NowPlayingTemplate.maximumButtons)))
    #expect(unit.state.volume.isMuted)
    unit.send(.template(.button(NowPlayingTemplate.maximumButtons + 1)))
    #expect(app.events.count == before)
    unit.send(.template(.button(4)))
    #expect(app.events.count == before + 1)
  }

  // MARK: Other sources

  @Test func E5_appThatStartsByItself_doesNotEndTheMusic() throws {
    let unit = try AppUnit()
    unit.unit.player.resume()
    try unit.turn { unit.state.session == "local" && unit.state.status == .playing }
    let app = try TestApp(unit, "radio")
    app.publish(.playing())
    #expect(app.events.contains(.instruction(.pause(.takenOver(by: "local")))))
    try unit.turn { unit.unit.player.elapsedSeconds > 1 }
    #expect(unit.state.session == "local" && unit.state.status == .playing)
    #expect(app.runs(in: try unit.heard()) == [])
  }

  @Test func E5_chosenApp_takesOver_andTheMusicTakesItBack_withoutALostFrame() throws {
    let unit = try AppUnit()
    unit.unit.player.resume()
    try unit.turn { unit.state.session == "local" && unit.state.status == .playing }
    let app = try TestApp(unit, "radio")
    #expect(app.session.claim(isPerson: true) == .granted)
    app.publish(.playing())
    try unit.turn { app.heard ?? 0 > 20_000 }
    #expect(unit.state.session == "app-radio" && unit.unit.player.state.isPaused)
    unit.unit.player.resume()
    try unit.turn { unit.state.session == "local" && unit.state.status == .playing }
    #expect(app.events.contains(.instruction(.pause(.takenOver(by: "local")))))
    let left = try #require(app.heard)
    #expect(app.session.claim(isPerson: true) == .granted)
    app.publish(.playing())
    try unit.turn { app.heard ?? 0 > left + 40_000 }
    let runs = app.runs(in: try unit.heard())
    #expect(runs.count >= 2)
    #expect(
      zip(runs, runs.dropFirst()).allSatisfy { abs($1.lowerBound - $0.upperBound) < 4000 },
      "\(runs)")
  }

  @Test func E4_interruption_holdsTheApp_andItResumes() throws {
    let unit = try AppUnit()
    let app = try TestApp(unit, "radio", isChosen: true)
    unit.send(.play)
    try unit.turn { app.heard ?? 0 > 10_000 }
    let call = unit.unit.center.beginInterruption(.call, at: .now())
    #expect(app.events.contains(.instruction(.pause(.interruption(.call)))))
    #expect(unit.state.status == .interrupted)
    unit.unit.center.endInterruption(call, shouldResume: true, at: .now())
    let heard = try #require(app.heard)
    try unit.turn { app.heard ?? 0 > heard + 20_000 }
    #expect(unit.state.status == .playing)
  }

  // MARK: Commands

  @Test func C2_silentApp_isHeldAfterTwoCommands_andGetsTheNextPlay() throws {
    let unit = try AppUnit()
    let app = try TestApp(unit, "radio", isChosen: true)
    unit.send(.play)
    try unit.turn { app.heard ?? 0 > 10_000 }
    app.answers = false
    var silent: [String] = []
    unit.player.onSilence = { silent.append($0.name) }
    unit.send(.next)
    unit.ahead += .seconds(3)
    unit.player.update()
    #expect(silent == [] && unit.state.status == .playing)
    unit.send(.stop)
    unit.ahead += .seconds(3)
    unit.player.update()
    #expect(silent == ["radio"])
    #expect(unit.state.status == .paused && unit.state.commands.map(\.kind) == [.play])
    app.answers = true
    app.publish(.paused)
    unit.send(.play)
    #expect(app.count(.play) == 2)
    let heard = try #require(app.heard)
    try unit.turn { app.heard ?? 0 > heard + 10_000 }
    #expect(unit.state.commands.map(\.kind).contains(.next))
  }

  @Test func T1_template_isConfiguredWhenTheScreenConnects_andTapsReachTheApp() throws {
    let unit = try AppUnit()
    let buttons = (0..<7).map {
      TemplateState.Button(kind: .image("b\($0)"), isEnabled: true, isSelected: $0 == 1)
    }
    let app = try TestApp(unit, "radio", isChosen: true, template: AppTemplate(buttons: buttons))
    #expect(unit.state.template.buttons.map(\.kind) == (0..<5).map { .image("b\($0)") })
    #expect(unit.state.template.buttons[1].isSelected)
    #expect(
      app.events.contains {
        if case .screenConnected(_, let surface) = $0 { surface.id == "test" } else { false }
      })
    unit.send(.template(.button(2)))
    #expect(
      app.events.contains {
        if case .command(_, .template(.button(2))) = $0 { true } else { false }
      })
  }

  // MARK: The end of an app

  @Test func C6_appThatDies_isAwaited_andPlaysAgain() throws {
    let unit = try AppUnit()
    let app = try TestApp(unit, "radio", isChosen: true)
    unit.send(.play)
    try unit.turn { app.heard ?? 0 > 10_000 }
    app.die()
    #expect(unit.state.session == "app-radio" && unit.state.status == .buffering)
    #expect(unit.state.content?.id == "First")
    let again = try TestApp(unit, "radio")
    #expect(again.plays)
    again.publish(.playing())
    try unit.turn { again.heard ?? 0 > 10_000 }
    #expect(unit.state.status == .playing)
  }

  @Test func appThatDies_whilePaused_isNotAwaited() throws {
    let unit = try AppUnit()
    let app = try TestApp(unit, "radio", isChosen: true)
    unit.send(.play)
    try unit.turn { app.heard ?? 0 > 10_000 }
    unit.send(.pause)
    app.die()
    #expect(unit.state.session != "app-radio")
    #expect(!(try TestApp(unit, "radio")).plays)
  }

  @Test func appThatDoesNotComeBack_isLeftAfterTenSeconds() throws {
    let unit = try AppUnit()
    let app = try TestApp(unit, "radio", isChosen: true)
    unit.send(.play)
    try unit.turn { app.heard ?? 0 > 10_000 }
    app.die()
    unit.ahead += .seconds(11)
    unit.player.update()
    #expect(unit.state.session == "local" && unit.state.status != .playing)
  }

  @Test func twoApps_theLastOneThatAPersonWanted_isHeardAlone() throws {
    let unit = try AppUnit()
    let one = try TestApp(unit, "one", tag: 1)
    let two = try TestApp(unit, "two", tag: 2)
    #expect(one.session.claim(isPerson: true) != .refused([]))
    one.publish(.playing())
    try unit.turn { one.heard ?? 0 > 10_000 }
    two.publish(.playing())
    #expect(unit.state.session == "app-one")
    #expect(two.session.claim(isPerson: true) == .granted)
    two.publish(.playing())
    try unit.turn { two.heard ?? 0 > 20_000 }
    #expect(unit.state.session == "app-two")
    let samples = try unit.heard()
    #expect(one.runs(in: samples).count >= 1 && two.runs(in: samples).count == 1)
    #expect(one.playing == .paused)
  }
}

extension NowPlayingState {
  /// True if surfaces offer *play* and not *pause*.
  fileprivate var intentIsPause: Bool { transport.central?.request == .play }
}
