internal import Glibc
public import SQLite

/// The file of the library's database.
public enum LibraryFile {
  /// Opens the database in a folder, for writing. A database that is damaged, or that has another schema, is removed
  /// and made again.
  ///
  /// - Parameters:
  ///   - folder: must exist.
  ///   - key: everything else that determines the rows, for example the articles that do not count. If the key of the
  ///     database differs, the database is made again.
  ///   - maximumBytes: maximum size of the file; nil for no limit.
  /// - Returns: the connection, the error because of which the database was made again, and whether the program that
  ///   used the database before has closed it. Otherwise the program was killed, or has lost its power.
  public static func open(
    in folder: String, key: String, maximumBytes: Int? = nil
  ) throws(DatabaseError) -> (database: Database, repaired: DatabaseError?, wasClosed: Bool) {
    let path = path(in: folder)
    // SQLite removes the journal when the last connection is closed. So nothing else need be written.
    var wasClosed = access(path + "-wal", F_OK) != 0
    var database: Database
    var repaired: DatabaseError?
    do {
      database = try connect(path, key)
    } catch {
      guard error.isOfContent else { throw error }
      remove(in: folder)
      database = try connect(path, key)
      repaired = error
      wasClosed = true
    }
    if let maximumBytes {
      try database.execute("PRAGMA max_page_count = \(maximumBytes / 4096)")
    }
    return (database, repaired, wasClosed)
  }

  /// Opens the database for reading. ``open(in:key:)`` must have succeeded before.
  public static func reader(in folder: String) throws(DatabaseError) -> Database {
    let database = try Database(path: path(in: folder), access: .reading)
    try database.execute(
      """
      PRAGMA cache_size = -1000; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;
      PRAGMA query_only = ON
      """)
    return database
  }

  /// Removes the database. No connection may be open.
  public static func remove(in folder: String) {
    unlink(path(in: folder))
    removeJournals(in: folder)
  }

  static func removeJournals(in folder: String) {
    for suffix in ["-wal", "-shm", "-journal"] { unlink(path(in: folder) + suffix) }
  }

  /// The path of the database in a folder.
  public static func path(in folder: String) -> String { folder + "/library.db" }

  private static func connect(_ path: String, _ key: String) throws(DatabaseError) -> Database {
    guard Database.hasFullText else { throw DatabaseError.noFullText }
    let database = try Database(path: path, access: .writing)
    // After a power cut, the last transactions may be gone. Their files are read again.
    try database.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -2400;
      PRAGMA journal_size_limit = 4194304; PRAGMA temp_store = MEMORY; PRAGMA cell_size_check = ON;
      PRAGMA trusted_schema = OFF
      """)
    let isCurrent = try version(database) == LibrarySchema.version
    if isCurrent, try storedKey(database) == key { return database }
    guard try database.statement("SELECT count(*) FROM sqlite_schema").integer() == 0 else {
      throw DatabaseError.otherSchema
    }
    try database.transaction { () throws(DatabaseError) in
      try database.execute(LibrarySchema.tables)
      try database.statement("INSERT INTO meta(name, value) VALUES('key', ?1)").execute(.text(key))
      try database.execute("PRAGMA user_version = \(LibrarySchema.version)")
    }
    return database
  }

  private static func version(_ database: Database) throws(DatabaseError) -> Int64? {
    try database.statement("PRAGMA user_version").integer()
  }

  private static func storedKey(_ database: Database) throws(DatabaseError) -> String? {
    var key: String?
    try database.statement("SELECT value FROM meta WHERE name = 'key'").execute(
      row: { row throws(DatabaseError) in
        key = row.text(0)
        return false
      })
    return key
  }

  /// Examines the whole file, and compares the indexes with their tables. Reads each page, so it takes some tenths of a
  /// second with 100 000 songs.
  public static func check(_ database: Database) throws(DatabaseError) {
    do {
      try checkPages(database)
      // The words are in tables of their own, whose content only FTS5 knows.
      for index in ["words", "digits"] {
        try database.execute("INSERT INTO \(index)(\(index)) VALUES('integrity-check')")
      }
    } catch {
      // A damaged length can be more than there is memory.
      throw error.kind == .outOfMemory ? .damaged(error.message) : error
    }
  }

  private static func checkPages(_ database: Database) throws(DatabaseError) {
    var problem: String?
    try database.statement("PRAGMA integrity_check(1)").execute(
      row: { row throws(DatabaseError) in
        // A line with the name of the database may come first.
        let line = row.text(0).split(separator: "\n").last.map(String.init)
        if line != "ok" { problem = line ?? "unknown damage" }
        return false
      })
    if let problem { throw DatabaseError.damaged(problem) }
  }
}
