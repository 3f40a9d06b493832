/// Bringing both ends of a relationship together again after something other than setters came between them: newer rows,
/// rows that are gone, changes given up.
extension NSManagedObject {
  /// Lays what was changed over newer rows: to-many changes are differences to what the store holds by now, and where a
  /// changed to-one relationship leads elsewhere in the store, that end lets this object go.
  final func settleRelationships() {
    for slot in allChangedSlots {
      guard let edit = changed(slot) as? RelationshipEdit, !edit.isEmpty else { continue }
      edit.settle { isCommitted($0, slot) }
    }
    for slot in changedSlots {
      guard case .toOne(let relationship) = objectClass.kinds[slot], relationship.inverseRelationship != nil,
        let id = committedID(slot, relationship), let context = managedObjectContext
      else { continue }
      let other = context.object(with: id)
      if other !== relatedObject(slot, relationship), !other.isDeleted { other.unlink(from: self, by: slot) }
    }
  }

  /// Has the other ends let go of an object that is gone from the store, but for those that no action leaves as they are.
  final func releaseRelationships() {
    for (slot, relationship) in relationships where relationship.deleteRule != .noActionDeleteRule {
      for other in destinations(slot) where !other.isDeleted { other.letGo(of: self, by: slot) }
    }
  }

  /// Has the other ends lead back to an object that was to be deleted and stays.
  ///
  /// One that leads elsewhere by now, or is to be deleted itself, is given up.
  final func restoreRelationships() {
    for (slot, _) in relationships {
      for other in destinations(slot) {
        guard let (inverse, own) = other.inverse(of: slot, in: self) else { continue }
        let rival = inverse.isToMany ? nil : other.relatedObject(own, inverse)
        if other.isDeleted || rival != nil && rival !== self {
          letGo(of: other, by: own)
        } else {
          other.link(to: self, by: slot)
        }
      }
    }
  }

  /// Sets changed relationships to what the store holds, so that the other ends follow.
  final func takeRelationshipsBack() {
    for (slot, _) in relationships where changed(slot) != nil {
      let deleted = destinationsInStore(slot).filter { managedObjectContext?.pending.kind(of: $0) == .deleted }
      setValue(committedValue(slot), forKey: objectClass.properties[slot].name)
      // Its delete rule has not met this object where it stood before.
      managedObjectContext?.unpropagated += deleted
    }
  }

  private final func destinationsInStore(_ slot: Int) -> [NSManagedObject] {
    switch committedValue(slot) {
    case let object as NSManagedObject: [object]
    case let value: Self.related(value)
    }
  }
}
