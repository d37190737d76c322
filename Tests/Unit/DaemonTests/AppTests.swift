import Control
import EventLoop
import Foundation
import LibraryModel
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// A program that is a source, on the control socket of a daemon.
@Suite struct AppTests: DaemonSuite {
  let home: ServeProcess.Home
  let loop = EventLoop()

  init() throws { home = try ServeProcess.Home() }

  /// A program that sends silence, and answers nothing.
  private final class App {
    let client: ControlClient
    let session: Int
    let plays: Bool
    let stream: Int
    private let socket: BusDescriptor
    private var next: UInt64 = 0

    init(_ suite: AppTests, _ id: String = "radio") throws {
      let client = try suite.client()
      self.client = client
      let opened = try suite.answer {
        _ = client.call(Session1.open, SessionOpening(id), $0)
      }.get()
      (session, plays) = (opened.number, opened.value.hasPlayed)
      let number = opened.number
      _ = try suite.answer { client.call(Session1.setActive, Numbered(number, true), $0) }.get()
      let format = SoundFormat(rate: 48_000, channels: 2, samples: .s16)
      let sound = try suite.answer {
        _ = client.call(Sound1.openSound, Numbered(number, format), $0)
      }.get()
      stream = sound.stream
      socket = try #require(sound.socket)
    }

    func publish(
      _ suite: AppTests, _ state: MediaPlaybackSnapshot.PlaybackState, cover: String? = nil,
      condition: SessionPublication.Condition = .ready
    ) throws {
      var publication = SessionPublication()
      publication.content = .music(
        MusicContent(
          id: "one", metadata: [MetadataItem(.title, "One")], duration: .finite(.seconds(60)),
          artwork: cover.map { Artwork(id: $0) { _ in .none } }))
      publication.condition = condition
      publication.playback = .streams(state, players: [stream], leader: stream)
      publication.commands = [CommandOffer(.play), CommandOffer(.pause)]
      try suite.done { client.call(Session1.publish, Numbered(session, publication), $0) }
    }

