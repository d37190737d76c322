// The name of a test begins with the number of its rule in docs/now-playing.md.

import NowPlaying
import TestKit
import Testing

/// Tests what is published and when: rules P1 to P7, P9, P11 and P12.
@Suite struct PublishingTests {
  // MARK: P1

  /// One hour of music. The player reports four times per second, and a user presses buttons.
  @Test func P1_hourOfPlayback_publishesOnlyAtMomentsOfP2() {
    let bench = Bench(tracks: (1...15).map { song("\($0)") })
    var random = SeededRandom(7)
    var expected: [[PublicationReason]] = []
    let count = bench.screen.states.count
    func act(_ reasons: [PublicationReason], _ change: () -> Void) {
      expected.append(reasons)
      change()
    }

    act([.start]) { bench.source.play() }
    var reports = 0
    for second in 1...3600 {
      for _ in 0..<4 {
        // The time between two reports is not exactly constant.
        bench.clock.advance(.milliseconds(240 + random.below(21)))
        bench.source.publish()
        reports += 1
      }
      switch second {
      case let second where second % 240 == 0 && bench.source.index < 14:
        act([.trackChange, .upNext]) { bench.source.go(to: bench.source.index + 1) }
      case 500, 2500: act([.pause]) { bench.screen.send(.pause) }
      case 510, 2515: act([.start]) { bench.screen.send(.play) }
      case 700: act([.seek]) { bench.screen.send(.seekToPosition(.seconds(30))) }
      case 1300: act([.seek]) { bench.screen.send(.skipForward(nil)) }
      case 1800: act([.rateChange]) { bench.screen.send(.changePlaybackRate(0.5)) }
      case 1850: act([.rateChange]) { bench.screen.send(.changePlaybackRate(1)) }
      default: break
      }
    }
    let published = bench.screen.reasons(since: count)
    #expect(reports == 14400)
    #expect(published == expected)
    #expect(published.count == 1 + 14 + 4 + 2 + 2)
    #expect(published.allSatisfy { $0.contains { $0.changesTheAnchor } })
  }

  @Test func P1_equalDescription_publishesNothing() {
    let bench = Bench(playing: true)
    let count = bench.screen.states.count
    for _ in 0..<100 {
      bench.clock.advance(seconds: 1)
      bench.source.publish()
    }
    #expect(bench.screen.states.count == count)
    #expect(bench.screen.elapsed == 100)
  }

  @Test func P1_clockDrift_isIgnored_andAJumpIsASeek() {
    let bench = Bench(playing: true)
    let drifting = bench.screen.reasons {
      for minute in 1...4 {
        bench.clock.advance(seconds: 60)
        var description = bench.source.description
        var report = bench.source.report
        report.position = .seconds(Double(minute) * 60 * 1.003)
        description.playback = .players(SessionPlayers(report))
        bench.source.session.publish(description, at: bench.clock.now)
      }
    }
    #expect(drifting == [])

    let bench2 = Bench(playing: true)
    let jump = bench2.screen.reasons {
      bench2.clock.advance(seconds: 10)
      var description = bench2.source.description
      var report = bench2.source.report
      report.position = .seconds(11.5)
      description.playback = .players(SessionPlayers(report))
      bench2.source.session.publish(description, at: bench2.clock.now)
    }
    #expect(jump == [[.seek]])
  }

  // MARK: P2

  @Test func P2_start() {
    let bench = Bench()
    #expect(bench.screen.reasons { bench.source.play() } == [[.start]])
  }

  @Test func P2_pause() {
    let bench = Bench(playing: true)
    bench.clock.advance(seconds: 12)
    #expect(bench.screen.reasons { bench.source.pause() } == [[.pause]])
    #expect(bench.screen.elapsed == 12)
  }

  @Test func P2_seek_isPublishedOnlyAfterItsCompletion() {
    let bench = Bench(playing: true)
    bench.clock.advance(seconds: 12)
    bench.source.keepsReplies = true
    let asked = bench.screen.reasons { bench.screen.send(.seekToPosition(.seconds(100))) }
    #expect(asked == [])
    #expect(bench.screen.elapsed == 12)
    #expect(bench.screen.reasons { bench.source.seek(to: .seconds(100)) } == [[.seek]])
    #expect(bench.screen.elapsed == 100)
    #expect(bench.state.status == .playing)
  }

