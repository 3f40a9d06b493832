import Foundation

extension NSManagedObjectContext {
  /// Brings an object up to date with the store.
  ///
  /// With `mergeChanges` its row is read anew and its changes are laid over it; what was set to a value that the store has
  /// changed too is kept, and saving it is no conflict. Without, it becomes a fault and loses its changes
  /// (reference/CONTEXT.md 80). The row is taken from the coordinator's cache where it is there.
  public func refresh(_ object: NSManagedObject, mergeChanges: Bool) {
    assertQueue()
    guard object.managedObjectContext === self, !object.state.contains(.new) else { return }
    if mergeChanges {
      guard !object.needsRow else { return }
      dropStaleRow(of: object.objectID)
      take(newest: object)
      object.awake(fromSnapshotEvents: .refresh)
      pending.refresh(object)
      keepInStep(object)
    } else if object.state.contains(.lost) {
      loseToStore(object)
    } else {
      if object.isUpdated {
        object.takeRelationshipsBack()
        object.state.remove(.updated)
        pending.forgetUpdate(object)
      }
      guard !object.isDeleted else { return }
      let wasFault = object.isFault
      object.turnIntoFault()
      if !wasFault { pending.refresh(object) }
    }
    changed()
  }

  /// Refreshes all objects that have their values; pending changes are kept (reference/CONTEXT.md 81).
  public func refreshAllObjects() {
    assertQueue()
    for object in registered.held(in: ObjectIdentifier(self)) where !object.state.contains(.new) {
      refresh(object, mergeChanges: object.hasChanges)
    }
  }

  /// Takes all changes back: new objects leave the context, deleted ones stay, changed ones have their last saved values.
  public func rollback() {
    assertQueue()
    unpropagated = []
    for object in pending.keys {
      switch pending.kind(of: object) {
      case .inserted:
        pending.forgetInsertion(object)
        forget(object)
      // An object without a row has nothing to come back to.
      case .updated where object.state.contains(.lost),
        .deleted where !object.state.isDisjoint(with: [.lost, .inaccessible]):
        lose(object)
      case .updated:
        pending.forgetUpdate(object)
        object.state.remove(.updated)
        takeBack(object)
      case .deleted:
        pending.forgetDeletion(object)
        object.state.remove(.deleted)
        takeBack(object)
      case nil: break
      }
    }
    forgetVanished()
    checked = []
    forgetUndo()
    changed()
    processPendingChanges()
  }

  private func takeBack(_ object: NSManagedObject) {
    let transient = object.entity.layout.transient
    object.dropChanges { !transient.contains($0) }
    object.awake(fromSnapshotEvents: .rollback)
  }

  /// Forgets all objects and changes; objects that are held elsewhere belong to no context any more.
  public func reset() {
    assertQueue()
    for object in pending.keys + vanished { object.dropChanges { _ in true } }
    pending = PendingChanges()
    unpropagated = []
    event.removeAll()
    forgetUndo()
    temporaryKeys.removeAll()
    forgetReadError()
    (batches, prefetched, assignments) = ([], [], [:])
    let objects = registered.removeAll(from: ObjectIdentifier(self))
    for object in objects {
      object.state.subtract([.inserted, .updated, .deleted])
      object.leaveContext()
    }
    vanished = []
    checked = []
    post(
      .NSManagedObjectContextObjectsDidChange, [.invalidatedAllObjects: objects.map(\.objectID)])
  }

  /// Has an object belong to this context no longer.
  func forget(_ object: NSManagedObject) {
    object.state.subtract([.inserted, .updated, .deleted])
    registered.remove(object.objectID, from: ObjectIdentifier(self))
    object.leaveContext()
  }

  /// Forgets a cached row that is older than this context allows.
  func dropStaleRow(of id: NSManagedObjectID) {
    guard stalenessInterval >= 0, let age = id.cachedRow?.slab.age else { return }
    if age / .seconds(1) >= stalenessInterval { id.cachedRow = nil }
  }

  /// Has new objects that were deleted before they were saved belong to this context no longer.
  func forgetVanished() {
    for object in vanished where object.isDeleted { forget(object) }
    vanished = []
  }

  /// Puts an object on the row that the coordinator has cached, or the store holds.
  ///
  /// What of it was set is laid over it only where it differs from the row so far.
  func take(newest object: NSManagedObject) {
    let id = object.objectID
    do {
      let row = try id.cachedRow ?? id.objectStore?.row(of: id)
      if row != nil { object.dropChangesWithoutEffect() }
      object.rebase(on: row)
    } catch {
      report(error)
    }
  }
}
