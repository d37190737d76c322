import Control
import EventLoop
import LibraryModel
import NowPlaying
import Reports
import TestKit
import Testing

@Suite struct PlaylistCallsTests {
  private let bench: Bench
  private var playlists: FakePlaylists { bench.unit.fakePlaylists }

  init() throws { bench = try Bench() }

  @Test func changes_arrive_withTheirArguments() throws {
    let client = try bench.client()
    let song = RowReference(kind: .song, id: 31)
    _ = try bench.answer { client.call(Library1.savePlaylist, "Road trip", $0) }.get()
    _ = try bench.answer { client.call(Library1.addToPlaylist, PlaylistAddition("Road trip"), $0) }
      .get()
    _ = try bench.answer {
      client.call(Library1.addToPlaylist, PlaylistAddition("A", .node(.album(15)), row: song), $0)
    }.get()
    let own = RowReference(kind: .playlist, id: -16)
    _ = try bench.answer {
      client.call(
        Library1.addToPlaylist, PlaylistAddition("A", .node(.playlists), row: own, again: true), $0)
    }.get()
    _ = try bench.answer {
      client.call(Library1.removeFromPlaylist, PlaylistRemoval("A", song), $0)
    }.get()
    _ = try bench.answer {
      client.call(Library1.renamePlaylist, Renaming("A", to: "B c"), $0)
    }.get()
    _ = try bench.answer { client.call(Library1.deletePlaylist, "B c", $0) }.get()
    #expect(
      playlists.done == [
        "save Road trip", "add - - to Road trip", "add album:f song:1f to A",
        "add playlists own:10 to A again", "remove song:1f from A", "rename A to B c", "delete B c",
      ])
    playlists.refusal = Refusal(.playlistExists, "there is one")
    let refused = try bench.answer { client.call(Library1.savePlaylist, "A", $0) }
    #expect(refused.refusal?.code == .playlistExists)
  }

  @Test func wrongListsAndRows_areRefused() throws {
    let peer = try bench.peer()
    let cases: [(String, [String])] = [
      ("AddToPlaylist", ["A", "composers", ""]), ("AddToPlaylist", ["A", "songs", "song"]),
      ("AddToPlaylist", ["A"]), ("RemoveFromPlaylist", ["A", ""]),
      ("RemoveFromPlaylist", ["A", "own:zz"]), ("RenamePlaylist", ["A"]), ("SavePlaylist", []),
    ]
    for (method, arguments) in cases {
      let answer = try bench.call(
        peer, Library1.interface.name, method, arguments.map { .string($0) })
      #expect(throws: (any Error).self) { try answer.get() }
    }
    #expect(playlists.done.isEmpty)
  }

  @Test func rowsOfOwnLists_arriveAsTheyAre() throws {
    let client = try bench.client()
    var batch = RowBatch()
    var row = LibraryRow(kind: .playlist, id: -1, title: "Favourites")
    row.count = 3
    batch.rows = [row]
    bench.unit.fakeLibrary?.batch = .success(batch)
    let got = try bench.answer { client.call(Library1.getRows, RowsRequest(.favourites), $0) }.get()
      .batch
    #expect(got.rows == [row] && got.rows[0].node == .favourites)
    #expect(got.rows[0].identifier == "own:1")
    #expect(bench.unit.fakeLibrary?.requests == [RowsRequest(.favourites)])
  }

  @Test func like_isACommandOfWhatPlays() throws {
    let peer = try bench.peer()
    _ = try bench.call(peer, Commands1.interface.name, "Like", [.boolean(true)]).get()
    _ = try bench.call(peer, Commands1.interface.name, "Like", [.boolean(false)]).get()
    #expect(bench.unit.source.performed.suffix(2) == ["like true", "like false"])
  }
}
