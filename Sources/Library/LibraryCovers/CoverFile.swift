internal import Glibc
internal import SQLite

/// The file of the thumbnails, a cache. It is not a part of the library's database, so it is kept if the database is
/// created again.
package enum CoverFile {
  /// The version of the file. It is increased with each change of the tables, and when the decoder supports further
  /// kinds of pictures.
  static let version: Int64 = 1
  static let pageBytes = 4096
  /// Space for the journal, which is a separate file.
  static let journalBytes = 1 << 20

  static let tables = """
    -- `seen` grows: volumes with a smaller number were not present for longer.
    CREATE TABLE volume(
      id INTEGER PRIMARY KEY, identity TEXT NOT NULL UNIQUE, seen INTEGER NOT NULL);

    -- What is known about an album in a volume. `album` is an id of the library, which is computed from
    -- names. `stamp` is computed from the files in which the cover may be. `picture` is 0 if none of them
    -- has a picture that can be shown.
    CREATE TABLE cover(
      album INTEGER NOT NULL, volume INTEGER NOT NULL, stamp INTEGER NOT NULL,
      picture INTEGER NOT NULL, PRIMARY KEY(album, volume)) WITHOUT ROWID;
    CREATE INDEX cover_picture ON cover(picture) WHERE picture <> 0;
    CREATE INDEX cover_volume ON cover(volume);

    -- The thumbnails. The id is computed from the bytes of the picture, so albums with the same picture
    -- have the same thumbnail.
    CREATE TABLE picture(id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
    """

  /// The path of the file in a folder.
  package static func path(in folder: String) -> String { folder + "/covers.db" }

  /// Opens the file for writing. If the file is damaged or contains other tables, it is removed and created again.
  /// - Parameter maximumBytes: maximum size of the file with its journal.
  static func open(in folder: String, maximumBytes: Int) throws(DatabaseError) -> Database {
    do {
      return try connect(folder, maximumBytes)
    } catch {
      guard error.isOfContent else { throw error }
      remove(in: folder)
      return try connect(folder, maximumBytes)
    }
  }

  /// Opens the file for reading. The file must exist.
  static func reader(in folder: String) throws(DatabaseError) -> Database {
    let database = try Database(path: path(in: folder), access: .reading)
    try database.execute("PRAGMA cache_size = -256; PRAGMA query_only = ON")
    return database
  }

  /// Removes the file. All connections for writing must be closed before.
  package static func remove(in folder: String) {
    for suffix in ["", "-wal", "-shm"] { unlink(path(in: folder) + suffix) }
  }

  /// Maximum number of pages of the file without its journal.
  static func pages(_ maximumBytes: Int) -> Int {
    max(16, (maximumBytes - journalBytes) / pageBytes)
  }

  private static func connect(
    _ folder: String, _ maximumBytes: Int
  ) throws(DatabaseError) -> Database {
    let database = try Database(path: path(in: folder), access: .writing)
    // With `synchronous = NORMAL`, a power cut can remove the last thumbnails, which are then made again. Frequent
    // checkpoints keep the journal small.
    try database.execute(
      """
      PRAGMA page_size = \(pageBytes); PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA cache_size = -512; PRAGMA wal_autocheckpoint = 64; PRAGMA temp_store = MEMORY;
      PRAGMA journal_size_limit = \(journalBytes / 2); PRAGMA cell_size_check = ON;
      PRAGMA trusted_schema = OFF; PRAGMA max_page_count = \(pages(maximumBytes))
      """)
    let found = try database.statement("PRAGMA user_version").integer()
    if found == version {
      // This query makes SQLite read the schema, so that damage at the beginning of the file is found now.
      _ = try database.statement("SELECT count(*) FROM volume").integer()
      return database
    }
    guard try database.statement("SELECT count(*) FROM sqlite_schema").integer() == 0 else {
      throw DatabaseError.otherSchema
    }
    try database.transaction { () throws(DatabaseError) in
      try database.execute(tables)
      try database.execute("PRAGMA user_version = \(version)")
    }
    return database
  }
}
