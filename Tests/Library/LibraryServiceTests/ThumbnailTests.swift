import EventLoop
import Foundation
import LibraryExchange
import LibraryModel
import TestKit
import Testing

@testable import LibraryService

/// Tests the thumbnails of a running library. Most tests use the real decoder.
@Suite struct ThumbnailTests {
  private func albums(_ bench: ServiceBench) throws -> [LibraryRow] {
    try bench.service.rows(RowsRequest(.albums, limit: 100)).rows
  }

  private func waitForCovers(_ bench: ServiceBench, _ count: Int) throws {
    try bench.loop.turn(until: {
      ((try? albums(bench)) ?? []).count { $0.artwork != nil } == count
    })
  }

  private func exists(_ bench: ServiceBench, _ name: String) -> Bool {
    FileManager.default.fileExists(atPath: bench.folder.path(name))
  }

  @Test func rowsHaveThumbnails_andTheRevisionGrows() throws {
    let bench = try ServiceBench()
    try bench.addCover("a/1/1.flac", album: "Moon Safari", picture: 1)
    try bench.addSongs(2, in: "a/2", album: "Talkie Walkie")
    bench.service.setVolumes([bench.volume("a")])
    try bench.wait(for: "a")
    try waitForCovers(bench, 1)
    let findings = bench.service.exchange.findings
    #expect(findings.coverChanges == 1)
    try bench.loop.turn(until: { bench.service.report.revision == findings.revision + 1 })
    let rows = try albums(bench)
    let artwork = try #require(rows[0].artwork)
    #expect(rows[0].title == "Moon Safari" && rows[1].artwork == nil)
    let songs = try bench.service.rows(RowsRequest(.songs, limit: 100)).rows
    #expect(songs.map(\.artwork) == [artwork, nil, nil])
    #expect(try bench.service.find(SearchRequest("moon")).rows.last?.artwork == artwork)

    let album = try bench.service.thumbnail(of: RowReference(kind: .album, id: rows[0].id))
    #expect(album.starts(with: [0xFF, 0xD8, 0xFF]) && album.count < 16 << 10)
    #expect(try bench.service.thumbnail(of: RowReference(kind: .song, id: songs[0].id)) == album)
    #expect(try bench.service.thumbnail(of: RowReference(kind: .album, id: rows[1].id)).isEmpty)
    #expect(try bench.service.thumbnail(of: RowReference(kind: .genre, id: 1)).isEmpty)
    for row in [RowReference(kind: .album, id: 1), RowReference(kind: .song, id: 1 << 39)] {
      #expect(throws: LibraryFailure.unknownNode) { try bench.service.thumbnail(of: row) }
    }
  }

