import Foundation

extension NSManagedObjectContext {
  /// Writes all changes to the stores, each in one transaction; ids of new objects become permanent.
  ///
  /// The order is Apple's (reference/CONTEXT.md 46): pending changes are processed, objects are told `willSave`, observers
  /// likewise, objects are validated and written, conflicts go to the merge policy, objects are told `didSave`, observers
  /// likewise. When it throws, nothing was written and everything still waits to be saved: errors of validation
  /// (reference/CONTEXT.md 42), 133020 for conflicts, or what the store says.
  public func save() throws {
    assertQueue()
    processPendingChanges()
    guard hasChanges else { return }
    guard !isSaving else {
      throw NSError.coreData(NSPersistentStoreSaveError, "the context is being saved already")
    }
    isSaving = true
    defer { isSaving = false }
    try tellObjectsOfSaving()
    post(.NSManagedObjectContextWillSave)
    processPendingChanges()
    propagateDeletes()
    processPendingChanges()
    try validate()
    let ids = try write()
    processPendingChanges()
    if !ids.isEmpty { persistentStoreCoordinator?.merging.merge(ids, savedBy: self) }
  }

  /// Calls `willSave` on every object that waits, and again on those that change meanwhile (reference/CONTEXT.md 9).
  private func tellObjectsOfSaving() throws {
    var objects = pending.keys
    for _ in 0..<Self.mostRounds {
      let before = event.count
      for object in objects { object.willSave() }
      if event.count == before { return }
      objects = pending.untold.filter { pending.kind(of: $0) != nil }
      processPendingChanges()
    }
    throw NSError.coreData(
      NSPersistentStoreSaveError, "willSave changed objects \(Self.mostRounds) times in a row: it never comes to rest")
  }

  private func validate() throws {
    var errors: [any Error] = []
    for object in pending.keys {
      do {
        switch pending.kind(of: object) {
        case .inserted: try object.validateForInsert()
        case .updated: try object.validateForUpdate()
        case .deleted where !object.state.contains(.inaccessible): try object.validateForDelete()
        case .deleted, nil: break
        }
      } catch {
        errors += error.validationErrors
      }
    }
    try throwAll(errors)
    // What validation put in the place of values is part of the save.
    processPendingChanges()
  }

  // MARK: Writing

  /// Writes store by store; answers what was written.
  private func write() throws -> ChangedIDs {
    let stores = try stores()
    try requireStores(stores)
    var done = SavedObjects()
    for store in stores {
      do {
        let request = try written(to: store, among: stores)
        done.add(request, from: pending)
        commit(request)
      } catch {
        // What other stores have written stays written: each is a transaction of its own.
        throw done.all.isEmpty ? error : Self.incomplete(error, store)
      }
    }
    // What had no change to be written is saved as well.
    for object in pending.keys {
      if object.state.contains(.lost), pending.kind(of: object) == .updated {
        loseToStore(object)
        continue
      }
      done.add(object, pending.kind(of: object))
      pending.saved(object)
      object.endChanges()
    }
    temporaryKeys.removeAll()
    (checked, assignments) = ([], [:])
    for object in done.all { object.didSave() }
    post(.NSManagedObjectContextDidSave, done.info)
    if !done.ids.isEmpty { post(Self.didSaveObjectIDsNotification, done.ids.info) }
    for object in done.deleted { forget(object) }
    forgetVanished()
    return done.ids
  }

  /// Has a store write what is its own, settling conflicts until there are none; answers what it wrote.
  private func written(to store: any ObjectStore, among stores: [any ObjectStore]) throws -> StoreSave {
    for _ in 0..<Self.mostAttempts {
      var save = saved(in: store, among: stores)
      if save.request.isEmpty, save.request.checked.isEmpty || store.isReadOnly { return save }
      guard !store.isReadOnly else { throw Self.readOnly(store) }
      do {
        save.result = try store.save(save.request)
        return save
      } catch let conflicts as SaveConflicts {
        try resolve(conflicts, cached: save.cached)
        propagateDeletes()
      } catch let refused as NSError
        where refused.domain == NSCocoaErrorDomain && refused.code == NSManagedObjectConstraintMergeError
      {
        try resolveConstraints(refused, in: store)
        propagateDeletes()
      }
    }
    throw NSError.coreData(
      NSPersistentStoreSaveConflictsError,
      "others changed the same objects \(Self.mostAttempts) times while they were saved")
  }

  private static let mostAttempts = 100

  /// Refuses before anything is written when an object has no store that takes it.
  private func requireStores(_ stores: [any ObjectStore]) throws {
    for object in pending.keys(.inserted) where home(of: object, among: stores) == nil {
      throw Self.noHome(stores.contains { !$0.isReadOnly } ? [] : stores, for: object)
    }
  }

  /// Why new objects cannot be saved to any of the stores.
  static func noHome(_ stores: [any ObjectStore], for object: NSManagedObject? = nil) -> NSError {
    stores.first.map(readOnly)
      ?? NSError.coreData(
        NSPersistentStoreSaveError,
        "the context has no store to save \(object?.entity.name.map { "objects of the entity \($0)" } ?? "objects") to")
  }

  /// Why only a part of the stores has been written (reference/CONTEXT.md 61).
  private static func incomplete(_ error: any Error, _ store: NSPersistentStore) -> NSError {
    let reason = (error as NSError).userInfo[NSLocalizedDescriptionKey] as? String ?? "\(error)"
    return NSError(
      domain: NSCocoaErrorDomain, code: NSPersistentStoreIncompleteSaveError,
      userInfo: [
        NSLocalizedDescriptionKey: "one of the stores could not be saved to, others were: \(reason)",
        NSAffectedStoresErrorKey: [store], NSUnderlyingErrorKey: error as NSError,
      ])
  }

  private static func readOnly(_ store: NSPersistentStore) -> NSError {
    NSError.coreData(
      NSFileWriteNoPermissionError, "the store was opened to be read only", path: store.url?.path)
  }

  private func commit(_ save: StoreSave) {
    for (object, id) in zip(save.inserted, save.result.ids) {
      pending.saved(object)
      registered.rename(object, to: id, in: ObjectIdentifier(self))
      object.didCommit()
    }
    for object in save.updated {
      pending.saved(object)
      object.didCommit()
    }
    for object in save.deleted { pending.saved(object) }
  }
}

/// What a save did to the objects, for those who are told.
private struct SavedObjects {
  var inserted: [NSManagedObject] = []
  var updated: [NSManagedObject] = []
  var deleted: [NSManagedObject] = []

  var all: [NSManagedObject] { inserted + updated + deleted }

  mutating func add(_ save: StoreSave, from pending: PendingChanges<NSManagedObject>) {
    inserted += save.inserted
    updated += save.updated
    deleted += save.deleted
  }

  mutating func add(_ object: NSManagedObject, _ kind: PendingChanges<NSManagedObject>.Kind?) {
    switch kind {
    case .updated: updated.append(object)
    case .deleted: deleted.append(object)
    case .inserted, nil: break
    }
  }

  var ids: ChangedIDs {
    ChangedIDs(
      inserted: inserted.map(\.objectID), updated: updated.map(\.objectID), deleted: deleted.map(\.objectID))
  }

  var info: [NSManagedObjectContext.NotificationKey: Any] {
    var info: [NSManagedObjectContext.NotificationKey: Any] = [:]
    if !inserted.isEmpty { info[.insertedObjects] = Set(inserted) }
    if !updated.isEmpty { info[.updatedObjects] = Set(updated) }
    if !deleted.isEmpty { info[.deletedObjects] = Set(deleted) }
    return info
  }
}
