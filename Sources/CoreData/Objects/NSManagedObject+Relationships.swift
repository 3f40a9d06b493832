import Foundation

/// Keeping both ends of a relationship in step (reference/CONTEXT.md 20 and 21).
///
/// What is done to the other end here does not come back: it is noted as a change of that object and that is all.
extension NSManagedObject {
  /// The objects that a relationship leads to, in order where it has one.
  final func destinations(_ slot: Int) -> [NSManagedObject] {
    switch objectClass.kinds[slot] {
    case .toOne(let relationship): relatedObject(slot, relationship).map { [$0] } ?? []
    case .toMany(let relationship): relatedObjects(slot, relationship)
    case .attribute, .other: []
    }
  }

  /// Has the other ends follow: `old` are those that the relationship led to before.
  final func updateInverse(of slot: Int, from old: [NSManagedObject]) {
    let new = destinations(slot)
    for object in new { requireSameContext(object, slot) }
    guard objectClass.relationship(slot)?.inverseRelationship != nil else { return }
    let (before, after) = (Set(old), Set(new))
    for object in old where !after.contains(object) { object.unlink(from: self, by: slot) }
    for object in new where !before.contains(object) { object.link(to: self, by: slot) }
  }

  /// Takes an object into a to-many relationship, at the end where it has an order; both ends are kept in step.
  final func addRelated(_ object: NSManagedObject, slot: Int) {
    requireSameContext(object, slot)
    if needsRow { willAccessValue(forKey: nil) }
    guard !isRelated(to: object, slot) else { return }
    noteChange(slot) { edit(slot).add(object, isInBase: isCommitted(object, slot)) }
    object.link(to: self, by: slot)
  }

  /// Lets an object go from a to-many relationship; both ends are kept in step.
  final func removeRelated(_ object: NSManagedObject, slot: Int) {
    if needsRow { willAccessValue(forKey: nil) }
    guard isRelated(to: object, slot) else { return }
    noteChange(slot) { edit(slot).remove(object, isInBase: isCommitted(object, slot)) }
    object.unlink(from: self, by: slot)
  }

  /// Follows `source`, whose relationship in `slot` has come to lead here.
  final func link(to source: NSManagedObject, by slot: Int) {
    guard let (relationship, own) = inverse(of: slot, in: source) else { return }
    if needsRow { willAccessValue(forKey: nil) }
    if relationship.isToMany {
      if self === source, own == slot { return }
      noteChange(own) { edit(own).add(source, isInBase: source.isCommitted(self, slot)) }
    } else {
      let previous = relatedObject(own, relationship)
      guard previous !== source else { return }
      previous?.forget(self, in: source.objectClass.properties[slot].name)
      noteChange(own) { change(own, to: source) }
    }
  }

  /// Follows `source`, whose relationship in `slot` leads here no longer.
  final func unlink(from source: NSManagedObject, by slot: Int) {
    guard let (relationship, own) = inverse(of: slot, in: source) else { return }
    if needsRow { willAccessValue(forKey: nil) }
    if relationship.isToMany {
      if self === source, own == slot { return }
      noteChange(own) { edit(own).remove(source, isInBase: source.isCommitted(self, slot)) }
    } else if relatedObject(own, relationship) === source {
      noteChange(own) { change(own, to: nil) }
    }
  }

  /// Follows the end of an object whose relationship in `slot` leads here.
  final func letGo(of deleted: NSManagedObject, by slot: Int) { unlink(from: deleted, by: slot) }

  /// Loses an object that went to another.
  ///
  /// The relationship is named: the entities of relatives can lay their slots out otherwise.
  private final func forget(_ object: NSManagedObject, in name: String) {
    guard let slot = objectClass.slot(named: name) else { return }
    if needsRow { willAccessValue(forKey: nil) }
    switch objectClass.kinds[slot] {
    case .toMany: noteChange(slot) { edit(slot).remove(object, isInBase: isCommitted(object, slot)) }
    case .toOne(let relationship) where relatedObject(slot, relationship) === object:
      noteChange(slot) { change(slot, to: nil) }
    default: return
    }
  }

  /// The relationship of this object that is the inverse of one of `source`, and its slot here.
  final func inverse(of slot: Int, in source: NSManagedObject) -> (NSRelationshipDescription, Int)? {
    guard let inverse = source.objectClass.relationship(slot)?.inverseRelationship,
      let own = objectClass.slot(named: inverse.name)
    else { return nil }
    return (inverse, own)
  }

  /// Whether a relationship leads to an object.
  final func isRelated(to object: NSManagedObject, _ slot: Int) -> Bool {
    if case .toMany = objectClass.kinds[slot], let (relationship, own) = object.inverse(of: slot, in: self),
      !relationship.isToMany
    {
      if object.needsRow { object.willAccessValue(forKey: nil) }
      return object.relatedObject(own, relationship) === self
    }
    return destinations(slot).contains { $0 === object }
  }

  /// Whether a relationship leads to an object in the store.
  ///
  /// The end that needs no reading is asked, as both agree there.
  final func isCommitted(_ object: NSManagedObject, _ slot: Int) -> Bool {
    if state.contains(.new) || object.state.contains(.new) { return false }
    switch objectClass.kinds[slot] {
    case .toOne(let relationship): return committedID(slot, relationship) == object.objectID
    case .toMany(let relationship):
      if let (inverse, own) = object.inverse(of: slot, in: self), !inverse.isToMany {
        if object.needsRow { object.willAccessValue(forKey: nil) }
        return object.committedID(own, inverse) == objectID
      }
      return committedIDs(slot, relationship).contains(object.objectID)
    case .attribute, .other: return false
    }
  }

  /// Changes a slot as a part of a change elsewhere: the context notes it, the other end is somebody else's matter.
  private final func noteChange(_ slot: Int, _ change: () -> Void) {
    managedObjectContext?.willNote(self, slot: slot)
    change()
    managedObjectContext?.note(self, slot: slot)
  }

  /// Stops the program where objects of two contexts meet; one that has none is refused when it is to be saved.
  private final func requireSameContext(_ object: NSManagedObject, _ slot: Int) {
    let other = object.managedObjectContext
    precondition(
      other == nil || other === managedObjectContext,
      "Illegal attempt to establish a relationship '\(objectClass.properties[slot].name)' between objects in different "
        + "contexts")
  }
}

extension ManagedObjectClass {
  /// The relationship in a slot.
  func relationship(_ slot: Int) -> NSRelationshipDescription? { properties[slot] as? NSRelationshipDescription }
}
