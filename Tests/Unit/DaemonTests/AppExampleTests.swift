import Control
import EventLoop
import Foundation
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// The examples of docs/sources.md, with a daemon.
@Suite struct AppExampleTests: DaemonSuite {
  let home: ServeProcess.Home
  let loop = EventLoop()

  init() throws { home = try ServeProcess.Home() }

  private func start(_ program: URL, _ arguments: [String] = []) throws -> ChildProcess {
    let process = ChildProcess()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging([
      "AUTOHARP_SOCKET": home.socket
    ]) { $1 }
    process.standardInput = FileHandle.nullDevice
    try process.run()
    return process
  }

  private func state(_ client: ControlClient) throws -> NowPlayingState {
    try answer { client.call(NowPlaying1.state.get, $0) }.get()
  }

  /// Commands an example, and waits until the state of the unit shows what the example does.
  private func command(_ surface: ControlClient, name: String) throws {
    func waitUntil(_ condition: (NowPlayingState) -> Bool) throws {
      // The surface can still have the connection to a daemon that has ended.
      try loop.turn { (try? state(surface)).map(condition) ?? false }
    }
    func send(_ request: MediaRequest) throws {
      let answer = try answer { surface.call(Commands1.send, SentCommand(.media(request)), $0) }
      #expect(try answer.get().answer == .success, "\(request)")
    }
    try waitUntil { $0.session == SessionID("app-\(name)") && $0.content != nil }
    let first = try #require(try state(surface).content?.lines().title)
    try send(.play)
    func position(_ state: NowPlayingState) -> Duration {
      state.playback?.position(at: .now(), duration: nil) ?? .zero
    }
    try waitUntil { $0.status == .playing && position($0) > .milliseconds(500) }
    try send(.next)
    try waitUntil { $0.content?.lines().title != first && $0.status == .playing }
    try send(.pause)
    try waitUntil { $0.status == .paused }
    try send(.previous)
    try waitUntil { $0.content?.lines().title == first && $0.status == .paused }
  }

  @Test func exampleInSwift_isASource_andSurvivesARestartOfTheDaemon() throws {
    var daemon = try ServeProcess(home)
    let surface = try client()
    let program = ServeProcess.program.deletingLastPathComponent()
      .appendingPathComponent("ToneGenerator")
    let tones = try start(program)
    try command(surface, name: "tone")
    #expect(daemon.end() == 0)
    daemon = try ServeProcess(home)
    try loop.turn { surface.state == .connected }
    try command(surface, name: "tone")
    kill(tones.processIdentifier, SIGTERM)
    tones.waitUntilExit()
    #expect(tones.terminationStatus == 0)
    #expect(daemon.waits(for: .appClosed) != nil)
    #expect(daemon.end() == 0)
  }

  private static let hasJeepney =
    (try? Tools.run("python3", ["-c", "import jeepney"])) != nil

  @Test(.enabled(if: hasJeepney, "needs Python's jeepney"))
  func exampleInPython_isASource() throws {
    let daemon = try ServeProcess(home)
    let surface = try client()
    let tones = try start(
      URL(fileURLWithPath: "/usr/bin/env"),
      ["python3", ProjectFile.url("docs/examples/tone.py").path])
    try command(surface, name: "pytone")
    #expect(daemon.end() == 0)
    // The connection has ended, so the program ends too.
    tones.waitUntilExit()
  }
}
