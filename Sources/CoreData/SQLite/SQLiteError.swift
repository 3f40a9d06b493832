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

  var description: String {
    "SQLite \(code): \(message)" + (sql.map { " (\($0))" } ?? "")
  }

  /// The framework's error for it: `NSPersistentStoreOpenError` while opening, `NSSQLiteError` afterwards.
  ///
  /// The keys are Apple's: `NSSQLiteErrorDomain` holds the result code.
  func cocoaError(_ code: Int = NSSQLiteError, path: String? = nil) -> NSError {
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
