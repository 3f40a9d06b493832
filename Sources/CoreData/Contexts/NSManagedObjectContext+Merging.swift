import Foundation
import Synchronization

extension NSManagedObjectContext {
  /// Takes over what another context over the same stores has saved.
  ///
  /// Inserted objects come as faults, changed ones are refreshed where they are here with their values (changes of this
  /// context stay), deleted ones are gone (reference/CONTEXT.md 66 and 67). Call it on this context's queue.
  public func mergeChanges(fromContextDidSave notification: Notification) {
    assertQueue()
    merge(ChangedIDs(notification.userInfo ?? [:], coordinator: persistentStoreCoordinator))
  }

  /// Takes over what was saved elsewhere, by another process too: rows are read anew.
  ///
  /// The values are collections of object ids or of their URIs under the keys of a save's notification. Each context is
  /// waited for.
  public class func mergeChanges(
    fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
  ) {
    for context in contexts {
      let ids = ChangedIDs(changeNotificationData, coordinator: context.persistentStoreCoordinator)
      for id in ids.updated + ids.deleted { id.cachedRow = nil }
    }
    for context in contexts {
      let ids = ChangedIDs(changeNotificationData, coordinator: context.persistentStoreCoordinator)
      context.performAndWait { context.merge(ids) }
    }
  }

  /// Takes changes over that are in the stores, and tells observers.
  ///
  /// An object with changes of this context stays as it is when it was deleted elsewhere: saving it is a conflict, and so
  /// nobody's work is lost unseen.
  func merge(_ ids: ChangedIDs) {
    guard !ids.isEmpty else { return }
    let here = ids.updated.compactMap(registeredObject(for:)).filter { !$0.needsRow && !$0.state.contains(.new) }
    readNewest(here)
    for object in here {
      take(newest: object)
      object.awake(fromSnapshotEvents: .refresh)
      pending.refresh(object)
    }
    for id in ids.inserted { pending.mergeInsertion(object(with: id)) }
    for object in ids.deleted.compactMap(registeredObject(for:)) { mergeDeletion(of: object) }
    // Sets that others have changed by their members alone.
    for object in pending.keys { object.forgetCommittedSets() }
    for object in here { keepInStep(object) }
    event.merged.inserted += ids.inserted
    event.merged.updated += ids.updated
    event.merged.deleted += ids.deleted
    event.note()
    processPendingChanges()
  }

  /// Lets an object go that was deleted elsewhere, or notes that changes of this context have no row any more.
  private func mergeDeletion(of object: NSManagedObject) {
    if object.isUpdated, object.hasPersistentChangedValues {
      object.dropChangesWithoutEffect()
      object.state.insert(.lost)
    } else if pending.kind(of: object) != nil {
      loseToStore(object)
    } else {
      if object.needsRow, let last = object.objectID.cachedRow { object.take(last) }
      if object.needsRow { object.state.insert(.inaccessible) }
      object.state.insert(.deleted)
      pending.mergeDeletion(object)
      registered.remove(object.objectID, from: ObjectIdentifier(self))
    }
  }

  /// Has the other ends follow what this context has changed or deleted, on the rows that were taken over.
  ///
  /// Where the store leads elsewhere by now, that other end has not been told yet.
  func keepInStep(_ object: NSManagedObject) {
    if pending.kind(of: object) == .deleted { unpropagated.append(object) }
    object.settleRelationships()
  }

  /// Reads the rows together that are not cached.
  private func readNewest(_ objects: [NSManagedObject]) {
    let ids = objects.map(\.objectID).filter { $0.cachedRow == nil }
    guard ids.count > 1, let stores = try? stores() else { return }
    for store in stores {
      do { try store.readRows(of: ids.filter { $0.persistentStore === store }) } catch { report(error) }
    }
  }
}

extension ChangedIDs {
  /// What a notification's `userInfo` names by objects, ids or URIs.
  init(_ info: [AnyHashable: Any], coordinator: NSPersistentStoreCoordinator?) {
    typealias Key = NSManagedObjectContext.NotificationKey
    func ids(_ keys: Key...) -> [NSManagedObjectID] {
      let elements = keys.flatMap { key in info[key.rawValue].flatMap(collectionElements) ?? [] }
      var seen: Set<NSManagedObjectID> = []
      return elements.compactMap { element in
        switch element {
        case let object as NSManagedObject: object.objectID
        case let id as NSManagedObjectID: id
        case let uri as URL: coordinator?.managedObjectID(forURIRepresentation: uri)
        default: nil
        }
      }
      .filter { seen.insert($0).inserted }
    }
    inserted = ids(.insertedObjects, .insertedObjectIDs)
    updated = ids(.updatedObjects, .updatedObjectIDs, .refreshedObjects, .refreshedObjectIDs)
    deleted = ids(.deletedObjects, .deletedObjectIDs)
  }
}

/// The contexts that want to take over what others save.
final class MergingContexts: Sendable {
  private struct Entry: Sendable {
    weak var context: NSManagedObjectContext?
  }
  private let entries = Mutex<[Entry]>([])

  func add(_ context: NSManagedObjectContext) {
    entries.withLock { entries in
      entries.removeAll { $0.context == nil || $0.context === context }
      entries.append(Entry(context: context))
    }
  }

  /// Has all contexts but the one that saved take its changes over, each on its own queue.
  func merge(_ ids: ChangedIDs, savedBy source: NSManagedObjectContext) {
    let contexts = entries.withLock { $0.compactMap(\.context) }
    for context in contexts where context !== source && context.automaticallyMergesChangesFromParent {
      context.perform { context.merge(ids) }
    }
  }
}
