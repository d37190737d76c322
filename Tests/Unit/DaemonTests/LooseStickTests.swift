import Control
import EventLoop
import Foundation
import LibraryModel
import NowPlaying
import Reports
import SystemClock
import TestKit
import Testing

/// A stick loses contact for a moment: the reads of the open file fail, and the stick is mounted again. Daemon, library
/// and mounts are real.
@Suite(.serialized, .enabled(if: FailingFileSystem.obstacle == nil, "needs the right to mount"))
struct LooseStickTests: DaemonSuite {
  let home: ServeProcess.Home
  let loop = EventLoop()
  private let songs: [(name: String, bytes: [UInt8])]
  private static let identity = "vfat AAAA-0001 1000"
  private static let other = "vfat BBBB-0002 1000"

  init() throws {
    home = try ServeProcess.Home()
    let folder = home.folder
    try FileManager.default.createDirectory(
      atPath: folder.path("sticks"), withIntermediateDirectories: true)
    // The ring has room for some ten seconds of the first song, and for a minute of the others.
    songs = try [(1, 48000, 30), (2, 8000, 400), (3, 8000, 60)].map { number, rate, seconds in
      let name = "\(number).flac"
      try GeneratedMusic(
        channels: 1, rate: rate, frames: rate * seconds, seed: UInt64(number)
      ).flac(folder, name, ["--tag=TITLE=Song \(number)", "--tag=ALBUM=Loose"])
      return (name, try folder.read(name))
    }
  }

  private func point(_ name: String) -> String { home.folder.path("music/\(name)") }

  private func plug(
    _ name: String, identity: String = identity, _ songs: [(name: String, bytes: [UInt8])]? = nil
  ) throws -> FailingFileSystem {
    try home.folder.write("sticks/\(name)", Array("identity \(identity)\n".utf8))
    return try FailingFileSystem(at: point(name), songs ?? self.songs)
  }

  private func unplug(_ stick: FailingFileSystem, _ name: String) throws {
    stick.unmount()
    try FileManager.default.removeItem(atPath: home.folder.path("sticks/\(name)"))
  }

  private func start(hasLibrary: Bool, _ lines: [String] = []) throws -> ServeProcess {
    let library =
      hasLibrary
      ? ["library = yes", "library-folder = \(home.folder.path("library"))"] : ["library = no"]
    try home.configure(library + lines)
    return try ServeProcess(home, environment: ["AUTOHARP_STICKS": home.folder.path("sticks")])
  }

  private func send(_ client: ControlClient, _ request: MediaRequest) throws {
    let sent = try answer { client.call(Commands1.send, SentCommand(.media(request)), $0) }.get()
    #expect(sent.answer == .success)
  }

  private func state(_ client: ControlClient) throws -> (
    status: PlaybackStatus, title: String?, elapsed: Duration
  ) {
    let state = try answer { client.call(NowPlaying1.state.get, $0) }.get()
    return (state.status, state.content?.lines().title, state.elapsed(at: .now()) ?? .zero)
  }

  /// Plays a song at a position. With the library, the queue is a chosen list.
  private func begin(
    _ daemon: ServeProcess, hasLibrary: Bool, song: Int, at position: Duration
  ) throws -> ControlClient {
    let client = try client()
    if hasLibrary {
      try waitForSongs(client, songs.count)
      try done { client.call(Sources1.choose, Self.identity, $0) }
    } else {
      #expect(daemon.waits(for: .musicFound, "\(songs.count) files") != nil)
      try send(client, .play)
    }
    #expect(daemon.waits(for: .trackStarted, "1.flac") != nil)
    for number in 1..<song {
      try send(client, .next)
      #expect(daemon.waits(for: .trackStarted, "\(number + 1).flac") != nil)
    }
    try send(client, .seekToPosition(position))
    try loop.turn {
      let state = try? state(client)
      return state?.status == .playing && state.map { $0.elapsed > position } == true
    }
    return client
  }

