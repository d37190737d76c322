import AudioCodecs
import EventLoop
import Files
import Foundation
import HeadUnit
import LibraryModel
import LocalPlayer
import MusicFiles
import NowPlaying
import Reports
import TestKit
import Testing

@testable import Daemon
@testable import UnitState

/// The search of the music folders, and the resumption of a track, without the daemon and without the library.
@Suite struct MusicFoldersTests {
  private let bench: PartsBench
  private var context: PartContext { bench.context }
  private var music: MusicFolders { bench.parts.music }
  private var player: LocalPlayer { bench.unit.player }

  init() throws { bench = try PartsBench() }

  private func write(_ names: String..., seconds: Int = 60) throws {
    for name in names {
      try GeneratedMusic(channels: 1, rate: 8000, frames: 8000 * seconds).flac(
        context.folder, "music/\(name).flac")
    }
  }

  private func path(_ name: String) -> String { context.folder.path("music/\(name).flac") }

  private func location(_ name: String) throws -> FileLocation {
    try #require(
      FileLocation(
        path: FileName.bytes(path(name)), folderBytes: context.folder.path("music").utf8.count))
  }

  /// Creates the `MusicFolders` of another run with the same music. The previous run ended in the song `name`.
  private func start(_ plan: StartPlan, at name: String) throws -> (MusicFolders, Resumption) {
    try start(plan, in: try location(name))
  }

  private func start(
    _ plan: StartPlan, in file: FileLocation?
  ) throws -> (MusicFolders, Resumption) {
    var state = UnitState()
    state.file = file
    state.elapsed = SongTime(nearestSeconds: 12)
    let resumption = Resumption(plan, state)
    let music = MusicFolders(
      bench.unit, bench.queue.queue, resumption, context.settings, bench.parts.lists.library,
      MountedVolumes(), context.outbox, context.turns, log: context.log)
    try music.listen(context.loop)
    music.start()
    return (music, resumption)
  }

  private let unreadable = DecodeError(
    .endTrack, at: .byte(0), "I/O error", kind: .unreadable)

  @Test func files_areTheQueue_untilAPersonChoosesAnotherOne() throws {
    try write("a", "b")
    try music.listen(context.loop)
    #expect(try context.isTurnRequested { music.start() } == false)
    try context.loop.turn { player.count == 2 }
    #expect(context.logged(.musicFound) == 1 && music.playableCount == 2)
    player.insert([try #require(player.queue.current?.item)], .last)
    try write("c")
    music.find()
    try context.loop.turn { context.logged(.musicFound) == 2 }
    #expect(player.count == 3)
  }

  @Test func trackOfTheLastRun_isPausedOrPlays_asTheStartPlanSays() throws {
    try write("a", "b")
    for plays in [false, true] {
      let (music, resumption) = try start(.music(plays: plays), at: "b")
      defer { music.shutDown() }
      try context.loop.turn { !music.isSearching }
      #expect(player.queue.current?.item.path == path("b"))
      #expect(music.takePlayRequest() == plays && !music.takePlayRequest())
      #expect(resumption.lastRun == nil && !resumption.keepsSavedPosition)
      #expect(context.logged(plays ? .musicResumed : .musicHeld) == 1)
    }
  }

  @Test func trackThatIsNotThere_isWaitedFor_andFoundWhenItsMediumComes() throws {
    try write("a")
    let (music, resumption) = try start(.music(plays: true), at: "b")
    defer { music.shutDown() }
    try context.loop.turn { !music.isSearching }
    #expect(player.count == 1 && !music.takePlayRequest() && music.awaitedPath == path("b"))
    #expect(resumption.keepsSavedPosition)
    try write("b")
    music.find()
    try context.loop.turn { !resumption.keepsSavedPosition }
    #expect(player.queue.current?.item.path == path("b") && music.takePlayRequest())
  }

  /// The user can leave a list before its stick is back. The list must then keep its position.
  @Test func positionOfTheLastRun_isKnown_whileItsStickIsAway() throws {
    let (music, resumption) = try start(
      .music(plays: true),
      in: FileLocation(
        path: FileName.bytes("/media/1/a.flac"), folderBytes: 0, stick: ("vfat 1", 8)))
    defer { music.shutDown() }
    music.tellProgress()
    #expect(resumption.awaitedPosition == nil, "the search may find it")
    try context.loop.turn { !music.isSearching }
    music.tellProgress()
    let awaited = try #require(resumption.awaitedPosition)
    #expect(awaited.song == .init(volume: "vfat 1", path: FileName.bytes("a.flac")))
    #expect(awaited.elapsed.seconds == 12)
  }

  /// A user who presses *play* must not have to wait for the stick of the last run.
  @Test func playWhileMusicIsSought_playsWhatIsFound() throws {
    try write("a")
    let (music, resumption) = try start(.music(plays: false), at: "b")
    defer { music.shutDown() }
    music.tellProgress()
    #expect(resumption.note(.play, isOfPerson: true))
    try context.loop.turn { !music.isSearching }
    #expect(music.takePlayRequest() && player.count == 1)
    music.tellProgress()
    #expect(!resumption.note(.play, isOfPerson: true))
  }

  @Test(arguments: [false, true])
  func trackThatIsGone_isOneNotice_andReturnsAsItWas(plays: Bool) throws {
    try write("a")
    let (music, resumption) = try start(.music(plays: plays), at: "a")
    defer { music.shutDown() }
    try context.loop.turn { !music.isSearching }
    #expect(music.takePlayRequest() == plays)
    let file = try #require(player.queue.current?.item)
    try FileManager.default.moveItem(atPath: path("a"), toPath: context.folder.path("away"))
    for _ in 1...2 { music.handle(.failed(file, unreadable, isGone: true)) }
    #expect(context.takeNotices() == [UnitNotice(.mediumGone)])
    #expect(resumption.lost?.path == path("a") && music.lostPath == path("a"))
    try context.loop.turn { !music.isSearching }
    #expect(context.logged(.musicRemoved) == 1 && !music.takePlayRequest())
    try FileManager.default.moveItem(atPath: context.folder.path("away"), toPath: path("a"))
    music.find()
    try context.loop.turn { resumption.lost == nil }
    #expect(context.logged(.musicReturned) == 1 && music.takePlayRequest() == plays)
  }

  /// Without an identity, a stick in another device looks like another stick with a file at the same place.
  @Test func trackThatReturnsOutsideOfTheChosenQueue_playsNothing() throws {
    try write("a")
    let (music, resumption) = try start(.music(plays: true), at: "a")
    defer { music.shutDown() }
    try context.loop.turn { !music.isSearching }
    let file = try #require(player.queue.current?.item)
    player.insert([file], .last)
    #expect(music.takePlayRequest() && player.hasChosenQueue)
    music.handle(.failed(file, unreadable, isGone: true))
    music.restore(try #require(resumption.lost), in: "/media/other/a.flac")
    #expect(!music.takePlayRequest() && resumption.lost?.path == path("a"))
    #expect(context.logged(.musicReturned) == 0)
  }

  @Test func damagedFile_isListedOnce_andNotWaitedFor() throws {
    try write("a")
    let (music, resumption) = try start(.music(plays: false), at: "a")
    defer { music.shutDown() }
    try context.loop.turn { !music.isSearching }
    let file = try #require(player.queue.current?.item)
    for _ in 1...2 {
      music.handle(.failed(file, DecodeError(.refuseFile, at: .byte(0), "no frame"), isGone: false))
    }
    #expect(context.takeNotices().map(\.kind) == [.cannotPlay, .cannotPlay])
    #expect(music.broken.count == 1 && resumption.lost == nil && resumption.suspect == nil)
    music.handle(.failed(file, unreadable, isGone: false))
    #expect(resumption.suspect?.path == path("a"))
  }
}
