import Foundation
@testable import LibraryDatabase
import NameKeys
import SQLite
import TestKit
import LibraryModel
import Testing

@testable import LibraryScan

/// Tests that a new database replaces a damaged file, a file that is not a database, and a database that was made with
/// other settings (`key` of `LibraryFile.open`).
@Suite struct LibraryDamageTests {
  let bench: LibraryBench

  init() throws { bench = try LibraryBench() }

  private func copy() throws -> (folder: String, bytes: [UInt8]) {
    for number in 0..<60 {
      try bench.add(
        "A\(number % 7)/\(number).flac", "TITLE=Song \(number)", "ARTIST=Artist \(number % 5)",
        "ALBUM=Album \(number % 7)", "GENRE=Rock")
    }
    try bench.scan()
    try bench.writer.checkpoint()
    let folder = bench.folder.path("copy")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return (folder, try bench.folder.read("library/library.db"))
  }

  /// Reads all lists of the library, and runs two searches.
  private func readAll(_ folder: String) throws {
    let reader = LibraryReader(try LibraryFile.reader(in: folder))
    for node in [
      LibraryNode.artists, .albums, .recentAlbums, .songs, .genres, .playlists, .volumes,
    ] {
      for row in try reader.batch(node, limit: 100).rows {
        let inside: LibraryNode? =
          switch row.kind {
          case .artist: .artist(row.id)
          case .album: .album(row.id)
          case .genre: .genre(row.id)
          case .playlist: .playlist(row.id)
          case .folder: .folder(row.id)
          case .song, .problem: nil
          }
        if let inside { _ = try reader.batch(inside, limit: 100) }
      }
      _ = try reader.letters(of: node)
    }
    for query in [SearchQuery(text: "song"), SearchQuery(keys: "27")] {
      if let query { _ = try reader.find(query) }
    }
  }

  @Test(arguments: [0, 1, 100, 4096, 20_000])
  func open_fileThatIsCut_isAnsweredOrMadeAgain(length: Int) throws {
    let (folder, bytes) = try copy()
    try bench.folder.write("copy/library.db", Array(bytes.prefix(length)))
    let opened = try LibraryFile.open(in: folder, key: "test")
    let writer = try LibraryWriter(opened.database, articles: Articles([]))
    do {
      try LibraryFile.check(opened.database)
      let result = try VolumeScan(bench.volume, into: writer).run()
      #expect(result.read == 60)
      try readAll(folder)
    } catch let error as DatabaseError {
      #expect(error.kind == .damaged, "\(error)")
    }
  }

  @Test func open_otherKeyOrNoDatabase_isMadeAgain() throws {
    let (folder, bytes) = try copy()
    try bench.folder.write("copy/library.db", bytes)
    #expect(try LibraryFile.open(in: folder, key: "test").repaired == nil)
    #expect(try LibraryFile.open(in: folder, key: "other").repaired != nil)
    #expect(try LibraryFile.open(in: folder, key: "other").repaired == nil)
    try bench.folder.write("copy/library.db", Array("no database, but a text".utf8))
    LibraryFile.removeJournals(in: folder)
    #expect(try LibraryFile.open(in: folder, key: "test").repaired != nil)
  }
}
