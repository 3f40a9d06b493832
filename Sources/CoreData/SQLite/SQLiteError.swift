import CSQLite
import Foundation

/// What SQLite answered when it did not do what was asked.
///
/// It stays inside the engine: callers of the framework get an `NSError` of the Cocoa domain with this one as its
/// underlying error.
struct SQLiteError: Error, Equatable, CustomStringConvertible {
  /// The extended result code.
  let code: Int32
  /// SQLite's own words.
  let message: String
  /// The statement, without any bound value.
  let sql: String?

  /// The primary result code.
  var primaryCode: Int32 { code & 0xff }

  /// Whether the query was cancelled by `sqlite3_interrupt`.
  var isInterrupt: Bool { primaryCode == SQLITE_INTERRUPT }

  /// Whether another connection held a lock for too long.
  var isLock: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

  /// Who has locked a store.
  func lockWords(_ path: String?) -> String {
    let holders = path.map(LockHolders.words) ?? []
    return "the store is locked by " + (holders.isEmpty ? "another program" : holders.joined(separator: " and "))
  }

  var description: String {
    "SQLite \(code): \(message)" + (sql.map { " (\($0))" } ?? "")
  }

  /// The framework's error for it: `NSPersistentStoreOpenError` while opening, `NSSQLiteError` afterwards.
  ///
  /// The keys are Apple's: `NSSQLiteErrorDomain` holds the result code.
  /// A lock is told with the program that holds it, where that can be seen.
  func cocoaError(_ code: Int = NSSQLiteError, path: String? = nil) -> NSError {
    let message = isLock ? lockWords(path) : message
    let underlying = NSError(
      domain: NSSQLiteErrorDomain, code: Int(self.code), userInfo: [NSLocalizedDescriptionKey: message])
    var info: [String: Any] = [
      NSLocalizedDescriptionKey: message, NSSQLiteErrorDomain: NSNumber(value: self.code),
      NSUnderlyingErrorKey: underlying,
    ]
    if let path { info[NSFilePathErrorKey] = path }
    return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: info)
  }
}
