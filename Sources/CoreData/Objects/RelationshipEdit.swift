/// A to-many relationship as it was changed: what came, what went, and the order where one was set.
///
/// Kept beside what the store holds, not as a copy of it: a relationship need not be read to gain or lose a member, and
/// members that others add meanwhile are kept.
final class RelationshipEdit {
  /// What the store held when it was first asked; ids, so that related objects do not keep each other alive.
  private(set) var base: [NSManagedObjectID]?
  /// The objects that were not there, with their order of arrival.
  private var arrivals: [NSManagedObject: Int] = [:]
  private var lastArrival = 0
  /// The objects that are no longer there.
  private(set) var removed: Set<NSManagedObject> = []
  /// All objects in the order that was set; of an ordered relationship only.
  private var order: [NSManagedObject]?

  /// The objects that were not there, in the order they came.
  var added: [NSManagedObject] { arrivals.sorted { $0.value < $1.value }.map(\.key) }

  /// Whether nothing came, nothing went and nothing moved.
  var isEmpty: Bool { arrivals.isEmpty && removed.isEmpty && order == nil }

  /// Takes an object in, at the end of an ordered relationship.
  func add(_ object: NSManagedObject, isInBase: Bool) {
    let wasRemoved = removed.remove(object) != nil
    guard wasRemoved || !isInBase && arrivals[object] == nil else { return }
    if !isInBase { arrive(object) }
    order?.append(object)
  }

  /// Lets an object go.
  func remove(_ object: NSManagedObject, isInBase: Bool) {
    if isInBase { removed.insert(object) }
    arrivals[object] = nil
    order?.removeAll { $0 === object }
  }

  /// Sets all objects, in their order where the relationship has one.
  func set(_ objects: [NSManagedObject], base: [NSManagedObject], isOrdered: Bool) {
    let wanted = Set(objects)
    let there = Set(base)
    removed = there.subtracting(wanted)
    for object in arrivals.keys where !wanted.contains(object) { arrivals[object] = nil }
    for object in objects where !there.contains(object) && arrivals[object] == nil { arrive(object) }
    guard isOrdered else { return }
    var seen: Set<NSManagedObject> = []
    order = objects.filter { seen.insert($0).inserted }
  }

  /// All objects now; `read` answers what the store holds.
  func objects(base: [NSManagedObject]) -> [NSManagedObject] {
    let kept = base.filter { !removed.contains($0) }
    guard let order else {
      let there = Set(base)
      return kept + added.filter { !there.contains($0) }
    }
    // What others added or removed since the order was set is followed.
    let (there, placed) = (Set(kept), Set(order))
    return order.filter { there.contains($0) || arrivals[$0] != nil } + kept.filter { !placed.contains($0) }
  }

  /// Keeps what the store holds, so that it is asked once.
  func keep(base: [NSManagedObjectID]) { self.base = base }

  /// Has the store asked anew.
  func forgetBase() { base = nil }

  /// Leaves only what differs from what the store holds by now.
  func settle(isInBase: (NSManagedObject) -> Bool) {
    for object in arrivals.keys where isInBase(object) { arrivals[object] = nil }
    removed = removed.filter(isInBase)
  }

  private func arrive(_ object: NSManagedObject) {
    lastArrival += 1
    arrivals[object] = lastArrival
  }
}
