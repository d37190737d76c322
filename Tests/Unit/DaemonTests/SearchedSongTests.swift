import Control
import EventLoop
import Foundation
import LibraryModel
import NowPlaying
import Reports
import TestKit
import Testing

/// A song that was chosen in a search. Daemon and library are processes.
@Suite struct SearchedSongTests: DaemonSuite {
  let home: ServeProcess.Home
  let loop = EventLoop()

  init() throws {
    home = try ServeProcess.Home()
    try home.configure(["library = yes", "library-folder = \(home.folder.path("library"))"])
    for (path, tags, seconds) in [
      ("Aa/1", ["TITLE=Moon One", "ALBUM=Aa", "ARTIST=X"], 1),
      ("Aa/2", ["TITLE=Sun Two", "ALBUM=Aa", "ARTIST=X"], 60),
      ("Bb/1", ["TITLE=Moon Three", "ALBUM=Bb", "ARTIST=X"], 60),
      ("Mixed/1", ["TITLE=Moon Loose", "ARTIST=Cher"], 60),
      ("Mixed/2", ["TITLE=Other", "ARTIST=Dido"], 60),
    ] {
      try FileManager.default.createDirectory(
        atPath: home.folder.path("music/\(path.prefix { $0 != "/" })"),
        withIntermediateDirectories: true)
      try GeneratedMusic(channels: 1, rate: 8000, frames: 8000 * seconds).flac(
        home.folder, "music/\(path).flac", tags.map { "--tag=\($0)" })
    }
  }

  private func find(_ request: SearchRequest, _ client: ControlClient) throws -> [LibraryRow] {
    try answer { client.call(Library1.search, NumberedSearch(request), $0) }.get().found.rows
  }

  private func play(_ title: String, in list: TrackList, _ client: ControlClient) throws {
    let rows = try find(SearchRequest("moon"), client)
    let song = try #require(rows.first { $0.title == title })
    let row = RowReference(kind: .song, id: song.id)
    _ = try answer { client.call(Library1.play, PlayRequest(list, row: row, .now), $0) }.get()
  }

  private func queue(_ client: ControlClient) throws -> QueueReport {
    try answer { client.call(Library1.getQueue, QueuePart(first: 0, limit: 100), $0) }.get()
  }

  @Test(arguments: [TrackList.keys("6666"), .words("moon")])
  func aSongOfASearch_playsInItsAlbum_orElseInItsFolder(list: TrackList) throws {
    let daemon = try ServeProcess(home)
    let client = try client()
    try waitForSongs(client, 5)
    try play("Moon One", in: list, client)
    #expect(daemon.waits(for: .trackStarted, "Aa/1.flac") != nil)
    // The end of the song leads to the next song of the album, and not to the next hit.
    #expect(daemon.waits(for: .trackStarted, "Aa/2.flac") != nil)
    #expect(try queue(client).title == "Aa")
    #expect(try queue(client).entries.first?.title == "Moon One")
    // The album ends as if the song was chosen in it: the next album follows.
    _ = try answer {
      client.call(Commands1.send, SentCommand(.media(.seekToPosition(.seconds(59)))), $0)
    }.get()
    #expect(daemon.waits(for: .trackStarted, "Bb/1.flac") != nil)
    try play("Moon Loose", in: list, client)
    #expect(daemon.waits(for: .trackStarted, "Mixed/1.flac") != nil)
    #expect(try queue(client).entries.map(\.title) == ["Moon Loose", "Other"])
    // The songs that the search finds still play if no song was chosen.
    _ = try answer { client.call(Library1.play, PlayRequest(list, .now), $0) }.get()
    try loop.turn {
      (try? queue(client).entries.map(\.title).sorted())
        == ["Moon Loose", "Moon One", "Moon Three"]
    }
    #expect(daemon.end() == 0)
  }

  @Test func anArtistOfALooseSong_isFoundAndPresent() throws {
    let daemon = try ServeProcess(home)
    let client = try client()
    try waitForSongs(client, 5)
    let cher = try #require(try find(SearchRequest("cher"), client).first)
    #expect(cher.kind == .artist && !cher.isAbsent)
    let artists = try answer { client.call(Library1.getRows, RowsRequest(.artists), $0) }.get()
    #expect(artists.batch.rows.map(\.title) == ["Cher", "Dido", "X"])
    #expect(daemon.end() == 0)
  }
}
