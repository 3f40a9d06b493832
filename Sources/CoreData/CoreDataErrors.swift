import Foundation

// The error codes of the framework in `NSCocoaErrorDomain`; the numbers are Apple's (reference/CONTEXT.md 42).

/// A general Core Data error.
public let NSCoreDataError = 134_060
/// An id or URI names an object that the store does not have.
public let NSManagedObjectReferentialIntegrityError = 133_000
/// The store's type is not known.
public let NSPersistentStoreInvalidTypeError = 134_000
/// The file is of another type than asked for.
public let NSPersistentStoreTypeMismatchError = 134_010
/// The store's tables do not fit the model.
public let NSPersistentStoreIncompatibleSchemaError = 134_020
/// Saving to the store failed.
public let NSPersistentStoreSaveError = 134_030
/// The store cannot do what was asked.
public let NSPersistentStoreOperationError = 134_070
/// The store could not be opened.
public let NSPersistentStoreOpenError = 134_080
/// The store does not know this kind of request.
public let NSPersistentStoreUnsupportedRequestTypeError = 134_091
/// The store was made with another version of the model.
public let NSPersistentStoreIncompatibleVersionHashError = 134_100
/// No model was found for the store.
public let NSMigrationMissingSourceModelError = 134_130
/// An error of SQLite.
public let NSSQLiteError = 134_180

/// The domain of SQLite's own result codes, and the key under which an `NSError` holds one.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
/// The key for the objects that an error is about.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The key for the stores that an error is about.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"

extension NSError {
  /// An error of the Cocoa domain with one line of text.
  static func coreData(_ code: Int, _ text: String, path: String? = nil) -> NSError {
    var info: [String: Any] = [NSLocalizedDescriptionKey: text]
    if let path { info[NSFilePathErrorKey] = path }
    return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: info)
  }
}
