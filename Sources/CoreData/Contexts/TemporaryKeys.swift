/// Keys below zero for objects that were never saved: the store gives them others.
struct TemporaryKeys {
  private var keys: [NSManagedObjectID: Int64] = [:]
  private var ids: [Int64: NSManagedObjectID] = [:]
  private var last: Int64 = 0

  /// The key of an object's temporary id.
  mutating func key(of id: NSManagedObjectID) -> Int64 {
    if let key = keys[id] { return key }
    last -= 1
    keys[id] = last
    ids[last] = id
    return last
  }

  /// The temporary id of a key.
  func id(of key: Int64) -> NSManagedObjectID? { ids[key] }

  /// Forgets the ids; no key is given twice.
  mutating func removeAll() {
    keys = [:]
    ids = [:]
  }
}
