import Foundation

extension NSManagedObjectContext {
  /// Applies delete rules and tells observers what changed since the last time.
  ///
  /// Called at the end of each `perform`, by `save`, and on the main queue at the end of the turn. What observers change
  /// is told in turn.
  public func processPendingChanges() {
    assertQueue()
    for _ in 0..<Self.mostRounds {
      if propagatesDeletesAtEndOfEvent { propagateDeletes() }
      guard !pending.isTold || !event.merged.isEmpty else { return }
      tell()
    }
  }

  /// How often code that changes objects whenever it is told of changes is told.
  static let mostRounds = 1_000

  private func tell() {
    registerUndo()
    let merged = event.beginTelling()
    var sets: [NotificationKey: Set<NSManagedObject>] = [:]
    for (object, what) in pending.takeEvents() {
      let key: NotificationKey =
        switch what {
        case .inserted: .insertedObjects
        case .updated: .updatedObjects
        case .deleted: .deletedObjects
        case .refreshed: .refreshedObjects
        }
      sets[key, default: []].insert(object)
    }
    var info: [NotificationKey: Any] = sets
    // A merged update is a refreshment here.
    if !merged.inserted.isEmpty { info[.insertedObjectIDs] = Set(merged.inserted) }
    if !merged.updated.isEmpty { info[.refreshedObjectIDs] = Set(merged.updated) }
    if !merged.deleted.isEmpty { info[.deletedObjectIDs] = Set(merged.deleted) }
    post(.NSManagedObjectContextObjectsDidChange, info)
    event.endTelling()
    if !merged.isEmpty { post(Self.didMergeChangesObjectIDsNotification, merged.info) }
  }

  // MARK: Delete rules

  /// Applies the rules of the objects that were deleted, and of those that they take along, until nothing is left to do
  /// (reference/CONTEXT.md 19).
  ///
  /// First all that is taken along is marked, then what stays lets go of it: so nothing that goes is changed on its way.
  /// Deny is a matter of validation, no action of nobody; but what was never saved denies nothing and leaves nothing behind.
  func propagateDeletes() {
    while !unpropagated.isEmpty {
      var gone: [NSManagedObject] = []
      while !unpropagated.isEmpty {
        let objects = unpropagated
        unpropagated = []
        gone += objects
        for object in objects {
          for (slot, relationship) in object.relationships where relationship.deleteRule == .cascadeDeleteRule {
            let destinations = object.destinations(slot).filter { !$0.isDeleted }
            readRows(of: destinations)
            for destination in destinations { delete(destination) }
          }
        }
      }
      for object in gone {
        for (slot, relationship) in object.relationships
        where relationship.deleteRule == .nullifyDeleteRule || object.state.contains(.new) {
          let destinations = object.destinations(slot).filter { !$0.isDeleted }
          readRows(of: destinations)
          for destination in destinations { destination.letGo(of: object, by: slot) }
        }
      }
    }
  }

  /// Reads the rows of faults together, so that they need not be read one by one.
  package func readRows(of objects: [NSManagedObject]) {
    let ids = objects.filter(\.needsRow).map(\.objectID).filter { $0.cachedRow == nil }
    guard ids.count > 1 else { return }
    do {
      for (store, ids) in Dictionary(grouping: ids, by: { $0.persistentStore.map(ObjectIdentifier.init) }).values
        .compactMap({ ids in ids[0].objectStore.map { ($0, ids) } })
      {
        try store.readRows(of: ids)
      }
    } catch {
      report(error)
    }
  }
}

extension NSManagedObject {
  /// The relationships with their slots.
  final var relationships: [(Int, NSRelationshipDescription)] {
    objectClass.kinds.enumerated().compactMap { slot, kind in
      switch kind {
      case .toOne(let relationship), .toMany(let relationship): (slot, relationship)
      case .attribute, .other: nil
      }
    }
  }
}
