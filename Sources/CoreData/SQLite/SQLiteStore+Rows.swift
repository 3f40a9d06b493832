extension SQLiteStore {
  /// Reads the rows of some objects anew, in a few queries, and caches them on their ids; a row that is gone leaves none.
  func readRows(of ids: [NSManagedObjectID]) throws {
    for id in ids { id.cachedRow = nil }
    let keys = ids.compactMap { id in
      number(of: id.entity).map { ObjectKey(entity: $0, primaryKey: id.primaryKey) }
    }
    let tables = Dictionary(grouping: keys) { map[$0.entity]?.table }
    for keys in tables.values {
      for start in stride(from: 0, to: keys.count, by: Self.keysPerQuery) {
        _ = try objectIDs(for: Array(keys[start..<min(start + Self.keysPerQuery, keys.count)]))
      }
    }
  }

  private static let keysPerQuery = 500
}
