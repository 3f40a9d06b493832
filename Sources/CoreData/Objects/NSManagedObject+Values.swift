import Foundation

extension NSManagedObject {
  /// The value of a property without reading the row of a fault.
  public final func primitiveValue(forKey key: String) -> Any? { value(inSlot: slot(forKey: key)) }

  /// Sets a value without telling anybody: the other end of a relationship stays as it is.
  public final func setPrimitiveValue(_ value: Any?, forKey key: String) {
    setPrimitive(value, slot: slot(forKey: key))
  }

  final func slot(forKey key: String) -> Int {
    if let recorder = objectClass.recorder { return recorder.slot(forKey: key, of: self) }
    guard let slot = objectClass.slot(named: key) else {
      preconditionFailure(
        "[<\(Self.self)> valueForUndefinedKey:]: the entity \(entity.name ?? "?") is not key value coding-compliant "
          + "for the key \"\(key)\".")
    }
    return slot
  }

  final func setPrimitive(_ value: Any?, slot: Int) {
    switch objectClass.kinds[slot] {
    case .toMany(let relationship):
      edit(slot).set(
        Self.related(value), base: committedObjects(slot, relationship), isOrdered: relationship.isOrdered)
    case .toOne: change(slot, to: value as? NSManagedObject)
    case .attribute, .other: change(slot, to: value is NSNull ? nil : value)
    }
  }

  /// The objects of a to-many value, in whatever collection they come.
  static func related(_ value: Any?) -> [NSManagedObject] {
    switch value {
    case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
    case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
    case let set as Set<NSManagedObject>: Array(set)
    case let array as [NSManagedObject]: array
    default: []
    }
  }

  final func value(inSlot slot: Int) -> Any? {
    switch objectClass.kinds[slot] {
    case .attribute(let attribute, let type):
      if let changed = changed(slot) { return changed }
      return stored(slot)?.object(of: attribute, type: type, in: objectID.persistentStore)
    case .toMany(let relationship):
      let objects = relatedObjects(slot, relationship)
      let result: Any = relationship.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
      return result
    case .toOne(let relationship): return relatedObject(slot, relationship)
    case .other: return changed(slot) ?? nil
    }
  }

  /// The object at the end of a to-one relationship.
  final func relatedObject(_ slot: Int, _ relationship: NSRelationshipDescription) -> NSManagedObject? {
    if let changed = changed(slot) { return changed as? NSManagedObject }
    return committedID(slot, relationship).flatMap { managedObjectContext?.object(with: $0) }
  }

  /// The id at the end of a to-one relationship in the row that was read.
  final func committedID(_ slot: Int, _ relationship: NSRelationshipDescription) -> NSManagedObjectID? {
    guard !state.contains(.lost), let key = stored(slot)?.integer, let store = objectID.objectStore,
      let destination = relationship.destinationEntity
    else { return nil }
    return (storedEntity(slot) ?? store.number(of: destination)).flatMap { store.objectID(entity: $0, primaryKey: key) }
  }

  /// The objects of a to-many relationship, in order where it has one.
  final func relatedObjects(_ slot: Int, _ relationship: NSRelationshipDescription) -> [NSManagedObject] {
    let base = committedObjects(slot, relationship)
    guard let edit = changed(slot) as? RelationshipEdit else { return base }
    return edit.objects(base: base)
  }

  /// The objects of a to-many relationship that the store holds.
  final func committedObjects(_ slot: Int, _ relationship: NSRelationshipDescription) -> [NSManagedObject] {
    guard let context = managedObjectContext else { return [] }
    return committedIDs(slot, relationship).map(context.object(with:))
  }

  /// The ids of a to-many relationship that the store holds; read once for a relationship that was changed.
  final func committedIDs(_ slot: Int, _ relationship: NSRelationshipDescription) -> [NSManagedObjectID] {
    let edit = changed(slot) as? RelationshipEdit
    if let known = edit?.base { return known }
    guard !state.contains(.new), !relationship.isTransient, let store = objectID.objectStore else { return [] }
    do {
      let ids = try store.objectIDs(atEndOf: relationship, of: objectID)
      edit?.keep(base: ids)
      return ids
    } catch {
      managedObjectContext?.report(error)
      return []
    }
  }

  /// The changes of a to-many relationship, which begin now where there are none.
  final func edit(_ slot: Int) -> RelationshipEdit {
    if let edit = changed(slot) as? RelationshipEdit { return edit }
    let edit = RelationshipEdit()
    change(slot, to: edit)
    return edit
  }
}
