// The name of a test begins with the number of its rule in docs/now-playing.md.

import NowPlaying
import Testing

/// The Now Playing screen: rules T1 to T5.
@Suite struct TemplateTests {
  @Test func nextMode_setsAndClearsMarks_andStepsThroughTheStars() {
    func next(_ kind: CommandKind, _ parameters: CommandOffer.Parameters) -> MediaRequest? {
      CommandOffer(kind, parameters: parameters).nextMode
    }
    #expect(next(.like, .feedback(isActive: false, title: nil)) == .like(true))
    #expect(next(.dislike, .feedback(isActive: true, title: nil)) == .dislike(false))
    #expect(next(.bookmark, .feedback(isActive: false, title: nil)) == .bookmark(true))
    let stars = [nil, 0, 1, 2.5, 4.5, 5].map { next(.stars, .rating(maximum: 5, current: $0)) }
    #expect(stars == [1, 1, 2, 3, 5, 0].map { .stars($0) })
    #expect(next(.next, .none) == nil)
  }

  @Test func T3_buttonForStars_showsThem_andATapAddsOne() {
    let bench = Bench(playing: true)
    bench.source.stars = 2.5
    bench.source.publish()
    bench.source.session.updateTemplate(at: bench.clock.now) {
      $0.updateNowPlayingButtons([.stars()])
    }
    #expect(bench.state.template.buttons.map(\.value) == ["2.5"])
    #expect(bench.state.template.buttons[0].isSelected)
    bench.source.performed = []
    bench.screen.send(.template(.button(0)))
    #expect(bench.source.performed == ["stars 3.0"])
  }

  private final class Observer: NowPlayingTemplateObserver {
    var taps: [String] = []
    func nowPlayingTemplateUpNextButtonTapped(_ session: SessionID) {
      taps.append("up next \(session)")
    }
    func nowPlayingTemplateAlbumArtistButtonTapped(_ session: SessionID) {
      taps.append("album \(session)")
    }
  }

  private func buttons(_ count: Int) -> [NowPlayingButton] {
    (0..<count).map { index in .image("b\(index)") { $0(.success, at: .init(awake: .zero)) } }
  }

  private func names(_ bench: Bench) -> [String] {
    bench.state.template.buttons.map { button in
      if case .image(let name) = button.kind { name } else { "\(button.kind)" }
    }
  }

  /// A bench whose source configures these buttons after the screen has connected.
  private func configured(_ buttons: [NowPlayingButton]) -> Bench {
    let bench = Bench(playing: true)
    bench.source.session.updateTemplate(at: bench.clock.now) {
      $0.updateNowPlayingButtons(buttons)
    }
    return bench
  }

  // MARK: T1

