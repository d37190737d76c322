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
@testable import Settings
@testable import UnitState

/// The commands of users to the queue, and the list whose songs are added after the end of the queue. The playlists are
/// real files, and the library is off.
@Suite struct QueueCommandsTests {
  private final class Bench: QueueBench {
    /// - Parameter lines: the lines of `unit.conf`.
    init(_ lines: String...) throws {
      try super.init(lines)
      try FileManager.default.createDirectory(
        atPath: context.folder.path("data/playlists"), withIntermediateDirectories: true)
    }

    /// Writes songs and a playlist of them.
    func write(_ name: String, _ songs: String...) throws {
      for song in songs {
        try GeneratedMusic(channels: 1, rate: 8000, frames: 80_000).flac(
          context.folder, "music/\(song).flac")
      }
      let entries = songs.map { song in
        OwnPlaylist.Entry(
          SongReference(
            volume: "folder \(context.folder.path("music"))", path: FileName.bytes("\(song).flac")))
      }
      try context.folder.write(
        "data/playlists/\(name).m3u8", OwnPlaylist(entries).encoded())
    }

    var player: LocalPlayer { unit.player }
    var titles: [String] { entries.map(\.title) }

    /// Plays a playlist. Returns the code of the refusal; nil if the playlist plays.
    func play(_ name: String, _ mode: PlayMode = .now) throws -> Refusal.Code? {
      var answer: Refusal??
      parts.play(try list(name), mode) { answer = .some($0) }
      try context.loop.turn { answer != nil }
      return answer??.code
    }

    func list(_ name: String) throws -> TrackList {
      .node(.own(try #require(PlaylistName(name)).identity))
    }
  }

  @Test func play_replacesTheQueue_orAddsToIt() throws {
    let bench = try Bench()
    try bench.write("One", "a", "b")
    try bench.write("Two", "c")
    #expect(try bench.play("One") == nil)
    #expect(bench.titles == ["a", "b"] && bench.player.context?.title == "One")
    #expect(try bench.play("Two", .next) == nil)
    #expect(bench.titles == ["a", "c", "b"] && bench.player.context?.title == "One")
    #expect(try bench.play("Two") == nil)
    #expect(bench.titles == ["c"] && bench.player.context?.title == "Two")
  }

  @Test func ofTwoRequests_onlyTheLatestOneReplacesTheQueue() throws {
    let bench = try Bench()
    try bench.write("One", "a")
    try bench.write("Two", "b")
    var codes: [Refusal.Code?] = []
    for name in ["One", "Two"] {
      bench.parts.play(try bench.list(name), .now) { codes.append($0?.code) }
    }
    try bench.context.loop.turn { codes.count == 2 }
    #expect(codes == [.superseded, nil] && bench.titles == ["b"])
  }

  @Test func list_whoseSongsAreOnAStickThatIsAway_isRefused() throws {
    let bench = try Bench()
    let lines = ["#AUTOHARP-LIST:1", "#AUTOHARP:vfat 1 2,0,1", "gone.flac", "#AUTOHARP-END:1"]
    try bench.context.folder.write(
      "data/playlists/Away.m3u8", Array(lines.map { $0 + "\n" }.joined().utf8))
    #expect(try bench.play("Away") == .sourceAbsent)
    #expect(bench.titles.isEmpty)
  }

  @Test func list_thatWasLeft_isResumedWhereItWas() throws {
    let bench = try Bench()
    try bench.write("One", "a", "b")
    try bench.write("Two", "c")
    #expect(try bench.play("One") == nil)
    _ = bench.player.next()
    try bench.context.loop.turn {
      _ = bench.unit.turn()
      return bench.player.state.file?.shownTitle == "b" && bench.player.playingID > 0
    }
    #expect(try bench.play("Two") == nil)
    #expect(bench.parts.commands.recent.map(\.title) == ["One"])
    #expect(bench.parts.commands.recent.map(\.song) == ["b"])
    #expect(try bench.play("One", .resume) == nil)
    #expect(bench.player.queue.current?.item.shownTitle == "b")
    #expect(bench.parts.commands.recent.map(\.title) == ["Two"])
  }

  @Test func source_withoutALibrary_isRefused() throws {
    var answer: Refusal??
    let bench = try Bench()
    bench.parts.send(.playSource("vfat 1")) { answer = .some($0.refusal) }
    #expect(answer??.code == .noLibrary)
  }

  @Test func listThatFollows_joins_whenTheLastSongPlays() throws {
    let bench = try Bench()
    try bench.write("One", "a")
    try bench.write("Two", "b")
    #expect(try bench.play("One") == nil)
    try bench.context.loop.turn {
      _ = bench.unit.turn()
      bench.parts.following.update()
      return bench.player.count == 2
    }
    #expect(bench.titles == ["a", "b"])
  }

  /// The setting `queue-end` can change while the unit runs.
  @Test func listThatFollows_doesNotJoin_ifTheSettingSaysStop() throws {
    let bench = try Bench("queue-end = stop")
    try bench.write("One", "a")
    try bench.write("Two", "b")
    #expect(try bench.play("One") == nil)
    try bench.context.loop.turn {
      _ = bench.unit.turn()
      return bench.player.isAtEnd && !bench.player.state.isStopped
    }
    bench.parts.following.update()
    try bench.lists.playlists.load(bench.context.loop)
    #expect(bench.player.count == 1)
    bench.parts.following.use(try PartContext(["queue-end = next"]).settings)
    bench.parts.following.update()
    try bench.context.loop.turn { bench.player.count == 2 }
  }
}
