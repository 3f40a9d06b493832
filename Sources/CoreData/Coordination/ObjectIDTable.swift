import Foundation
import Synchronization

/// The ids of one store, one for each row that anybody holds: interning makes rows unique with one hash each.
///
/// Ids that nobody else holds are swept out, with their cached rows, whenever the table has doubled since the last sweep.
final class ObjectIDTable: Sendable {
  private struct Tables {
    /// By table: keys are unique in the table of a tree.
    var ids: [String: KeyedIDs] = [:]
    var count = 0
    var sweepAt = 4_096
    /// What the store's ids share.
    var owner: IDOwner?
  }
  private let tables = Mutex(Tables())

  /// The ids of some rows of one table, in order; those that do not exist yet are made.
  func ids(table: String, of rows: RowKeys, store: NSPersistentStore) -> [NSManagedObjectID] {
    let identifier = store.identifier
    return tables.withLock { tables in
      if tables.count + rows.keys.count > tables.sweepAt { Self.sweep(&tables) }
      let owner = Self.owner(&tables, identifier, store)
      var known = tables.ids.removeValue(forKey: table) ?? KeyedIDs()
      let before = known.count
      known.reserveCapacity(before + rows.keys.count)
      var result: [NSManagedObjectID] = []
      result.reserveCapacity(rows.keys.count)
      var start = 0
      for run in rows.runs {
        for key in rows.keys[start..<start + run.count] {
          // A row whose entity changed under its key is another object.
          result.append(
            known.id(for: key, of: run.entity) { NSManagedObjectID(entity: run.entity, primaryKey: key, owner: owner) })
        }
        start += run.count
      }
      tables.count += known.count - before
      tables.ids[table] = known
      return result
    }
  }

  /// The id of one row.
  func id(table: String, entity: EntityMap, primaryKey: Int64, store: NSPersistentStore) -> NSManagedObjectID {
    var row = RowKeys()
    row.append(primaryKey, of: entity.entity)
    return ids(table: table, of: row, store: store)[0]
  }

  /// Ids keep the identifier that the store has when they are made.
  private static func owner(_ tables: inout Tables, _ identifier: String, _ store: NSPersistentStore) -> IDOwner {
    if let owner = tables.owner, owner.identifier == identifier { return owner }
    let owner = IDOwner(identifier: identifier, store: store)
    tables.owner = owner
    return owner
  }

  private static func sweep(_ tables: inout Tables) {
    var count = 0
    for table in Array(tables.ids.keys) {
      // Taken out of the table, whose keys were copied for that, so that an id is held once and never by a copy as well.
      guard var known = tables.ids.removeValue(forKey: table) else { continue }
      known.removeUnheld()
      count += known.count
      tables.ids[table] = known
    }
    tables.count = count
    tables.sweepAt = max(4_096, count * 2)
  }
}

/// The primary keys of some rows in order, with the entity of each.
struct RowKeys {
  private(set) var keys: [Int64] = []
  /// Neighbours mostly are of one entity.
  private(set) var runs: [(entity: NSEntityDescription, count: Int)] = []

  mutating func append(_ key: Int64, of entity: NSEntityDescription) {
    keys.append(key)
    if let last = runs.last, last.entity === entity {
      runs[runs.count - 1].count += 1
    } else {
      runs.append((entity, 1))
    }
  }
}
