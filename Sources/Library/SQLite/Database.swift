internal import CSQLite

/// A connection to an SQLite database.
///
/// - Thread: one thread at a time.
/// - Blocks: each call can read and write the file. A connection waits at most ``busyMilliseconds`` for the lock of
///   another connection.
public final class Database: @unchecked Sendable {
  /// The access of a connection to the file.
  public enum Access: Sendable {
    /// Reads and writes the file. The file is created if it is missing.
    case writing
    /// Reads the file, which must exist.
    case reading
  }

  /// The path for a database that exists only in memory.
  public static let memory = ":memory:"
  static let busyMilliseconds: Int32 = 1000

  /// SQLite's memory for small values (lookaside): 240 KB. Each register of a compiled statement keeps a value. So with
  /// about fifty statements, the default of 48 KB is too little, and SQLite would allocate memory for each value.
  private static let smallMemory: (bytes: Int32, count: Int32) = (1200, 200)
  /// Evaluated once per process, because SQLite is configured once per process.
  private static let configured = csqlite_disable_statistics()

  let handle: OpaquePointer

  /// True if the installed SQLite can search texts.
  public static var hasFullText: Bool { sqlite3_compileoption_used("ENABLE_FTS5") != 0 }

  /// Opens the file. SQLite reads the content of the file only with the first statement.
  public init(path: String, access: Access) throws(DatabaseError) {
    _ = Self.configured
    var opened: OpaquePointer?
    let mode =
      switch access {
      case .writing: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .reading: SQLITE_OPEN_READONLY
      }
    // The path is not parsed as a URI. Only one thread at a time uses a connection, so SQLite needs no mutex.
    let status = sqlite3_open_v2(
      path, &opened, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard status == SQLITE_OK, let opened else {
      let error = Self.error(opened, status)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    csqlite_set_small_memory(opened, Self.smallMemory.bytes, Self.smallMemory.count)
    sqlite3_busy_timeout(opened, Self.busyMilliseconds)
  }

  deinit { sqlite3_close_v2(handle) }

  /// Executes statements without results, separated by `;`.
  public func execute(_ statements: String) throws(DatabaseError) {
    let status = sqlite3_exec(handle, statements, nil, nil, nil)
    guard status == SQLITE_OK else { throw error(status) }
  }

  /// Compiles a statement, which can be executed many times.
  public func statement(_ text: String) throws(DatabaseError) -> Statement {
    var compiled: OpaquePointer?
    let status = sqlite3_prepare_v3(
      handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &compiled, nil)
    guard status == SQLITE_OK, let compiled else { throw error(status) }
    return Statement(compiled, self)
  }

  /// Executes `body` in a transaction. If `body` throws, the transaction is rolled back.
  public func transaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
    try execute("BEGIN IMMEDIATE")
    do {
      try body()
      try execute("COMMIT")
    } catch {
      // After some errors, SQLite itself has already rolled back. Then this statement fails, which is ignored.
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// The id of the row that was inserted last.
  public var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// The number of rows that the last statement has inserted, changed or removed.
  public var changedRows: Int { Int(sqlite3_changes(handle)) }

  func error(_ status: Int32) -> DatabaseError { Self.error(handle, status) }

  private static func error(_ handle: OpaquePointer?, _ status: Int32) -> DatabaseError {
    let code = handle.map { sqlite3_extended_errcode($0) } ?? status
    let message = handle.map { String(cString: sqlite3_errmsg($0)) }
    return DatabaseError(
      code: code == SQLITE_OK ? status : code,
      message: message ?? String(cString: sqlite3_errstr(status)))
  }
}