  @Test(arguments: [true, false]) func P2_shortSeek_isPublished(playing: Bool) {
    let bench = Bench(playing: playing)
    #expect(bench.screen.reasons { bench.source.seek(to: .milliseconds(250)) } == [[.seek]])
    #expect(bench.screen.elapsed == 0.25)
  }

  @Test func P2_trackChange_isOneCompletePublication() {
    let bench = Bench(playing: true)
    bench.clock.advance(seconds: 240)
    #expect(bench.screen.reasons { bench.source.go(to: 1) } == [[.trackChange, .upNext]])
    #expect(bench.state.lines.title == "Song local-2")
    #expect(bench.screen.elapsed == 0)
  }

  @Test func P2_rateChange() {
    let bench = Bench(playing: true)
    bench.clock.advance(seconds: 10)
    #expect(bench.screen.reasons { bench.source.setRate(2) } == [[.rateChange]])
    bench.clock.advance(seconds: 10)
    #expect(bench.screen.elapsed == 30)
  }

  @Test func P2_rateChange_whilePaused() {
    let bench = Bench()
    #expect(bench.screen.reasons { bench.source.setRate(2) } == [[.rateChange]])
    bench.source.play()
    bench.clock.advance(seconds: 3)
    #expect(bench.screen.elapsed == 6)
  }

  @Test func P2_trackChangeAfterHalfASecond_startsAtZero() {
    let bench = Bench(playing: true)
    bench.clock.advance(seconds: 0.5)
    bench.source.go(to: 1)
    #expect(bench.screen.elapsed == 0)
  }

  @Test func P2_twoMomentsInOnePublication_areBothNamed() {
    let bench = Bench(playing: true)
    let reasons = bench.screen.reasons {
      var report = bench.source.report
      report.rate = 0
      report.position = .seconds(100)
      report.seeksCompleted += 1
      var description = bench.source.description
      description.playback = .players(SessionPlayers(report))
      bench.source.session.publish(description, at: bench.clock.now)
    }
    #expect(reasons == [[.pause, .seek]])
  }

  @Test func P2_metadataOfTheSameTrack_keepsTheAnchor() {
    let bench = Bench(playing: true)
    let playback = bench.state.playback
    bench.clock.advance(seconds: 10)
    bench.source.tracks[0] = song("local-1", title: "Better known")
    #expect(bench.screen.reasons { bench.source.publish() } == [[.metadata]])
    #expect(bench.state.playback == playback)
    #expect(bench.screen.elapsed == 10)
  }

  @Test func P2_otherChangesOfState_arePublishedOnce_andKeepTheAnchor() {
    let bench = Bench(playing: true)
    let changes: [([PublicationReason], () -> Void)] = [
      ([.commands], { bench.screen.send(.changeRepeatMode(.all)) }),
      ([.volume], { bench.screen.send(.volume(.change(thousandths: 25))) }),
      ([.language], { bench.center.setLanguage("de", at: bench.clock.now) }),
      (
        [.template],
        {
          bench.source.session.updateTemplate(at: bench.clock.now) {
            $0.upNextTitle = "x"; $0.isUpNextButtonEnabled = true
          }
        }
      ),
      (
        [.upNext],
        {
          bench.source.tracks.removeLast(); bench.source.publish()
        }
      ),
    ]
    for (reasons, change) in changes {
      bench.clock.advance(seconds: 1)
      #expect(bench.screen.reasons(of: change) == [reasons])
      #expect(!reasons.contains { $0.changesTheAnchor })
    }
    #expect(bench.screen.elapsed == 5)
  }

  @Test func P2_publications_recordTheMoments() {
    let bench = Bench()
    bench.source.play()
    bench.source.pause()
    #expect(bench.center.publications.suffix(2).map(\.reasons) == [[.start], [.pause]])
    #expect(bench.center.publications.map(\.revision) == Array(2...bench.state.revision))
    for _ in 0..<200 { bench.screen.send(.volume(.toggleMuted)) }
    #expect(bench.center.publications.count == 64, "the list is bounded")
    #expect(bench.center.publications.last?.revision == bench.state.revision)
  }

