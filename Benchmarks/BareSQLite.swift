import CSQLite
import Foundation

/// SQLite's C functions, called as a program without Core Data would call them: what everything is measured against.
final class BareSQLite {
  struct Failure: Error { let message: String }

  private let handle: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    guard sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let opened else {
      throw Failure(message: "cannot open \(path)")
    }
    handle = opened
  }

  deinit { sqlite3_close(handle) }

  func run(_ sql: String) throws {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
  }

  /// Prepares `sql`, and calls `body` with each row.
  func rows(_ sql: String, _ body: (OpaquePointer) -> Void) throws {
    try prepared(sql) { statement in
      while true {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: body(statement)
        case SQLITE_DONE: return
        default: throw failure(sql)
        }
      }
    }
  }

  /// Prepares `sql` and lends the statement.
  func prepared(_ sql: String, _ body: (OpaquePointer) throws -> Void) throws {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else { throw failure(sql) }
    defer { sqlite3_finalize(statement) }
    try body(statement)
  }

  private func failure(_ sql: String) -> Failure {
    Failure(message: String(cString: sqlite3_errmsg(handle)) + ": " + sql)
  }
}

/// The text of a column, `nil` for NULL.
func text(_ statement: OpaquePointer, _ column: Int32) -> String? {
  guard let bytes = sqlite3_column_text(statement, column) else { return nil }
  let count = Int(sqlite3_column_bytes(statement, column))
  return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
}
