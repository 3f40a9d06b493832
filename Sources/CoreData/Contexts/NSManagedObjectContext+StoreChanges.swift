import Foundation

extension NSManagedObjectContext {
  /// What the next save would change, with the values before and after; objects that delete rules take along included.
  ///
  /// Applies delete rules and tells observers, as a save would do. Objects that were never saved have keys below zero.
  public func pendingStoreChanges() -> StoreChanges {
    processPendingChanges()
    let changes = pending.keys.compactMap { object -> StoreChanges.Change? in
      guard let key = object.objectKey, !object.state.contains(.inaccessible) else { return nil }
      switch pending.kind(of: object) {
      case .inserted: return StoreChanges.Change(.insert, key, properties: object.changesToStore, isOwn: true)
      case .updated where object.hasPersistentChangedValues:
        return StoreChanges.Change(.update, key, properties: object.changesToStore, isOwn: true)
      case .deleted: return StoreChanges.Change(.delete, key, properties: object.lastValues, isOwn: true)
      case .updated, nil: return nil
      }
    }
    return StoreChanges(
      changes, date: Date(), transaction: StoreChanges.Transaction(author: transactionAuthor, context: name),
      source: .save)
  }
}

extension NSManagedObject {
  /// The properties that a save would write, before and after.
  fileprivate var changesToStore: [String: StoreChanges.Change.Values] {
    var result: [String: StoreChanges.Change.Values] = [:]
    let isNew = state.contains(.new)
    for slot in changedSlots where isNew || isChangedInEffect(slot) {
      let name = objectClass.properties[slot].name
      let new = PropertyValue(self, property: name)
      if isNew, new == .null || new == .objects([]) { continue }
      result[name] = .init(old: isNew ? nil : PropertyValue(committed: self, property: name), new: new)
    }
    return result
  }

  /// The attributes and to-one relationships that go with a deleted object.
  fileprivate var lastValues: [String: StoreChanges.Change.Values] {
    var result: [String: StoreChanges.Change.Values] = [:]
    for property in objectClass.properties[entity.layout.stored] {
      let old = PropertyValue(committed: self, property: property.name)
      if old != .null { result[property.name] = .init(old: old, new: nil) }
    }
    return result
  }
}
