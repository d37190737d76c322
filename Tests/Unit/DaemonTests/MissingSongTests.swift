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

/// Songs of a present volume whose files were deleted. Daemon, library and storage are real.
@Suite struct MissingSongTests: DaemonSuite {
  let home: ServeProcess.Home
  let loop = EventLoop()

  init() throws {
    home = try ServeProcess.Home()
    try configure([])
    try FileManager.default.createDirectory(
      atPath: home.folder.path("music/album"), withIntermediateDirectories: true)
    for number in 1...5 {
      try GeneratedMusic(channels: 1, rate: 8000, frames: 8000 * (60 + number)).flac(
        home.folder, "music/album/\(number).flac", ["--tag=TITLE=\(number)"])
    }
    try home.music("other", seconds: 70)
  }

  private func configure(_ lines: [String]) throws {
    try home.configure(
      ["library = yes", "library-folder = \(home.folder.path("library"))"] + lines)
  }

  private func delete(_ numbers: Int...) throws {
    for number in numbers {
      try FileManager.default.removeItem(atPath: home.folder.path("music/album/\(number).flac"))
    }
  }

  private func send(_ client: ControlClient, _ request: MediaRequest) throws -> Refusal? {
    try answer { client.call(Commands1.send, SentCommand(.media(request)), $0) }.get().answer
      .refusal
  }

  private func state(_ client: ControlClient) throws -> NowPlayingState {
    try answer { client.call(NowPlaying1.state.get, $0) }.get()
  }

  private func waits(
    _ client: ControlClient, for title: String, _ status: PlaybackStatus = .playing
  ) throws {
    try loop.turn {
      let state = try? state(client)
      return state?.status == status && state?.content?.lines().title == title
    }
  }

  /// Plays the album, beginning with a song.
  private func play(_ client: ControlClient, song: Int) throws {
    let albums = try answer { client.call(Library1.getRows, RowsRequest(.albums), $0) }.get()
      .batch.rows
    let album = try #require(albums.first { $0.title == "album" }?.node)
    let rows = try answer { client.call(Library1.getRows, RowsRequest(album), $0) }.get().batch.rows
    let row = RowReference(kind: .song, id: rows[song - 1].id)
    try done { client.call(Library1.play, PlayRequest(.node(album), row: row, .now), $0) }
    try waits(client, for: "\(song)")
  }

  @Test func next_passesOverDeletedSongs() throws {
    let daemon = try ServeProcess(home)
    let client = try client()
    try waitForSongs(client, 6)
    try play(client, song: 1)
    try delete(2, 3)
    try waitForSongs(client, 4)
    #expect(try send(client, .next) == nil)
    try waits(client, for: "4")
    #expect(!daemon.logged(.musicRemoved))
    #expect(daemon.end() == 0)
  }

  @Test func previous_passesOverDeletedSongs_backwards() throws {
    let daemon = try ServeProcess(home)
    let client = try client()
    try waitForSongs(client, 6)
    try play(client, song: 4)
    try delete(2, 3)
    #expect(try send(client, .previous) == nil)
    try waits(client, for: "1")
    #expect(try send(client, .pause) == nil)
    // During a pause the next present song is shown, too.
    #expect(try send(client, .next) == nil)
    try waits(client, for: "4", .paused)
    #expect(daemon.end() == 0)
  }

  @Test func previous_withoutAnEarlierSong_playsTheSongAgain() throws {
    let daemon = try ServeProcess(home)
    let client = try client()
    try waitForSongs(client, 6)
    try play(client, song: 3)
    try delete(1, 2)
    #expect(try send(client, .previous) == nil)
    #expect(daemon.waits(for: .trackFailed, "1.flac") != nil)
    try waits(client, for: "3")
    #expect(daemon.end() == 0)
  }

