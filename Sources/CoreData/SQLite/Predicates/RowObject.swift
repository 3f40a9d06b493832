import Foundation

/// A row of a store as an object that predicates look into, while a statement runs: what it is asked for it reads.
///
/// Lives no longer than the call of `cd_holds` that made it, and uses that call's connection.
final class RowObject: PredicateObject {
  private let entity: EntityMap
  private let key: Int64
  private let store: SQLiteStore
  private let connection: SQLiteConnection
  private var known: [String: PredicateValue] = [:]

  init(_ entity: EntityMap, key: Int64, store: SQLiteStore, connection: SQLiteConnection) {
    self.entity = entity
    self.key = key
    self.store = store
    self.connection = connection
  }

  var predicateIdentity: PredicateIdentity {
    PredicateIdentity(store.ids.id(table: entity.table, entity: entity, primaryKey: key, store: store))
  }

  func predicateValue(forKey name: String) throws(PredicateError) -> PredicateValue {
    if let value = known[name] { return value }
    do {
      let value = try read(name)
      known[name] = value
      return value
    } catch let error as PredicateError {
      throw error
    } catch {
      throw PredicateError(name: "NSInternalInconsistencyException", "\(error)")
    }
  }

  private func read(_ name: String) throws -> PredicateValue {
    switch entity.properties[name] {
    case .attribute(let column):
      guard let attribute = entity.entity.attributesByName[name] else { break }
      // The value as the object's own property has it.
      let cell = try cells([column]).first
      return PredicateValue(cell?.object(of: attribute, type: attribute.attributeType, in: store))
    case .reference(let link, let number):
      guard let destination = store.map[number] else { break }
      let isEnd = link.isParent("t") { entity.isRow($0, key) }
      let rows = try connection.rows(
        "SELECT \(destination.key(of: "t")) FROM \(quoted(link.parent)) t WHERE \(isEnd.text) LIMIT 1", isEnd.values)
      guard case .integer(let key)? = rows.first?.first else { return .null }
      return .object(RowObject(destination, key: key, store: store, connection: connection))
    case .toOne(let column, let entityColumn, let number):
      let cells = try cells([column] + (entityColumn.map { [$0] } ?? []))
      guard let key = cells.first?.wholeNumber else { return .null }
      var destination = store.map[number]
      if cells.count > 1, let own = cells[1].wholeNumber {
        destination = store.map[Int32(truncatingIfNeeded: own)] ?? destination
      }
      return destination.map { .object(RowObject($0, key: key, store: store, connection: connection)) } ?? .null
    case .inverse(_, _, let order, let number), .join(_, _, _, let order, let number):
      return try objects(atEndOf: name, number, isOrdered: order != nil)
    case .referrers(_, let number): return try objects(atEndOf: name, number, isOrdered: false)
    case nil: break
    }
    throw PredicateError.unknownKey(name, of: "<\(entity.name)>")
  }

  private func objects(atEndOf name: String, _ number: Int32, isOrdered: Bool) throws -> PredicateValue {
    if let destination = store.map[number] {
      let list = try ListSelect(
        ListQuery(
          entity: destination.name,
          scope: .related(to: ObjectKey(entity: entity.number, primaryKey: key), relationship: name)), in: store)
      let rows = try connection.rows(
        list.select.sql(columns: [destination.key(of: "t"), destination.entityNumber(of: "t")]), list.select.values)
      let objects = rows.compactMap { row -> PredicateValue? in
        guard case .integer(let key) = row[0] else { return nil }
        var own = destination
        if case .integer(let number) = row[1] { own = store.map[Int32(truncatingIfNeeded: number)] ?? destination }
        return .object(RowObject(own, key: key, store: store, connection: connection))
      }
      return .list(objects, isOrdered: isOrdered)
    }
    throw PredicateError.unknownKey(name, of: "<\(entity.name)>")
  }

  /// The row's cells in some columns; empty when the row is not there.
  private func cells(_ columns: [String]) throws -> [StoredValue] {
    let names = columns.map { SQLFragment.column($0, of: "t") }.joined(by: ", ")
    let sql: SQLFragment = "SELECT \(names) FROM \(name: entity.table) t WHERE \(entity.isRow("t", key))"
    return try connection.withStatement(sql.text) { statement in
      try statement.bind(sql.values)
      guard try statement.step() else { return [] }
      var builder = RowSlabBuilder(layout: SlabLayout(width: columns.count, columns: []), capacity: 1)
      for index in columns.indices { builder.append(cell: Int32(index), of: statement) }
      let slab = builder.finish()
      return columns.indices.map { StoredValue(slab: slab, row: 0, column: $0) }
    }
  }
}

extension StoredValue {
  /// The whole number that the cell holds as one; keys are nothing else.
  fileprivate var wholeNumber: Int64? {
    slab.tag(row: row, column: column) == .integer ? integer : nil
  }
}
