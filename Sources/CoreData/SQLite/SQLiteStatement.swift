import CSQLite

/// A prepared statement.
///
/// Columns are read while `step()` has just answered `true`.
final class SQLiteStatement {
  private let handle: OpaquePointer
  private let connection: OpaquePointer
  private let sql: String
  /// How many columns a row has.
  let columnCount: Int32

  /// Tells SQLite to copy what is bound; the macro `SQLITE_TRANSIENT` does not import (reference/PLATFORM.md 9).
  private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(_ sql: String, on connection: OpaquePointer) throws {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else {
      throw SQLiteError(code: code, message: String(cString: sqlite3_errmsg(connection)), sql: sql)
    }
    handle = prepared
    self.connection = connection
    self.sql = sql
    columnCount = sqlite3_column_count(prepared)
  }

  /// Tells of bound values and rows, where that is asked for.
  var debug: SQLDebug?
  /// How many rows were found since that was asked for.
  var rowCount = 0

  deinit { sqlite3_finalize(handle) }

  /// Ends the query, releasing the read lock, and forgets the bound values.
  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  /// Binds values to `?1`, `?2`, ….
  func bind(_ values: [SQLiteValue]) throws {
    for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
  }

  /// Binds one value; parameters count from 1.
  func bind(_ value: SQLiteValue, at index: Int32) throws {
    debug?.bound(value, at: index)
    let code =
      switch value {
      case .null: sqlite3_bind_null(handle, index)
      case .integer(let value): sqlite3_bind_int64(handle, index, value)
      case .real(let value): sqlite3_bind_double(handle, index, value)
      case .text(var value):
        value.withUTF8 { sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count), Self.transient) }
      case .blob(let value):
        value.isEmpty
          ? sqlite3_bind_zeroblob(handle, index, 0)
          : sqlite3_bind_blob(handle, index, value, Int32(value.count), Self.transient)
      case .test(let test):
        // SQLite lets go of it when the parameter is bound anew or the statement ends.
        sqlite3_bind_pointer(handle, index, Unmanaged.passRetained(test).toOpaque(), RowTest.pointerType) {
          if let pointer = $0 { Unmanaged<RowTest>.fromOpaque(pointer).release() }
        }
      }
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Goes to the next row; `false` after the last.
  func step() throws -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW:
      debug?.found(self)
      return true
    case SQLITE_DONE: return false
    case let code: throw error(code)
    }
  }

  /// The column's storage class.
  func type(at column: Int32) -> Int32 { sqlite3_column_type(handle, column) }

  /// The column as an integer, converted as SQLite does.
  func integer(at column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// The column as a double, converted as SQLite does.
  func real(at column: Int32) -> Double { sqlite3_column_double(handle, column) }

  /// Whether the column is NULL.
  func isNull(at column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// The UTF-8 bytes of a text column; valid inside `body` only.
  func withText<Result>(at column: Int32, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result) rethrows -> Result {
    let text = sqlite3_column_text(handle, column)
    return try body(UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, column))))
  }

  /// The bytes of a blob column; valid inside `body` only.
  func withBlob<Result>(at column: Int32, _ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    let blob = sqlite3_column_blob(handle, column)
    return try body(UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_column_bytes(handle, column))))
  }

  /// The text of a column, invalid UTF-8 replaced; `nil` for NULL.
  func text(at column: Int32) -> String? {
    isNull(at: column) ? nil : withText(at: column) { String(decoding: $0, as: UTF8.self) }
  }

  /// The column in its own storage class.
  func value(at column: Int32) -> SQLiteValue {
    switch type(at: column) {
    case SQLITE_INTEGER: .integer(integer(at: column))
    case SQLITE_FLOAT: .real(real(at: column))
    case SQLITE_TEXT: .text(withText(at: column) { String(decoding: $0, as: UTF8.self) })
    case SQLITE_BLOB: .blob(withBlob(at: column) { Array($0) })
    default: .null
    }
  }

  private func error(_ code: Int32) -> SQLiteError {
    SQLiteError(code: code, message: String(cString: sqlite3_errmsg(connection)), sql: sql)
  }
}
