import Foundation

// The error codes of the framework in `NSCocoaErrorDomain`; the numbers are Apple's (reference/CONTEXT.md 42).

/// A general Core Data error.
public let NSCoreDataError = 134_060
/// A value cannot be saved, for a reason that has no number of its own.
public let NSManagedObjectValidationError = 1_550
/// Several values cannot be saved; their errors are under `NSDetailedErrorsKey`.
public let NSValidationMultipleErrorsError = 1_560
/// A property that is not optional has no value.
public let NSValidationMissingMandatoryPropertyError = 1_570
/// A to-many relationship has too few objects.
public let NSValidationRelationshipLacksMinimumCountError = 1_580
/// A to-many relationship has too many objects.
public let NSValidationRelationshipExceedsMaximumCountError = 1_590
/// A relationship with the rule deny still leads to an object.
public let NSValidationRelationshipDeniedDeleteError = 1_600
/// A number is above the highest allowed.
public let NSValidationNumberTooLargeError = 1_610
/// A number is below the lowest allowed.
public let NSValidationNumberTooSmallError = 1_620
/// A date is after the last allowed.
public let NSValidationDateTooLateError = 1_630
/// A date is before the first allowed.
public let NSValidationDateTooSoonError = 1_640
/// A value is no date.
public let NSValidationInvalidDateError = 1_650
/// A string is longer than allowed.
public let NSValidationStringTooLongError = 1_660
/// A string is shorter than allowed.
public let NSValidationStringTooShortError = 1_670
/// A string does not have the form that a regular expression asks for.
public let NSValidationStringPatternMatchingError = 1_680
/// A value is no URI.
public let NSValidationInvalidURIError = 1_690
/// An id or URI names an object that the store does not have.
public let NSManagedObjectReferentialIntegrityError = 133_000
/// Objects to be saved were changed in the store since they were read.
public let NSManagedObjectMergeError = 133_020
/// A value that must be unique is there already.
public let NSManagedObjectConstraintMergeError = 133_021
/// The store's type is not known.
public let NSPersistentStoreInvalidTypeError = 134_000
/// The file is of another type than asked for.
public let NSPersistentStoreTypeMismatchError = 134_010
/// The store's tables do not fit the model.
public let NSPersistentStoreIncompatibleSchemaError = 134_020
/// Saving to the store failed.
public let NSPersistentStoreSaveError = 134_030
/// Only a part of the stores could be saved to.
public let NSPersistentStoreIncompleteSaveError = 134_040
/// Others kept changing the objects to be saved.
public let NSPersistentStoreSaveConflictsError = 134_050
/// The store cannot do what was asked.
public let NSPersistentStoreOperationError = 134_070
/// The store could not be opened.
public let NSPersistentStoreOpenError = 134_080
/// The store stayed locked for longer than one waits.
public let NSPersistentStoreTimeoutError = 134_090
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
/// The key for the `NSMergeConflict`s of a save.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
/// The key for the stores that an error is about.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"

/// The key for the errors that an error with the code 1560 stands for.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The key for the object whose value cannot be saved.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The key for the name of the property whose value cannot be saved.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The key for the predicate that a value does not satisfy.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The key for the value that cannot be saved; absent when there is none.
public let NSValidationValueErrorKey = "NSValidationErrorValue"

extension NSError {
  /// An error of the Cocoa domain with one line of text.
  static func coreData(_ code: Int, _ text: String, path: String? = nil) -> NSError {
    var info: [String: Any] = [NSLocalizedDescriptionKey: text]
    if let path { info[NSFilePathErrorKey] = path }
    return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: info)
  }
}
