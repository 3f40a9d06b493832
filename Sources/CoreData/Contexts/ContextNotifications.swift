import Foundation

// What contexts post: names and keys are Apple's (reference/CONTEXT.md 62–65).

/// The key for new objects.
public let NSInsertedObjectsKey = "inserted"
/// The key for changed objects.
public let NSUpdatedObjectsKey = "updated"
/// The key for deleted objects.
public let NSDeletedObjectsKey = "deleted"
/// The key for objects that took the store's values.
public let NSRefreshedObjectsKey = "refreshed"
/// The key for objects that lost their values.
public let NSInvalidatedObjectsKey = "invalidated"
/// The key for the ids of all objects, when the context forgot all.
public let NSInvalidatedAllObjectsKey = "invalidatedAllObjects"
/// The key for the ids of new objects.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// The key for the ids of changed objects.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// The key for the ids of deleted objects.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// The key for the ids of objects that took the store's values.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// The key for the ids of objects that lost their values.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"

extension NSNotification.Name {
  /// A context's objects changed: posted by `processPendingChanges`, on the context's queue, never for a fetch.
  ///
  /// `userInfo` has sets of objects under `NSInsertedObjectsKey` and its siblings, and after a merge sets of ids under
  /// `NSInsertedObjectIDsKey` and its siblings, which tell also of objects that the context does not have.
  public static let NSManagedObjectContextObjectsDidChange = NSNotification.Name(
    "NSObjectsChangedInManagingContextNotification")
  /// A context is about to save.
  public static let NSManagedObjectContextWillSave = NSNotification.Name(
    "NSManagingContextWillSaveChangesNotification")
  /// A context has saved: `userInfo` has its objects under `NSInsertedObjectsKey` and its siblings.
  public static let NSManagedObjectContextDidSave = NSNotification.Name("NSManagingContextDidSaveChangesNotification")
}

extension NSManagedObjectContext {
  /// Posted when the context's objects changed.
  public static let didChangeObjectsNotification = Notification.Name.NSManagedObjectContextObjectsDidChange
  /// Posted before a save.
  public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
  /// Posted after a save, with objects.
  public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
  /// Posted after a save, with ids, which may be passed to any queue.
  public static let didSaveObjectIDsNotification = Notification.Name(
    "NSManagedObjectContextDidSaveObjectIDsNotification")
  /// Posted after a merge, with the ids that were merged, which may be passed to any queue.
  public static let didMergeChangesObjectIDsNotification = Notification.Name(
    "NSManagedObjectContextDidMergeChangesObjectIDsNotification")

  /// The keys of the notifications' `userInfo`; the raw values are the keys themselves.
  public enum NotificationKey: String, Sendable {
    /// The context that posted.
    case sourceContext = "managedObjectContext"
    /// New objects.
    case insertedObjects = "inserted"
    /// Changed objects.
    case updatedObjects = "updated"
    /// Deleted objects.
    case deletedObjects = "deleted"
    /// Objects that took the store's values.
    case refreshedObjects = "refreshed"
    /// Objects that lost their values.
    case invalidatedObjects = "invalidated"
    /// The ids of all objects, when the context forgot all.
    case invalidatedAllObjects = "invalidatedAllObjects"
    /// The ids of new objects.
    case insertedObjectIDs = "inserted_objectIDs"
    /// The ids of changed objects.
    case updatedObjectIDs = "updated_objectIDs"
    /// The ids of deleted objects.
    case deletedObjectIDs = "deleted_objectIDs"
    /// The ids of objects that took the store's values.
    case refreshedObjectIDs = "refreshed_objectIDs"
    /// The ids of objects that lost their values.
    case invalidatedObjectIDs = "invalidated_objectIDs"
  }

  /// Posts on the calling thread.
  func post(_ name: Notification.Name, _ info: [NotificationKey: Any] = [:]) {
    let pairs = info.map { (AnyHashable($0.key.rawValue), $0.value) }
    NotificationCenter.default.post(
      name: name, object: self,
      userInfo: pairs.isEmpty ? nil : Dictionary(pairs, uniquingKeysWith: { first, _ in first }))
  }
}

/// The ids that a save or a merge is about; may be passed to any queue.
struct ChangedIDs: Sendable {
  var inserted: [NSManagedObjectID] = []
  var updated: [NSManagedObjectID] = []
  var deleted: [NSManagedObjectID] = []

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  /// Non-empty sets of ids, by key.
  var info: [NSManagedObjectContext.NotificationKey: Any] {
    var info: [NSManagedObjectContext.NotificationKey: Any] = [:]
    if !inserted.isEmpty { info[.insertedObjectIDs] = Set(inserted) }
    if !updated.isEmpty { info[.updatedObjectIDs] = Set(updated) }
    if !deleted.isEmpty { info[.deletedObjectIDs] = Set(deleted) }
    return info
  }
}