  enum Order: CaseIterable {
    case failureThenMount, mountThenFailure, mountAtTheSamePoint, errorsBeforeTheUnmount
  }

  @Test(arguments: Order.allCases, [true, false])
  func aShortLossOfContact_playsOnAtThePlace(order: Order, hasLibrary: Bool) throws {
    let stick = try plug("sda1")
    let daemon = try start(hasLibrary: hasLibrary)
    let client = try begin(daemon, hasLibrary: hasLibrary, song: 2, at: .seconds(200))
    let new = order == .mountAtTheSamePoint ? "sda1" : "sdb1"
    let returned: FailingFileSystem
    switch order {
    case .failureThenMount:
      try unplug(stick, "sda1")
      stick.fail()
      #expect(daemon.waits(for: .musicRemoved, "sda1/2.flac") != nil)
      returned = try plug(new)
    case .mountThenFailure, .mountAtTheSamePoint:
      try unplug(stick, "sda1")
      returned = try plug(new)
      stick.fail()
    case .errorsBeforeTheUnmount:
      stick.fail()
      #expect(daemon.waits(for: .trackFailed, "2.flac") != nil)
      try unplug(stick, "sda1")
      returned = try plug(new)
    }
    #expect(daemon.waits(for: .musicReturned, "\(new)/2.flac") != nil, "\(daemon.log)")
    try loop.turn { (try? state(client))?.status == .playing }
    let now = try state(client)
    #expect(now.title == "Song 2" && now.elapsed > .seconds(200))
    #expect(now.elapsed < .seconds(260))
    #expect(daemon.end() == 0)
    returned.unmount()
  }

  @Test func severalLosses_keepThePlace() throws {
    var (stick, name) = (try plug("sda1"), "sda1")
    let daemon = try start(hasLibrary: false)
    let client = try begin(daemon, hasLibrary: false, song: 2, at: .seconds(200))
    for new in ["sdb1", "sdc1", "sdd1"] {
      try unplug(stick, name)
      let next = try plug(new)
      stick.fail()
      (stick, name) = (next, new)
      #expect(daemon.waits(for: .musicReturned, "\(new)/2.flac") != nil)
    }
    try loop.turn { (try? state(client))?.status == .playing }
    #expect(try state(client).title == "Song 2" && state(client).elapsed > .seconds(200))
    #expect(daemon.end() == 0)
    stick.unmount()
  }

  /// The song is decoded to its end, so only the next song cannot be opened.
  @Test(arguments: [true, false])
  func aLossAfterTheSongWasDecoded_playsTheNextSong(hasLibrary: Bool) throws {
    let stick = try plug("sda1")
    let daemon = try start(hasLibrary: hasLibrary)
    let client = try begin(daemon, hasLibrary: hasLibrary, song: 1, at: .seconds(22))
    try unplug(stick, "sda1")
    stick.fail()
    let returned = try plug("sdb1")
    // A part of the next song was decoded before the loss.
    #expect(daemon.waits(for: .trackStarted, "sdb1/2.flac") != nil)
    try loop.turn {
      let state = try? state(client)
      return state?.status == .playing && state?.title == "Song 2"
        && state.map { $0.elapsed > .zero } == true
    }
    #expect(daemon.end() == 0)
    returned.unmount()
  }

  /// The song plays to its end from memory, and the next song is not even requested while the stick is away.
  @Test(arguments: [true, false])
  func aLossUntilTheEndOfTheSong_playsTheNextSong_whenTheStickReturns(hasLibrary: Bool) throws {
    let stick = try plug("sda1")
    let daemon = try start(hasLibrary: hasLibrary)
    let client = try begin(daemon, hasLibrary: hasLibrary, song: 1, at: .seconds(8))
    try unplug(stick, "sda1")
    try loop.turn { (try? state(client))?.status == .stopped }
    #expect(daemon.waits(for: .musicRemoved, "2.flac") != nil)
    let returned = try plug("sdb1")
    try loop.turn {
      let state = try? state(client)
      return state?.status == .playing && state?.title == "Song 2"
    }
    #expect(daemon.end() == 0)
    returned.unmount()
  }

