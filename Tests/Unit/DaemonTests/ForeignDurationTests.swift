import Control
import EventLoop
import Foundation
import LibraryModel
import NowPlaying
import Reports
import TestKit
import Testing

/// The header of a song states a duration of 99 days. Daemon and library are processes. The storage is real.
@Suite struct ForeignDurationTests: DaemonSuite {
  let home: ServeProcess.Home
  let loop = EventLoop()

  init() throws {
    home = try ServeProcess.Home()
    try home.configure(["library = yes", "library-folder = \(home.folder.path("library"))"])
    for name in ["a", "b"] { try home.music(name, seconds: 30) }
    // 2^36 - 1 samples in STREAMINFO (RFC 9639, 8.2), at 8 kHz.
    var bytes = try home.folder.read("music/a.flac")
    bytes[21] |= 0x0F
    bytes.replaceSubrange(22..<26, with: [0xFF, 0xFF, 0xFF, 0xFF])
    try home.folder.write("music/a.flac", bytes)
  }

  private func lists(_ client: ControlClient) throws -> [String] {
    try answer { client.call(Library1.getRows, RowsRequest(.playlists, limit: 100), $0) }.get()
      .batch
      .rows
      .map { "\($0.title) \($0.count)" }
  }

  @Test func aSongOf99Days_isLikedListedAndPlayed_alsoAfterARestart() throws {
    var daemon = try ServeProcess(home)
    var client = try client()
    try waitForSongs(client, 2)
    let rows = try answer { client.call(Library1.getRows, RowsRequest(.songs), $0) }.get().batch
      .rows
    let song = RowReference(kind: .song, id: try #require(rows.first { $0.title == "a" }).id)
    _ = try answer { client.call(Library1.play, PlayRequest(.node(.songs), row: song, .now), $0) }
      .get()
    #expect(daemon.waits(for: .trackStarted, "a.flac") != nil)
    for command in [MediaRequest.like(true), .bookmark(true), .stars(4)] {
      #expect(
        try answer { client.call(Commands1.send, SentCommand(.media(command)), $0) }.get().answer
          == .success)
    }
    try done { client.call(Library1.addToPlaylist, PlaylistAddition("Work", .node(.songs)), $0) }
    try done { client.call(Library1.savePlaylist, "Road", $0) }
    #expect(try lists(client) == ["Favourites 1", "Bookmarks 1", "Road 2", "Work 2"])
    let queue = try answer { client.call(Library1.getQueue, QueuePart(first: 0, limit: 10), $0) }
      .get()
    #expect(queue.entries.map(\.title) == ["a", "b"] && queue.entries[0].duration == nil)
    for command in [MediaRequest.seekToPosition(.seconds(8_000_000)), .next, .previous] {
      _ = try answer { client.call(Commands1.send, SentCommand(.media(command)), $0) }.get()
    }
    _ = try answer { client.call(NowPlaying1.state.get, $0) }.get()
    #expect(daemon.end() == 0)
    daemon = try ServeProcess(home)
    #expect(daemon.waits(for: .queueRestored) != nil)
    client = try self.client()
    try waitForSongs(client, 2)
    #expect(try lists(client) == ["Favourites 1", "Bookmarks 1", "Road 2", "Work 2"])
    #expect(!daemon.logged(.playlistDamaged) && !daemon.logged(.queueRepaired))
    #expect(daemon.end() == 0)
  }
}