  @Test func T1_didConnect_isCalledWhenTheScreenConnects() {
    let clock = ManualClock()
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    var connected: [String] = []
    let source = ScriptedSource("a", in: center, clock: clock) { surface, template in
      connected.append(surface.id.rawValue)
      template.updateNowPlayingButtons([.shuffle(), .repeat()])
    }
    source.play()
    source.go(to: 1)
    #expect(connected == [])
    let phone = ScriptedSurface("phone", in: center, clock: clock)
    #expect(connected == [], "a phone shows no template")
    let screen = ScriptedSurface("screen", in: center, clock: clock, showsTemplate: true)
    #expect(connected == ["screen"])
    #expect(screen.states[0].template.buttons.count == 2, "the first state has the buttons")
    #expect(phone.state == screen.state)
    let second = ScriptedSource("b", in: center, clock: clock) { surface, _ in
      connected.append("late \(surface.id)")
    }
    #expect(
      connected == ["screen", "late screen"], "didConnect is also called for a later session")
    #expect(second.session.isPrimary == false)
    #expect(center.inspection(at: clock.now).sessions.allSatisfy { $0.lateConfigurations == 0 })
  }

  @Test func T1_lateConfiguration_isApplied_andNoted() {
    let bench = configured(buttons(1))
    #expect(names(bench) == ["b0"])
    let inspection = bench.center.inspection(at: bench.clock.now)
    #expect(inspection.sessions[0].lateConfigurations == 1)
    #expect(
      Checks.run(inspection).contains {
        $0.grade == .note && $0.code == "template.late" && $0.finding.contains("1×")
      })
    #expect(DecisionTree.walk(.customButtons, inspection)?.pattern == .lateConfiguration)
  }

  @Test func T1_laterChangeOfASourceThatConfiguresAtTheConnection_isNoFault() {
    let clock = ManualClock()
    let center = NowPlayingCenter(volume: Volume(level: .loudest))
    let source = ScriptedSource("a", in: center, clock: clock) { _, template in
      template.updateNowPlayingButtons([.shuffle()])
    }
    let screen = ScriptedSurface("screen", in: center, clock: clock, showsTemplate: true)
    source.play()
    source.session.updateTemplate(at: clock.now) { $0.updateNowPlayingButtons([.repeat()]) }
    #expect(screen.state.template.buttons.map(\.kind) == [.repeat])
    #expect(center.inspection(at: clock.now).sessions[0].lateConfigurations == 0)
  }

  @Test func T1_screen_showsTheTemplateOfThePrimarySession() {
    let bench = configured(buttons(2))
    let other = ScriptedSource("other", in: bench.center, clock: bench.clock) {
      $1.updateNowPlayingButtons([.shuffle()])
    }
    other.play()
    #expect(names(bench) == ["shuffle"])
    other.session.end(at: bench.clock.now)
    #expect(names(bench) == ["b0", "b1"])
  }

  // MARK: T2

  @Test func T2_surplusButtons_areDropped_withANote() {
    let bench = configured(buttons(7))
    #expect(names(bench) == ["b0", "b1", "b2", "b3", "b4"])
    let inspection = bench.center.inspection(at: bench.clock.now)
    #expect(inspection.sessions[0].surplusButtons == 2)
    #expect(
      Checks.run(inspection).contains {
        $0.grade == .note && $0.code == "template.surplus-buttons" && $0.finding.contains("2")
      })
    let number = bench.screen.send(.template(.button(5)))
    #expect(bench.center.trace[number]?.verdict == .refused(.noButton(5)))
    bench.source.session.updateTemplate(at: bench.clock.now) {
      $0.updateNowPlayingButtons(buttons(1))
    }
    #expect(bench.center.inspection(at: bench.clock.now).sessions[0].surplusButtons == 0)
  }

  // MARK: T3

  @Test func T3_everyKindOfButton_callsItsHandler_andIsAnswered() {
    var tapped: [String] = []
    func handler(_ name: String) -> MediaCommand.Handler {
      { reply in
        tapped.append(name)
        reply(.success, at: MonotonicInstant(awake: .seconds(2000)))
      }
    }
    let bench = configured([
      .image("heart", handler("image")), .addToLibrary(handler("library")),
      .more(handler("more")), .shuffle(handler("shuffle")), .playbackRate(handler("rate")),
    ])
    for index in 0..<5 { bench.screen.send(.template(.button(index))) }
    bench.source.session.updateTemplate(at: bench.clock.now) {
      $0.updateNowPlayingButtons([.repeat(handler("repeat"))])
    }
    bench.screen.send(.template(.button(0)))
    #expect(tapped == ["image", "library", "more", "shuffle", "rate", "repeat"])
    #expect(bench.screen.answers == Array(repeating: .success, count: 6))
    #expect(bench.source.performed == [], "no handler of the source is called")
  }

  @Test func T3_disabledButton_hasNoEffect() {
    var tapped = 0
    let button = NowPlayingButton.image("x") { _ in tapped += 1 }
    let bench = configured([button.enabled(false), .playbackRate()])
    bench.source.enabled[.changePlaybackRate] = false
    bench.source.publish()
    #expect(bench.state.template.buttons.map(\.isEnabled) == [false, false])
    let reasons: [CommandRefusal] = [.buttonDisabled(0), .disabled(.changePlaybackRate)]
    for (index, reason) in reasons.enumerated() {
      let number = bench.screen.send(.template(.button(index)))
      #expect(bench.center.trace[number]?.verdict == .refused(reason))
    }
    #expect(tapped == 0 && bench.source.performed == [])
  }

  @Test func T3_shuffleRepeatAndRate_showTheirMode_andSelectTheNext() {
    let bench = configured([.shuffle(), .repeat(), .playbackRate()])
    func labels() -> [String] {
      bench.state.template.buttons.map { "\($0.value ?? "-")\($0.isSelected ? "*" : "")" }
    }
    #expect(labels() == ["off", "off", "1×"])
    for index in 0..<3 { bench.screen.send(.template(.button(index))) }
    #expect(labels() == ["items*", "all*", "2×*"])
    for index in 0..<3 { bench.screen.send(.template(.button(index))) }
    #expect(labels() == ["off", "one*", "0.5×*"])
    for index in 0..<3 { bench.screen.send(.template(.button(index))) }
    #expect(labels() == ["items*", "off", "1×"])
    // A button shows each change of its mode, no matter which surface makes the change.
    bench.screen.send(.changeRepeatMode(.one))
    #expect(labels() == ["items*", "one*", "1×"])
  }

  @Test func T3_buttonOfACommand_performsIt_andIsDisabledWithIt() {
    let bench = configured([
      .performing(.media(.next), as: .image("n")), .performing(.media(.like(true)), as: .more),
      .performing(.volume(.toggleMuted), as: .image("m")),
      .performing(.media(.skipForward(.seconds(30))), as: .image("skipForward")),
    ])
    let shown = bench.state.template.buttons
    #expect(shown.map(\.isEnabled).first == true)
    #expect(shown[2].isEnabled, "the head unit handles the volume")
    #expect(shown[3].value == "30")
    let title = bench.state.lines.title
    bench.screen.send(.template(.button(0)))
    #expect(bench.state.lines.title != title)
    bench.screen.send(.template(.button(2)))
    #expect(bench.state.volume.isMuted)
    bench.source.enabled[.next] = false
    bench.source.publish()
    #expect(!bench.state.template.buttons[0].isEnabled)
  }

  @Test func T3_buttonOfARating_isNotOn_whileTheRateIsDouble() {
    let bench = configured([.playbackRate(), .performing(.media(.stars(5)), as: .more)])
    bench.screen.send(.template(.button(0)))
    let shown = bench.state.template.buttons
    #expect(shown.map(\.isSelected) == [true, false])
    #expect(shown[1].isEnabled)
  }

  @Test func T3_buttonWithoutItsCommand_isDisabled() {
    let bench = configured([
      .repeat(), .playbackRate(), .performing(.media(.like(true)), as: .more),
    ])
    bench.source.left = [.changeRepeatMode, .changePlaybackRate, .like]
    bench.source.publish()
    #expect(bench.state.template.buttons.map(\.isEnabled) == [false, false, false])
    for index in 0..<3 { bench.screen.send(.template(.button(index))) }
    // A tap has the answer that the command has.
    #expect(
      bench.screen.answers.map(\.refusal?.code) == [.notOffered, .fixedSpeed, .notOffered])
  }

  // MARK: T4

  @Test func T4_upNextAndAlbumArtist_areOffByDefault() {
    let bench = Bench(playing: true)
    let observer = Observer()
    bench.center.add(observer)
    #expect(bench.state.template.upNext == .off)
    #expect(!bench.state.template.isAlbumArtistEnabled)
    for request in [TemplateRequest.upNext, .albumArtist] {
      let number = bench.screen.send(.template(request))
      #expect(bench.center.trace[number]?.verdict == .refused(.noObserver))
    }
    #expect(observer.taps == [])
  }

  @Test func T4_upNextAndAlbumArtist_callTheObservers() {
    let bench = Bench(playing: true)
    bench.source.session.updateTemplate(at: bench.clock.now) {
      $0.isUpNextButtonEnabled = true
      $0.isAlbumArtistButtonEnabled = true
    }
    bench.screen.send(.template(.upNext))
    #expect(bench.screen.answers.map(\.refusal?.code) == [.noObserver])
    var observer: Observer? = Observer()
    bench.center.add(observer!)
    bench.center.add(observer!)
    bench.screen.send(.template(.upNext))
    bench.screen.send(.template(.albumArtist))
    #expect(observer?.taps == ["up next local", "album local"])
    bench.center.remove(observer!)
    bench.screen.send(.template(.upNext))
    #expect(observer?.taps.count == 2)
    bench.center.add(observer!)
    weak let released = observer
    observer = nil
    #expect(released == nil, "observers are not retained")
  }

  @Test func T4_upNextWithoutATitle_hasTheSystemTitle() {
    let bench = Bench(playing: true)
    bench.source.session.updateTemplate(at: bench.clock.now) { $0.isUpNextButtonEnabled = true }
    #expect(bench.state.template.upNext == .systemTitle)
    bench.source.session.updateTemplate(at: bench.clock.now) { $0.upNextTitle = "Queue" }
    #expect(bench.state.template.upNext == .title("Queue"))
  }

  // MARK: T5

  @Test func T5_everySurface_receivesTheSameState() {
    let bench = Bench(playing: true)
    let phone = ScriptedSurface("phone", in: bench.center, clock: bench.clock)
    let console = ScriptedSurface("console", in: bench.center, clock: bench.clock)
    bench.source.go(to: 2)
    bench.screen.send(.changeRepeatMode(.one))
    #expect(phone.state == bench.screen.state)
    #expect(console.state == bench.screen.state)
    #expect(
      TemplateText.dump(phone.state, at: bench.clock.now)
        == TemplateText.dump(bench.screen.state, at: bench.clock.now))
  }

  // MARK: Golden texts

  // If a change of the text is intended, examine the output of the failing test and use it as the new golden text.

  private func golden(_ bench: Bench) -> String {
    TemplateText.dump(bench.state, at: bench.clock.now)
  }

  @Test func T5_golden_playing() {
    let tracks = [
      MediaContent.music(
        MusicContent(
          id: "1", songTitle: "So What", artistName: "Miles Davis", albumName: "Kind of Blue",
          duration: .finite(.seconds(562)), artwork: Artwork(id: "kind-of-blue") { _ in .later })),
      song("2", title: "Freddie Freeloader"), song("3", title: "Blue in Green"),
    ]
    let bench = Bench(tracks: tracks, playing: true)
    bench.source.session.updateTemplate(at: bench.clock.now) {
      $0.updateNowPlayingButtons([
        .shuffle(), .repeat(), .playbackRate(), .image("heart", isSelected: true) { _ in },
        .more { _ in }.enabled(false),
      ])
      $0.isUpNextButtonEnabled = true
      $0.isAlbumArtistButtonEnabled = true
    }
    bench.screen.send(.changeRepeatMode(.all))
    bench.clock.advance(seconds: 83.9)
    #expect(
      golden(bench) == """
        music  {kind-of-blue}
          So What
          Miles Davis
          [Kind of Blue]
        playing  1:23 / 9:22
        [previous] [pause] [next]
        [shuffle off] [repeat all*] [rate 1×] [heart*] (more)
        [Up Next] Freddie Freeloader · Artist, Blue in Green · Artist
        volume 30 %
        """)
  }

  @Test func T5_golden_interruptedAndMuted() {
    let bench = Bench(playing: true)
    bench.clock.advance(seconds: 61)
    bench.screen.send(.volume(.setMuted(true)))
    bench.source.enabled[.next] = false
    bench.source.publish()
    _ = bench.center.beginInterruption(.reversing, at: bench.clock.now)
    _ = bench.center.beginInterruption(.call, at: bench.clock.now)
    #expect(
      golden(bench) == """
        music  {placeholder}
          Song local-1
          Artist
          Album
        interrupted  1:01 / 4:00  (reversing, call)
        [previous] [play/pause] (next)
        volume 30 %  muted
        """)
  }

  @Test func T5_golden_liveRadio() {
    let station = RadioContent(id: "fm4", stationName: "FM4", programName: "Morning Show")
    let bench = Bench(tracks: [.radio(station)])
    bench.source.left = [.next, .previous, .pause, .togglePlayPause]
    bench.source.play()
    bench.clock.advance(seconds: 4000)
    #expect(
      golden(bench) == """
        radio  {placeholder}
          Morning Show
          FM4
        playing  live
        [ ] [stop] [ ]
        volume 30 %
        """)
  }

  @Test func T5_golden_seekingInALongBookWithSkips() {
    let book = GenericContent(
      id: "book", title: "Chapter 3", subtitle: "Moby-Dick", duration: .finite(.seconds(7325)))
    let bench = Bench(tracks: [.generic(book)])
    bench.source.left = [.next, .previous]
    bench.source.play()
    bench.source.seek(to: .seconds(3599))
    bench.screen.send(.seekForward(.begin))
    bench.clock.advance(seconds: 1)
    #expect(
      golden(bench) == """
        generic  {placeholder}
          Chapter 3
          Moby-Dick
        seekingForward  1:00:04 / 2:02:05  5×
        [-15 s] [play] [+15 s]
        volume 30 %
        """)
  }

  @Test func T5_golden_nothing() {
    let center = NowPlayingCenter(volume: Volume(level: VolumeLevel(thousandths: 425)))
    #expect(
      TemplateText.dump(center.state, at: MonotonicInstant(awake: .zero)) == """
        nothing playing
        volume 43 %
        """)
  }
}
