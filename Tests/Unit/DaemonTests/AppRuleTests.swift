import Control
import Foundation
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// Rules of docs/now-playing.md for programs that are sources, through the control socket of a daemon.
@Suite(.enabled(if: PacedPCM.obstacle == nil, Comment(rawValue: PacedPCM.obstacle ?? "")))
struct AppRuleTests {
  /// A session that is Now Playing and plays.
  private func playing(_ bench: AppBench, _ app: SocketApp) throws {
    app.publish(.paused)
    try bench.choose(app.id)
    #expect(try bench.send(.play) == .success)
    try bench.turn { bench.state.status.isAdvancing && app.sound.heard?.frame ?? 0 > 4410 }
  }

  private func elapsed(_ state: NowPlayingState) -> Duration? {
    state.playback.flatMap { state.elapsed(at: $0.timestamp) }
  }

  // MARK: Times

  /// An advertisement of 30 s begins the content. The app seeks close to its end, so that the test is short.
  @Test func P8_C5_adOfAnApp_disablesTheSkip_andIsNoPartOfTheTime() throws {
    let bench = try AppBench()
    let app = try SocketApp(bench, "reader")
    var song = MusicContent(
      id: "book", songTitle: "Book", artistName: "", albumName: "",
      duration: .finite(.seconds(630)))
    song.adTimeRanges = [AdTimeRange(start: .zero, duration: .seconds(30))]
    app.publication.content = .music(song)
    func offer(inAd: Bool) {
      app.publication.commands = [
        CommandOffer(.play), CommandOffer(.pause), CommandOffer(.seekToPosition),
        CommandOffer(.skipForward, isEnabled: !inAd, parameters: .intervals([.seconds(30)])),
      ]
    }
    offer(inAd: false)
    // Before the content, a second of something else is heard, so that the advertisement has two edges.
    let edges = (begin: 44_100, end: 44_100 + 2 * 44_100)
    var isInAd: [Bool] = []
    app.onHeard = { heard in
      let inAd = (edges.begin..<edges.end).contains(heard.frame)
      guard isInAd.last ?? false != inAd else { return }
      isInAd.append(inAd)
      offer(inAd: inAd)
      app.publish(app.playing)
    }
    var intro = song
    intro.adTimeRanges = []
    app.publication.content = .music(intro)
    app.mark(SoundMark(frame: edges.begin, content: .music(song), time: .seconds(28)))
    app.mark(SoundMark(frame: edges.end, time: .seconds(30)))
    try playing(bench, app)
    try bench.turn { isInAd.count == 1 }
    try bench.turn { bench.state.command(.skipForward)?.isEnabled == false }
    #expect(bench.state.duration == .finite(.seconds(600)))
    #expect(elapsed(bench.state) == .zero)
    let skip = try bench.send(.skipForward(nil))
    #expect(skip.refusal?.code == .disabled && app.count(.skipForward) == 0)
    let inside = bench.states.count
    try bench.turn { bench.state.command(.skipForward)?.isEnabled == true }
    #expect(bench.states.count == inside + 1, "one publication at the edge")
    #expect(isInAd == [true, false])
    #expect(bench.state.elapsed(at: .now()) ?? .zero < .seconds(30))
    // A seek to the beginning goes behind the advertisement.
    var target: Duration?
    app.perform = {
      guard case .seekToPosition(let time) = $0 else { return nil }
      target = time
      app.flush(next: app.sound.next, time: time)
      return .success
    }
    app.sound.wanted = app.sound.next
    #expect(try bench.send(.seekToPosition(.zero)) == .success)
    #expect(target == .seconds(30))
    #expect(try bench.send(.seekToPosition(.seconds(100))) == .success)
    #expect(target == .seconds(130))
    app.sound.wanted = .max
    try bench.turn { elapsed(bench.state) ?? .zero >= .seconds(100) }
    #expect(app.refusals == [])
    #expect(bench.daemon.end() == 0)
  }

