import Foundation

extension NSManagedObjectContext {
  /// Has the next save meet a conflict when an object's row is not what was read, whether or not the object has changes.
  ///
  /// Source: Apple, "detectConflicts(for:)"; reference/CONTEXT.md 58.
  ///
  /// Conflicts of objects that are changed or deleted are always looked for. A save without any changes looks for none.
  public func detectConflicts(for object: NSManagedObject) {
    assertQueue()
    guard object.managedObjectContext === self, !object.state.contains(.new) else { return }
    if object.needsRow { object.fulfill() }
    checked.insert(object)
  }

  /// Has the merge policy settle what a store refused, and puts the objects on the rows that the store holds now.
  func resolve(_ found: SaveConflicts, cached: [NSManagedObjectID: RowReference]) throws {
    let conflicts = found.conflicts.compactMap { conflict in
      registeredObject(for: conflict.id).map {
        NSMergeConflict($0, row: conflict.persisted, cached: cached[conflict.id])
      }
    }
    guard conflicts.count == found.conflicts.count else {
      throw NSError.coreData(
        NSPersistentStoreSaveConflictsError, "the store holds newer versions of objects that the context does not have")
    }
    try (mergePolicy as? NSMergePolicy ?? .error).resolve(mergeConflicts: conflicts)
    // What a policy of somebody else's left as it was is tried again all the same.
    for conflict in conflicts where conflict.sourceObject.managedObjectContext === self {
      defer { keepInStep(conflict.sourceObject) }
      if let row = conflict.row {
        if !row.isIdentical(to: conflict.sourceObject.snapshot) { rebase(conflict.sourceObject, on: row) }
      } else {
        loseToStore(conflict.sourceObject)
      }
    }
  }

  /// Puts an object on the row that the store holds; its changes lie over it.
  func rebase(_ object: NSManagedObject, on row: RowReference) {
    object.objectID.cachedRow = row
    object.rebase(on: row)
    object.awake(fromSnapshotEvents: .mergePolicy)
    pending.refresh(object)
  }

  /// Lets an object go whose row is gone: there is nothing left to write or delete.
  func loseToStore(_ object: NSManagedObject) {
    object.state.insert(.lost)
    object.releaseRelationships()
    lose(object)
  }

  /// Ends an object whose row is gone and to which nothing leads.
  func lose(_ object: NSManagedObject) {
    object.dropChanges { _ in true }
    object.state.remove(.updated)
    object.state.insert(.deleted)
    pending.mergeDeletion(object)
    unpropagated.removeAll { $0 === object }
    registered.remove(object.objectID, from: ObjectIdentifier(self))
  }

  /// Keeps an object that was to be deleted: the store's newer row wins.
  func keepAfterAll(_ object: NSManagedObject, on row: RowReference) {
    pending.forgetDeletion(object)
    object.state.remove(.deleted)
    rebase(object, on: row)
    object.restoreRelationships()
  }

  /// Ends an object's waiting to be saved.
  func giveUpChanges(of object: NSManagedObject) {
    pending.forgetUpdate(object)
    object.state.remove(.updated)
  }
}

extension RowReference {
  /// Whether both are one reading of a row.
  fileprivate func isIdentical(to other: RowReference?) -> Bool { other?.slab === slab && other?.index == index }
}
