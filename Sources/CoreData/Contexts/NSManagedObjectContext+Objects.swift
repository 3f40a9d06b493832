import Foundation
import Synchronization

extension NSManagedObjectContext {
  /// The object with an id: the one that is here, or a new fault, also for a row that does not exist.
  public func object(with id: NSManagedObjectID) -> NSManagedObject {
    if let known = registeredObject(for: id) { return known }
    let object = id.entity.objectClass.type.init(id: id, in: self)
    registered.add(object, for: id, in: ObjectIdentifier(self))
    return object
  }

  /// The object with an id when the context has it already.
  public func registeredObject(for id: NSManagedObjectID) -> NSManagedObject? {
    id.slot.withLock { $0.registrations.held(in: ObjectIdentifier(self)) }?.object
  }

  /// The object with an id, its row read; throws 133000 when there is no such row.
  public func existingObject(with id: NSManagedObjectID) throws -> NSManagedObject {
    assertQueue()
    let known = registeredObject(for: id)
    if let known, !known.needsRow, !known.state.contains(.inaccessible) { return known }
    guard known?.state.contains(.inaccessible) != true, let row = try id.objectStore?.row(of: id) else {
      throw NSError.coreData(
        NSManagedObjectReferentialIntegrityError, "there is no object \(id.uriRepresentation())")
    }
    let object = object(with: id)
    if object.needsRow { object.take(row) }
    return object
  }

  /// The objects that the context has: those that somebody holds, or that wait to be saved.
  public var registeredObjects: Set<NSManagedObject> {
    Set(registered.held(in: ObjectIdentifier(self)))
  }

  /// The objects to be inserted by the next save.
  public var insertedObjects: Set<NSManagedObject> { Set(pending.keys(.inserted)) }
  /// The objects to be written by the next save because they changed.
  public var updatedObjects: Set<NSManagedObject> { Set(pending.keys(.updated)) }
  /// The objects to be deleted by the next save.
  public var deletedObjects: Set<NSManagedObject> { Set(pending.keys(.deleted)) }
  /// Whether objects were inserted, changed or deleted since the last save.
  public var hasChanges: Bool { !pending.isEmpty }

  /// Takes in an object that belongs to no context, or keeps one that was to be deleted.
  public func insert(_ object: NSManagedObject) {
    assertQueue()
    if object.isDeleted, object.managedObjectContext === self {
      unpropagated.removeAll { $0 === object }
      object.state.remove(.deleted)
      pending.insert(object)
      object.state.insert(pending.kind(of: object) == .inserted ? .inserted : .updated)
      if notesUndo { event.undo.insert(object) }
      object.restoreRelationships()
      return changed()
    }
    guard object.managedObjectContext == nil, object.state.contains(.new) else { return }
    object.managedObjectContext = self
    insertNew(object)
  }

  /// Marks an object to be deleted by the next save, and with it what delete rules take along.
  ///
  /// Its values stay readable. Rules are applied when pending changes are processed (reference/CONTEXT.md 19 and 23).
  public func delete(_ object: NSManagedObject) {
    assertQueue()
    guard object.managedObjectContext === self else { return }
    if object.needsRow { object.fulfill() }
    object.prepareForDeletion()
    guard !object.isDeleted else { return }
    if notesUndo { event.undo.delete(object) }
    if object.isInserted { vanished.append(object) }
    object.state.subtract([.inserted, .updated])
    object.state.insert(.deleted)
    pending.delete(object)
    unpropagated.append(object)
    changed()
  }

  // MARK: What objects tell

  func insertNew(_ object: NSManagedObject) {
    assertQueue()
    object.state.insert(.inserted)
    pending.insert(object)
    if notesUndo { event.undo.insert(object) }
    registered.add(object, for: object.objectID, in: ObjectIdentifier(self))
    changed()
    object.awakeFromInsert()
  }

  /// A property is about to be set.
  func willChange(_ object: NSManagedObject, slot: Int) {
    guard processesChanges else { return }
    if notesUndo { event.undo.willChange(object, slot: slot) }
    switch object.objectClass.kinds[slot] {
    case .toOne, .toMany: event.begin(object, slot: slot, old: object.destinations(slot))
    case .attribute, .other: break
    }
  }

  /// A property was set: the other end of a relationship follows.
  func didChange(_ object: NSManagedObject, slot: Int) {
    guard processesChanges else { return }
    note(object, slot: slot)
    if let old = event.end(object, slot: slot) { object.updateInverse(of: slot, from: old) }
  }

  /// An object counts as changed.
  func note(_ object: NSManagedObject, slot: Int) {
    guard processesChanges else { return }
    event.note(object, slot: slot)
    pending.update(object)
    if object.state.isDisjoint(with: [.inserted, .deleted]) { object.state.insert(.updated) }
    scheduleProcessing()
  }

  func changed() {
    event.note()
    scheduleProcessing()
  }

  func slotsChangedInEvent(_ object: NSManagedObject) -> Set<Int> { event.slots(of: object) }

  /// A fault whose row is gone: it has no values and counts as deleted (reference/CONTEXT.md 6).
  func couldNotFulfill(_ object: NSManagedObject) {
    let text = "CoreData could not fulfill a fault for '\(object.objectID.uriRepresentation())'"
    guard shouldDeleteInaccessibleFaults else { fatalError(text) }
    report(NSError.coreData(NSManagedObjectReferentialIntegrityError, text))
    object.state = [.inaccessible, .deleted]
    pending.delete(object)
    changed()
  }
}