  /// Elapsed time is compared with the frames that the card has played, by the stamps of the card.
  @Test(arguments: [0.75, 1.5, 2])
  func P10_elapsedOfAnApp_followsItsRate_asTheCardPlays(rate: Double) throws {
    let bench = try AppBench()
    let app = try SocketApp(bench, "reader") {
      $0.template.buttons = [
        TemplateState.Button(kind: .playbackRate, isEnabled: true, isSelected: false)
      ]
    }
    let rates = [0.75, 1, 1.5, 2]
    app.publication.commands.append(
      CommandOffer(.changePlaybackRate, parameters: .rates(rates)))
    var pending: (frame: Int64, rate: Double)?
    app.perform = { request in
      guard case .changePlaybackRate(let new) = request else { return nil }
      pending = (app.sound.next, new)
      app.mark(
        SoundMark(
          frame: Int(app.sound.next), time: .seconds(Double(app.sound.next) / 44_100), rate: new,
          defaultRate: new))
      return .success
    }
    try playing(bench, app)
    let normal = bench.state
    #expect(normal.status == .playing)
    #expect(try bench.send(.changePlaybackRate(rate)) == .success)
    try bench.turn { bench.state.playback?.state == .playing(rate: rate) }
    let changed = try #require(pending?.frame)
    try bench.turn { app.sound.heard?.frame ?? 0 > Int(changed) + 2 * 44_100 }
    let state = bench.state
    let run = try #require(app.sound.frames.found(in: try bench.heard()).last)
    var errors: (before: [Duration], after: [Duration]) = ([], [])
    for stamp in try bench.card.stamps() where run.place.contains(Int(stamp.offset)) {
      // The card plays the first of these frames when it has played those ahead.
      let at = MonotonicInstant(
        awake: .nanoseconds(stamp.nanoseconds + stamp.ahead * 1_000_000_000 / 44_100))
      let frame = run.numbers.lowerBound + stamp.offset - Int64(run.place.lowerBound)
      let seconds = Double(frame) / 44_100
      let changedAt = Double(changed) / 44_100
      if frame < changed {
        errors.before.append(try #require(normal.elapsed(at: at)) - .seconds(seconds))
      } else {
        errors.after.append(
          try #require(state.elapsed(at: at)) - .seconds(changedAt + (seconds - changedAt) * rate))
      }
    }
    // The median, because a busy machine can delay one hand-over.
    for errors in [errors.before.sorted(), errors.after.sorted()] {
      print("rate \(rate): \(errors[0]) … \(errors[errors.count / 2]) … \(errors.last!)")
      #expect(abs(errors[errors.count / 2] / .milliseconds(1)) <= 20)
    }
    // The button of the screen selects the next rate.
    #expect(try bench.send(.template(.button(0))) == .success)
    let next = rates[(rates.firstIndex(of: rate)! + 1) % rates.count]
    #expect(app.commands.last?.value == .media(.changePlaybackRate(next)))
    #expect(bench.daemon.end() == 0)
  }

  @Test func P6_liveStreamOfAnApp_hasNoDuration_andNoSeek_andStops() throws {
    let bench = try AppBench()
    let app = try SocketApp(bench, "tuner", kind: .live)
    app.publication.content = .radio(RadioContent(id: "fm", stationName: "FM"))
    app.publication.commands = [
      CommandOffer(.play), CommandOffer(.stop), CommandOffer(.seekToPosition),
      CommandOffer(.skipForward, parameters: .intervals([.seconds(15)])),
    ]
    app.sound.wanted = 0
    app.publish(.paused)
    try bench.choose("tuner")
    #expect(try bench.send(.play) == .success)
    let began = MonotonicInstant.now()
    func pace() {
      let time = MonotonicInstant.now().awakeTime(since: began)
      app.sound.wanted = Int64(time / .seconds(1) * 44_100)
    }
    try bench.turn {
      pace()
      return app.sound.heard?.frame ?? 0 > 22_050 && bench.state.status == .playing
    }
    #expect(bench.state.duration == .live && bench.state.elapsed(at: .now()) == nil)
    #expect(bench.state.commands.map(\.kind) == [.play, .stop])
    #expect(try bench.send(.seekToPosition(.seconds(1))).refusal?.code == .liveContent)
    #expect(try bench.send(.skipForward(nil)).refusal?.code == .liveContent)
    #expect(app.count(.seekToPosition) == 0)
    #expect(try bench.send(.stop) == .success)
    try bench.turn { bench.state.status == .stopped }
    // The tuner continues. What it sends meanwhile is old when a person plays again, and is never heard.
    let stopped = app.sound.next
    try bench.turn {
      pace()
      return app.sound.next > stopped + 4800
    }
    let resumed = app.sound.next
    #expect(try bench.send(.play) == .success)
    try bench.turn {
      pace()
      return app.sound.heard?.frame ?? 0 > resumed + 22_050
    }
    #expect(bench.state.status == .playing)
    let runs = app.sound.frames.found(in: try bench.heard())
    #expect(runs.contains { $0.numbers.upperBound > resumed })
    #expect(runs.allSatisfy { !$0.numbers.overlaps(stopped..<resumed) }, "\(runs)")
    #expect(bench.daemon.end() == 0)
  }

  // MARK: Languages

  @Test func P9_textsOfAnApp_areChosenByTheLanguage_andItsSoundTrackToo() throws {
    let bench = try AppBench(["language = de"])
    let app = try SocketApp(bench, "reader", tag: 1)
    #expect(app.welcome.language == "de")
    func title(_ text: String, _ language: LanguageTag) -> MetadataItem {
      MetadataItem(.title, text, language: language)
    }
    app.publication.content = .music(
      MusicContent(
        id: "book",
        metadata: [title("Das Buch", "de"), title("The book", "en"), title("*", "und")],
        duration: .finite(.seconds(600))))
    let options = [
      LanguageOption(id: "de", kind: .audible, language: "de", name: "Deutsch"),
      LanguageOption(id: "en", kind: .audible, language: "en", name: "English"),
    ]
    func offer(_ enabled: String) {
      app.publication.commands = [
        CommandOffer(.play), CommandOffer(.pause),
        CommandOffer(
          .enableLanguageOption, parameters: .languages(options, enabled: [enabled])),
      ]
    }
    offer("de")
    try playing(bench, app)
    #expect(bench.state.lines.title == "Das Buch")
    // The other sound track begins at the same time of the content.
    let english = try app.openSound(2)
    english.wanted = 0
    var switched: Duration?
    app.perform = { request in
      guard request == .enableLanguageOption("en"), let heard = app.sound.heard else { return nil }
      let time = Duration.seconds(Double(heard.frame) / 44_100)
      switched = time
      app.sound.wanted = 0
      app.flush(next: app.sound.next + 48_000, time: time)
      english.next = app.sound.next
      app.flush(next: english.next, time: time, english)
      app.publication.playback = .streams(
        app.playing, players: [english.number], leader: english.number)
      english.wanted = .max
      offer("en")
      app.publish(.playing())
      return .success
    }
    #expect(try bench.send(.enableLanguageOption("fr")).refusal != nil)
    #expect(try bench.send(.enableLanguageOption("en")) == .success)
    let next = english.next
    try bench.turn { english.heard?.frame ?? 0 > Int(next) + 22_050 }
    #expect(
      bench.state.command(.enableLanguageOption)?.parameters
        == .languages(options, enabled: ["en"]))
    let time = try #require(switched)
    let now = try #require(elapsed(bench.state))
    #expect(now > time - .milliseconds(1) && now < time + .seconds(5))
    let runs = english.frames.found(in: try bench.heard())
    let old = app.sound.frames.found(in: try bench.heard())
    #expect(runs.count == 1 && runs[0].numbers.lowerBound < next + 2000)
    #expect(old.allSatisfy { $0.place.upperBound <= runs[0].place.lowerBound })
    #expect(app.refusals == [])
    // The other language of texts, without a call of the app.
    try bench.home.configure(["language = en", "output = car", "start-volume-maximum = 100 %"])
    bench.daemon.send(SIGHUP)
    try bench.turn { bench.state.lines.title == "The book" }
    try bench.turn { app.status.language == "en" }
    #expect(bench.daemon.end() == 0)
  }

  // MARK: Eligibility

  /// The app forgets one thing. It learns what, and the diagnosis names it.
  @Test func E1_partThatAnAppForgets_isNamed() throws {
    let bench = try AppBench()
    let lazy = try SocketApp(bench, "lazy", tag: nil, isActive: false)
    lazy.publish(.paused)
    try bench.turn { lazy.status.missing == [.audioSessionInactive] }
    #expect(try lazy.claim() == .refused([.audioSessionInactive]))
    let mute = try SocketApp(bench, "mute", tag: nil)
    mute.publication.commands = []
    mute.publish(.paused)
    try bench.turn { mute.status.missing == [.noCommandHandler] }
    let grey = try SocketApp(bench, "grey", tag: nil)
    grey.publication.commands = [CommandOffer(.play, isEnabled: false)]
    grey.publish(.paused)
    try bench.turn { grey.status.missing == [.noCommandEnabled] }
    let empty = try SocketApp(bench, "empty", tag: nil)
    empty.publication.content = nil
    empty.publish(.paused)
    try bench.turn { empty.status.missing == [.noContent] }
    let report = try bench.answer { bench.screen.call(Unit1.diagnose, .everything, $0) }.get()
    for (app, code) in [
      ("lazy", "session.inactive"), ("mute", "session.no-handler"),
      ("grey", "session.no-command"), ("empty", "session.no-content"),
    ] {
      #expect(report.findings.contains { $0.code == code && $0.subject == "app-\(app)" })
    }
    #expect(bench.daemon.end() == 0)
  }

  // MARK: The template

  @Test func T1_T2_templateOfAnApp_isCutToFive_andALateChangeIsNoted() throws {
    let bench = try AppBench()
    func template(_ count: Int) -> PublishedTemplate {
      var template = PublishedTemplate()
      template.buttons = (0..<count).map {
        TemplateState.Button(kind: .image("b\($0)"), isEnabled: true, isSelected: false)
      }
      return template
    }
    func set(_ app: SocketApp, _ template: PublishedTemplate, screen: Int) throws {
      try bench.done {
        app.client.call(
          Session1.setTemplate, Numbered(app.session, Numbered(screen, template)), $0)
      }
    }
    func findings(_ app: String) throws -> Set<String> {
      let report = try bench.answer { bench.screen.call(Unit1.diagnose, .everything, $0) }.get()
      return Set(report.findings.filter { $0.subject == "app-\(app)" }.map(\.code))
    }
    // The template of the opening, and an answer to the connection, are in time.
    let early = try SocketApp(bench, "early", tag: nil) { $0.template = template(7) }
    early.publish(.paused)
    try bench.choose("early")
    try bench.turn { bench.state.session == "app-early" }
    #expect(bench.state.template.buttons.map(\.kind) == (0..<5).map { .image("b\($0)") })
    #expect(try findings("early").contains("template.surplus-buttons"))
    try set(early, template(3), screen: 0)
    #expect(!(try findings("early").contains("template.late")))
    let prompt = try SocketApp(bench, "prompt", tag: nil)
    prompt.publish(.paused)
    try bench.turn { prompt.screens.count == 1 }
    try set(prompt, template(2), screen: prompt.screens[0].number)
    #expect(!(try findings("prompt").contains("template.late")))
    try bench.choose("prompt")
    try bench.turn { bench.state.template.buttons.count == 2 }
    // A tap reaches the app.
    #expect(try bench.send(.template(.button(1))) == .success)
    #expect(prompt.commands.last?.value == .template(.button(1)))
    let late = try SocketApp(bench, "late", tag: nil)
    late.publish(.paused)
    try bench.turn { late.screens.count == 1 }
    try set(late, template(2), screen: 0)
    try bench.choose("late")
    try bench.turn { bench.state.template.buttons.count == 2 && bench.state.session == "app-late" }
    #expect(try findings("late").contains("template.late"))
    #expect(bench.daemon.end() == 0)
  }

  // MARK: Two sources that alternate

  @Test func P11_selfPublishedContent_alternating100Times_isNeverMixed() throws {
    let bench = try AppBench(plays: true)
    let receiver = try SocketApp(bench, "receiver", tag: nil)
    let radio = try SocketApp(bench, "radio", tag: nil)
    let apps = [(receiver, "receiver"), (radio, "radio")]
    for (app, name) in apps {
      app.publication.content = .music(
        MusicContent(
          id: name, songTitle: "\(name) title", artistName: "\(name) artist",
          albumName: "\(name) album", duration: .finite(.seconds(60)),
          artwork: Artwork(id: "\(name) cover") { _ in .none }))
      app.publication.playback = .snapshot(
        MediaPlaybackSnapshot(state: .paused, elapsedTime: .zero, timestamp: .now()))
      app.publication.isSelfPublished = app === receiver
      app.perform = { _ in .success }
      app.publish(.paused)
    }
    for round in 0..<100 {
      let (app, name) = apps[round % 2]
      try bench.choose(name)
      try bench.turn { bench.state.session == SessionID("app-\(name)") }
      if round % 7 == 0 { app.publish(.paused) }
    }
    for state in bench.states {
      guard let session = state.session, session != "local" else { continue }
      let name = session.rawValue.dropFirst(4)
      let lines = state.lines
      for text in [lines.title, lines.subtitle, lines.detail] {
        #expect(text?.hasPrefix(name) == true, "\(session): \(lines)")
      }
      #expect(state.artwork == .artwork(id: "\(name) cover"))
      #expect(state.isSelfPublished == (name == "receiver"))
    }
    #expect(Set(bench.states.map(\.session)).isSuperset(of: ["app-receiver", "app-radio"]))
    #expect(bench.states.count >= 100)
    #expect(bench.daemon.end() == 0)
  }
}