  @Test func shutDown_afterThumbnailsWereRead_leavesNoJournal() throws {
    let bench = try ServiceBench()
    try bench.addCover("a/1/1.flac", album: "Moon Safari", picture: 1)
    bench.service.setVolumes([bench.volume("a")])
    try waitForCovers(bench, 1)
    #expect(exists(bench, "library/covers.db-wal"))
    bench.service.shutDown()
    let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder.path("library"))
    #expect(names.sorted() == ["covers.db", "library.db"])
  }

  @Test func anAbsentVolume_keepsItsThumbnails_alsoAfterARestart() throws {
    let bench = try ServiceBench()
    try bench.addCover("a/1/1.flac", album: "Moon Safari", picture: 1)
    bench.service.setVolumes([bench.volume("a")])
    try waitForCovers(bench, 1)
    let row = RowReference(kind: .album, id: try albums(bench)[0].id)
    let thumbnail = try bench.service.thumbnail(of: row)
    bench.service.setVolumes([])
    try bench.wait(for: "a", .absent)
    try FileManager.default.removeItem(atPath: bench.folder.path("a"))
    #expect(try bench.service.thumbnail(of: row) == thumbnail)
    try bench.restart()
    try bench.loop.turn(until: { (try? bench.service.thumbnail(of: row)) == thumbnail })
    #expect(try albums(bench).map(\.isAbsent) == [true])
  }

  @Test func thumbnailsAreMade_whenAllVolumesAreScanned() throws {
    // This decoder writes to the file `called`, and hangs until it is killed.
    let script = try TemporaryFolder()
    let path = try script.writeScript(
      "decoder", "echo >> \(script.path("called"))\nexec sleep 1000")
    let bench = try ServiceBench(covers: CoverOptions(decoder: path))
    for name in ["a", "b"] {
      try bench.addCover("\(name)/1/1.flac", album: "Album \(name)", picture: 1)
    }
    bench.service.setHeld(true)
    bench.service.setVolumes([bench.volume("a"), bench.volume("b")])
    try bench.loop.turn(until: {
      ["a", "b"].contains { bench.condition($0) == .listing(0) }
    })
    bench.service.setHeld(false)
    for name in ["a", "b"] { try bench.wait(for: name) }
    let called = script.path("called")
    try bench.loop.turn(until: { FileManager.default.fileExists(atPath: called) })
    // Both volumes are ready when the first decoder is started.
    #expect(bench.condition("a") == .ready && bench.condition("b") == .ready)

    // A new volume is scanned although the decoder hangs.
    try bench.addSongs(3, in: "c", album: "New")
    bench.service.setVolumes(["a", "b", "c"].map { bench.volume($0) })
    try bench.wait(for: "c")
    // `shutDown` does not wait for the decoder.
    let clock = ContinuousClock()
    let duration = clock.measure { bench.service.shutDown() }
    #expect(duration < .seconds(5))
  }

  @Test func whileHeld_noThumbnailIsMade() throws {
    let bench = try ServiceBench()
    try bench.addSongs(1, in: "a/1", album: "Moon Safari")
    bench.service.setVolumes([bench.volume("a")])
    try bench.wait(for: "a")
    bench.service.setHeld(true)
    try bench.addCover("a/2/1.flac", album: "Talkie Walkie", picture: 1)
    bench.service.setVolumes([bench.volume("a", mount: "2")])
    try bench.wait(for: "a", .listing(0))
    #expect(try albums(bench).allSatisfy { $0.artwork == nil })
    bench.service.setHeld(false)
    try waitForCovers(bench, 1)
  }

  @Test func aForgottenVolume_losesItsThumbnails() throws {
    let bench = try ServiceBench()
    try bench.addCover("a/1/1.flac", album: "Moon Safari", picture: 1)
    try bench.addCover("b/1/1.flac", album: "Talkie Walkie", picture: 2)
    bench.service.setVolumes([bench.volume("a"), bench.volume("b")])
    try waitForCovers(bench, 2)
    bench.service.setVolumes([bench.volume("b")])
    bench.service.forget("id a")
    try bench.loop.turn(until: { bench.service.report.volumes.map(\.label) == ["b"] })
    bench.service.setVolumes([bench.volume("a"), bench.volume("b")])
    try waitForCovers(bench, 2)
    #expect(bench.messages.isEmpty)
  }

  @Test func aDamagedFile_isMadeAgain() throws {
    let bench = try ServiceBench()
    for number in 1...20 {
      try bench.addCover("a/\(number)/1.flac", album: "Album \(number)", picture: number)
    }
    bench.service.setVolumes([bench.volume("a")])
    try waitForCovers(bench, 20)
    bench.service.shutDown()
    var file = try bench.folder.read("library/covers.db")
    for index in 4096..<file.count { file[index] = 0xA5 }
    try bench.folder.write("library/covers.db", file)
    try bench.restart()
    bench.service.setVolumes([bench.volume("a")])
    try waitForCovers(bench, 20)
    #expect(try bench.titles(.albums).count == 20)
  }

  @Test func withoutAFolderOrADecoder_theLibraryWorksWithoutThumbnails() throws {
    for (database, decoder) in [("missing/folder", nil), ("library", "/nowhere/decoder")] {
      let bench = try ServiceBench(
        database: database, covers: CoverOptions(decoder: decoder))
      try bench.addCover("a/1/1.flac", album: "Moon Safari", picture: 1)
      bench.service.setVolumes([bench.volume("a")])
      try bench.wait(for: "a")
      if decoder != nil { try bench.loop.turn(until: { !bench.messages.isEmpty }) }
      let rows = try albums(bench)
      #expect(rows.map(\.artwork) == [nil])
      #expect(try bench.service.thumbnail(of: RowReference(kind: .album, id: rows[0].id)).isEmpty)
      #expect(!exists(bench, "runtime/covers.db"))
    }
  }
}