  // MARK: P3

  @Test func P3_state_isDerivedFromTheRate() {
    #expect(MediaPlaybackSnapshot.PlaybackState(reportedRate: 0) == .paused)
    #expect(MediaPlaybackSnapshot.PlaybackState(reportedRate: 1) == .playing(rate: 1))
    #expect(MediaPlaybackSnapshot.PlaybackState(reportedRate: .nan) == nil)
    let now = MonotonicInstant(awake: .zero)
    var report = PlayerReport(
      contentID: "a", duration: nil, position: .zero, rate: 1, timestamp: now)
    #expect(report.snapshot.status == .playing)
    report.rate = 0
    #expect(report.snapshot.status == .paused)
    #expect(report.snapshot.rate == 0)
    report.rate = .infinity
    report.defaultRate = -1
    #expect(report.snapshot.status == .paused)
    #expect(report.snapshot.defaultPlaybackRate == 1)
  }

  // MARK: P4

  @Test func P4_everyState_isComplete() {
    let bench = Bench(playing: true)
    let whole = bench.state
    bench.source.seek(to: .seconds(50))
    bench.screen.send(.volume(.toggleMuted))
    let after = bench.state
    #expect(after.content == whole.content && after.commands == whole.commands)
    #expect(after.upNext == whole.upNext && after.template == whole.template)
  }

  @Test func P4_revisions_increaseByOne_andEqualStatesAreNotRepeated() {
    let bench = Bench()
    bench.source.play()
    bench.source.play()
    bench.source.go(to: 1)
    bench.source.go(to: 2)
    let revisions = bench.screen.states.map(\.revision)
    #expect(zip(revisions, revisions.dropFirst()).allSatisfy { $1 == $0 + 1 })
    for (one, other) in zip(bench.screen.states, bench.screen.states.dropFirst()) {
      #expect(PublicationReason.between(one, other) != [])
    }
  }

