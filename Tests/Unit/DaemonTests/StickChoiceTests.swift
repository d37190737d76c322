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

/// Users choose a stick, and the unit offers a new stick. Daemon, library and mounts are real.
@Suite(
  .serialized, .enabled(if: geteuid() == 0, "needs the right to mount"))
struct StickChoiceTests: DaemonSuite {
  let home: ServeProcess.Home
  let loop = EventLoop()
  private let sticks: MemorySticks
  private static let red = "vfat AAAA-0001 1000"
  private static let blue = "vfat BBBB-0002 1000"

  init() throws {
    home = try ServeProcess.Home()
    sticks = try MemorySticks(home)
    try configure([])
  }

  private func configure(_ lines: [String]) throws {
    try home.configure(
      ["library = yes", "library-folder = \(home.folder.path("library"))"] + lines)
  }

  private func elapsed(_ client: ControlClient) throws -> Duration {
    try answer { client.call(NowPlaying1.state.get, $0) }.get().elapsed(at: .now()) ?? .zero
  }

  private func queue(_ client: ControlClient) throws -> QueueReport {
    try answer { client.call(Library1.getQueue, QueuePart(first: 0, limit: 10), $0) }.get()
  }

  // The sticks have songs with different sounds. Otherwise the song of one stick would count as a copy of the song of
  // the other stick.
  @Test func aStickThatWasSwappedWhileTheUnitWasOff_playsWhereItWasLeft() throws {
    try sticks.plug("red", identity: Self.red, seconds: 60)
    try sticks.plug("blue", identity: Self.blue, seconds: 61)
    var daemon = try sticks.start()
    var client = try client()
    try waitForSongs(client, 2)
    try done { client.call(Sources1.choose, Self.red, $0) }
    #expect(daemon.waits(for: .trackStarted, sticks.point("red")) != nil)
    #expect(try queue(client).count == 1)
    _ = try answer {
      client.call(Commands1.send, SentCommand(.media(.seekToPosition(.seconds(30)))), $0)
    }.get()
    #expect(try SavedUnitState(home).waits { $0.elapsed.milliseconds > 30_500 })
    #expect(daemon.end() == 0)
    try sticks.unplug("red")

    daemon = try sticks.start()
    #expect(daemon.waits(for: .queueRestored) != nil)
    client = try self.client()
    try loop.turn {
      (try? answer { client.libraryState($0) }.get())?.volumes.contains {
        $0.report.identity == Self.blue && $0.report.songs == 1
      } ?? false
    }
    try done { client.call(Sources1.choose, Self.blue, $0) }
    #expect(daemon.waits(for: .trackStarted, sticks.point("blue")) != nil)
    let recent = try answer { client.call(Library1.getRecent, RecentReport.limit, $0) }.get()
    #expect(recent.map(\.song) == ["red"] && recent.first?.isAbsent == true)
    #expect(recent.first.map { $0.elapsed > .seconds(30) } == true)
    try sticks.plug("red2", identity: Self.red, seconds: 60)
    try loop.turn {
      (try? answer { client.libraryState($0) }.get())?.volumes.contains {
        $0.report.identity == Self.red && $0.path == sticks.point("red2")
          && $0.report.condition == .ready
      } ?? false
    }
    try done { client.call(Sources1.choose, Self.red, $0) }
    #expect(daemon.waits(for: .trackStarted, sticks.point("red2")) != nil)
    try loop.turn { (try? elapsed(client)).map { $0 > .zero } ?? false }
    #expect(try elapsed(client) > .seconds(30))
    #expect(daemon.end() == 0)
    try sticks.unplug("blue")
    try sticks.unplug("red2")
  }

  @Test func aStickThatWaitsForItsScan_playsAlone() throws {
    let daemon = try sticks.start()
    let client = try client()
    try loop.turn {
      (try? answer { client.libraryState($0) }.get())?.condition == .ready
    }
    try sticks.plug("blue", identity: Self.blue, seconds: 60)
    // The library first reads the stick that was plugged in last, so the blue stick waits until the 1501 files of the
    // red stick are read.
    try sticks.plug("red", identity: Self.red, seconds: 60, copies: 1500)
    try loop.turn {
      let choice = try? answer { client.call(Sources1.choose, Self.blue, $0) }
      if case .success? = choice { return true } else { return false }
    }
    #expect(daemon.waits(for: .trackStarted, sticks.point("blue")) != nil)
    let report = try queue(client)
    #expect(report.count == 1 && report.list.hasPrefix("folder:") && report.list != "folder:0")
    #expect(daemon.end() == 0)
    try sticks.unplug("blue")
    try sticks.unplug("red")
  }

  @Test func aStickThatIsPulledOutWhileItPlays_changesNothingInTheQueue() throws {
    try sticks.plug("aa", identity: Self.red, seconds: 60, copies: 1)
    try sticks.plug("bb", identity: Self.blue, seconds: 61)
    let daemon = try sticks.start()
    let client = try client()
    try waitForSongs(client, 3)
    let albums = try answer { client.call(Library1.getRows, RowsRequest(.albums), $0) }.get().batch
      .rows
    let album = try #require(albums.first { $0.title == "aa" })
    let row = RowReference(kind: .album, id: album.id)
    try done { client.call(Library1.play, PlayRequest(.node(.albums), row: row, .now), $0) }
    #expect(daemon.waits(for: .trackStarted, sticks.point("aa")) != nil)
    let before = try queue(client)
    try sticks.unplug("aa")
    try loop.turn {
      (try? answer { client.libraryState($0) }.get())?.volumes.contains {
        $0.report.identity == Self.red && $0.report.condition == .absent
      } ?? false
    }
    let after = try queue(client)
    #expect(after.entries.map(\.id) == before.entries.map(\.id))
    #expect(after.absent == 2)
    #expect(after.list == before.list)
    #expect(daemon.end() == 0)
    try sticks.unplug("bb")
  }

  @Test func aNewStick_isOffered() throws {
    let daemon = try sticks.start()
    let client = try client()
    var notices: [UnitNotice] = []
    client.onNotice = { notices.append($0) }
    client.follow(notices: true)
    try sticks.plug("blue", identity: Self.blue, seconds: 60)
    try loop.turn { notices.contains { $0.kind == .stickReady } }
    #expect(notices.contains(UnitNotice(.stickReady, about: "blue")))
    #expect(try answer { client.call(NowPlaying1.state.get, $0) }.get().status == .stopped)
    // The user accepts the offer with *play*.
    let answer = try answer { client.call(Commands1.send, SentCommand(.media(.play)), $0) }.get()
    #expect(answer.answer == .success)
    #expect(daemon.waits(for: .trackStarted, sticks.point("blue")) != nil)
    #expect(daemon.end() == 0)
    try sticks.unplug("blue")
  }

  /// The library can be late or off. The unit then searches the folders itself.
  @Test(arguments: [true, false])
  func aNewStick_plays_ifTheConfigurationSaysSo(hasLibrary: Bool) throws {
    try configure(["stick-comes = play"] + (hasLibrary ? [] : ["library = no"]))
    let daemon = try sticks.start()
    _ = try client()
    try sticks.plug("blue", identity: Self.blue, seconds: 60)
    #expect(daemon.waits(for: .trackStarted, sticks.point("blue")) != nil)
    #expect(daemon.end() == 0)
    try sticks.unplug("blue")
  }
}
