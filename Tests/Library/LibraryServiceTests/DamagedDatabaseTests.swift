import Foundation
import LibraryDatabase
import LibraryModel
import NameKeys
import SQLite
import TestKit
import Testing

@testable import LibraryService

/// Tests the database after a power cut, and after damage.
@Suite struct DamagedDatabaseTests {
  private static let songs = 60

  private func bench() throws -> ServiceBench {
    let bench = try ServiceBench()
    for number in 0..<Self.songs {
      try bench.add(
        "a/A\(number % 7)/\(number).flac", "TITLE=Song \(number)", "ARTIST=Artist \(number % 5)",
        "ALBUM=Album \(number % 7)", "GENRE=Rock", "DATE=\(1990 + number % 7)")
    }
    try start(bench)
    return bench
  }

  private func start(_ bench: ServiceBench) throws {
    bench.service.setVolumes([bench.volume("a")])
    try bench.wait(for: "a")
  }

  /// Simulates a power cut: ends the service, and restores the files as they were while the service was running.
  private func cutPower(_ bench: ServiceBench) throws {
    let files = FileManager.default
    try files.copyItem(atPath: bench.folder.path("library"), toPath: bench.folder.path("cut"))
    bench.service.shutDown()
    try files.removeItem(atPath: bench.folder.path("library"))
    try files.moveItem(atPath: bench.folder.path("cut"), toPath: bench.folder.path("library"))
  }

  private func hasJournal(_ bench: ServiceBench) -> Bool {
    FileManager.default.fileExists(atPath: bench.folder.path("library/library.db-wal"))
  }

  /// Damages the first page of a table. The tests choose tables that a scan without changes does not read.
  private func damage(_ table: String, _ bench: ServiceBench) throws {
    var bytes = try bench.folder.read("library/library.db")
    let database = try Database(path: bench.folder.path("library/library.db"), access: .reading)
    let page = try database.statement("SELECT rootpage FROM sqlite_schema WHERE name = ?1")
      .integer(.text(table))
    let start = (Int(try #require(page)) - 1) * 4096
    for index in start..<start + 8 { bytes[index] = 0xA5 }
    try bench.folder.write("library/library.db", bytes)
  }

  @Test func aStartAfterACut_examinesTheDatabaseAfterTheScan() throws {
    let bench = try bench()
    #expect(bench.service.exchange.findings.checks == 0)
    try cutPower(bench)
    #expect(hasJournal(bench))
    try bench.restart()
    #expect(bench.service.exchange.findings.checks == 0)
    try start(bench)
    try bench.loop.turn(until: { bench.service.exchange.findings.checks == 1 })
    #expect(bench.messages.isEmpty)
    #expect(try bench.titles(.songs).count == Self.songs)
  }

  @Test(arguments: ["words_data", "former", "credit"])
  func aStartAfterACut_makesADamagedDatabaseAgain(table: String) throws {
    let bench = try bench()
    try cutPower(bench)
    try damage(table, bench)
    try bench.restart()
    try start(bench)
    try bench.loop.turn(until: { !bench.messages.isEmpty })
    try bench.loop.turn(until: { (try? bench.titles(.songs).count) == Self.songs })
    #expect(bench.messages.count == 1)
    let message = try #require(bench.messages.first)
    #expect(message.hasPrefix("the library is damaged and is created again: "))
    #expect(!message.utf8.contains(0x0A))
  }

  @Test func anOrderlyEnd_isKnownWithoutANote() throws {
    let bench = try bench()
    #expect(hasJournal(bench))
    // This query opens the second connection to the database, which must be closed too.
    #expect(try bench.titles(.songs).count == Self.songs)
    bench.service.shutDown()
    #expect(!hasJournal(bench))
    let folder = bench.folder.path("library")
    let key = ServiceBench.articles.key
    #expect(try LibraryFile.open(in: folder, key: key).wasClosed)
    try bench.restart()
    try start(bench)
    try cutPower(bench)
    let opened = try LibraryFile.open(in: folder, key: key)
    #expect(!opened.wasClosed && opened.repaired == nil)
  }

  // MARK: Any damage

  /// All rows of all lists of the library. The ids of the rows are set to 0, because a new database can change the ids.
  private func rows(_ bench: ServiceBench) throws -> [String: [LibraryRow]] {
    var lists: [String: [LibraryRow]] = [:]
    func read(_ node: LibraryNode, _ name: String) throws {
      let rows = try bench.service.rows(RowsRequest(node, limit: 100)).rows
      for row in rows {
        if let node = row.node { try read(node, name + "/" + row.title) }
      }
      lists[name] = rows
      _ = try bench.service.letters(of: node, under: nil)
    }
    for node in [
      LibraryNode.artists, .albums, .recentAlbums, .songs, .genres, .playlists, .volumes,
    ] {
      try read(node, node.text)
    }
    // In the list `recent`, albums that arrived in the same transaction can have any order.
    lists["recent"]?.sort { $0.title < $1.title }
    lists["search"] = try bench.service.find(SearchRequest("song 1")).rows
    lists["keys"] = try bench.service.find(SearchRequest("27", isByKeys: true)).rows
    return lists.mapValues {
      $0.map { row in
        var row = row
        row.id = 0
        return row
      }
    }
  }

  /// Starts the library, and waits until the database was checked, or was replaced and filled again. Returns all rows.
  private func rowsAfterStart(_ bench: ServiceBench) throws -> [String: [LibraryRow]] {
    bench.messages = []
    try bench.restart()
    bench.service.setVolumes([bench.volume("a")])
    var found: [String: [LibraryRow]] = [:]
    try bench.loop.turn(until: {
      let findings = bench.service.exchange.findings
      guard findings.checks > 0 || !bench.messages.isEmpty,
        findings.conditions["id a"] == .ready, bench.service.exchange.isIdle,
        let rows = try? self.rows(bench)
      else { return false }
      found = rows
      // If damage was found, the scan begins again with an empty database, so wait for all songs.
      return bench.messages.isEmpty || rows["songs"]?.count == Self.songs
    })
    bench.service.shutDown()
    return found
  }

  @Test func anyDamagedByte_isRepaired_orTheRowsAreThere() throws {
    let bench = try bench()
    let whole = try rows(bench)
    try cutPower(bench)
    let bytes = try bench.folder.read("library/library.db")
    // Most bytes of a small database are unused and 0. Only the other bytes are damaged.
    let used = bytes.indices.filter { bytes[$0] != 0 }
    var random = SeededRandom(25)
    var (remade, different) = (0, 0)
    for _ in 0..<200 {
      let offset = try #require(used.randomElement(using: &random))
      var damaged = bytes
      damaged[offset] ^= UInt8.random(in: 1...255, using: &random)
      LibraryFile.remove(in: bench.folder.path("library"))
      try bench.folder.write("library/library.db", damaged)
      try bench.folder.write("library/library.db-wal", [])
      let found = try rowsAfterStart(bench)
      if !bench.messages.isEmpty {
        remade += 1
        let others = whole.keys.filter { found[$0] != whole[$0] }.sorted()
        #expect(others.isEmpty, "byte \(offset): \(bench.messages)")
      } else if found != whole {
        different += 1
      }
    }
    // A changed letter of a text cannot be noticed if no other table contains the text. (The index of words stores no
    // texts.) So in a few rounds the rows are different.
    #expect(different <= 15)
    #expect(remade >= 80)
  }
}
