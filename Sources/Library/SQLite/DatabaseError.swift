internal import CSQLite

/// An error of SQLite.
public struct DatabaseError: Error, Equatable, Sendable {
  /// The kind of an error. It determines what the owner of the database can do.
  public enum Kind: Equatable, Sendable {
    /// The file is damaged, or is not a database. If the database is a cache, it is removed and created again.
    case damaged
    /// The file system is full.
    case full
    /// The file or its folder cannot be written.
    case readOnly
    /// The file cannot be read, opened or locked.
    case unavailable
    /// Another connection holds the lock.
    case busy
    /// SQLite does not support a feature, the statement is wrong, or the database has another schema.
    case unsupported
    /// A row contradicts a rule of the schema.
    case constraint
    /// There is not enough memory.
    case outOfMemory
  }

  /// The kind of the error.
  public let kind: Kind
  /// True if the content of the file causes the error. If the database is a cache, it is removed and created again.
  public var isOfContent: Bool {
    switch kind {
    case .damaged, .unsupported, .constraint: true
    case .full, .readOnly, .unavailable, .busy, .outOfMemory: false
    }
  }

  /// True if the storage causes the error: it is full, read-only or faulty.
  public var isOfStorage: Bool {
    switch kind {
    case .full, .readOnly, .unavailable: true
    case .damaged, .busy, .unsupported, .constraint, .outOfMemory: false
    }
  }

  /// The extended result code of SQLite.
  public let code: Int32
  /// The message of SQLite, for the log.
  public let message: String

  /// The error for a database with another schema than this program uses.
  public static var otherSchema: DatabaseError {
    DatabaseError(code: SQLITE_ERROR, message: "the database has another schema")
  }

  /// The error for an installed SQLite without FTS5.
  public static var noFullText: DatabaseError {
    DatabaseError(
      code: SQLITE_NOLFS,
      message: "the installed SQLite has no FTS5; install a libsqlite3 that was built with it")
  }

  /// Creates the error for a file whose content is not consistent.
  public static func damaged(_ message: String) -> DatabaseError {
    DatabaseError(code: SQLITE_CORRUPT, message: message)
  }

  init(code: Int32, message: String) {
    self.code = code
    self.message = message
    kind =
      switch code & 0xFF {
      case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: .damaged
      case SQLITE_FULL: .full
      case SQLITE_READONLY: .readOnly
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG, SQLITE_RANGE: .constraint
      case SQLITE_NOMEM: .outOfMemory
      case SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_MISUSE: .unsupported
      default: .unavailable
      }
  }
}
