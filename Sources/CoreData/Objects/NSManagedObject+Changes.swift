import Foundation

/// Why values were put back by something else than setters; raw values as Apple's (reference/CONTEXT.md 7).
public struct NSSnapshotEventType: OptionSet, Sendable {
  /// Apple's number.
  public let rawValue: UInt

  /// Events by their number.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// An insertion was undone.
  public static let undoInsertion = NSSnapshotEventType(rawValue: 2)
  /// A deletion was undone.
  public static let undoDeletion = NSSnapshotEventType(rawValue: 4)
  /// A change was undone.
  public static let undoUpdate = NSSnapshotEventType(rawValue: 8)
  /// All changes of the context were taken back.
  public static let rollback = NSSnapshotEventType(rawValue: 16)
  /// The object was refreshed.
  public static let refresh = NSSnapshotEventType(rawValue: 32)
  /// A merge policy settled a conflict.
  public static let mergePolicy = NSSnapshotEventType(rawValue: 64)
}

extension NSManagedObject {
  /// Whether it was inserted and not yet saved.
  public final var isInserted: Bool { state.contains(.inserted) }
  /// Whether it was changed and not yet saved, other than by being inserted or deleted.
  public final var isUpdated: Bool { state.contains(.updated) }
  /// Whether it is to be deleted by the next save, or its row is gone.
  public final var isDeleted: Bool { state.contains(.deleted) }
  /// Whether it was inserted, changed or deleted since it was fetched or saved.
  ///
  /// True also when a value was set to what it was (reference/CONTEXT.md 12).
  public final var hasChanges: Bool { !state.isDisjoint(with: [.inserted, .updated, .deleted]) }

  /// Whether a persistent value is other than it was when the object was fetched or saved.
  public final var hasPersistentChangedValues: Bool { changedSlots.contains(where: isChangedInEffect) }

  /// The values of properties when the object was last fetched or saved; `nil` asks for all persistent ones.
  ///
  /// What had no value is `NSNull`. Empty for an object that was never saved.
  public final func committedValues(forKeys keys: [String]?) -> [String: Any] {
    if needsRow { willAccessValue(forKey: nil) }
    guard snapshot != nil else { return [:] }
    let names = keys ?? objectClass.properties[entity.layout.persistent].map(\.name)
    return Dictionary(
      names.compactMap { name in objectClass.slot(named: name).map { (name, committedValue($0) ?? NSNull()) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The persistent properties that were set since the object was fetched or saved, ascending.
  final var changedSlots: [Int] {
    let persistent = entity.layout.persistent
    return allChangedSlots.filter { slot in
      persistent.contains(slot) && !((changed(slot) as? RelationshipEdit)?.isEmpty ?? false)
    }.sorted()
  }

  final func valuesOfChanges(in slots: [Int]) -> [String: Any] {
    Dictionary(
      slots.map { (objectClass.properties[$0].name, value(inSlot: $0) ?? NSNull()) },
      uniquingKeysWith: { first, _ in first })
  }

  /// The value of a slot in the row that was read.
  final func committedValue(_ slot: Int) -> Any? {
    switch objectClass.kinds[slot] {
    case .attribute(let attribute, let type):
      return stored(slot)?.object(of: attribute, type: type, in: objectID.persistentStore)
    case .toOne(let relationship):
      return committedID(slot, relationship).flatMap { managedObjectContext?.object(with: $0) }
    case .toMany(let relationship):
      let objects = committedObjects(slot, relationship)
      let result: Any = relationship.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
      return result
    case .other: return nil
    }
  }

  /// Whether a slot that was set holds something else than the row.
  final func isChangedInEffect(_ slot: Int) -> Bool {
    guard let changed = changed(slot) else { return false }
    switch objectClass.kinds[slot] {
    case .attribute: return !Self.isSame(changed, committedValue(slot))
    case .toOne(let relationship):
      return (changed as? NSManagedObject)?.objectID != committedID(slot, relationship)
    case .toMany: return !((changed as? RelationshipEdit)?.isEmpty ?? true)
    case .other: return false
    }
  }

  /// Whether two attribute values are the same, as Foundation compares them, texts byte for byte.
  static func isSame(_ one: Any?, _ two: Any?) -> Bool {
    switch (one, two) {
    case (nil, nil): true
    // Boxed, large data would be copied byte by byte.
    case (let one as Data, let two as Data): one == two
    case (let one as String, let two as String): ExactText(one) == ExactText(two)
    case (let one as URL, let two as URL): ExactText(one.absoluteString) == ExactText(two.absoluteString)
    // A set is not the same as itself once Foundation has made it one of Swift's.
    case (let one as NSSet, let two as NSSet): one.isEqual(two)
    case (let one?, let two?): NSArray(array: [one]).isEqual(to: [two])
    default: false
    }
  }
}

extension EntityLayout {
  /// The slots that a store keeps: attributes and relationships that are not transient.
  var persistent: Range<Int> { stored.lowerBound..<toMany.upperBound }
}