  @Test(arguments: [true, false])
  func pausedMusic_isPausedAtThePlace_afterALoss(hasLibrary: Bool) throws {
    let stick = try plug("sda1")
    let daemon = try start(hasLibrary: hasLibrary)
    let client = try begin(daemon, hasLibrary: hasLibrary, song: 2, at: .seconds(200))
    try send(client, .pause)
    let place = try state(client).elapsed
    try unplug(stick, "sda1")
    stick.fail()
    let returned = try plug("sdb1")
    #expect(daemon.waits(for: .musicReturned, "sdb1/2.flac") != nil)
    try loop.turn { (try? state(client))?.status == .paused }
    let paused = try state(client).elapsed
    // The pause can come before a frame behind the target of the seek is heard.
    #expect(paused >= .seconds(200) && paused < place + .seconds(5))
    try send(client, .play)
    try loop.turn { (try? state(client))?.status == .playing }
    #expect(try state(client).elapsed >= .seconds(200))
    #expect(daemon.end() == 0)
    returned.unmount()
  }

  @Test(arguments: [MediaRequest.stop, .pause], [true, false])
  func musicThatAPersonHasStopped_staysStopped_andKnowsThePlace(
    request: MediaRequest, hasLibrary: Bool
  ) throws {
    let stick = try plug("sda1")
    let daemon = try start(hasLibrary: hasLibrary, ["stick-comes = play"])
    let client = try begin(daemon, hasLibrary: hasLibrary, song: 2, at: .seconds(200))
    try unplug(stick, "sda1")
    stick.fail()
    #expect(daemon.waits(for: .musicRemoved, "sda1/2.flac") != nil)
    try loop.turn { (try? state(client))?.status == .stopped }
    try send(client, request)
    let returned = try plug("sdb1")
    #expect(daemon.waits(for: .musicReturned, "sdb1/2.flac") != nil)
    #expect(try state(client).status != .playing)
    try send(client, .play)
    try loop.turn { (try? state(client))?.status == .playing }
    #expect(try state(client).title == "Song 2")
    #expect(try state(client).elapsed > .seconds(200))
    #expect(daemon.end() == 0)
    returned.unmount()
  }

  @Test func theLossOfAnotherStick_changesNothing() throws {
    let stick = try plug("sda1")
    let second = try plug("sdb1", identity: Self.other)
    let daemon = try start(hasLibrary: false)
    _ = try client()
    #expect(daemon.waits(for: .musicFound, "6 files") != nil)
    let client = try client()
    try send(client, .play)
    #expect(daemon.waits(for: .trackStarted, "sda1/1.flac") != nil)
    try unplug(second, "sdb1")
    second.fail()
    #expect(daemon.waits(for: .musicFound, "3 files") != nil)
    #expect(try state(client).status == .playing)
    #expect(!daemon.logged(.musicRemoved))
    #expect(daemon.end() == 0)
    stick.unmount()
  }

  /// The folder of the removed stick now has another stick.
  @Test func anotherStickInTheSameFolder_isNotTaken() throws {
    let stick = try plug("sda1")
    let daemon = try start(hasLibrary: false)
    let client = try begin(daemon, hasLibrary: false, song: 2, at: .seconds(200))
    try unplug(stick, "sda1")
    let second = try plug("sda1", identity: Self.other)
    stick.fail()
    #expect(daemon.waits(for: .musicRemoved, "sda1/2.flac") != nil)
    let returned = try plug("sdb1")
    #expect(daemon.waits(for: .musicReturned, "sdb1/2.flac") != nil)
    try loop.turn { (try? state(client))?.status == .playing }
    #expect(try state(client).elapsed > .seconds(200))
    #expect(daemon.end() == 0)
    second.unmount()
    returned.unmount()
  }
}
