import Foundation

/// A table that belongs to the model, and what its columns mean there.
struct WatchedTable: Sendable {
  /// How one property of an entity is read from a row.
  enum Reader: Sendable {
    case attribute(NSAttributeType, column: Int, isExternal: Bool, holdsAnyClass: Bool)
    case toOne(column: Int, entityColumn: Int?, destination: Int32)
  }

  let layout: TableLayout
  /// Where the primary key, the entity's number and the version are; nil in a join table.
  let object: (key: Int, entity: Int, version: Int)?
  /// The number of the tree's root, which a row without a known number counts to.
  let root: Int32
  /// The properties of each entity of the tree that have columns here.
  let entities: [Int32: [(name: String, reader: Reader)]]
  /// The to-many relationships that are kept here.
  let ends: [RelationshipEnd]
  /// The columns whose old values are always known: entity numbers, keys and places of relationships.
  let links: [Int]

  /// The number of the entity that a row is of.
  func entity(of row: [RecordValue?]) -> Int32 {
    guard let object, let number = row[object.entity]?.integer, let known = Int32(exactly: number),
      entities[known] != nil
    else { return root }
    return known
  }

  /// The object that a row is.
  func key(of row: [RecordValue?], rowid: Int64) -> ObjectKey {
    let primaryKey = object.flatMap { row[$0.key]?.integer } ?? rowid
    return ObjectKey(entity: entity(of: row), primaryKey: primaryKey)
  }
}

/// A to-many relationship as a table keeps it: which column names the owner, which the member, and which its place.
struct RelationshipEnd: Hashable, Sendable {
  /// The table of the owner's tree.
  var ownerTable: String
  var owner: Int
  var member: Int
  var order: Int?
  /// The relationship's name in each entity that has it, by the entity's number.
  var names: [Int32: String] = [:]
}

/// All tables that belong to the model.
struct WatchedTables: Sendable {
  private let byName: [String: WatchedTable]
  /// In a fixed order.
  let names: [String]

  subscript(name: String) -> WatchedTable? { byName[name] }

  /// The names of the tables that a map speaks of.
  static func names(in map: StoreMap) -> Set<String> {
    var names = Set(map.entities.map(\.table))
    for property in map.entities.flatMap(\.properties.values) {
      switch property {
      case .inverse(let table, _, _, _), .join(let table, _, _, _, _): names.insert(table)
      default: break
      }
    }
    return names
  }

  init(map: StoreMap, layouts: [String: TableLayout]) {
    let ends = Self.ends(map, layouts)
    var tables: [String: WatchedTable] = [:]
    for (name, layout) in layouts {
      tables[name] = Self.table(layout, map.entities.filter { $0.table == name }, ends[name] ?? [])
    }
    byName = tables
    names = tables.keys.sorted()
  }

  private static func table(_ layout: TableLayout, _ members: [EntityMap], _ ends: [RelationshipEnd]) -> WatchedTable {
    func place(_ column: String) -> Int? { layout.columns.firstIndex(of: column) }
    var links = Set(ends.flatMap { [$0.owner, $0.member] + ($0.order.map { [$0] } ?? []) })
    var entities: [Int32: [(name: String, reader: WatchedTable.Reader)]] = [:]
    for entity in members {
      entities[entity.number] = entity.properties.sorted { $0.key < $1.key }.compactMap { name, property in
        switch property {
        case .attribute(let column):
          guard let column = place(column), let attribute = entity.entity.attributesByName[name] else { return nil }
          return (
            name,
            .attribute(
              attribute.attributeType, column: column, isExternal: attribute.allowsExternalBinaryDataStorage,
              holdsAnyClass: attribute.holdsAnyClass)
          )
        case .toOne(let column, let entityColumn, let destination):
          guard let column = place(column) else { return nil }
          let entityColumn = entityColumn.flatMap(place)
          links.formUnion([column] + (entityColumn.map { [$0] } ?? []))
          return (name, .toOne(column: column, entityColumn: entityColumn, destination: destination))
        case .inverse, .join, .reference, .referrers: return nil
        }
      }
    }
    let root = (members.first(where: \.ownsTable) ?? members.first)?.number ?? 0
    var object: (key: Int, entity: Int, version: Int)?
    if !members.isEmpty, let key = place("Z_PK"), let entity = place("Z_ENT"), let version = place("Z_OPT") {
      object = (key, entity, version)
      links.remove(key)
      if members.count > 1 { links.insert(entity) }
    }
    return WatchedTable(
      layout: layout, object: object, root: root, entities: entities, ends: ends, links: links.sorted())
  }

  /// The ends of to-many relationships by the table that keeps them.
  private static func ends(_ map: StoreMap, _ layouts: [String: TableLayout]) -> [String: [RelationshipEnd]] {
    var found: [String: [RelationshipEnd: [Int32: String]]] = [:]
    for entity in map.entities {
      for (name, property) in entity.properties {
        let (table, owner, member, order): (String, String, String, String?)
        switch property {
        case .inverse(let place, let column, let orderColumn, _):
          (table, owner, member, order) = (place, column, "Z_PK", orderColumn)
        case .join(let place, let source, let target, let orderColumn, _):
          (table, owner, member, order) = (place, source, target, orderColumn)
        case .attribute, .toOne, .reference, .referrers: continue
        }
        guard let columns = layouts[table]?.columns, let owner = columns.firstIndex(of: owner),
          let member = columns.firstIndex(of: member)
        else { continue }
        let end = RelationshipEnd(
          ownerTable: entity.table, owner: owner, member: member, order: order.flatMap(columns.firstIndex(of:)))
        found[table, default: [:]][end, default: [:]][entity.number] = name
      }
    }
    return found.mapValues { ends in
      ends.map { end, names in
        var end = end
        end.names = names
        return end
      }
      .sorted { ($0.owner, $0.member, $0.ownerTable) < ($1.owner, $1.member, $1.ownerTable) }
    }
  }
}
