import EventLoop
import Glibc
import NowPlaying
import Observation
import Reports
import SystemClock
import TestKit
import Testing

@testable import Control
@testable import NowPlayingClient

/// A program that uses the client library, and the server that it talks to.
final class ClientBench {
  let bench: Bench
  let app: Application
  var problems: [Refusal] = []

  init(isListening: Bool = true) throws {
    bench = try Bench(isListening: isListening)
    app = Application(bench.loop, id: "radio", name: "Radio", socket: bench.path)
    app.onProblem = { [unowned self] in problems.append($0) }
  }

  /// The sessions that the server has got so far.
  var sessions: [FakeSession] { bench.unit.fakeApps?.sessions ?? [] }
  var calls: [FakeSession.Call] { sessions.last?.calls ?? [] }

  var publications: [SessionPublication] {
    calls.compactMap { if case .publish(let publication) = $0 { publication } else { nil } }
  }

  func turn(until condition: () -> Bool, fileID: String = #fileID, line: Int = #line) throws {
    try app.process()
    try bench.loop.turn(until: condition, fileID: fileID, line: line)
  }

  /// A session that was published.
  func session(players: [StreamPlayer] = []) throws -> NowPlayingSession {
    let session = NowPlayingSession(players: players, application: app)
    let count = publications.count
    try turn { publications.count > count }
    return session
  }

  /// Sends a command to the program, and returns its answer.
  func answer(_ request: CommandRequest, number: Int) throws -> CommandAnswer {
    sessions.last?.port.send(request, number: number)
    var answers: [CommandAnswer] {
      calls.compactMap { if case .answer(number, let answer) = $0 { answer } else { nil } }
    }
    try turn { !answers.isEmpty }
    return try #require(answers.first)
  }
}

@Suite struct NowPlayingClientTests {
  private func info(_ title: String) -> NowPlayingInfo {
    NowPlayingInfo(title: title, artist: "Band", playbackDuration: 60, elapsedPlaybackTime: 5)
  }

  // MARK: Sessions

