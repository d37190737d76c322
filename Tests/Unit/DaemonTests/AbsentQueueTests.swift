import Control
import EventLoop
import Foundation
import LibraryModel
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing
import UnitState

/// The stick of the queue is not there, and other music is. Daemon, library and mounts are real.
@Suite(.serialized, .enabled(if: geteuid() == 0, "needs the right to mount"))
struct AbsentQueueTests: DaemonSuite {
  let home: ServeProcess.Home
  let loop = EventLoop()
  private let sticks: MemorySticks
  private static let red = "vfat AAAA-0001 1000"
  private static let blue = "vfat BBBB-0002 1000"

  init() throws {
    home = try ServeProcess.Home()
    sticks = try MemorySticks(home)
  }

  private func start(_ lines: [String] = [], hasLibrary: Bool = true) throws -> ServeProcess {
    let library =
      hasLibrary
      ? ["library = yes", "library-folder = \(home.folder.path("library"))"] : ["library = no"]
    try home.configure(library + lines)
    return try sticks.start()
  }

  private func send(_ client: ControlClient, _ request: MediaRequest) throws -> Refusal? {
    try answer { client.call(Commands1.send, SentCommand(.media(request)), $0) }.get().answer
      .refusal
  }

  private func elapsed(_ client: ControlClient) throws -> Duration {
    try answer { client.call(NowPlaying1.state.get, $0) }.get().elapsed(at: .now()) ?? .zero
  }

  private func state(_ client: ControlClient) throws -> NowPlayingState {
    try answer { client.call(NowPlaying1.state.get, $0) }.get()
  }

  private func waitForSongs(_ client: ControlClient, on identity: String) throws {
    try loop.turn {
      (try? answer { client.libraryState($0) }.get())?.volumes.contains {
        $0.report.identity == identity && $0.report.songs > 0 && $0.report.condition == .ready
      } ?? false
    }
  }

  private func recent(_ client: ControlClient) throws -> [RecentReport] {
    try answer { client.call(Library1.getRecent, RecentReport.limit, $0) }.get()
  }

  /// The red stick plays at 30 s, and the unit ends. Then the red stick is away.
  private func playRed(bluePlace: Int? = nil) throws {
    try sticks.plug("red", identity: Self.red, seconds: 60)
    if bluePlace != nil { try sticks.plug("blue", identity: Self.blue, seconds: 61) }
    let daemon = try start()
    let client = try client()
    try waitForSongs(client, on: Self.red)
    if let bluePlace {
      try waitForSongs(client, on: Self.blue)
      try done { client.call(Sources1.choose, Self.blue, $0) }
      #expect(daemon.waits(for: .trackStarted, sticks.point("blue")) != nil)
      #expect(try send(client, .seekToPosition(.seconds(bluePlace))) == nil)
      try loop.turn { (try? elapsed(client)).map { $0 > .seconds(bluePlace) } ?? false }
    }
    try done { client.call(Sources1.choose, Self.red, $0) }
    #expect(daemon.waits(for: .trackStarted, sticks.point("red")) != nil)
    #expect(try send(client, .seekToPosition(.seconds(30))) == nil)
    #expect(try SavedUnitState(home).waits { $0.elapsed.milliseconds > 30_500 })
    #expect(daemon.end() == 0)
    try sticks.unplug("red")
    if bluePlace != nil { try sticks.unplug("blue") }
  }

  /// The stick is there at the start, or it comes later.
  @Test(arguments: [MediaRequest.play, .togglePlayPause, .next], [false, true])
  func aCommand_playsTheStickThatIsThere(request: MediaRequest, comesLater: Bool) throws {
    try playRed(bluePlace: 20)
    if !comesLater { try sticks.plug("blue", identity: Self.blue, seconds: 61) }
    let daemon = try start()
    let client = try client()
    if comesLater {
      #expect(daemon.waits(for: .queueRestored) != nil)
      try sticks.plug("blue", identity: Self.blue, seconds: 61)
    }
    try waitForSongs(client, on: Self.blue)
    try loop.turn {
      (try? state(client))?.commands.contains { $0.kind == .next && $0.isEnabled } ?? false
    }
    #expect(try state(client).content?.lines().title == "red")
    #expect(try send(client, request) == nil)
    #expect(daemon.waits(for: .trackStarted, sticks.point("blue")) != nil)
    try loop.turn { (try? elapsed(client)).map { $0 > .seconds(20) } ?? false }
    // The list of the red stick waits at its place.
    let left = try #require(try recent(client).first { $0.song == "red" })
    #expect(left.isAbsent && left.elapsed > .seconds(30))
    try sticks.plug("red2", identity: Self.red, seconds: 60)
    try waitForSongs(client, on: Self.red)
    #expect(try state(client).content?.lines().title == "blue")
    #expect(daemon.end() == 0)
    try sticks.unplug("blue")
    try sticks.unplug("red2")
  }

