import CSQLite
import Foundation

/// One connection to a database file: prepared statements only, used by one thread at a time.
///
/// `ConnectionPool` hands it from thread to thread under its lock; the class itself does not lock.
final class SQLiteConnection {
  private let handle: OpaquePointer
  private var idle: [String: SQLiteStatement] = [:]
  /// Told each statement's text before it runs.
  var recorder: ((String) -> Void)?
  /// Tells of what runs, where that is asked for.
  var debug = SQLDebug.launched

  /// How the file is opened: the part of the URI after `?`, and the flags.
  struct Mode: Hashable, Sendable {
    var query: String
    var flags: Int32

    static let readWrite = Mode(query: "", flags: SQLITE_OPEN_READWRITE)
    static let create = Mode(query: "", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    /// Byte-exact and live on a rollback journal (reference/SQLITE.md 1).
    static let readOnly = Mode(query: "mode=ro", flags: SQLITE_OPEN_READONLY)
    /// Byte-exact and live on a WAL whose `-shm` exists.
    static let readOnlySharedMemory = Mode(query: "mode=ro&readonly_shm=1", flags: SQLITE_OPEN_READONLY)
    /// The main file alone, as it is now.
    static let immutable = Mode(query: "mode=ro&immutable=1", flags: SQLITE_OPEN_READONLY)
  }

  /// Opens the file at `path`, waiting up to `busyTimeout` milliseconds for other processes' locks.
  init(path: String, mode: Mode, busyTimeout: Int32 = 5_000, keys: InternedKeys? = nil) throws {
    var opened: OpaquePointer?
    let uri = Self.uri(path) + (mode.query.isEmpty ? "" : "?" + mode.query)
    let flags = mode.flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(uri, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw SQLiteError(code: code, message: message, sql: nil)
    }
    handle = opened
    sqlite3_busy_timeout(handle, busyTimeout)
    // Stores come from anywhere: their schema may not call functions that act, nor change what a query means.
    configure(SQLITE_DBCONFIG_DEFENSIVE, true)
    configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
    registerTextFunctions(on: handle)
    RowTest.register(on: handle, of: self)
    if let keys { registerKeyFunctions(on: handle, keys: keys) }
  }

  deinit {
    idle.removeAll()
    sqlite3_close_v2(handle)
  }

  /// A statement ready to bind and step; `body`'s result is returned and the statement goes back to the cache, reset.
  func withStatement<Result>(_ sql: String, _ body: (SQLiteStatement) throws -> Result) throws -> Result {
    recorder?(sql)
    let statement = try idle.removeValue(forKey: sql) ?? SQLiteStatement(sql, on: handle)
    defer {
      statement.reset()
      if idle.count >= 64 { idle.removeAll() }
      idle[sql] = statement
    }
    guard let debug else { return try body(statement) }
    return try debug.running(sql, statement, explain: { try plan(of: sql) }) { try body(statement) }
  }

  /// How SQLite goes about a statement, in its own words.
  private func plan(of sql: String) throws -> [String] {
    let statement = try SQLiteStatement("EXPLAIN QUERY PLAN " + sql, on: handle)
    var lines: [String] = []
    while try statement.step() {
      if case .text(let line) = statement.value(at: 3) { lines.append(line) }
    }
    return lines
  }

  /// Runs a statement to its end, throwing away rows.
  func execute(_ sql: String, _ values: [SQLiteValue] = []) throws {
    try withStatement(sql) { statement in
      try statement.bind(values)
      while try statement.step() {}
    }
  }

  /// The rows of a small result, whole.
  func rows(_ sql: String, _ values: [SQLiteValue] = []) throws -> [[SQLiteValue]] {
    try withStatement(sql) { statement in
      try statement.bind(values)
      var rows: [[SQLiteValue]] = []
      while try statement.step() { rows.append((0..<statement.columnCount).map { statement.value(at: $0) }) }
      return rows
    }
  }

  /// Runs `body` inside one immediate transaction; an error rolls it back.
  func immediateTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// Runs `body`, which only reads, on one state of the database; it should be short, since it can keep writers out.
  func readTransaction<Result>(_ body: () throws -> Result) throws -> Result {
    try execute("BEGIN")
    // Nothing was written that could be lost.
    defer { try? execute("COMMIT") }
    return try body()
  }

  /// Whether a transaction is open, as it is when even rolling it back failed.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Makes `cancellation` able to interrupt what this connection runs inside `body`.
  func cancellable<Result>(_ cancellation: FetchCancellation?, _ body: () throws -> Result) throws -> Result {
    guard let cancellation else { return try body() }
    try cancellation.begin(on: handle)
    defer { cancellation.end(on: handle) }
    return try body()
  }

  private func configure(_ option: Int32, _ on: Bool) {
    storebrowser_db_config(handle, option, on ? 1 : 0)
  }

  /// A path as a file URI: every byte that could mean something else is written as `%` and two digits.
  ///
  /// The authority is written out, so that a path which begins with two slashes is not taken to name a host.
  private static func uri(_ path: String) -> String {
    let plain = Array("/-._~".utf8)
    return path.utf8.reduce(into: path.hasPrefix("/") ? "file://" : "file:") { uri, byte in
      let isLetterOrDigit = (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte & 0xdf)
      if isLetterOrDigit && byte < 0x80 || plain.contains(byte) {
        uri.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        uri += (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
      }
    }
  }
}
