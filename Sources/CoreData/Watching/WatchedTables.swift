import Foundation

/// A table that belongs to the model, and what its columns mean there.
struct WatchedTable: Sendable {
  /// How one property of an entity is read from a row.
  enum Reader: Sendable {
    case attribute(NSAttributeType, column: Int, isExternal: Bool, holdsAnyClass: Bool)
    case toOne(column: Int, entityColumn: Int?, destination: Int32)
    /// A to-one relationship by a foreign key of a plain table: another table says which object the columns name.
    case reference(columns: [Int])
  }
  /// Where the primary key, the entity's number and the version are; plain tables have none of the last two, and their key is
  /// the row id where no column is.
  struct ObjectColumns: Equatable, Sendable {
    var key: Int?
    var entity: Int?
    var version: Int?
  }

  let layout: TableLayout
  /// Where an object's own columns are; nil in a join table.
  let object: ObjectColumns?
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
    guard let column = object?.entity, let number = row[column]?.integer, let known = Int32(exactly: number),
      entities[known] != nil
    else { return root }
    return known
  }

  /// Whether a row names other rows than it did, by columns of which only another table knows what they mean.
  func hasUnnamedEnds(_ delta: RowDelta) -> Bool {
    entities.values.joined().contains { _, reader in
      guard case .reference(let columns) = reader else { return false }
      return columns.contains { (delta.before?[$0] ?? .null) != (delta.after?[$0] ?? .null) }
    }
  }

  /// The object that a row is.
  func key(of row: [RecordValue?], rowid: Int64) -> ObjectKey {
    let primaryKey = object?.key.flatMap { row[$0]?.integer } ?? rowid
    return ObjectKey(entity: entity(of: row), primaryKey: primaryKey)
  }
}

/// A to-many relationship as a table keeps it: which column names the owner, which the member, and which its place.
struct RelationshipEnd: Hashable, Sendable {
  /// The table of the owner's tree.
  var ownerTable: String
  var owner: Int
  /// nil where the row's id names the member.
  var member: Int?
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
  ///
  /// Of a plain database these are the tables whose rows have ids; others are not followed row by row.
  static func names(in map: StoreMap) -> Set<String> {
    var names = Set(map.entities.filter(\.isFollowed).map(\.table))
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
      tables[name] = Self.table(layout, map, map.entities.filter { $0.table == name }, ends[name] ?? [])
    }
    byName = tables
    names = tables.keys.sorted()
  }

  private static func table(
    _ layout: TableLayout, _ map: StoreMap, _ members: [EntityMap], _ ends: [RelationshipEnd]
  ) -> WatchedTable {
    func place(_ column: String) -> Int? { layout.columns.firstIndex(of: column) }
    var links = Set(ends.flatMap { end in [end.owner, end.member, end.order].compactMap { $0 } })
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
        case .reference(let link, let destination):
          let columns = link.columns.compactMap(place)
          guard columns.count == link.columns.count else { return nil }
          links.formUnion(columns)
          if let column = map.rowIDColumn(namedBy: link, destination).flatMap(place) {
            return (name, .toOne(column: column, entityColumn: nil, destination: destination))
          }
          return (name, .reference(columns: columns))
        case .inverse, .join, .referrers: return nil
        }
      }
    }
    let root = (members.first(where: \.ownsTable) ?? members.first)?.number ?? 0
    var object: WatchedTable.ObjectColumns?
    if members.contains(where: \.isPlain) {
      object = .init(key: layout.rowIDColumn)
    } else if !members.isEmpty, let key = place("Z_PK"), let entity = place("Z_ENT"), let version = place("Z_OPT") {
      object = .init(key: key, entity: entity, version: version)
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
        let (table, owner, member, order): (String, String, String?, String?)
        switch property {
        case .inverse(let place, let column, let orderColumn, _):
          (table, owner, member, order) = (place, column, "Z_PK", orderColumn)
        case .join(let place, let source, let target, let orderColumn, _):
          (table, owner, member, order) = (place, source, target, orderColumn)
        case .referrers(let link, _):
          guard let column = map.rowIDColumn(namedBy: link, entity.number) else { continue }
          (table, owner, member, order) = (link.child, column, nil, nil)
        case .attribute, .toOne, .reference: continue
        }
        guard let columns = layouts[table]?.columns, let owner = columns.firstIndex(of: owner) else { continue }
        let place = member.flatMap(columns.firstIndex(of:))
        if member != nil, place == nil { continue }
        let end = RelationshipEnd(
          ownerTable: entity.table, owner: owner, member: place, order: order.flatMap(columns.firstIndex(of:)))
        found[table, default: [:]][end, default: [:]][entity.number] = name
      }
    }
    return found.mapValues { ends in
      ends.map { end, names in
        var end = end
        end.names = names
        return end
      }
      .sorted { ($0.owner, $0.member ?? -1, $0.ownerTable) < ($1.owner, $1.member ?? -1, $1.ownerTable) }
    }
  }
}

extension StoreMap {
  /// The column by which a foreign key names rows of an entity by their row ids; nil where it names them otherwise.
  fileprivate func rowIDColumn(namedBy link: KeyLink, _ destination: Int32) -> String? {
    guard let entity = self[destination], entity.hasKeyColumn, let column = entity.rowIDColumn,
      link.parentColumns == [column]
    else { return nil }
    return link.columns[0]
  }
}