  @Test func play_withoutAPlace_beginsAFolderOfTheUnit() throws {
    try playRed()
    try home.music("own", seconds: 60)
    let daemon = try start()
    let client = try client()
    try waitForSongs(client, on: "folder \(home.folder.path("music"))")
    #expect(try send(client, .play) == nil)
    #expect(daemon.waits(for: .trackStarted, "own.flac") != nil)
    #expect(daemon.end() == 0)
  }

  @Test func play_withoutTheLibrary_playsTheStickThatIsThere() throws {
    try playRed()
    try sticks.plug("blue", identity: Self.blue, seconds: 61)
    let daemon = try start(hasLibrary: false)
    let client = try client()
    #expect(daemon.waits(for: .queueRestored) != nil)
    #expect(daemon.waits(for: .musicFound, "1 files") != nil)
    #expect(try send(client, .play) == nil)
    #expect(daemon.waits(for: .trackStarted, sticks.point("blue")) != nil)
    #expect(daemon.end() == 0)
    try sticks.unplug("blue")
  }

  @Test func play_withoutAnyMusic_isRefused() throws {
    try playRed()
    let daemon = try start()
    let client = try client()
    #expect(daemon.waits(for: .queueRestored) != nil)
    #expect(try send(client, .play)?.code == .sourceAbsent)
    #expect(daemon.end() == 0)
  }

  @Test func aStart_thatAlwaysPlays_playsTheStickThatIsThere() throws {
    try playRed()
    try sticks.plug("blue", identity: Self.blue, seconds: 61)
    let daemon = try start(["start = play"])
    #expect(daemon.waits(for: .trackStarted, sticks.point("blue")) != nil)
    #expect(daemon.end() == 0)
    try sticks.unplug("blue")
  }

  /// A stick that is there at the start follows `start`. A stick that comes later plays.
  @Test(arguments: [true, false])
  func aStickThatComes_plays(hasLibrary: Bool) throws {
    try playRed()
    let daemon = try start(["stick-comes = play"], hasLibrary: hasLibrary)
    let client = try client()
    #expect(daemon.waits(for: .queueRestored) != nil)
    #expect(try state(client).status == .stopped)
    try sticks.plug("blue", identity: Self.blue, seconds: 61)
    #expect(daemon.waits(for: .trackStarted, sticks.point("blue")) != nil)
    #expect(daemon.end() == 0)
    try sticks.unplug("blue")
  }

  @Test func aStickThatIsThereAtTheStart_followsTheStart() throws {
    try playRed()
    try sticks.plug("blue", identity: Self.blue, seconds: 61)
    let daemon = try start(["stick-comes = play", "start = paused"])
    let client = try client()
    try waitForSongs(client, on: Self.blue)
    // A stick that comes later is considered after the first one.
    try sticks.plug("green", identity: "vfat CCCC-0003 1000", seconds: 62)
    #expect(daemon.waits(for: .trackStarted, sticks.point("green")) != nil)
    #expect(!daemon.logged(.trackStarted, sticks.point("blue")))
    #expect(daemon.end() == 0)
    try sticks.unplug("blue")
    try sticks.unplug("green")
  }

  @Test func aStickThatComes_doesNotPlay_ifAPersonHasStoppedMusicThatIsThere() throws {
    try home.music("own", seconds: 60)
    let daemon = try start(["stick-comes = play"])
    let client = try client()
    let own = "folder \(home.folder.path("music"))"
    try waitForSongs(client, on: own)
    try done { client.call(Sources1.choose, own, $0) }
    #expect(daemon.waits(for: .trackStarted, "own.flac") != nil)
    #expect(try send(client, .stop) == nil)
    try sticks.plug("blue", identity: Self.blue, seconds: 61)
    try waitForSongs(client, on: Self.blue)
    #expect(try state(client).status == .stopped)
    #expect(!daemon.logged(.trackStarted, sticks.point("blue")))
    #expect(daemon.end() == 0)
    try sticks.unplug("blue")
  }
}
