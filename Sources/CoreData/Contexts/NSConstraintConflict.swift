import Foundation

/// Objects with values that only one object may have.
///
/// Source: Apple, "NSConstraintConflict"; reference/CONTEXT.md 59.
public final class NSConstraintConflict: NSObject {
  /// The names of the attributes that must be unique together.
  public let constraint: [String]
  /// Their values, by name.
  public let constraintValues: [String: Any]
  /// The object whose row has the values in the store; `nil` when only objects to be saved have them.
  public let databaseObject: NSManagedObject?
  /// The values of that row, by property; `nil` when there is none.
  public let databaseSnapshot: [String: Any]?
  /// The objects to be saved with these values, in the order they were touched.
  public let conflictingObjects: [NSManagedObject]
  /// What the store holds of them; empty for a new object.
  public let conflictingSnapshots: [Any]
  /// The row in the store.
  let row: RowReference?

  init(
    _ constraint: [String], values: [String: Any], databaseObject: NSManagedObject?, row: RowReference?,
    objects: [NSManagedObject]
  ) {
    self.constraint = constraint
    constraintValues = values
    self.databaseObject = databaseObject
    self.row = row
    databaseSnapshot = row.flatMap { row in databaseObject?.storedValues(in: row) }
    conflictingObjects = objects
    conflictingSnapshots = objects.map { object in object.snapshot.map(object.storedValues(in:)) ?? [:] }
  }
}

extension NSMergePolicy {
  /// Settles conflicts of values that must be unique: the object to be saved takes the place of the row that has them.
  ///
  /// By the policies that favour the store it takes the row's values too; of several new objects one is left, the last by the
  /// policies that favour objects, else the first. An object that was saved before cannot become another one: then, and by
  /// the error policy, this throws 133021.
  func settle(_ conflicts: [NSConstraintConflict], refused: NSError) throws {
    let favoursObjects =
      mergeType == .mergeByPropertyObjectTrumpMergePolicyType || mergeType == .overwriteMergePolicyType
    let isHopeless = conflicts.contains { conflict in
      conflict.conflictingObjects.contains { !$0.state.contains(.new) }
    }
    guard mergeType != .errorMergePolicyType, !isHopeless, !conflicts.isEmpty else {
      throw refused.with(conflicts)
    }
    for conflict in conflicts {
      // An earlier conflict may have settled it.
      let live = conflict.conflictingObjects.filter { $0.state.contains(.new) && !$0.isDeleted }
      guard let kept = favoursObjects ? live.last : live.first, let context = kept.managedObjectContext else {
        continue
      }
      for object in live where object !== kept { context.yield(object, to: kept) }
      guard let known = conflict.databaseObject, let row = conflict.row else { continue }
      context.merge(kept, into: known, row: row, keepsValues: favoursObjects)
    }
  }
}

extension NSError {
  /// The same error with the conflicts that it is about.
  fileprivate func with(_ conflicts: [NSConstraintConflict]) -> NSError {
    var info = userInfo
    info[NSPersistentStoreSaveConflictsErrorKey] = conflicts
    return NSError(domain: domain, code: code, userInfo: info)
  }
}

extension NSManagedObjectContext {
  /// Has the merge policy settle that a store refused values which are there already.
  func resolveConstraints(_ refused: NSError, in store: any ObjectStore) throws {
    let policy = mergePolicy as? NSMergePolicy ?? .error
    try policy.settle(try constraintConflicts(in: store), refused: refused)
  }

