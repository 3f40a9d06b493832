import Foundation

/// The objects of a to-many relationship as a set that writes through: adding and removing keeps both ends in step.
///
/// It always shows the relationship as it is. The properties are set once, right after `init`: so Foundation's initialisers
/// are inherited.
final class RelatedSet: NSMutableSet {
  private var owner: NSManagedObject?
  private var slot = 0

  static func of(_ owner: NSManagedObject, slot: Int) -> RelatedSet {
    let set = RelatedSet(capacity: 0)
    (set.owner, set.slot) = (owner, slot)
    return set
  }

  private var objects: [NSManagedObject] { owner?.destinations(slot) ?? [] }

  override var count: Int { objects.count }

  override func member(_ object: Any) -> Any? {
    guard let object = object as? NSManagedObject, let owner, owner.isRelated(to: object, slot) else { return nil }
    return object
  }

  override func objectEnumerator() -> NSEnumerator { NSArray(array: objects).objectEnumerator() }

  override func add(_ object: Any) {
    if let object = object as? NSManagedObject { owner?.addRelated(object, slot: slot) }
  }

  override func remove(_ object: Any) {
    if let object = object as? NSManagedObject { owner?.removeRelated(object, slot: slot) }
  }
}

/// The objects of an ordered relationship, taken when it is asked for; what is done to it is written through.
final class RelatedOrderedSet: NSMutableOrderedSet {
  private var owner: NSManagedObject?
  private var key = ""
  /// Foundation's methods call one another: the outermost one writes.
  private var depth = 0

  init(_ owner: NSManagedObject, slot: Int) {
    super.init(capacity: 0)
    addObjects(from: owner.destinations(slot))
    (self.owner, key) = (owner, owner.objectClass.properties[slot].name)
  }

  /// Not of a relationship: an ordered set like any other.
  required init(arrayLiteral elements: Any...) {
    super.init(capacity: 0)
    addObjects(from: elements)
  }

  /// A relationship is not archived.
  required init?(coder aDecoder: NSCoder) { nil }

  private func writing(_ change: () -> Void) {
    depth += 1
    change()
    depth -= 1
    if depth == 0 { owner?.setValue(NSOrderedSet(array: array), forKey: key) }
  }

  override func insert(_ object: Any, at idx: Int) { writing { super.insert(object, at: idx) } }
  override func insert(_ objects: [Any], at indexes: IndexSet) { writing { super.insert(objects, at: indexes) } }
  override func removeObject(at idx: Int) { writing { super.removeObject(at: idx) } }
  override func removeObjects(in array: [Any]) { writing { super.removeObjects(in: array) } }
  override func removeObjects(at indexes: IndexSet) { writing { super.removeObjects(at: indexes) } }
  override func replaceObject(at idx: Int, with obj: Any) { writing { super.replaceObject(at: idx, with: obj) } }
  override func add(_ object: Any) { writing { super.add(object) } }
  override func addObjects(from array: [Any]) { writing { super.addObjects(from: array) } }
  override func exchangeObject(at idx1: Int, withObjectAt idx2: Int) {
    writing { super.exchangeObject(at: idx1, withObjectAt: idx2) }
  }
  override func moveObjects(at indexes: IndexSet, to idx: Int) { writing { super.moveObjects(at: indexes, to: idx) } }
  override func removeAllObjects() { writing { super.removeAllObjects() } }
  override func remove(_ val: Any) { writing { super.remove(val) } }
  override func minus(_ other: NSOrderedSet) { writing { super.minus(other) } }
  override func union(_ other: NSOrderedSet) { writing { super.union(other) } }
  override func minusSet(_ other: Set<AnyHashable>) { writing { super.minusSet(other) } }
  override func unionSet(_ other: Set<AnyHashable>) { writing { super.unionSet(other) } }
  override func intersectSet(_ other: Set<AnyHashable>) { writing { super.intersectSet(other) } }
  /// Foundation's own loses its way here.
  override func intersect(_ other: NSOrderedSet) { intersectSet(other.set) }
  override func sortRange(
    _ range: NSRange, options opts: NSSortOptions = [], usingComparator cmptr: (Any, Any) -> ComparisonResult
  ) {
    writing { super.sortRange(range, options: opts, usingComparator: cmptr) }
  }
  override func sort(using sortDescriptors: [NSSortDescriptor]) { writing { super.sort(using: sortDescriptors) } }
}

extension NSManagedObject {
  /// A to-many relationship's objects as a set whose changes are those of the relationship.
  ///
  /// A name that is no unordered to-many relationship stops the program.
  public final func mutableSetValue(forKey key: String) -> NSMutableSet {
    let slot = slot(forKey: key)
    guard case .toMany(let relationship) = objectClass.kinds[slot], !relationship.isOrdered else {
      preconditionFailure("\(entity.name ?? "?").\(key) is no to-many relationship without order")
    }
    if needsRow { willAccessValue(forKey: key) }
    return RelatedSet.of(self, slot: slot)
  }

  /// An ordered relationship's objects as they are now, as an ordered set whose changes are those of the relationship.
  ///
  /// A name that is no ordered relationship stops the program.
  public final func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    let slot = slot(forKey: key)
    guard case .toMany(let relationship) = objectClass.kinds[slot], relationship.isOrdered else {
      preconditionFailure("\(entity.name ?? "?").\(key) is no ordered relationship")
    }
    if needsRow { willAccessValue(forKey: key) }
    return RelatedOrderedSet(self, slot: slot)
  }
}
