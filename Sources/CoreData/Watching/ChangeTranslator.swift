import Foundation

/// Tells changed rows in the model's terms: objects and their properties.
struct ChangeTranslator: Sendable {
  typealias Change = StoreChanges.Change

  /// Objects that changed, and the version that each one's row has now; nil for one that is gone.
  struct Translation {
    var changes: [ObjectKey: Change] = [:]
    var versions: [ObjectKey: Int64?] = [:]
    /// False where a foreign key of a plain table changed that names rows otherwise than by their ids: whose relationships
    /// change by that is not known.
    var isComplete = true
  }

  let tables: WatchedTables

  /// The objects that the rows mean.
  ///
  /// A row whose entity changed is an object gone and another one new. An update names the properties that differ; it names
  /// none where the version alone was raised, which is an update to whoever merges it (FRC 18). A to-many relationship
  /// changes at the object that has it, whichever table keeps it; its values are not told.
  ///
  /// `entities` answers the entity numbers of rows of a table that are there, by primary key.
  func translation(
    of deltas: RowDeltas, entities: (WatchedTable, [Int64]) throws -> [Int64: Int32]
  ) throws -> Translation {
    var result = Translation()
    var present: [String: [Int64: Presence]] = [:]
    for (name, rows) in deltas.tables {
      guard let table = tables[name], let object = table.object else { continue }
      for (rowid, delta) in rows {
        let (old, new) = (
          delta.before.map { table.key(of: $0, rowid: rowid) }, delta.after.map { table.key(of: $0, rowid: rowid) }
        )
        func take(_ change: Change?) {
          guard let change else { return }
          result.changes[change.key] = change
          let version = change.kind == .delete ? nil : object.version.flatMap { delta.after?[$0].integer }
          result.versions.updateValue(version, forKey: change.key)
        }
        if result.isComplete, table.hasUnnamedEnds(delta) { result.isComplete = false }
        if let old, new == nil { present[name, default: [:]][old.primaryKey] = .gone }
        if let new { present[name, default: [:]][new.primaryKey] = .there(entity: new.entity) }
        if let old, old != new { take(delta.before.map { deletion(of: old, $0, table) }) }
        if let new, old != new { take(delta.after.map { insertion(of: new, $0, table) }) }
        if let new, old == new { take(update(of: new, delta, table)) }
      }
    }
    for (owner, names) in try changedOwners(deltas, present, entities) {
      var change = result.changes[owner] ?? Change(.update, owner, properties: [:])
      for name in names where change.kind != .delete {
        change.properties?[name] = .init(old: nil, new: nil)
      }
      result.changes[owner] = change
    }
    return result
  }

  // MARK: Rows

  private func deletion(of key: ObjectKey, _ row: [RecordValue?], _ table: WatchedTable) -> Change {
    guard !row.contains(nil) else { return Change(.delete, key) }
    var properties: [String: Change.Values] = [:]
    for (name, reader) in table.entities[key.entity] ?? [] where row[reader.columns[0]] != .null {
      properties[name] = .init(old: reader.value(in: row), new: nil)
    }
    return Change(.delete, key, properties: properties)
  }

  private func insertion(of key: ObjectKey, _ row: [RecordValue], _ table: WatchedTable) -> Change {
    var properties: [String: Change.Values] = [:]
    for (name, reader) in table.entities[key.entity] ?? [] where row[reader.columns[0]] != .null {
      properties[name] = .init(old: nil, new: reader.value(in: row))
    }
    return Change(.insert, key, properties: properties)
  }

  /// nil where nothing differs that the object has.
  private func update(of key: ObjectKey, _ delta: RowDelta, _ table: WatchedTable) -> Change? {
    guard let before = delta.before, let after = delta.after, let object = table.object else { return nil }
    var properties: [String: Change.Values] = [:]
    for (name, reader) in table.entities[key.entity] ?? [] {
      if reader.columns.contains(where: { before[$0] == nil }) { return Change(.update, key) }
      guard reader.columns.contains(where: { before[$0] != after[$0] }) else { continue }
      properties[name] = .init(old: reader.value(in: before), new: reader.value(in: after))
    }
    let isRaised = object.version.map { before[$0] != after[$0] } ?? false
    guard !properties.isEmpty || isRaised else { return nil }
    return Change(.update, key, properties: properties)
  }

  // MARK: To-many relationships

  /// One object in one relationship: which, and at which place.
  private struct Membership: Hashable {
    let member: RecordValue
    let order: RecordValue
  }

  /// What became of a changed row.
  private enum Presence {
    case gone
    case there(entity: Int32)
  }

  /// The objects whose to-many relationships have other members than before, or the same in another order.
  private func changedOwners(
    _ deltas: RowDeltas, _ present: [String: [Int64: Presence]],
    _ entities: (WatchedTable, [Int64]) throws -> [Int64: Int32]
  ) throws -> [ObjectKey: Set<String>] {
    var found: [(end: RelationshipEnd, owners: [Int64])] = []
    var unknown: [String: Set<Int64>] = [:]
    for (name, rows) in deltas.tables {
      for end in tables[name]?.ends ?? [] {
        let owners = Self.owners(end, rows)
        guard !owners.isEmpty else { continue }
        found.append((end, owners))
        let known = present[end.ownerTable] ?? [:]
        unknown[end.ownerTable, default: []].formUnion(owners.filter { known[$0] == nil })
      }
    }
    var numbers: [String: [Int64: Int32]] = [:]
    for (name, keys) in unknown where !keys.isEmpty {
      guard let table = tables[name] else { continue }
      numbers[name] = try entities(table, keys.sorted())
    }
    var changed: [ObjectKey: Set<String>] = [:]
    for (end, owners) in found {
      for owner in owners {
        let number: Int32? =
          switch present[end.ownerTable]?[owner] {
          case .there(let entity): entity
          case .gone: nil
          case nil: numbers[end.ownerTable]?[owner]
          }
        // Keys that lead nowhere mean no object.
        guard let number, let name = end.names[number] else { continue }
        changed[ObjectKey(entity: number, primaryKey: owner), default: []].insert(name)
      }
    }
    return changed
  }

  /// The owners for which rows were not merely written anew.
  private static func owners(_ end: RelationshipEnd, _ rows: [Int64: RowDelta]) -> [Int64] {
    var tally: [Int64: [Membership: Int]] = [:]
    func count(_ row: [RecordValue?]?, _ rowid: Int64, _ step: Int) {
      guard let row, let owner = row[end.owner]?.integer,
        let member = end.member.map({ row[$0] }) ?? .integer(rowid)
      else { return }
      let order = end.order.flatMap { row[$0] } ?? .null
      tally[owner, default: [:]][Membership(member: member, order: order), default: 0] += step
    }
    for (rowid, delta) in rows {
      if let before = delta.before, let after = delta.after, before[end.owner] == after[end.owner],
        end.member.map({ before[$0] == after[$0] }) ?? true, end.order.map({ before[$0] == after[$0] }) ?? true
      {
        continue
      }
      count(delta.before, rowid, -1)
      count(delta.after, rowid, 1)
    }
    return tally.compactMap { owner, members in members.values.contains { $0 != 0 } ? owner : nil }
  }
}