  /// What of the objects to be saved is there already, in the store or twice among themselves.
  private func constraintConflicts(in store: any ObjectStore) throws -> [NSConstraintConflict] {
    struct Key: Hashable {
      var entity: ObjectIdentifier
      var constraint: [String]
      var values: [AnyHashable]
    }
    var groups: [Key: [NSManagedObject]] = [:]
    var order: [(Key, NSEntityDescription)] = []
    for object in pending.keys where pending.kind(of: object) != .deleted {
      for (entity, constraint) in object.entity.allConstraints {
        let values = constraint.compactMap { object.value(forKey: $0) as? AnyHashable }
        // What has no value is like nothing else.
        guard values.count == constraint.count else { continue }
        let key = Key(entity: ObjectIdentifier(entity), constraint: constraint, values: values)
        if groups[key] == nil { order.append((key, entity)) }
        groups[key, default: []].append(object)
      }
    }
    return try order.compactMap { key, entity in
      let objects = groups[key] ?? []
      let row = try rival(of: objects, entity, key.constraint, key.values, in: store)
      guard objects.count > 1 || row != nil else { return nil }
      return NSConstraintConflict(
        key.constraint, values: Dictionary(uniqueKeysWithValues: zip(key.constraint, key.values.map(\.base))),
        databaseObject: row, row: row?.objectID.cachedRow, objects: objects.filter { $0 !== row })
    }
  }

  /// The object in the store that has values and keeps them in this save.
  private func rival(
    of objects: [NSManagedObject], _ entity: NSEntityDescription, _ constraint: [String], _ values: [AnyHashable],
    in store: any ObjectStore
  ) throws -> NSManagedObject? {
    let format = constraint.map { _ in "%K == %@" }.joined(separator: " AND ")
    let arguments = zip(constraint, values).flatMap { [$0 as Any, $1.base] }
    let fetch = StoreFetch(entity: entity, predicate: NSPredicate(format: format, argumentArray: arguments))
    return try store.objectIDs(for: fetch).map(object(with:)).first { other in
      guard !other.isDeleted, !objects.contains(other) else { return false }
      // One that gives its values up in this save is in nobody's way.
      return !constraint.contains { key in other.changedKeys.contains(key) }
    }
  }

  /// Has a new object be saved as the row that another object stands for.
  fileprivate func merge(_ object: NSManagedObject, into known: NSManagedObject, row: RowReference, keepsValues: Bool) {
    let id = known.objectID
    // One row is one object: the other one leaves the context, and what was to lead to it leads here.
    for (slot, _) in known.relationships {
      for other in known.destinations(slot) where !other.isDeleted {
        guard let (inverse, own) = other.inverse(of: slot, in: known), !inverse.isToMany,
          (other.changed(own) ?? nil) as? NSManagedObject === known
        else { continue }
        other.change(own, to: object)
      }
    }
    known.dropChanges { _ in true }
    known.state.subtract([.inserted, .updated])
    pending.mergeDeletion(known)
    registered.remove(id, from: ObjectIdentifier(self))
    known.leaveContext()
    if !keepsValues {
      for (slot, relationship) in object.relationships where !relationship.isToMany && object.changed(slot) != nil {
        object.setValue(nil, forKey: relationship.name)
      }
    }
    pending.becomeUpdate(object)
    object.state.subtract([.new, .inserted])
    registered.rename(object, to: id, in: ObjectIdentifier(self))
    if !keepsValues {
      let stored = object.entity.layout.stored
      object.dropChanges { stored.contains($0) }
    }
    id.cachedRow = row
    object.rebase(on: row)
    object.state.insert(.updated)
    object.awake(fromSnapshotEvents: .mergePolicy)
    keepInStep(object)
  }

  /// Lets a new object go in favour of another new one: what leads to it leads there.
  fileprivate func yield(_ object: NSManagedObject, to kept: NSManagedObject) {
    for (slot, relationship) in object.relationships {
      guard let inverse = relationship.inverseRelationship else { continue }
      let key = object.objectClass.properties[slot].name
      let others = object.destinations(slot)
      object.setValue(nil, forKey: key)
      for other in others where !other.isDeleted {
        guard let own = other.objectClass.slot(named: inverse.name), !other.isRelated(to: kept, own) else { continue }
        if inverse.isToMany {
          other.addRelated(kept, slot: own)
        } else if other.value(forKey: inverse.name) == nil {
          other.setValue(kept, forKey: inverse.name)
        }
      }
    }
    delete(object)
  }
}

extension NSEntityDescription {
  /// The constraints of the entity and its ancestors, each with the entity that states it.
  fileprivate var allConstraints: [(NSEntityDescription, [String])] {
    (superentity?.allConstraints ?? []) + uniqueAttributeNames.map { (self, $0) }
  }
}
