import Foundation
import LibraryExchange
import LibraryModel
import MusicFiles
import TestKit
import Testing

@testable import LibraryService

@Suite struct TrackListTests {
  private func batch(
    _ bench: ServiceBench, _ list: TrackList, _ row: RowReference? = nil, first: Int = 0,
    bytes: Int = 50_000
  ) throws -> TrackBatch {
    try bench.service.tracks(TracksRequest(list, row: row, first: first), maximumBytes: bytes)
  }

  private func reference(
    _ bench: ServiceBench, _ node: LibraryNode, _ title: String
  ) throws -> RowReference {
    let row = try bench.service.rows(RowsRequest(node, limit: 100)).rows.first {
      $0.title == title
    }
    let found = try #require(row)
    return RowReference(kind: found.kind, id: found.id)
  }

  private func bench() throws -> ServiceBench {
    let bench = try ServiceBench()
    try bench.addSongs(3, in: "a/Moon Safari", album: "Moon Safari")
    try bench.addSongs(2, in: "a/Moon Safari/Extra", album: "Extra")
    try bench.addSongs(2, in: "b", album: "Talkie Walkie")
    bench.service.setVolumes([bench.volume("a"), bench.volume("b")])
    try bench.wait(for: "a")
    try bench.wait(for: "b")
    return bench
  }

  @Test func tracks_ofAnAlbum_haveTheirFilesAndTheChosenPlace() throws {
    let bench = try bench()
    let album = try reference(bench, .albums, "Moon Safari")
    let node = try #require(album.node)
    let song = try reference(bench, node, "Moon Safari 2")
    let batch = try batch(bench, .node(node), song)
    #expect(batch.title == "Moon Safari")
    #expect(batch.list == .node(node))
    #expect(batch.count == 3 && batch.chosen == 2)
    #expect(batch.tracks.map(\.title) == ["Moon Safari 0", "Moon Safari 1", "Moon Safari 2"])
    let first = try #require(batch.tracks.first)
    #expect(first.reference.volume == "id a")
    #expect(first.reference.path == Array("Moon Safari/0.flac".utf8))
    #expect(first.artist == "Air" && first.album == "Moon Safari")
    // When the player opens the file, it computes the same `FileStamp`.
    let path = bench.folder.path("a/Moon Safari/0.flac")
    let file = try #require(MusicScan(paths: [path]).files.first)
    #expect(first.stamp == file.stamp && file.stamp != 0)
  }

