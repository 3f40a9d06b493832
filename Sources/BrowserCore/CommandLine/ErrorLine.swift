import CoreData
import Foundation
import TextCanvas

/// An error as the command line tells it: one line, what to do, and the exit status.
struct ErrorLine: Equatable {
  /// The statuses of CLI.md, which follow `sysexits.h`.
  enum Status: Int32 {
    case failure = 1
    case usage = 64
    case data = 65
    case noInput = 66
  }

  var problem: String
  var remedy: String
  var status: Status

  init(_ error: any Error, path: String? = nil) {
    if let usage = error as? UsageError {
      (problem, remedy, status) = (usage.problem, usage.remedy, .usage)
      return
    }
    if let failure = error as? CommandFailure {
      (problem, remedy, status) = (failure.problem, failure.remedy, failure.status)
      return
    }
    if let told = error as? any LocalizedError, let what = told.errorDescription, let advice = told.recoverySuggestion {
      (problem, remedy, status) = (what, advice, .failure)
      return
    }
    let error = error as NSError
    let file = error.userInfo[NSFilePathErrorKey] as? String ?? path
    let what = error.userInfo[NSLocalizedDescriptionKey] as? String ?? error.localizedDescription
    problem = [file, what].compactMap { $0 }.joined(separator: ": ")
    (remedy, status) = Self.advice(for: error)
  }

  private static func advice(for error: NSError) -> (String, Status) {
    guard error.domain == NSCocoaErrorDomain else { return ("try again", .failure) }
    if let advice = advice(forSQLite: error) { return advice }
    switch error.code {
    case CocoaError.fileReadNoSuchFile.rawValue, CocoaError.fileNoSuchFile.rawValue:
      return ("check the path", .noInput)
    case CocoaError.fileReadNoPermission.rawValue: return ("check who may read it", .noInput)
    case CocoaError.fileWriteFileExists.rawValue: return ("move it away, or name another place with --at", .failure)
    case CocoaError.fileReadCorruptFile.rawValue where isAboutModel(error):
      return ("give a model, such as an .xcdatamodeld or a .mom", .data)
    case CocoaError.fileReadCorruptFile.rawValue, NSPersistentStoreTypeMismatchError:
      return ("give a Core Data store in SQLite format", .data)
    case NSMigrationMissingSourceModelError: return ("see storebrowser --help", .data)
    case NSPersistentStoreIncompatibleVersionHashError: return ("give the model that the store was made with", .data)
    case NSPersistentStoreOpenError, CocoaError.fileReadUnknown.rawValue:
      return ("check that it is a readable file", .noInput)
    case CocoaError.featureUnsupported.rawValue: return ("change the model", .data)
    case NSManagedObjectReferentialIntegrityError: return ("it may have been deleted", .failure)
    case NSCoreDataError: return ("see storebrowser entities", .usage)
    case NSManagedObjectValidationError...NSValidationInvalidURIError: return ("nothing was saved", .failure)
    case CocoaError.fileWriteNoPermission.rawValue, CocoaError.fileWriteVolumeReadOnly.rawValue:
      return ("check who may write it", .noInput)
    default: return ("try again", .failure)
    }
  }

  private static func isAboutModel(_ error: NSError) -> Bool {
    let path = error.userInfo[NSFilePathErrorKey] as? String ?? ""
    let kinds = ["mom", "momd", "omo", "xcdatamodel", "xcdatamodeld"]
    return kinds.contains((path as NSString).pathExtension)
      || ["contents", "elements"].contains((path as NSString).lastPathComponent)
  }

  /// What to do about a result code of SQLite that says more than the framework's own.
  private static func advice(forSQLite error: NSError) -> (String, Status)? {
    guard let code = error.userInfo[NSSQLiteErrorDomain] as? NSNumber else { return nil }
    switch code.intValue & 0xff {
    // All statements are the program's own: what is not as they take it to be is the file's schema.
    case 1: return ("its tables are not as their kind of store has them", .data)
    case 5, 6: return ("wait for the program that writes it, or give more time with --timeout", .failure)
    case 11, 26: return ("restore it from a backup, or recover it with sqlite3", .data)
    default: return nil
    }
  }

  /// The line for standard error; whatever a file's name holds, it is one line and cannot drive a terminal.
  var line: String { "storebrowser: " + SafeText.visible(problem + (remedy.isEmpty ? "" : ": " + remedy)) }
}
