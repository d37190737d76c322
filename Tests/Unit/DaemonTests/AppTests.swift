import Control
import EventLoop
import Foundation
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

    init(_ suite: AppTests) throws {
      let client = try suite.client()
      self.client = client
      let opened = try suite.answer {
        _ = client.call(Session1.open, SessionOpening("radio"), $0)
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

    func publish(_ suite: AppTests, _ state: MediaPlaybackSnapshot.PlaybackState) throws {
      var publication = SessionPublication()
      publication.content = .music(
        MusicContent(
          id: "one", metadata: [MetadataItem(.title, "One")], duration: .finite(.seconds(60))))
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
}
