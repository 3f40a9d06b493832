extension SQLiteStore {
  /// Reads the rows of some objects anew, in a few queries, and caches them on their ids; a row that is gone leaves none.
  func readRows(of ids: [NSManagedObjectID]) throws {
    let rows = try withConnection { try currentRows(of: ids, on: $0) }
    for id in ids { id.cachedRow = rows[id] }
  }
}