  @Test func P4_nestedChanges_reachAllSurfacesInTheSameOrder() {
    let bench = Bench(playing: true)
    let console = ScriptedSurface("console", in: bench.center, clock: bench.clock)
    // When the screen receives the state `paused`, it sends a command.
    bench.screen.onState = { state in
      if state.status == .paused, state.repeatMode == .off {
        bench.screen.send(.changeRepeatMode(.all))
      }
    }
    bench.source.pause()
    #expect(
      console.states.map(\.revision) == Array(console.states[0].revision...bench.state.revision))
    #expect(console.reasons(since: 1) == [[.pause], [.commands]])
  }

  @Test func P4_instructionThatStartsAnotherSource_causesOnePublication() {
    let bench = Bench()
    let radio = ScriptedSource("radio", in: bench.center, clock: bench.clock)
    radio.publish()
    let guardian = bench.center.openSession(
      "guardian", instruct: { if case .pause = $0 { radio.play() } }, at: bench.clock.now)
    guardian.activate(at: bench.clock.now)
    var description = bench.source.description
    description.content = song("guardian")
    guardian.publish(description, at: bench.clock.now)
    var report = bench.source.report
    report.rate = 1
    description.playback = .players(SessionPlayers(report))
    guardian.publish(description, at: bench.clock.now)
    #expect(bench.state.session == "guardian")
    let count = bench.screen.states.count
    bench.source.play()
    #expect(bench.screen.states.dropFirst(count).map(\.session) == ["radio"])
  }

  @Test func P4_endlessChanges_areStopped() {
    let bench = Bench(playing: true)
    bench.screen.onState = { _ in bench.screen.send(.volume(.toggleMuted)) }
    bench.source.pause()
    #expect(bench.center.inspection(at: bench.clock.now).endlessReactionCount == 1)
    bench.screen.onState = nil
    bench.source.play()
    #expect(bench.screen.state == bench.state, "later changes are published")
  }

  @Test func P4_newSurface_receivesTheStateAtOnce() {
    let bench = Bench(playing: true)
    let late = ScriptedSurface("console", in: bench.center, clock: bench.clock)
    #expect(late.states == [bench.state])
  }

  // MARK: P5

  @Test func P5_placeholder_neverReplacesRealContent() {
    var placeholder = MusicContent(
      id: "radio-1", songTitle: "Radio", artistName: "Radio", albumName: "", duration: nil)
    placeholder.isPlaceholder = true
    let bench = Bench(tracks: [.music(placeholder)])
    #expect(
      bench.state.lines.title == "Radio", "a placeholder is shown until content is known")
    bench.source.tracks = [song("radio-1", title: "Real")]
    bench.source.publish()
    #expect(bench.state.lines.title == "Real")
    bench.source.tracks = [.music(placeholder)]
    #expect(bench.screen.reasons { bench.source.publish() } == [])
    #expect(bench.state.lines.title == "Real")
    #expect(
      !Checks.run(bench.center.inspection(at: bench.clock.now)).contains { $0.grade == .bad },
      "a source may publish its placeholder again")
  }

  @Test func P5_onlyThePrimarySession_reachesSurfaces() {
    let bench = Bench(playing: true)
    let other = ScriptedSource("other", in: bench.center, clock: bench.clock)
    let reasons = bench.screen.reasons {
      other.publish()
      other.tracks = [song("x", title: "Competing")]
      other.publish()
    }
    #expect(reasons == [])
    #expect(bench.screen.states.allSatisfy { $0.lines.title != "Competing" })
  }

  // MARK: P6

  @Test func P6_knownDuration_isKept() {
    let bench = Bench(playing: true)
    bench.source.tracks[0] = song("local-1", title: "Other words", seconds: nil)
    bench.source.publish()
    #expect(bench.state.duration == .finite(.seconds(240)))
    bench.source.tracks[1] = song("local-2", seconds: nil)
    bench.source.go(to: 1)
    #expect(bench.state.duration == nil, "the duration of another track does not apply")
  }

  @Test func P6_liveContent_isLive_andOffersNoSkip() {
    let station = MediaContent.radio(RadioContent(id: "fm4", stationName: "FM4"))
    let bench = Bench(tracks: [station, song("s")])
    bench.source.play()
    #expect(bench.state.duration == .live)
    #expect(bench.screen.elapsed == nil)
    let offered = Set(bench.state.commands.map(\.kind))
    let masked: Set<CommandKind> = [
      .skipForward, .skipBackward, .seekForward, .seekBackward, .seekToPosition,
      .changePlaybackRate,
    ]
    #expect(offered == Set(CommandKind.allCases).subtracting(masked))
    let number = bench.screen.send(.skipForward(.seconds(15)))
    #expect(bench.center.trace[number]?.verdict == .refused(.liveContent(.skipForward)))
    #expect(bench.source.performed == [])
    bench.source.go(to: 1)
    #expect(bench.state.commands.count == CommandKind.allCases.count)
  }

  // MARK: P7

  @Test func P7_durationPositionAndStatus_comeFromTheReportOfThePlayer() {
    let bench = Bench(tracks: [song("local-1", seconds: nil)])
    bench.source.knownDuration = .finite(.seconds(200))
    bench.source.play()
    bench.clock.advance(seconds: 33)
    #expect(bench.state.duration == .finite(.seconds(200)))
    #expect(bench.screen.elapsed == 33)
    #expect(bench.state.status == .playing)
    bench.source.buffer()
    #expect(bench.state.status == .buffering)
    bench.source.stop()
    #expect(bench.state.status == .stopped)
  }

  @Test func P7_reportOfAnotherTrack_doesNotSetTheDuration() {
    let bench = Bench(tracks: [song("local-1", seconds: nil)])
    var report = bench.source.report
    report.contentID = "elsewhere"
    report.duration = .finite(.seconds(9))
    var description = bench.source.description
    description.playback = .players(SessionPlayers(report))
    bench.source.session.publish(description, at: bench.clock.now)
    #expect(bench.state.duration == nil)
  }

  // MARK: P9

  private func items() -> MetadataItems {
    [
      MetadataItem(.title, "Four Seasons", language: "en"),
      MetadataItem(.title, "Vier Jahreszeiten", language: "de"),
      MetadataItem(.title, "Vier Jahreszeite", language: "de-CH"),
      MetadataItem(.artist, "Vivaldi"),
      MetadataItem(.albumName, "Le quattro stagioni", language: "it"),
      MetadataItem(.trackNumber, 3),
    ]
  }

  @Test func P9_undText_isForAllLanguages_andATaggedTextForItsLanguage() {
    let content = MusicContent(id: "v", metadata: items(), duration: nil)
    func title(_ language: LanguageTag) -> String? { content.lines(for: language).title }
    #expect(title("de") == "Vier Jahreszeiten")
    #expect(title("de-AT") == "Vier Jahreszeiten")
    #expect(title("DE_ch") == "Vier Jahreszeite")
    #expect(title("en-GB") == "Four Seasons")
    #expect(title("fr") == nil)
    #expect(title(.undefined) == nil)
    for language: LanguageTag in ["de", "fr", .undefined] {
      #expect(content.lines(for: language).subtitle == "Vivaldi")
    }
    #expect(content.lines(for: "it-IT").detail == "Le quattro stagioni")
    #expect(content.lines(for: "de").detail == nil)
  }

  @Test func P9_matchingLanguage_precedesUnd_inAnyOrder() {
    let und = MetadataItem(.title, "for all")
    let german = MetadataItem(.title, "für uns", language: "de")
    for items in [[und, german], [german, und]] {
      #expect(MetadataItems(items).text(.title, for: "de-DE") == "für uns")
      #expect(MetadataItems(items).text(.title, for: "es") == "for all")
    }
    #expect(
      MetadataItems([MetadataItem(.title, "", language: "de"), und]).text(.title, for: "de")
        == "for all")
  }

  @Test func P9_tag_becomesAnItemOfItsType() {
    let title = MetadataItem(tag: "title", value: "So What")
    #expect(title == MetadataItem(.title, "So What"))
    #expect(title?.dataType == .utf8)
    #expect(title?.language == .undefined)
    #expect(MetadataItem(tag: "TRACKNUMBER", value: "3/12") == MetadataItem(.trackNumber, 3))
    #expect(MetadataItem(tag: "TRACKNUMBER", value: "3/12")?.dataType == .integer)
    #expect(MetadataItem(tag: "TRACKNUMBER", value: "A1") == nil)
    #expect(MetadataItem(tag: "REPLAYGAIN_TRACK_GAIN", value: "-3 dB") == nil)
    #expect(MetadataItem.jpeg(.artwork, at: "cover.jpg").dataType == .jpeg)
    #expect(items().number(.trackNumber) == 3)
    #expect(items().number(.title) == nil)
  }

  /// The language that is sung says nothing about the language of the title.
  @Test func P9_languageTag_isAnItemOfItsOwn_asBCP47() {
    for (value, tag) in [
      ("fra", "fr"), ("FRE", "fr"), ("deu", "de"), ("en", "en"), ("gsw", "gsw"), ("zxx", "zxx"),
      ("French", "French"), ("", ""), ("f1", "f1"),
    ] {
      let item = MetadataItem(tag: "LANGUAGE", value: value)
      #expect(item?.value == .text(tag) && item?.language == .undefined, "\(value)")
    }
    let song = MusicContent(
      id: "s", metadata: [MetadataItem(.title, "La mer"), MetadataItem(.language, "fr")],
      duration: nil)
    let bench = Bench(tracks: [.music(song)], language: "de")
    bench.source.publish()
    #expect(bench.state.lines.title == "La mer")
  }

  @Test func P9_languageOfTheState_selectsTheTextOfEverySurface() {
    let content = MediaContent.music(MusicContent(id: "v", metadata: items(), duration: nil))
    let bench = Bench(tracks: [content], language: "de-DE")
    #expect(bench.state.lines.title == "Vier Jahreszeiten")
    bench.center.setLanguage("en", at: bench.clock.now)
    #expect(bench.screen.state.lines.title == "Four Seasons")
  }

  // MARK: P11

  @Test func P11_selfPublishedContent_isPassedUnchanged_andNotRepaired() {
    var own = MusicContent(
      id: "phone-1", songTitle: "Theirs", artistName: "", albumName: "", duration: nil)
    let bench = Bench(tracks: [.music(own)])
    bench.source.publishesItself = true
    bench.source.knownDuration = .finite(.seconds(99))
    bench.source.publish()
    #expect(bench.state.isSelfPublished)
    #expect(bench.state.content == .music(own), "the center must not add values to the content")
    own.isPlaceholder = true
    own.duration = .live
    bench.source.tracks = [.music(own)]
    bench.source.publish()
    #expect(bench.state.content == .music(own), "the center must not filter the content")
    #expect(
      bench.state.command(.skipForward) != nil, "the center must not filter the commands")

    bench.clock.advance(seconds: 5)
    let count = bench.screen.states.count
    let verdict = bench.screen.port.observed(
      DisplayedState(title: "Something else"), at: bench.clock.now)
    #expect(verdict == .selfPublished([difference("title", "Theirs", "Something else")]))
    #expect(bench.screen.states.count == count, "no repair is sent")
  }

  // MARK: P12

  @Test func P12_difference_isCounted_andRepairedOnce() {
    let bench = Bench(playing: true)
    bench.clock.advance(seconds: 10)
    let count = bench.screen.states.count
    let wrong = DisplayedState(title: "Radio", status: .paused)
    let found = [
      difference("title", "Song local-1", "Radio"), difference("status", "playing", "paused"),
    ]
    #expect(bench.screen.port.observed(wrong, at: bench.clock.now) == .repair(found))
    #expect(bench.screen.states.count == count + 1)
    #expect(bench.screen.state == bench.state, "the repair has the same revision")
    for _ in 0..<10 {
      bench.clock.advance(seconds: 2)
      #expect(bench.screen.port.observed(wrong, at: bench.clock.now) == .leave(found))
    }
    #expect(bench.screen.states.count == count + 1, "one repair only")
    let check = bench.center.inspection(at: bench.clock.now).surfaces[0].check
    #expect(check.differencesSeen == 11)
    #expect(check.repairs == 1)

    bench.source.go(to: 1)
    bench.clock.advance(seconds: 2)
    guard case .repair = bench.screen.port.observed(wrong, at: bench.clock.now) else {
      Issue.record("a new state allows a new repair")
      return
    }
  }

  @Test func P12_missingOrNearlyEqualValue_countsAsSame() {
    let bench = Bench(playing: true)
    bench.clock.advance(seconds: 10)
    for facts in [
      DisplayedState(), DisplayedState(title: "Song local-1", detail: "Album"),
      DisplayedState(duration: .milliseconds(239_400), elapsed: .seconds(11.5)),
    ] {
      #expect(bench.screen.port.observed(facts, at: bench.clock.now) == .same)
    }
    #expect(
      bench.screen.port.observed(DisplayedState(elapsed: .seconds(14)), at: bench.clock.now)
        == .repair([difference("elapsed", "0:10", "0:14")]))
  }

  @Test func P12_valueReadRightAfterAPublication_isSettling() {
    let bench = Bench(playing: true)
    bench.source.go(to: 1)
    let old = DisplayedState(title: "Song local-1")
    bench.clock.advance(.milliseconds(100))
    #expect(bench.screen.port.observed(old, at: bench.clock.now) == .settling)
    bench.clock.advance(.milliseconds(500))
    #expect(bench.screen.port.observed(old, at: bench.clock.now).differences.count == 1)
  }

  private func difference(_ field: String, _ expected: String, _ shown: String) -> DisplayDifference
  {
    var facts = DisplayedState()
    var seen = DisplayedState()
    switch field {
    case "title": (facts.title, seen.title) = (expected, shown)
    case "status":
      (facts.status, seen.status) = (
        PlaybackStatus(rawValue: expected), PlaybackStatus(rawValue: shown)
      )
    default:
      (facts.elapsed, seen.elapsed) = (.seconds(10), .seconds(14))
    }
    return facts.differences(from: seen)[0]
  }
}