  @Test func aJump_passesOverDeletedSongs() throws {
    let daemon = try ServeProcess(home)
    let client = try client()
    try waitForSongs(client, 6)
    try play(client, song: 1)
    try delete(2, 3)
    let entry = try answer { client.call(Library1.getQueue, QueuePart(first: 0, limit: 9), $0) }
      .get().entries[1]
    #expect(try send(client, .playQueueItem("queue:\(entry.id)")) == nil)
    try waits(client, for: "4")
    #expect(daemon.end() == 0)
  }

  @Test func theEndOfASong_passesOverDeletedSongs() throws {
    let daemon = try ServeProcess(home)
    let client = try client()
    try waitForSongs(client, 6)
    try play(client, song: 1)
    try delete(2, 3)
    #expect(try send(client, .seekToPosition(.seconds(59))) == nil)
    try waits(client, for: "4")
    #expect(daemon.end() == 0)
  }

  /// The song before ends, or a person presses *next*.
  @Test(arguments: [MediaRequest.seekToPosition(.seconds(60)), .next])
  func aDeletedLastSong_isPassedOver_andTheNextListFollows(request: MediaRequest) throws {
    let daemon = try ServeProcess(home)
    let client = try client()
    try waitForSongs(client, 6)
    try play(client, song: 4)
    try delete(5)
    #expect(try send(client, request) == nil)
    try waits(client, for: "other")
    #expect(daemon.end() == 0)
  }

  @Test(arguments: ["resume", "play", "paused"])
  func aStart_passesOverTheDeletedSong(start: String) throws {
    var daemon = try ServeProcess(home)
    var client = try client()
    try waitForSongs(client, 6)
    try play(client, song: 2)
    #expect(try SavedUnitState(home).waits { $0.elapsed.milliseconds > 500 && $0.wasPlaying })
    #expect(daemon.end() == 0)
    try delete(2, 3)
    try configure(["start = \(start)"])
    daemon = try ServeProcess(home)
    client = try self.client()
    if start == "paused" {
      #expect(daemon.waits(for: .queueRestored) != nil)
      try waitForSongs(client, 4)
      #expect(try send(client, .play) == nil)
    }
    try waits(client, for: "4")
    #expect(daemon.end() == 0)
  }

  @Test func aQueueOfDeletedSongs_isANotice_andPlayThenPlaysOtherMusic() throws {
    let daemon = try ServeProcess(home)
    let client = try client()
    try waitForSongs(client, 6)
    try play(client, song: 2)
    #expect(try send(client, .stop) == nil)
    try delete(1, 2, 3, 4, 5)
    try waitForSongs(client, 1)
    #expect(try send(client, .play) == nil)
    #expect(daemon.waits(for: .queueUnplayable) != nil)
    #expect(!daemon.logged(.trackStarted, "other.flac"))
    #expect(try send(client, .play) == nil)
    try waits(client, for: "other")
    #expect(daemon.end() == 0)
  }

  @Test func repeatOfOneDeletedSong_playsTheNextSong() throws {
    let daemon = try ServeProcess(home)
    let client = try client()
    try waitForSongs(client, 6)
    try play(client, song: 2)
    #expect(try send(client, .changeRepeatMode(.one)) == nil)
    #expect(try send(client, .stop) == nil)
    try delete(2)
    #expect(try send(client, .play) == nil)
    try waits(client, for: "3")
    #expect(daemon.end() == 0)
  }

  @Test func aFolder_anEmptyFile_andAText_arePassedOver() throws {
    let daemon = try ServeProcess(home)
    let client = try client()
    try waitForSongs(client, 6)
    try play(client, song: 1)
    try delete(2, 3, 4)
    try FileManager.default.createDirectory(
      atPath: home.folder.path("music/album/2.flac"), withIntermediateDirectories: true)
    try home.folder.write("music/album/3.flac", [])
    try home.folder.write("music/album/4.flac", Array("text".utf8))
    #expect(try send(client, .next) == nil)
    try waits(client, for: "5")
    #expect(daemon.end() == 0)
  }
}