  @Test func session_isOpenedActivatedAndPublished() throws {
    let client = try ClientBench()
    try client.app.audioSession.setCategory(.playback, mode: .spokenAudio, options: .duckOthers)
    try client.app.audioSession.setActive(true)
    let session = NowPlayingSession(players: [], name: "prompts", application: client.app)
    session.nowPlayingInfoCenter.nowPlayingInfo = info("Song")
    session.remoteCommandCenter.skipForwardCommand.preferredIntervals = [15]
    session.remoteCommandCenter.skipForwardCommand.addTarget { _ in .success }
    session.remoteCommandCenter.playCommand.addTarget { _ in .success }
    session.remoteCommandCenter.playCommand.isEnabled = false
    session.condition = .waiting("no network", remedy: "wait")
    try client.turn { client.publications.count == 1 }
    let opening = try #require(client.sessions.first?.opening)
    #expect(opening.id == "radio.prompts" && opening.name == "Radio")
    #expect(opening.isSpoken && opening.audio == .duckOthers)
    #expect(client.calls.first == .active(true))
    let publication = try #require(client.publications.first)
    #expect(publication.content?.lines().title == "Song")
    #expect(publication.content?.duration == .finite(.seconds(60)))
    #expect(
      publication.commands == [
        CommandOffer(.play, isEnabled: false),
        CommandOffer(.skipForward, parameters: .intervals([.seconds(15)])),
      ])
    guard case .snapshot(let snapshot?) = publication.playback else {
      Issue.record("no position")
      return
    }
    #expect(snapshot.state == .playing() && snapshot.elapsedTime == .seconds(5))
    #expect(publication.condition == .waiting(.init("no network", remedy: "wait")))
    #expect(client.problems.isEmpty)
    #expect(throws: Refusal.self) { try client.app.audioSession.setCategory(.ambient) }
  }

  @Test func changesInOneHandler_arePublishedTogether() throws {
    let client = try ClientBench()
    let session = try client.session()
    for title in ["a", "b", "c"] { session.nowPlayingInfoCenter.nowPlayingInfo = info(title) }
    session.upNext = [UpNextItem(id: "d", title: "d")]
    try client.turn { client.publications.count > 1 }
    #expect(client.publications.count == 2)
    #expect(client.publications.last?.content?.lines().title == "c")
    #expect(client.publications.last?.upNext.map(\.id) == ["d"])
  }

  @Test func programThatPublishesTooOften_staysWithinTheLimits_andEndsWithTheLastState() throws {
    let client = try ClientBench()
    let session = try client.session()
    for number in 1...300 {
      session.nowPlayingInfoCenter.nowPlayingInfo = info("\(number)")
      try client.app.process()
    }
    try client.turn { client.publications.last?.content?.lines().title == "300" }
    #expect(client.problems.isEmpty && client.publications.count < 200)
  }

  @Test func sessionThatIsReleased_isClosed() throws {
    let client = try ClientBench()
    var session: NowPlayingSession? = try client.session()
    #expect(session?.isOpen == true)
    session = nil
    try client.turn { client.calls.contains(.end(.closed(notifyingOthers: true))) }
  }

  /// A unit that notices the end of the connection before it has read the end of a session counts the session as lost.
  @Test(arguments: [true, false]) func stop_waitsUntilTheUnitHasReadTheEnds(isOpen: Bool) throws {
    let client = try ClientBench()
    let session = NowPlayingSession(players: [], application: client.app)
    if isOpen {
      try client.turn { session.isOpen }
    } else {
      try client.turn { client.app.isConnected }
    }
    session.end()
    client.app.stop(7)
    #expect(try client.bench.loop.run() == 7)
    #expect(client.sessions.allSatisfy { $0.calls.contains(.end(.closed(notifyingOthers: true))) })
    #expect(client.sessions.count == 1 || !isOpen)
  }

  // MARK: Refusals

  @Test func refusedSession_isReportedOnce() throws {
    let client = try ClientBench()
    client.bench.unit.fakeApps?.refusal = Refusal(.tooManySessions, "too many")
    let session = NowPlayingSession(players: [], application: client.app)
    var answers: [Bool] = []
    session.becomeActiveIfPossible { answers.append($0) }
    try client.turn { !answers.isEmpty }
    session.becomeActiveIfPossible { answers.append($0) }
    session.nowPlayingInfoCenter.nowPlayingInfo = info("Song")
    try client.app.process()
    #expect(answers == [false, false])
    #expect(client.problems.map(\.code) == [.tooManySessions])
  }

  @Test func invalidIdentity_isRefusedWithItsName() throws {
    let client = try ClientBench()
    client.app.id = "No Id"
    let session = NowPlayingSession(players: [], application: client.app)
    try client.turn { !client.problems.isEmpty }
    #expect(client.problems.map(\.code) == [.invalidArguments])
    #expect(!session.isOpen)
  }

  @Test func unitThatIsNotThere_isAProblem_ifNobodyFollowsTheConnection() throws {
    let client = try ClientBench(isListening: false)
    try client.turn { !client.problems.isEmpty }
    #expect(client.problems.map(\.code) == [.unreachable])
    #expect(client.problems.first?.sentence.contains(client.bench.path) == true)
  }

  @Test func unitThatIsNotThere_isNamed_andFoundLater() throws {
    let client = try ClientBench(isListening: false)
    let session = NowPlayingSession(players: [], application: client.app)
    var connections: [Refusal.Code?] = []
    client.app.onConnection = { connections.append($0?.code) }
    try client.turn { !connections.isEmpty }
    #expect(connections == [.unreachable] && client.app.obstacle?.code == .unreachable)
    try client.bench.restart()
    try client.turn { client.publications.count == 1 }
    #expect(session.isOpen && connections == [.unreachable, nil])
  }

  @Test func restartedUnit_getsEverythingAgain() throws {
    let client = try ClientBench()
    try client.app.audioSession.setActive(true)
    client.app.template.updateNowPlayingButtons([.more { $0() }])
    let session = try client.session()
    session.nowPlayingInfoCenter.nowPlayingInfo = info("Song")
    session.remoteCommandCenter.playCommand.addTarget { _ in .success }
    try client.turn { client.publications.last?.content != nil }
    var welcomes: [Bool] = []
    session.onOpen = { welcomes.append($0.hasPlayed) }
    try client.bench.restart()
    try client.turn { client.sessions.count == 2 && client.publications.count == 1 }
    #expect(client.calls.contains(.active(true)) && welcomes == [true])
    #expect(client.sessions.last?.opening.template.buttons.map(\.kind) == [.more])
    #expect(client.publications.last?.content?.lines().title == "Song")
    #expect(try client.answer(.media(.play), number: 1) == .success)
  }

  // MARK: Commands

  @Test func command_isAnsweredOnce() throws {
    struct Broken: Error {}
    let client = try ClientBench()
    let session = try client.session()
    let commands = session.remoteCommandCenter
    var skipped: [Double] = []
    commands.skipForwardCommand.addTarget { event in
      skipped.append((event as? SkipIntervalCommandEvent)?.interval ?? 0)
      return .success
    }
    commands.nextTrackCommand.addTarget { _ in .noSuchContent }
    commands.stopCommand.addTarget { _ in throw Refusal(.sourceAbsent, "no disc", remedy: "insert")
    }
    commands.playCommand.addTarget { _ in throw Broken() }
    commands.pauseCommand.addTarget { _ in .success }
    commands.pauseCommand.isEnabled = false
    let target = commands.previousTrackCommand.addTarget { _ in .success }
    commands.previousTrackCommand.removeTarget(target)
    #expect(try client.answer(.media(.skipForward(.seconds(15))), number: 1) == .success)
    #expect(skipped == [15])
    #expect(try client.answer(.media(.next), number: 2) == .noSuchContent())
    let refusal = Refusal(.sourceAbsent, "no disc", remedy: "insert")
    #expect(try client.answer(.media(.stop), number: 3) == .failed(refusal))
    #expect(try client.answer(.media(.play), number: 4).refusal?.code == .failed)
    #expect(try client.answer(.media(.pause), number: 5).refusal?.code == .notOffered)
    #expect(try client.answer(.media(.previous), number: 6).refusal?.code == .notOffered)
    #expect(try client.answer(.volume(.toggleMuted), number: 7).refusal?.code == .notOffered)
    #expect(try client.answer(.template(.button(0)), number: 8).refusal?.code == .noSuchButton)
    #expect(try client.answer(.template(.upNext), number: 9).refusal?.code == .noObserver)
    let answers = client.calls.filter { if case .answer = $0 { true } else { false } }
    #expect(answers.count == 9 && client.problems.isEmpty)
  }

  /// A model of a program for the new interface.
  private final class Model: MediaSessionRepresentable {
    let id = "radio"
    var content: (any MediaContentRepresentable)?
    var commands: [MediaCommand] = []
    var snapshot: MediaPlaybackSnapshot?
    var playbackSnapshot: MediaPlaybackSnapshot? { snapshot }
  }

  @Test func commandOfARepresentable_isAnsweredLater_orInItsPlace() throws {
    let client = try ClientBench()
    let model = Model()
    var kept: CommandReply?
    model.commands = [
      .play { kept = $0 }, .pause { _ in }, .next { $0(Refusal(.noSuchContent, "the end")) },
    ]
    let session = NowPlayingClient.MediaSession(model, application: client.app)
    try client.turn { client.publications.count == 1 }
    #expect(client.sessions.last?.opening.id == "radio")
    // A handler that gives no answer answers with a reason.
    #expect(try client.answer(.media(.pause), number: 1).refusal?.code == .sourceSilent)
    #expect(try client.answer(.media(.next), number: 2).refusal?.code == .noSuchContent)
    client.sessions.last?.port.send(.media(.play), number: 3)
    try client.turn { kept != nil }
    #expect(!client.calls.contains(.answer(3, .success)))
    kept?()
    kept?(.failed(Refusal(.failed, "too late")))
    kept = nil
    try client.turn { client.calls.contains(.answer(3, .success)) }
    model.content = RadioContent(id: "one", stationName: "One")
    model.snapshot = MediaPlaybackSnapshot(state: .paused, elapsedTime: nil, timestamp: .now())
    session.update()
    try client.turn { client.publications.count == 2 }
    #expect(client.publications.last?.content?.lines().title == "One")
  }

  @Test func changeOfAnObservableModel_isPublished() throws {
    let client = try ClientBench()
    let model = ObservableModel()
    let session = NowPlayingClient.MediaSession(model, application: client.app)
    try client.turn { client.publications.count == 1 }
    for title in ["One", "Two"] {
      model.content = RadioContent(id: title, stationName: title)
      try client.turn { client.publications.last?.content?.id == title }
    }
    #expect(client.publications.count == 3)
    withExtendedLifetime(session) {}
  }

  // MARK: What the unit reports

  @Test func instructionsAndStatus_reachTheProgram() throws {
    let client = try ClientBench()
    let player = StreamPlayer(SoundFormat(rate: 48_000, channels: 2, samples: .s16))
    let session = try client.session(players: [player])
    var seen: [SharedAudioSession.Interruption] = []
    client.app.audioSession.onInterruption = { seen.append($0) }
    player.play()
    let port = try #require(client.sessions.last?.port)
    port.send(.pause(.interruption(.call)))
    try client.turn { player.state == .interrupted }
    port.send(.resume)
    try client.turn { player.state == .playing() }
    port.send(.pause(.takenOver(by: "other")))
    try client.turn { player.state == .paused }
    #expect(seen == [.began(.interruption(.call)), .ended, .began(.takenOver)])
    let status = SessionStatus(isPrimary: true, missing: [], language: "de")
    port.send(status)
    try client.turn { session.status == status }
    #expect(session.isActive && session.canBecomeActive)
    var isGranted: Bool?
    session.becomeActiveIfPossible { isGranted = $0 }
    try client.turn { isGranted != nil }
    #expect(isGranted == true && client.calls.contains(.claim(.automatic)))
  }

  // MARK: The template

  private final class Scene: TemplateSceneDelegate, NowPlayingTemplateObserver {
    let template: SharedTemplate
    var taps: [String] = []
    init(_ template: SharedTemplate) { self.template = template }

    func templateScene(didConnect screen: ConnectedScreen) {
      template.setPicture(ButtonPicture(.svgPath, Array("M0 0".utf8)), named: "heart")
      template.updateNowPlayingButtons([
        .image("heart") { [unowned self] in
          taps.append("heart")
          $0()
        }, .shuffle(),
      ])
      template.isUpNextButtonEnabled = true
      template.add(self)
    }

    func nowPlayingTemplateUpNextButtonTapped(_ session: SessionID) { taps.append("next") }
    func nowPlayingTemplateAlbumArtistButtonTapped(_ session: SessionID) { taps.append("album") }
  }

  @Test func template_isConfiguredWhenAScreenConnects() throws {
    let client = try ClientBench()
    let session = try client.session()
    let scene = Scene(client.app.template)
    client.app.templateSceneDelegate = scene
    client.sessions.last?.port.send(ConnectedScreen(number: 4, name: "screen"))
    func templates() -> [(PublishedTemplate, Int)] {
      client.calls.compactMap {
        if case .template(let template, let screen) = $0 { (template, screen) } else { nil }
      }
    }
    try client.turn { !templates().isEmpty }
    #expect(templates().map(\.1) == [4])
    #expect(templates().last?.0.buttons.map(\.kind) == [.image("heart"), .shuffle])
    #expect(templates().last?.0.upNext == .systemTitle)
    #expect(
      client.calls.contains(.picture(ButtonPicture(.svgPath, Array("M0 0".utf8)), "heart")))
    #expect(try client.answer(.template(.button(0)), number: 1) == .success)
    #expect(try client.answer(.template(.upNext), number: 2) == .success)
    #expect(scene.taps == ["heart", "next"])
    // A later change belongs to no screen.
    client.app.template.isAlbumArtistButtonEnabled = true
    try client.turn { templates().count == 2 }
    #expect(templates().last?.1 == 0)
    withExtendedLifetime(session) {}
  }
}

/// A model whose changes can be observed.
@Observable private final class ObservableModel: MediaSessionRepresentable {
  var content: (any MediaContentRepresentable)?
  @ObservationIgnored let id = "radio"
  var commands: [MediaCommand] { [] }
}