    func pump() {
      while true {
        var packet = [UInt8](repeating: 0, count: 16 + 480 * 4)
        withUnsafeBytes(of: next.littleEndian) { packet.replaceSubrange(8..<16, with: $0) }
        guard send(socket.number, packet, packet.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL)) > 0
        else { return }
        next += 480
      }
    }
  }

  private func state(_ client: ControlClient) throws -> NowPlayingState {
    try answer { client.call(NowPlaying1.state.get, $0) }.get()
  }

  @Test func program_isASource_isPausedAtOnce_andPlaysAgainAfterItWasKilled() throws {
    let daemon = try ServeProcess(home)
    let surface = try client()
    var app: App? = try App(self)
    #expect(app?.plays == false)
    try app?.publish(self, .playing())
    try loop.turn {
      app?.pump()
      let state = try? state(surface)
      return state?.session == "app-radio" && state?.status == .playing
        && state?.content?.lines().title == "One"
        && state?.playback?.position(at: .now(), duration: nil) ?? .zero > .milliseconds(300)
    }
    // The program does not answer. The command is refused in the end, but the sound is paused at once.
    var isAnswered = false
    surface.call(Commands1.send, SentCommand(.media(.pause))) { _ in isAnswered = true }
    try loop.turn { (try? state(surface))?.status == .paused }
    #expect(!isAnswered)
    // The program stops, and starts again by itself: nothing else is to play.
    try app?.publish(self, .paused)
    try app?.publish(self, .playing())
    try loop.turn {
      app?.pump()
      return (try? state(surface))?.status == .playing
    }
    app = nil
    try loop.turn { (try? state(surface))?.status == .buffering }
    let again = try App(self)
    #expect(again.plays)
    try again.publish(self, .playing())
    try loop.turn {
      again.pump()
      return (try? state(surface))?.status == .playing
    }
    #expect(daemon.waits(for: .appLost) != nil)
    #expect(daemon.end() == 0)
  }

  @Test func coverOfAProgram_isTakenThroughAPipe_andGivenToSurfaces() throws {
    let daemon = try ServeProcess(home)
    let surface = try client()
    let app = try App(self)
    try app.publish(self, .paused, cover: "front")
    try loop.turn { (try? state(surface))?.session == "app-radio" }
    #expect(try state(surface).artwork == .artwork(id: "front"))
    func ask() -> () -> ArtworkAnswer? {
      var answer: Result<ArtworkAnswer, ControlError>?
      surface.call(
        NowPlaying1.getArtwork, CoverRequest("one", size: ArtworkSize(width: 100, height: 100))
      ) {
        answer = $0
      }
      return { try? answer?.get() }
    }
    // No surface has asked for a cover yet.
    let early: Result<BusDescriptor, ControlError> = try answer {
      _ = app.client.call(Session1.giveArtwork, Numbered(app.session, GivenArtwork(1, .png)), $0)
    }
    #expect(throws: ControlError.self) { try early.get() }
    let asked = ask()
    // The first request has the ticket 1.
    var pipe: BusDescriptor?
    while pipe == nil {
      let given: Result<BusDescriptor, ControlError> = try answer {
        _ = app.client.call(Session1.giveArtwork, Numbered(app.session, GivenArtwork(1, .png)), $0)
      }
      pipe = try? given.get()
    }
    let bytes = GeneratedPNG.halves(60, 40).bytes
    #expect(write(try #require(pipe?.number), bytes, bytes.count) == bytes.count)
    pipe = nil
    try loop.turn { asked() != nil }
    guard case .image(let picture)? = asked() else {
      Issue.record("no picture")
      return
    }
    #expect(picture.dataType == .png)
    #expect(picture.originalSize == ArtworkSize(width: 60, height: 40))
    #expect(try Data(contentsOf: URL(fileURLWithPath: picture.reference)) == Data(bytes))
    #expect(daemon.end() == 0)
  }

  @Test func programThatCannotPlay_saysWhy_whereverItIsShown() throws {
    let daemon = try ServeProcess(home)
    let surface = try client()
    let app = try App(self)
    func row() -> VolumeState? {
      let all = try? answer { surface.call(Sources1.sources.get, $0) }.get()
      return all?.first { $0.report.identity == "app:radio" }
    }
    try loop.turn { row()?.report.condition == .ready }
    #expect(row()?.kind == .app)
    let reason = SessionPublication.Explanation("No network", remedy: "Switch the hotspot on")
    try app.publish(self, .stopped, condition: .failed(reason))
    try loop.turn { row()?.report.condition == .unreadable }
    #expect(row()?.reason == "No network" && row()?.remedy == "Switch the hotspot on")
    try loop.turn { (try? state(surface))?.obstacle != nil }
    let refusal = Refusal(.sourceFailed, "No network", remedy: "Switch the hotspot on")
    #expect(try state(surface).obstacle == refusal)
    let next = try answer { surface.call(Commands1.send, SentCommand(.media(.next)), $0) }.get()
    #expect(next.answer.refusal == refusal)
    #expect(daemon.end() == 0)
  }

  @Test func chosenProgram_isNowPlaying_inPlaceOfAnother() throws {
    let daemon = try ServeProcess(home)
    let surface = try client()
    let first = try App(self)
    try first.publish(self, .paused)
    try loop.turn { (try? state(surface))?.session == "app-radio" }
    let second = try App(self, "books")
    try second.publish(self, .playing())
    try loop.turn {
      second.pump()
      return (try? state(surface))?.session == "app-books"
    }
    surface.call(Sources1.choose, "app:radio") { _ in }
    try loop.turn { (try? state(surface))?.session == "app-radio" }
    #expect(try code { surface.call(Sources1.choose, "app:none", $0) } != nil)
    #expect(daemon.end() == 0)
  }

  @Test func programThatPlayed_isAwaitedAfterARestartOfTheDaemon_andPlays() throws {
    let first = try ServeProcess(home)
    var app: App? = try App(self)
    try app?.publish(self, .playing())
    let surface = try client()
    try loop.turn {
      app?.pump()
      return (try? state(surface))?.status == .playing
    }
    #expect(first.end() == 0)
    app = nil
    let second = try ServeProcess(home)
    let next = try client()
    let shown = try state(next)
    #expect(shown.session == "app-radio" && shown.status == .buffering)
    #expect(shown.lines.title == "radio")
    let again = try App(self)
    #expect(again.plays)
    try again.publish(self, .playing())
    try loop.turn {
      again.pump()
      return (try? state(next))?.status == .playing
    }
    // A person pauses it, so it is not awaited any more.
    next.call(Commands1.send, SentCommand(.media(.pause))) { _ in }
    try loop.turn { (try? state(next))?.status == .paused }
    #expect(second.end() == 0)
    let third = try ServeProcess(home)
    #expect(try state(try client()).session != "app-radio")
    #expect(third.end() == 0)
  }
}
