import CSQLite
import Foundation

extension SQLiteError {
  /// The framework's error for a save that failed: one clear line, the code that fits, SQLite's own words underneath.
  ///
  /// 133021 for a value that must be unique (reference/CONTEXT.md 42), 134090 for a store that stayed locked, 640 for a full
  /// disk, 513 for a file that cannot be written, 134180 for the rest.
  func saveError(in map: StoreMap, path: String?) -> NSError {
    switch primaryCode {
    case SQLITE_BUSY, SQLITE_LOCKED:
      failure(NSPersistentStoreTimeoutError, lockWords(path) + ": nothing was saved", path)
    case SQLITE_FULL: failure(NSFileWriteOutOfSpaceError, "the disk is full: nothing was saved", path)
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN, SQLITE_AUTH:
      failure(NSFileWriteNoPermissionError, "the store cannot be written: nothing was saved", path)
    case SQLITE_CONSTRAINT where isDuplicate:
      failure(NSManagedObjectConstraintMergeError, map.duplicate(in: message) + ": nothing was saved", path)
    case SQLITE_CONSTRAINT where code == SQLITE_CONSTRAINT | 5 << 8:  // SQLITE_CONSTRAINT_NOTNULL
      failure(
        NSValidationMissingMandatoryPropertyError, "\(subject) must have a value: nothing was saved", path)
    case SQLITE_CONSTRAINT where code == SQLITE_CONSTRAINT | 3 << 8:  // SQLITE_CONSTRAINT_FOREIGNKEY
      failure(
        NSManagedObjectReferentialIntegrityError,
        "a row would name one that is not there (foreign key): nothing was saved", path)
    case SQLITE_CONSTRAINT where code == SQLITE_CONSTRAINT | 1 << 8:  // SQLITE_CONSTRAINT_CHECK
      failure(NSManagedObjectValidationError, "the table's check fails (\(subject)): nothing was saved", path)
    case SQLITE_CONSTRAINT where code == SQLITE_CONSTRAINT | 12 << 8:  // SQLITE_CONSTRAINT_DATATYPE
      failure(NSManagedObjectValidationError, "\(message): nothing was saved", path)
    case SQLITE_IOERR:
      failure(NSSQLiteError, "the store could not be written (\(message)): nothing was saved", path)
    default: failure(NSSQLiteError, "\(message): nothing was saved", path)
    }
  }

  /// Whether a row has a value that another row must have alone.
  ///
  /// That are SQLITE_CONSTRAINT_UNIQUE, …_PRIMARYKEY and …_ROWID, which do not import.
  var isDuplicate: Bool { [8, 6, 10].contains { code == SQLITE_CONSTRAINT | $0 << 8 } }

  /// What SQLite says a constraint is about: what follows the last colon.
  private var subject: String { message.components(separatedBy: "constraint failed: ").last ?? message }

  private func failure(_ code: Int, _ text: String, _ path: String?) -> NSError {
    let plain = cocoaError(code, path: path)
    var info = plain.userInfo
    info[NSLocalizedDescriptionKey] = text
    return NSError(domain: plain.domain, code: plain.code, userInfo: info)
  }
}

extension StoreMap {
  /// What `UNIQUE constraint failed: ZCAR.ZNUMBERPLATE` means in words of the model.
  fileprivate func duplicate(in message: String) -> String {
    let columns = message.split(separator: ": ").last?.split(separator: ", ").map { $0.split(separator: ".") } ?? []
    guard let table = columns.first?.first,
      let entity = entities.first(where: { $0.table == table && $0.ownsTable })
        ?? entities.first(where: { $0.table == table })
    else { return "a value that must be unique is there already (\(message))" }
    let tree = entities.filter { $0.table == table }
    let names = columns.map { column in
      tree.lazy.flatMap(\.properties).first { _, property in
        if case .attribute(let name) = property { column.count == 2 && name == column[1] } else { false }
      }?.key ?? String(column.last ?? "?")
    }
    return "another \(entity.name) has the same \(names.joined(separator: " and ")), which must be unique"
  }
}
