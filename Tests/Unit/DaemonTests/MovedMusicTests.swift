import Control
import EventLoop
import Foundation
import LibraryModel
import NowPlaying
import Reports
import TestKit
import Testing
import UnitState

/// Music that is renamed or moved. Daemon, library and storage are real.
@Suite struct MovedMusicTests: DaemonSuite {
  let home: ServeProcess.Home
  let loop = EventLoop()

  init() throws {
    home = try ServeProcess.Home()
    try home.configure(["library = yes", "library-folder = \(home.folder.path("library"))"])
    try FileManager.default.createDirectory(
      atPath: home.folder.path("music/old"), withIntermediateDirectories: true)
    // The sound of each song is different.
    for (number, name) in ["a", "b", "c"].enumerated() {
      try home.music(name, seconds: 60 + number)
      try move("\(name).flac", to: "old/\(name).flac")
    }
  }

  private func move(_ old: String, to new: String) throws {
    try FileManager.default.moveItem(
      atPath: home.folder.path("music/\(old)"), toPath: home.folder.path("music/\(new)"))
  }

  private func queue(_ client: ControlClient) throws -> QueueReport {
    try answer { client.call(Library1.getQueue, QueuePart(first: 0, limit: 100), $0) }.get()
  }

  /// Plays all songs, beginning with the second song. Saves them as a playlist, and likes the second song.
  private func prepare(_ daemon: ServeProcess, _ client: ControlClient) throws {
    try waitForSongs(client, 3)
    let rows = try answer { client.call(Library1.getRows, RowsRequest(.songs), $0) }.get().batch
      .rows
    let song = try #require(rows.first { $0.title == "b" })
    let row = RowReference(kind: .song, id: song.id)
    try done { client.call(Library1.play, PlayRequest(.node(.songs), row: row, .now), $0) }
    #expect(daemon.waits(for: .trackStarted, "old/b.flac") != nil)
    try done { client.call(Library1.savePlaylist, "Road", $0) }
    let liked = try answer { client.call(Commands1.send, SentCommand(.media(.like(true))), $0) }
      .get()
    #expect(liked.answer == .success)
  }

  /// The titles of the songs of a playlist, in order.
  private func playableRows(_ client: ControlClient, _ name: String) throws -> [String] {
    let lists = try answer { client.call(Library1.getRows, RowsRequest(.playlists), $0) }.get()
      .batch
      .rows
    let list = try #require(lists.first { $0.title == name }?.node)
    return try answer { client.call(Library1.getRows, RowsRequest(list), $0) }.get().batch.rows.map(
      \.title)
  }

  @Test func aFolderThatIsRenamedWhileTheUnitIsOff_changesNeitherQueueNorPlaceNorLists() throws {
    var daemon = try ServeProcess(home)
    var client = try client()
    try prepare(daemon, client)
    _ = try answer {
      client.call(Commands1.send, SentCommand(.media(.seekToPosition(.seconds(30)))), $0)
    }.get()
    #expect(try SavedUnitState(home).waits { $0.elapsed.milliseconds > 30_500 })
    let before = try queue(client)
    #expect(daemon.end() == 0)
    try move("old", to: "new")
    try move("new/c.flac", to: "c of the album.flac")

    daemon = try ServeProcess(home)
    client = try self.client()
    #expect(daemon.waits(for: .trackStarted, "new/b.flac") != nil)
    #expect(daemon.waits(for: .musicResumed, "new/b.flac") != nil)
    #expect(daemon.waits(for: .musicMoved) != nil)
    #expect(!daemon.logged(.trackFailed))
    #expect(try SavedUnitState(home).waits { $0.elapsed.milliseconds > 32_000 })
    let after = try queue(client)
    #expect(after.entries == before.entries && after.position == before.position)
    #expect(after.list == "songs")
    #expect(
      try answer { client.call(Commands1.send, SentCommand(.media(.next)), $0) }.get().answer
        == .success)
    #expect(daemon.waits(for: .trackStarted, "c of the album.flac") != nil)
    #expect(try playableRows(client, "Road") == ["a", "b", "c"])
    #expect(try playableRows(client, "Favourites") == ["b"])
    // The files of the playlists contain the new paths, so a start without the library finds the songs too.
    for (list, songs) in ["Road": ["new/a", "new/b", "c of the album"], "Favourites": ["new/b"]] {
      let text = try String(
        contentsOfFile: home.folder.path("data/playlists/\(list).m3u8"), encoding: .utf8)
      let paths = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
      #expect(paths == songs.map { home.folder.path("music/\($0).flac")[...] })
    }
    #expect(daemon.end() == 0)
    try home.configure([])
    daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .trackStarted, "c of the album.flac") != nil)
    #expect(daemon.end() == 0)
  }

  @Test func aFolderThatIsRenamedWhileAnotherSongPlays_isFoundInTheQueue() throws {
    let daemon = try ServeProcess(home)
    let client = try client()
    try prepare(daemon, client)
    let before = try queue(client)
    try move("old", to: "new")
    #expect(daemon.waits(for: .musicMoved) != nil)
    #expect(try queue(client).entries == before.entries)
    #expect(!daemon.logged(.trackStarted, "new/"))
    #expect(
      try answer { client.call(Commands1.send, SentCommand(.media(.next)), $0) }.get().answer
        == .success)
    #expect(daemon.waits(for: .trackStarted, "new/c.flac") != nil)
    #expect(!daemon.logged(.trackFailed))
    // The new path of the song that played before is found only now, because another song plays.
    #expect(daemon.waits(for: .musicMoved, "1 files") != nil)
    #expect(
      try answer { client.call(Commands1.send, SentCommand(.media(.previous)), $0) }.get().answer
        == .success)
    #expect(daemon.waits(for: .trackStarted, "new/b.flac") != nil)
    #expect(daemon.end() == 0)
  }
}
