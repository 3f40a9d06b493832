import Foundation

/// What a merge policy does; raw values as Apple's (reference/CONTEXT.md 57).
public enum NSMergePolicyType: UInt, Sendable {
  /// The save fails.
  case errorMergePolicyType = 0
  /// Where both changed a property, the store's value stays.
  case mergeByPropertyStoreTrumpMergePolicyType = 1
  /// Where both changed a property, the object's value is written.
  case mergeByPropertyObjectTrumpMergePolicyType = 2
  /// The whole object is written.
  case overwriteMergePolicyType = 3
  /// The object's changes are given up.
  case rollbackMergePolicyType = 4
}

/// How a save settles conflicts with what others have saved since the objects were read.
///
/// Source: Apple, "NSMergePolicy"; reference/CONTEXT.md 50 to 57.
///
/// A subclass overrides `resolve(optimisticLockingConflicts:)`: it may change the conflicts' objects, before or after it
/// calls super. When it returns, the save is tried again, based on the rows that the store holds now. Sendable is
/// unchecked: this class holds one constant; a subclass with state of its own must be safe to use on the queues of the
/// contexts that it is given to.
open class NSMergePolicy: NSObject, @unchecked Sendable {
  /// What the policy does.
  public let mergeType: NSMergePolicyType

  /// A policy.
  public init(merge type: NSMergePolicyType) { mergeType = type }

  /// The save fails with 133020, and the context stays as it is.
  public static let error = NSMergePolicy(merge: .errorMergePolicyType)
  /// Where both changed a property, the store's value stays.
  public static let mergeByPropertyStoreTrump = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
  /// Where both changed a property, the object's value is written.
  public static let mergeByPropertyObjectTrump = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
  /// The whole object is written.
  public static let overwrite = NSMergePolicy(merge: .overwriteMergePolicyType)
  /// The object's changes are given up.
  public static let rollback = NSMergePolicy(merge: .rollbackMergePolicyType)

  /// Settles conflicts, which are `NSMergeConflict`s; throws 133020 when the save should fail.
  open func resolve(mergeConflicts list: [Any]) throws {
    try resolve(optimisticLockingConflicts: list.compactMap { $0 as? NSMergeConflict })
  }

  /// Settles conflicts of changed rows; throws 133020 when the save should fail.
  ///
  /// An object that is gone from the store cannot be written: the policies that write it fail as the error policy does.
  open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    let writesObject = mergeType == .mergeByPropertyObjectTrumpMergePolicyType || mergeType == .overwriteMergePolicyType
    let isHopeless = list.contains { $0.isGone && !$0.sourceObject.isDeleted }
    if mergeType == .errorMergePolicyType || writesObject && isHopeless { throw NSError.mergeConflicts(list) }
    for conflict in list { conflict.settle(mergeType) }
  }
}

/// The policy `NSMergePolicy.error`.
public let NSErrorMergePolicy: NSMergePolicy = NSMergePolicy.error
/// The policy `NSMergePolicy.mergeByPropertyStoreTrump`.
public let NSMergeByPropertyStoreTrumpMergePolicy: NSMergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
/// The policy `NSMergePolicy.mergeByPropertyObjectTrump`.
public let NSMergeByPropertyObjectTrumpMergePolicy: NSMergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
/// The policy `NSMergePolicy.overwrite`.
public let NSOverwriteMergePolicy: NSMergePolicy = NSMergePolicy.overwrite
/// The policy `NSMergePolicy.rollback`.
public let NSRollbackMergePolicy: NSMergePolicy = NSMergePolicy.rollback

extension NSError {
  /// The error of a save that met newer rows.
  static func mergeConflicts(_ list: [NSMergeConflict]) -> NSError {
    let objects = list.count == 1 ? "an object" : "\(list.count) objects"
    return NSError(
      domain: NSCocoaErrorDomain, code: NSManagedObjectMergeError,
      userInfo: [
        NSLocalizedDescriptionKey: "\(objects) to be saved changed in the store since it was read",
        NSPersistentStoreSaveConflictsErrorKey: list,
      ])
  }
}

extension NSMergeConflict {
  /// Brings the object on the store's row, with as much of its changes as the policy leaves.
  func settle(_ type: NSMergePolicyType) {
    guard let context = sourceObject.managedObjectContext else { return }
    let keepsObject = type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
    if sourceObject.isDeleted {
      if let row, !keepsObject { context.keepAfterAll(sourceObject, on: row) }
      return
    }
    guard let row else { return context.loseToStore(sourceObject) }
    switch type {
    case .mergeByPropertyStoreTrumpMergePolicyType: takeStoreValues { isChangedInStore($0, row) }
    case .rollbackMergePolicyType: takeStoreValues { _ in true }
    case .overwriteMergePolicyType: keepOldValues(row)
    case .mergeByPropertyObjectTrumpMergePolicyType: sourceObject.dropChangesWithoutEffect()
    case .errorMergePolicyType: break
    }
    context.rebase(sourceObject, on: row)
    if type == .rollbackMergePolicyType { context.giveUpChanges(of: sourceObject) }
  }

  /// Whether the store's value of a slot is other than the one that the object was based on.
  private func isChangedInStore(_ slot: Int, _ row: RowReference) -> Bool {
    guard sourceObject.entity.layout.stored.contains(slot), let base else { return false }
    let columns = (row.slab.layout.columns(of: sourceObject.entity), base.slab.layout.columns(of: sourceObject.entity))
    return !NSManagedObject.isSame(
      sourceObject.storedValue(slot, in: row, columns.0), sourceObject.storedValue(slot, in: base, columns.1))
  }

  /// Sets changed slots to what the store has, so that the other ends of relationships follow.
  private func takeStoreValues(where isTaken: (Int) -> Bool) {
    guard let row, let context = sourceObject.managedObjectContext else { return }
    let columns = row.slab.layout.columns(of: sourceObject.entity)
    let layout = sourceObject.entity.layout
    for slot in sourceObject.changedSlots where isTaken(slot) {
      let key = sourceObject.objectClass.properties[slot].name
      if layout.toMany.contains(slot) {
        sourceObject.edit(slot).forgetBase()
        sourceObject.setValue(sourceObject.committedValue(slot), forKey: key)
      } else {
        let value = sourceObject.storedValue(slot, in: row, columns)
        sourceObject.setValue((value as? NSManagedObjectID).map(context.object(with:)) ?? value, forKey: key)
      }
    }
    sourceObject.dropChanges { slot in isTaken(slot) && layout.persistent.contains(slot) }
  }

  /// Makes changes of the values that only the store has changed, so that they are written as they were.
  private func keepOldValues(_ row: RowReference) {
    for slot in sourceObject.entity.layout.stored
    where sourceObject.changed(slot) == nil && isChangedInStore(slot, row) {
      let key = sourceObject.objectClass.properties[slot].name
      sourceObject.setValue(sourceObject.value(forKey: key), forKey: key)
    }
  }
}
