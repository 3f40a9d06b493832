/// What a context notes of one event: which properties were set, and the relationships being set at this moment.
struct EventRecord {
  /// The slots set in each object since observers were told last.
  private var slots: [NSManagedObject: Set<Int>] = [:]
  /// Those of the event that observers are being told of.
  private var told: [NSManagedObject: Set<Int>] = [:]
  /// Where the relationships led that are about to change, the innermost last.
  private var open: [(object: NSManagedObject, slot: Int, old: [NSManagedObject])] = []
  /// What it takes to undo the event; filled only for a context with an undo manager.
  var undo = UndoStep()
  /// Ids of changes that were merged, also of objects that the context does not have.
  var merged = ChangedIDs()
  /// Counts the changes, so that one can tell whether there were any.
  private(set) var count = 0

  /// The slots that were set in an object, and those that observers are just being told of.
  func slots(of object: NSManagedObject) -> Set<Int> { (slots[object] ?? []).union(told[object] ?? []) }

  mutating func note(_ object: NSManagedObject, slot: Int) {
    count += 1
    slots[object, default: []].insert(slot)
  }

  mutating func note() { count += 1 }

  mutating func begin(_ object: NSManagedObject, slot: Int, old: [NSManagedObject]) {
    open.append((object, slot, old))
  }

  /// Where a relationship led when its change began; `nil` when none did.
  mutating func end(_ object: NSManagedObject, slot: Int) -> [NSManagedObject]? {
    guard let index = open.lastIndex(where: { $0.object === object && $0.slot == slot }) else { return nil }
    return open.remove(at: index).old
  }

  /// Begins telling; answers what was merged.
  mutating func beginTelling() -> ChangedIDs {
    told = slots
    slots = [:]
    defer { merged = ChangedIDs() }
    return merged
  }

  mutating func endTelling() { told = [:] }

  mutating func removeAll() {
    slots = [:]
    told = [:]
    open = []
    merged = ChangedIDs()
    undo = UndoStep()
  }
}
