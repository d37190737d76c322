internal import CSQLite

/// A compiled statement. Use it on the thread of its ``Database``.
public final class Statement {
  private let handle: OpaquePointer
  /// Keeps the connection alive, because it must not be closed before its statements.
  private let database: Database

  init(_ handle: OpaquePointer, _ database: Database) {
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  /// Executes the statement. Calls `row` for each row of the result, until `row` returns false.
  ///
  /// - Parameter values: the values of `?1`, `?2` and so on.
  public func execute(
    _ values: Value?..., row: (borrowing Row) throws(DatabaseError) -> Bool = { _ in true }
  ) throws(DatabaseError) {
    try execute(values, row: row)
  }

  /// See ``execute(_:row:)``.
  public func execute(
    _ values: [Value?], row: (borrowing Row) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) {
    // Without the reset, the statement would keep its lock. Without clearing, it would keep old values.
    defer {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
    }
    for (index, value) in values.enumerated() { try bind(value, Int32(index + 1)) }
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW: if try !row(Row(handle)) { return }
      case SQLITE_DONE: return
      case let status: throw database.error(status)
      }
    }
  }

  /// Returns the first value of the first row as an integer. Nil if there is no row, or if the value is NULL.
  public func integer(_ values: Value?...) throws(DatabaseError) -> Int64? {
    var result: Int64?
    try execute(values) { row throws(DatabaseError) in
      result = row.isNull(0) ? nil : row.integer(0)
      return false
    }
    return result
  }

  private func bind(_ value: Value?, _ index: Int32) throws(DatabaseError) {
    let status =
      switch value {
      case nil: sqlite3_bind_null(handle, index)
      case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
      case .real(let real): sqlite3_bind_double(handle, index, real)
      case .text(var text):
        text.withUTF8 { bytes in
          bytes.withMemoryRebound(to: CChar.self) {
            // SQLite would bind a null pointer as NULL, so an empty text needs a pointer.
            guard let base = $0.baseAddress else { return csqlite_bind_text(handle, index, "", 0) }
            return csqlite_bind_text(handle, index, base, Int32($0.count))
          }
        }
      case .bytes(let bytes):
        bytes.withUnsafeBytes { csqlite_bind_blob(handle, index, $0.baseAddress, Int32($0.count)) }
      }
    guard status == SQLITE_OK else { throw database.error(status) }
  }
}

/// A value of SQLite, such as the value of a parameter (`?1`) of a statement.
public enum Value: Equatable, Sendable {
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])

  /// Converts an `Int`.
  public static func integer(_ value: Int) -> Value { .integer(Int64(value)) }
}

/// A row of a result. Valid only during the call that receives it.
public struct Row: ~Copyable {
  private let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  /// True if the value of the column is NULL.
  public func isNull(_ column: Int32) -> Bool {
    sqlite3_column_type(handle, column) == SQLITE_NULL
  }

  /// The value of the column as an integer. 0 if it is not a number.
  public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// The value of the column as an integer. Nil if it is NULL.
  public func optionalInteger(_ column: Int32) -> Int64? {
    isNull(column) ? nil : integer(column)
  }

  /// The value of the column as a number. 0 if it is not a number.
  public func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// The value of the column as text. Empty if it is NULL. Invalid UTF-8 is replaced.
  public func text(_ column: Int32) -> String { String(decoding: bytes(column), as: UTF8.self) }

  /// The value of the column as text. Nil if it is NULL.
  public func optionalText(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }

  /// The value of the column as bytes. Empty if it is NULL.
  public func bytes(_ column: Int32) -> [UInt8] {
    guard let base = sqlite3_column_blob(handle, column) else { return [] }
    let count = Int(sqlite3_column_bytes(handle, column))
    return Array(UnsafeRawBufferPointer(start: base, count: count))
  }
}
