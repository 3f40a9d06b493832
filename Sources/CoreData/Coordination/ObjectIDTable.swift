import Foundation
import Synchronization

/// The ids of one store, one for each row that anybody holds: interning makes rows unique with one hash each.
///
/// Ids that nobody else holds are swept out, with their cached rows, whenever the table has doubled since the last sweep.
final class ObjectIDTable: Sendable {
  private struct Tables {
    /// By table, then by primary key: keys are unique in the table of a tree.
    var ids: [String: [Int64: NSManagedObjectID]] = [:]
    var count = 0
    var sweepAt = 4_096
  }
  private let tables = Mutex(Tables())

  /// The ids of some rows of one table, in order; those that do not exist yet are made.
  func ids(
    table: String, count: Int, keyAt: (Int) -> (entity: EntityMap, primaryKey: Int64), store: NSPersistentStore
  ) -> [NSManagedObjectID] {
    tables.withLock { tables in
      if tables.count + count > tables.sweepAt { Self.sweep(&tables) }
      var known = tables.ids.removeValue(forKey: table) ?? [:]
      let before = known.count
      known.reserveCapacity(before + count)
      var result: [NSManagedObjectID] = []
      result.reserveCapacity(count)
      for index in 0..<count {
        let (entity, key) = keyAt(index)
        // A row whose entity changed under its key is another object.
        if let id = known[key], id.entity === entity.entity {
          result.append(id)
        } else {
          let id = NSManagedObjectID(entity: entity.entity, kind: .row(key), store: store)
          known[key] = id
          result.append(id)
        }
      }
      tables.count += known.count - before
      tables.ids[table] = known
      return result
    }
  }

  /// The id of one row.
  func id(table: String, entity: EntityMap, primaryKey: Int64, store: NSPersistentStore) -> NSManagedObjectID {
    ids(table: table, count: 1, keyAt: { _ in (entity, primaryKey) }, store: store)[0]
  }

  private static func sweep(_ tables: inout Tables) {
    var count = 0
    for table in Array(tables.ids.keys) {
      // Taken out of the table, whose keys were copied for that, so that an id is held once and never by a copy as well.
      guard var known = tables.ids.removeValue(forKey: table) else { continue }
      for key in Array(known.keys) {
        guard var id = known.removeValue(forKey: key) else { continue }
        if !isKnownUniquelyReferenced(&id) { known[key] = id }
      }
      count += known.count
      tables.ids[table] = known
    }
    tables.count = count
    tables.sweepAt = max(4_096, count * 2)
  }
}
