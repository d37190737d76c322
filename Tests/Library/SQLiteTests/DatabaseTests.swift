import NameKeys
import TestKit
import Testing

@testable import SQLite

@Suite struct DatabaseTests {
  private func database() throws -> Database {
    let database = try Database(path: Database.memory, access: .writing)
    try database.execute(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, key BLOB, x REAL)")
    return database
  }

  private func names(_ database: Database) throws -> [String] {
    var names: [String] = []
    try database.statement("SELECT name FROM t ORDER BY id").execute { row in
      names.append(row.text(0))
      return true
    }
    return names
  }

  @Test func execute_valuesOfEachType_areReadBack() throws {
    let database = try database()
    let insert = try database.statement("INSERT INTO t (name, key, x) VALUES (?1, ?2, ?3)")
    try insert.execute(.text("Ünï\0code"), .bytes([0, 255, 1]), .real(0.5))
    try insert.execute(.text(""), .bytes([]), nil)
    #expect(database.lastRow == 2)
    var rows = 0
    try database.statement("SELECT id, name, key, x FROM t ORDER BY id").execute { row in
      rows += 1
      #expect(row.integer(0) == Int64(rows))
      #expect(row.text(1) == (rows == 1 ? "Ünï\0code" : ""))
      #expect(row.bytes(2) == (rows == 1 ? [0, 255, 1] : []))
      #expect(!row.isNull(1) && !row.isNull(2))
      #expect(row.isNull(3) == (rows == 2))
      return true
    }
    #expect(rows == 2)
  }

  @Test func execute_ruleOfTheSchema_isAConstraint() throws {
    let database = try database()
    let insert = try database.statement("INSERT INTO t (name) VALUES (?1)")
    try insert.execute(.text("a"))
    #expect(throws: DatabaseError.self) { try insert.execute(.text("a")) }
    // After the error, the statement can be used again.
    try insert.execute(.text("b"))
    #expect(try names(database) == ["a", "b"])
  }

  @Test func transaction_thatThrows_changesNothing() throws {
    let database = try database()
    let insert = try database.statement("INSERT INTO t (name) VALUES (?1)")
    var kind: DatabaseError.Kind?
    do {
      try database.transaction { () throws(DatabaseError) in
        try insert.execute(.text("a"))
        try insert.execute(.text("a"))
      }
    } catch {
      kind = error.kind
    }
    #expect(kind == .constraint)
    #expect(try names(database).isEmpty)
    try database.transaction { () throws(DatabaseError) in try insert.execute(.text("b")) }
    #expect(try names(database) == ["b"])
  }

  @Test func open_fileThatIsNoDatabase_isDamaged() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "db", Array("this is text, and no database, ".utf8) + [UInt8](repeating: 7, count: 4096))
    let database = try Database(path: folder.path("db"), access: .writing)
    var kind: DatabaseError.Kind?
    do { try database.execute("SELECT * FROM sqlite_schema") } catch { kind = error.kind }
    #expect(kind == .damaged)
  }

  @Test func open_missingFileOrFolder_isUnavailable() throws {
    let folder = try TemporaryFolder()
    for (path, access) in [("none", Database.Access.reading), ("none/db", .writing)] {
      var kind: DatabaseError.Kind?
      do { _ = try Database(path: folder.path(path), access: access) } catch { kind = error.kind }
      #expect(kind == .unavailable)
    }
  }

  @Test func statement_withAnErrorInItsText_isUnsupported() throws {
    let database = try database()
    var kind: DatabaseError.Kind?
    do { _ = try database.statement("SELEKT 1") } catch { kind = error.kind }
    #expect(kind == .unsupported)
  }

  /// Runs the expressions of ``SearchQuery`` on a real full-text index (FTS5).
  @Test(arguments: [
    ("moon saf", ["Moon Safari"]), ("SIGUR rós", ["Sigur Rós"]), ("島み", ["中島みゆき"]), ("み島", []),
    ("dont", ["Don’t Stop"]), ("\" OR moon", []), ("a", ["AC/DC", "Ænima"]), ("방", ["BTS 방탄"]),
    ("елк", ["Ёлка"]), ("99", ["99 Luftballons"]),
  ])
  func match_queryOfText_findsTheNames(query: String, expected: [String]) throws {
    let database = try indexed()
    #expect(try found(database, "words", SearchQuery(text: query)) == expected)
  }

  @Test(arguments: [
    ("6666", ["Moon Safari"]), ("74487", ["Sigur Rós"]), ("666607", ["Moon Safari"]), ("355", []),
    ("3442", ["Ёлка"]), ("99", ["99 Luftballons"]), ("5", ["99 Luftballons"]),
    ("2", ["AC/DC", "Ænima", "BTS 방탄"]),
  ])
  func match_queryOfKeys_findsTheNames(keys: String, expected: [String]) throws {
    let database = try indexed()
    #expect(try found(database, "digits", SearchQuery(keys: keys)) == expected)
  }

  private static let names = [
    "Moon Safari", "Sigur Rós", "中島みゆき", "Don’t Stop", "AC/DC", "Ænima", "BTS 방탄", "Ёлка",
    "99 Luftballons",
  ]

  private func indexed() throws -> Database {
    let database = try Database(path: Database.memory, access: .writing)
    try database.execute("CREATE VIRTUAL TABLE words USING fts5(text, content='', detail=full)")
    try database.execute("CREATE VIRTUAL TABLE digits USING fts5(text, content='', prefix='1 2 3')")
    let words = try database.statement("INSERT INTO words (rowid, text) VALUES (?1, ?2)")
    let digits = try database.statement("INSERT INTO digits (rowid, text) VALUES (?1, ?2)")
    for (index, name) in Self.names.enumerated() {
      let search = SearchWords(FoldedName(name))
      try words.execute(.integer(index), .text(search.indexText))
      try digits.execute(.integer(index), .text(search.indexDigits))
    }
    return database
  }

  private func found(_ database: Database, _ table: String, _ query: SearchQuery?) throws
    -> [String]
  {
    let query = try #require(query)
    var found: [String] = []
    let select = try database.statement(
      "SELECT rowid FROM \(table) WHERE \(table) MATCH ?1 ORDER BY rowid")
    try select.execute(.text(query.expression(atBeginning: false))) { row in
      found.append(Self.names[Int(row.integer(0))])
      return true
    }
    return found
  }
}
