// The name of a test begins with the number of its rule in docs/now-playing.md. swift-format-ignore-file:
// AlwaysUseLowerCamelCase

import NowPlaying
import Testing

/// What people wanted of a source, and which starts are claims.
@Suite struct PlayWishTests {
  // MARK: Starts

  private func app(_ bench: Bench, _ id: SessionID = "app") -> ScriptedSource {
    let app = ScriptedSource(id, in: bench.center, clock: bench.clock, starts: .ifWanted)
    app.publish()
    return app
  }

  @Test func E5_startThatNobodyWanted_isHeld_andDoesNotFollowWhenTheMusicPauses() {
    let bench = Bench(playing: true)
    let app = app(bench)
    app.play()
    #expect(app.instructions == [.pause(.takenOver(by: bench.source.session.id))])
    #expect(bench.state.session == bench.source.session.id && bench.state.status == .playing)
    bench.screen.send(.pause)
    #expect(app.instructions.count == 1 && bench.state.session == bench.source.session.id)
    bench.source.session.end(at: bench.clock.now)
    #expect(app.instructions.count == 1 && bench.state.session == "app")
    #expect(bench.state.status == .paused)
  }

  @Test func E5_startAfterTheMusicWasPaused_isAClaim() {
    let bench = Bench(playing: true)
    let app = app(bench)
    bench.screen.send(.pause)
    app.play()
    #expect(app.instructions.allSatisfy { $0 == .resume } && bench.state.session == "app")
    #expect(bench.state.status == .playing)
  }

  @Test func E5_startAfterThePersonChoseTheSource_isAClaim_forTenSeconds() {
    let bench = Bench(playing: true)
    let app = app(bench)
    #expect(app.session.becomeActiveIfPossible(at: bench.clock.now) == .granted)
    bench.source.play()
    #expect(bench.state.session == bench.source.session.id)
    bench.clock.advance(seconds: 11)
    app.play()
    #expect(app.instructions.last == .pause(.takenOver(by: bench.source.session.id)))
    #expect(bench.state.session == bench.source.session.id)
    app.pause()
    #expect(app.session.becomeActiveIfPossible(at: bench.clock.now) == .granted)
    bench.clock.advance(seconds: 9)
    app.play()
    #expect(bench.state.session == "app" && bench.state.status == .playing)
  }

  /// A source that is held and chosen at once does not always report that it paused in between.
  @Test func E5_E4_sourceThatIsChosenWhileItReportsThatItPlays_resumesAfterACall() {
    let bench = Bench(playing: true)
    let app = app(bench)
    app.followsInstructions = false
    app.play()
    #expect(bench.state.session == bench.source.session.id)
    #expect(app.session.becomeActiveIfPossible(at: bench.clock.now) == .granted)
    app.publish()
    #expect(bench.state.session == "app" && bench.state.status == .playing)
    #expect(bench.center.wishes["app"] == .play)
    app.followsInstructions = true
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    #expect(bench.state.status == .interrupted)
    bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now)
    #expect(bench.state.session == "app" && bench.state.status == .playing)
  }

  /// The person has changed their mind: the source that was chosen first is late.
  @Test func E5_startAfterAnotherSourceWasChosen_isNoClaim() {
    let bench = Bench(playing: true)
    let app = app(bench)
    bench.source.pause()
    #expect(app.session.becomeActiveIfPossible(at: bench.clock.now) == .granted)
    bench.clock.advance(seconds: 1)
    bench.source.play()
    bench.clock.advance(seconds: 1)
    app.play()
    #expect(bench.state.session == bench.source.session.id)
    #expect(app.instructions.last == .pause(.takenOver(by: bench.source.session.id)))
  }

  @Test func E5_startAfterThePersonPausedTheSource_isNoClaim() {
    let bench = Bench(playing: true)
    let (app, other) = (app(bench), app(bench, "other"))
    bench.source.pause()
    #expect(app.session.becomeActiveIfPossible(at: bench.clock.now) == .granted)
    app.play()
    bench.screen.send(.pause)
    other.play()
    app.play()
    #expect(bench.state.session == "other" && bench.state.status == .playing)
  }

  @Test func E4_startInACall_afterMusicThatWaits_isHeld_andTheMusicResumes() {
    let bench = Bench(playing: true)
    let app = app(bench)
    let call = bench.center.beginInterruption(.call, at: bench.clock.now)
    app.play()
    #expect(bench.state.session == bench.source.session.id)
    bench.center.endInterruption(call, shouldResume: true, at: bench.clock.now)
    #expect(bench.state.session == bench.source.session.id && bench.state.status == .playing)
    #expect(!app.instructions.contains(.resume))
  }

  // MARK: Wishes

  @Test func wish_isWhatAPersonDidLast() {
    let bench = Bench(playing: true)
    let music = bench.source.session.id
    #expect(bench.center.wishes[music] == .play)
    bench.screen.send(.pause)
    #expect(bench.center.wishes[music] == .pause)
    bench.screen.send(.play)
    let other = ScriptedSource("phone", in: bench.center, clock: bench.clock)
    other.play()
    #expect(bench.center.wishes[music] == .replaced(by: "phone"))
    #expect(bench.center.wishes["phone"] == .play)
    other.stop()
    #expect(bench.center.wishes["phone"] == .pause)
  }

  @Test func wish_ofARefusedPause_isToPlay() {
    let bench = Bench(playing: true)
    bench.source.failure = .failed(Refusal(.failed, "no"))
    bench.screen.send(.pause)
    #expect(bench.center.wishes[bench.source.session.id] == .play)
  }

  @Test func wish_outlivesTheSession_andIsAnsweredOnce() {
    let bench = Bench(playing: true)
    let music = bench.source.session.id
    bench.source.session.end(at: bench.clock.now)
    #expect(bench.center.takePlay(of: music))
    #expect(!bench.center.takePlay(of: music))
    let restarted = NowPlayingCenter(
      volume: Volume(level: .loudest), wishes: PlayWishes(bench.center.wishes.entries))
    #expect(restarted.takePlay(of: music))
    #expect(!restarted.takePlay(of: "other"))
  }

  @Test func wish_ofASourceThatPlaysAgain_isAnsweredAgain() {
    var wishes = PlayWishes()
    var answers: [Bool] = []
    func take(_ id: SessionID) { answers.append(wishes.takePlay(of: id)) }
    wishes.started("a")
    take("a")
    take("a")
    wishes.started("a")
    take("a")
    wishes.started("b")
    take("a")
    take("b")
    #expect(answers == [true, false, true, false, true])
  }

  @Test func wishes_areLimited_theOldestIsForgotten() {
    var wishes = PlayWishes()
    for number in 0...PlayWishes.limit { wishes.started(SessionID("\(number)")) }
    #expect(wishes.entries.count == PlayWishes.limit)
    #expect(wishes["0"] == nil && wishes["1"] == .replaced(by: "2"))
    #expect(PlayWishes(wishes.entries + [.init("x", .pause)]).entries.count == PlayWishes.limit)
  }
}