  @Test func tracks_ofARowWithAList_areThoseOfThisList() throws {
    let bench = try bench()
    let artist = try reference(bench, .artists, "Air")
    let batch = try batch(bench, .node(.artists), artist)
    #expect(batch.list == .node(.artist(artist.id)))
    #expect(batch.count == 7 && batch.title == "Air")
    let whole = try self.batch(bench, .node(.albums))
    #expect(whole.count == 7 && whole.title.isEmpty)
    #expect(
      whole.tracks.map(\.album) == ["Extra", "Extra"] + Array(repeating: "Moon Safari", count: 3)
        + ["Talkie Walkie", "Talkie Walkie"])
  }

  @Test func tracks_ofAFolder_includeThoseOfItsFolders() throws {
    let bench = try bench()
    let volume = try reference(bench, .volumes, "a")
    #expect(try batch(bench, .node(.volumes), volume).count == 5)
    let folder = try reference(bench, try #require(volume.node), "Moon Safari")
    let batch = try batch(bench, .node(.volumes), folder)
    #expect(batch.tracks.map(\.title).suffix(2) == ["Extra 0", "Extra 1"])
    #expect(batch.count == 5)
    let all = try self.batch(bench, .everything).tracks
    #expect(all.map(\.title).prefix(5) == batch.tracks.map(\.title)[...])
    #expect(all.count == 7)
    bench.service.setVolumes([bench.volume("b")])
    #expect(try self.batch(bench, .everything).tracks.map(\.reference.volume) == ["id b", "id b"])
  }

  @Test func tracks_ofASearch_areTheSongsThatItFinds() throws {
    let bench = try bench()
    let found = try bench.service.find(SearchRequest("walkie", kind: .song, limit: 10)).rows
    #expect(found.count == 2)
    #expect(try batch(bench, .words("walkie")).tracks.map(\.title) == found.map(\.title))
    #expect(try batch(bench, .keys("825543")).count == 2)
    #expect(throws: LibraryFailure.noQuery) { try batch(bench, .words("!")) }
  }

  @Test func tracks_ofASongOfASearch_areThoseOfItsAlbum() throws {
    let bench = try bench()
    let song = try reference(bench, .songs, "Moon Safari 1")
    let album = try #require(try reference(bench, .albums, "Moon Safari").node)
    for list in [TrackList.words("moon safari 1"), .keys("6666072327401")] {
      let batch = try batch(bench, list, song)
      #expect(batch.list == .node(album) && batch.title == "Moon Safari" && batch.chosen == 1)
      #expect(batch.tracks.map(\.title) == ["Moon Safari 0", "Moon Safari 1", "Moon Safari 2"])
    }
    #expect(try self.batch(bench, .words("safari")).list == .words("safari"))
    let gone = RowReference(kind: .song, id: 1 << 39)
    #expect(try self.batch(bench, .words("moon"), gone).tracks.isEmpty)
  }

  @Test func tracks_ofASongOfASearchWithoutAnAlbum_areThoseOfItsFolder() throws {
    let bench = try ServiceBench()
    for number in 1...3 {
      try bench.add("a/Mixed/\(number).flac", "TITLE=Hit \(number)", "ARTIST=Artist \(number)")
    }
    try bench.addSongs(1, in: "a/Mixed", album: "Other")
    bench.service.setVolumes([bench.volume("a")])
    try bench.wait(for: "a")
    let song = try reference(bench, .songs, "Hit 2")
    let batch = try batch(bench, .words("hit"), song)
    let volume = try #require(try reference(bench, .volumes, "a").node)
    #expect(batch.list == .node(try #require(try reference(bench, volume, "Mixed").node)))
    #expect(batch.tracks.map(\.title) == ["Other 0", "Hit 1", "Hit 2", "Hit 3"])
    #expect(batch.chosen == 2)
  }

  @Test func tracks_inParts_areTheWholeList() throws {
    let bench = try bench()
    var titles: [String] = []
    var parts = 0
    while true {
      let batch = try batch(bench, .node(.songs), first: titles.count, bytes: 300)
      #expect(batch.count == 7)
      guard !batch.tracks.isEmpty else { break }
      titles += batch.tracks.map(\.title)
      parts += 1
    }
    #expect(parts > 2)
    #expect(titles == (try bench.titles(.songs)))
  }

  @Test func tracks_ofASongThatTheListNoLongerHas_areTheSongAlone() throws {
    let bench = try bench()
    let song = try reference(bench, .songs, "Extra 1")
    let album = try #require(try reference(bench, .albums, "Talkie Walkie").node)
    let batch = try batch(bench, .node(album), song)
    #expect(batch.tracks.map(\.title) == ["Extra 1"])
    #expect(try self.batch(bench, .rowAlone, song).tracks.map(\.title) == ["Extra 1"])
    #expect(try self.batch(bench, .rowAlone).count == 0)
    let gone = RowReference(kind: .song, id: 1 << 39)
    #expect(try self.batch(bench, .rowAlone, gone).tracks.isEmpty)
  }

  @Test func tracks_ofARowOfASongThatThePlaylistHasTwice_beginAtThisRow() throws {
    let bench = try bench()
    let lines = ["1", "0", "gone", "1", "2", "1"].map { "Moon Safari/\($0).flac\n" }.joined()
    try bench.folder.write("a/Trip.m3u", Array(lines.utf8))
    bench.service.rescan("")
    try bench.loop.turn(until: { (try? bench.titles(.playlists)) == ["Trip"] })
    let list = try #require(try reference(bench, .playlists, "Trip").node)
    let rows = try bench.service.rows(RowsRequest(list, limit: 100)).rows
    #expect(rows.map { $0.id == 0 } == [false, false, true, false, false, false])
    #expect(Set(rows.map(\.identifier)).count == 6)
    // The first row of a song in the playlist has the same identity as the song.
    #expect(rows[0].id == (try reference(bench, .songs, "Moon Safari 1").id))
    // Read in small batches, the rows have the same identities.
    let first = try bench.service.rows(RowsRequest(list, limit: 2))
    let next = try bench.service.rows(RowsRequest(list, cursor: first.next, limit: 2))
    #expect(next.rows.map(\.id) == rows[2..<4].map(\.id))
    for (row, index) in [(0, 0), (1, 1), (3, 2), (4, 3), (5, 4)] {
      // A client sends the identity of the row back as text.
      let chosen = try #require(RowReference(identifier: rows[row].identifier))
      let batch = try batch(bench, .node(list), chosen)
      #expect(batch.chosen == index && batch.count == 5)
      #expect(batch.tracks[batch.chosen].title == rows[row].title)
      let alone = try self.batch(bench, .rowAlone, chosen).tracks
      #expect(alone.map(\.title) == [rows[row].title])
    }
    // The third row of the song is removed from the playlist after the choice. So the second row of the song is chosen.
    let last = RowReference(kind: .song, id: rows[5].id)
    try bench.folder.write("a/Trip.m3u", Array(lines.utf8.prefix(lines.utf8.count - 19)))
    bench.service.rescan("")
    try bench.loop.turn(until: { (try? self.batch(bench, .node(list)).count) == 4 })
    #expect(try batch(bench, .node(list), last).chosen == 2)
  }

  @Test func neighbour_ofAnAlbumOrAFolder_isTheNextOneWithSongs() throws {
    let bench = try bench()
    try bench.add("b/Deep/Empty/Full/1.flac", "TITLE=x", "ALBUM=Zero", "ARTIST=Beck")
    bench.service.rescan("")
    try bench.loop.turn(until: { (try? bench.titles(.songs).count) == 8 })
    func next(_ node: LibraryNode?, in parent: LibraryNode? = nil, _ isNext: Bool = true) throws
      -> LibraryNode?
    {
      try bench.service.neighbour(of: try #require(node), in: parent, isNext: isNext)
    }
    let extra = try reference(bench, .albums, "Extra").node
    let moon = try reference(bench, .albums, "Moon Safari").node
    let talkie = try reference(bench, .albums, "Talkie Walkie").node
    let zero = try reference(bench, .albums, "Zero").node
    let air = try reference(bench, .artists, "Air").node
    #expect(try next(extra) == moon && next(moon, in: nil, false) == extra)
    #expect(try next(extra, in: nil, false) == nil)
    #expect(try next(talkie, in: .albums) == zero)
    // In the list of an artist, the last album has no next album.
    #expect(try next(talkie, in: air) == nil)
    #expect(try next(air) == (try reference(bench, .artists, "Beck").node))
    // If the parent list does not contain the album, the list of all albums is used.
    #expect(try next(extra, in: try reference(bench, .artists, "Beck").node) == moon)
    bench.service.setVolumes([bench.volume("a")])
    #expect(try next(moon) == nil)
    bench.service.setVolumes([bench.volume("a"), bench.volume("b")])
    let file = try bench.service.entries(
      ofFile: Array("Moon Safari/1.flac".utf8), on: "id a")
    #expect(file.map(\.kind) == [.folder, .song, .album] && file[2].node == moon)
    let folder = try #require(file[0].node)
    let inner = try reference(bench, folder, "Extra").node
    // A folder plays together with its inner folders, so only a folder beside it can be next. This volume has none.
    #expect(try next(folder) == nil && next(inner) == nil)
    let deep = try bench.service.entries(ofFile: Array("0.flac".utf8), on: "id b")[0].node
    #expect(try next(deep) == nil)
    #expect(try bench.service.entries(ofFile: Array("none".utf8), on: "id a").count == 1)
    #expect(try bench.service.entries(ofFile: Array("none/x".utf8), on: "id a").isEmpty)
    #expect(try bench.service.entries(ofFile: [], on: "id a").isEmpty)
  }

  @Test func window_ofALongList_hasTheChosenSongAndMostlyThoseBehindIt() {
    let window = TrackWindow(count: 100_000, chosen: 50_000, limit: 10_000)
    #expect(window.range == 49_000..<59_000 && window.chosen == 1000)
    #expect(TrackWindow(count: 100_000, chosen: 10, limit: 10_000).range == 0..<10_000)
    let last = TrackWindow(count: 100_000, chosen: 99_999, limit: 10_000)
    #expect(last.range == 90_000..<100_000 && last.chosen == 9999)
    let ids = (0..<100_000).map { Int64($0) }
    let random = window.random(of: ids, seed: 7)
    #expect(random.count == 10_000 && random == random.sorted())
    #expect(random == window.random(of: ids, seed: 7))
    #expect(random != window.random(of: ids, seed: 8))
    // The chosen songs are spread over the list: about a tenth of them is from the first tenth of the list.
    #expect(random.filter { $0 < 10_000 }.count > 800)
  }
}
