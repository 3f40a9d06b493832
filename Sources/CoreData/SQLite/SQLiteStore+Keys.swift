import Foundation

extension SQLiteStore {
  /// Reserves keys for objects that were never saved, so that nobody else is given them.
  func reserveIDs(for new: [NSManagedObjectID]) throws -> [NSManagedObjectID] {
    guard !isReadOnly else {
      throw NSError.coreData(NSFileWriteNoPermissionError, "the store was opened to be read only", path: url?.path)
    }
    guard plain == nil else {
      throw NSError.coreData(
        NSPersistentStoreOperationError, "rows of a plain database get their keys when they are saved", path: url?.path)
    }
    return try saving.withLock {
      try withConnection { connection in
        do {
          return try connection.immediateTransaction { try assignKeys(new, on: connection) }
        } catch let error as SQLiteError {
          throw error.saveError(in: map, path: url?.path)
        }
      }
    }
  }

  /// Hands out primary keys after the highest of each tree, and writes the new highest; ids that have keys keep them.
  func assignKeys(_ new: [NSManagedObjectID], on connection: SQLiteConnection) throws -> [NSManagedObjectID] {
    var highest: [Int32: Int64] = [:]
    let ids = try new.map { id in
      guard let entity = id.entity.name.flatMap({ map[$0] }), let root = map[entity.entity.rootEntity.name ?? ""] else {
        throw NSError.coreData(NSPersistentStoreSaveError, "the store has no entity \(id.entity.name ?? "?")")
      }
      guard id.isTemporaryID else { return id }
      let last = try highest[root.number] ?? connection.highestKey(in: root.table, entity: Int64(root.number))
      highest[root.number] = last + 1
      return self.ids.id(table: entity.table, entity: entity, primaryKey: last + 1, store: self)
    }
    for (number, key) in highest {
      try connection.execute(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", [.integer(key), .integer(Int64(number))])
    }
    return ids
  }
}
