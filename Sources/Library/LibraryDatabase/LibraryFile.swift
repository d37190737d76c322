internal import Glibc
public import SQLite

/// The file of the library's database.
public enum LibraryFile {
  /// Opens the database in a folder for writing. If the database is damaged or has another schema, it is removed and
  /// created again.
  ///
  /// - Parameters:
  ///   - folder: the folder of the database. It must exist.
  ///   - key: a text with all settings that affect the stored rows, for example the articles that sorting ignores. If
  ///     the key in the database differs, the database is created again.
  ///   - maximumBytes: maximum size of the file; nil if the size is not limited.
  /// - Returns: `repaired` is the error because of which the database was created again; nil if it was not. `wasClosed`
  ///   is false if the program that used the database before was killed, or if the power was cut.
  public static func open(
    in folder: String, key: String, maximumBytes: Int? = nil
  ) throws(DatabaseError) -> (database: Database, repaired: DatabaseError?, wasClosed: Bool) {
    let path = path(in: folder)
    // SQLite removes the journal when the last connection is closed. If the journal exists, the database was not
    // closed.
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

  /// Opens the database for reading. ``open(in:key:maximumBytes:)`` must have succeeded before.
  public static func reader(in folder: String) throws(DatabaseError) -> Database {
    let database = try Database(path: path(in: folder), access: .reading)
    try database.execute(
      """
      PRAGMA cache_size = -1000; PRAGMA mmap_size = 0; PRAGMA temp_store = MEMORY;
      PRAGMA query_only = ON
      """)
    return database
  }

  /// Removes the database. All connections must be closed before.
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
    // With `synchronous = NORMAL`, a power cut can remove the last transactions. The music files of these transactions
    // are then read again.
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

  /// Checks the whole file, and compares the indexes with their tables. This reads each page, which takes some tenths
  /// of a second with 100 000 songs.
  public static func check(_ database: Database) throws(DatabaseError) {
    do {
      try checkPages(database)
      // `PRAGMA integrity_check` does not check the contents of the tables of words. The command `integrity-check` of
      // FTS5 checks these contents.
      for index in ["words", "digits", "wholes"] {
        try database.execute("INSERT INTO \(index)(\(index)) VALUES('integrity-check')")
      }
    } catch {
      // A damaged length can be larger than the memory, so the error `outOfMemory` also means damage.
      throw error.kind == .outOfMemory ? .damaged(error.message) : error
    }
  }

  private static func checkPages(_ database: Database) throws(DatabaseError) {
    var problem: String?
    try database.statement("PRAGMA integrity_check(1)").execute(
      row: { row throws(DatabaseError) in
        // SQLite can put a line with the name of the database before the result.
        let line = row.text(0).split(separator: "\n").last.map(String.init)
        if line != "ok" { problem = line ?? "unknown damage" }
        return false
      })
    if let problem { throw DatabaseError.damaged(problem) }
  }
}
