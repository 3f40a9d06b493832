import Foundation

/// Writes one batch of new objects.
struct RowInserter {
  let connection: SQLiteConnection
  let map: StoreMap
  /// The primary key of each new object, by its temporary id.
  private var keys: [NSManagedObjectID: Int64] = [:]
  /// The objects that were in the store already and whose rows were changed.
  private(set) var changed: Set<NSManagedObjectID> = []

  init(connection: SQLiteConnection, map: StoreMap) {
    self.connection = connection
    self.map = map
  }

  mutating func write(_ objects: [InsertedObject]) throws -> [Int64] {
    var result: [Int64] = []
    for (entity, object) in try assignKeys(objects, &result) { try insertRow(object, of: entity) }
    for object in objects {
      guard let entity = self.entity(of: object.id) else { continue }
      for (name, targets) in object.toMany.sorted(by: { $0.key < $1.key }) {
        try link(name, of: entity, source: object.id, to: targets)
      }
    }
    for object in objects { try takePlaces(object) }
    return result
  }

  /// Hands out primary keys after the highest of each tree, and writes the new highest.
  private mutating func assignKeys(
    _ objects: [InsertedObject], _ result: inout [Int64]
  ) throws -> [(EntityMap, InsertedObject)] {
    var highest: [Int32: Int64] = [:]
    var placed: [(EntityMap, InsertedObject)] = []
    for object in objects {
      guard let entity = entity(of: object.id), let root = map[entity.entity.rootEntity.name ?? ""] else {
        throw NSError.coreData(
          NSPersistentStoreSaveError, "the store has no entity \(object.id.entity.name ?? "?")")
      }
      let last = try highest[root.number] ?? highestKey(of: root)
      highest[root.number] = last + 1
      keys[object.id] = last + 1
      result.append(last + 1)
      placed.append((entity, object))
    }
    for (number, key) in highest {
      try connection.execute(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", [.integer(key), .integer(Int64(number))])
    }
    return placed
  }

  /// `Z_MAX`, or the highest key in the table where that is higher: stores filled by hand have a counter of 0
  /// (reference/ODDITIES.md 16).
  private func highestKey(of root: EntityMap) throws -> Int64 {
    let rows = try connection.rows(
      "SELECT max(ifnull(Z_MAX, 0), ifnull((SELECT max(Z_PK) FROM \(quoted(root.table))), 0)) FROM Z_PRIMARYKEY WHERE Z_ENT = ?",
      [.integer(Int64(root.number))])
    guard case .integer(let key)? = rows.first?.first else { return 0 }
    return key
  }

  private func insertRow(_ object: InsertedObject, of entity: EntityMap) throws {
    var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
    var values: [SQLiteValue] = [.integer(try key(of: object.id)), .integer(Int64(entity.number)), .integer(1)]
    for (name, value) in object.attributes.sorted(by: { $0.key < $1.key }) {
      guard case .attribute(let column)? = entity.properties[name],
        let attribute = entity.entity.attributesByName[name]
      else { continue }
      columns.append(quoted(column))
      values.append(try SQLiteValue(value, for: attribute))
    }
    for (name, target) in object.toOne.sorted(by: { $0.key < $1.key }) {
      guard case .toOne(let column, let entityColumn, _)? = entity.properties[name] else { continue }
      columns.append(quoted(column))
      values.append(.integer(try key(of: target)))
      if let entityColumn, let number = self.entity(of: target)?.number {
        columns.append(quoted(entityColumn))
        values.append(.integer(Int64(number)))
      }
    }
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    try connection.execute(
      "INSERT INTO \(quoted(entity.table)) (\(columns.joined(separator: ", "))) VALUES (\(marks))", values)
  }

  // MARK: To-many relationships

  /// Writes one end of a to-many relationship: rows of the join table, or keys on the destination's rows.
  private mutating func link(
    _ name: String, of entity: EntityMap, source: NSManagedObjectID, to targets: [NSManagedObjectID]
  ) throws {
    guard let relationship = entity.entity.relationshipsByName[name], let property = entity.properties[name] else {
      return
    }
    let sourceKey = try key(of: source)
    // A set has no order of its own: by key the same objects make the same file.
    let ends = try targets.map { (id: $0, key: try key(of: $0)) }
    for (index, end) in (relationship.isOrdered ? ends : ends.sorted { $0.key < $1.key }).enumerated() {
      let place = Int64(index) * Self.placeStep + Self.firstPlace
      switch property {
      case .join(let table, let sourceColumn, let targetColumn, let orderColumn, _):
        let join = JoinRow(table: table, source: (sourceColumn, sourceKey), target: (targetColumn, end.key))
        try write(join, order: orderColumn.map { ($0, place) }, inverseOrder: inverseOrder(of: name, in: entity))
        if relationship.inverseRelationship === relationship { try write(join.reversed, order: nil, inverseOrder: nil) }
      case .inverse(let table, let column, let orderColumn, _):
        var values: [(column: String, value: Int64)] = [(column, sourceKey)]
        if let orderColumn { values.append((orderColumn, place)) }
        if let inverse = relationship.inverseRelationship?.name,
          case .toOne(_, let entityColumn?, _)? = self.entity(of: end.id)?.properties[inverse]
        {
          values.append((entityColumn, Int64(entity.number)))
        }
        var changes = values.map { quoted($0.column) + " = ?" }
        if keys[end.id] == nil {
          changes.append("Z_OPT = ifnull(Z_OPT, 0) + 1")
          changed.insert(end.id)
        }
        try connection.execute(
          "UPDATE \(quoted(table)) SET \(changes.joined(separator: ", ")) WHERE Z_PK = ?",
          values.map { .integer($0.value) } + [.integer(end.key)])
      case .attribute, .toOne: return
      }
    }
  }

  /// Puts an object at the end of the ordered relationships that it is in by its own to-one relationships alone.
  private func takePlaces(_ object: InsertedObject) throws {
    guard let entity = entity(of: object.id) else { return }
    for name in object.toOne.keys.sorted() {
      guard let target = object.toOne[name], case .toOne(let column, _, _)? = entity.properties[name],
        let orderColumn = inverseOrder(of: name, in: entity)
      else { continue }
      let place = try nextPlace(orderColumn, in: entity.table, where: column, is: try key(of: target))
      try connection.execute(
        "UPDATE \(quoted(entity.table)) SET \(quoted(orderColumn)) = ? WHERE Z_PK = ? AND \(quoted(orderColumn)) IS NULL",
        [.integer(place), .integer(try key(of: object.id))])
    }
  }

  /// Writes a row of a join table, or the place in it when the other end has written the row already.
  private func write(_ row: JoinRow, order: (column: String, place: Int64)?, inverseOrder: String?) throws {
    let table = quoted(row.table)
    let ends: [SQLiteValue] = [.integer(row.source.key), .integer(row.target.key)]
    let isSame = "\(quoted(row.source.column)) = ? AND \(quoted(row.target.column)) = ?"
    if try connection.rows("SELECT 1 FROM \(table) WHERE \(isSame) LIMIT 1", ends).isEmpty {
      var columns = [row.source.column, row.target.column]
      var values = ends
      if let order {
        columns.append(order.column)
        values.append(.integer(order.place))
      }
      if let inverseOrder {
        columns.append(inverseOrder)
        values.append(
          .integer(try nextPlace(inverseOrder, in: row.table, where: row.target.column, is: row.target.key)))
      }
      try connection.execute(
        "INSERT INTO \(table) (\(columns.map(quoted).joined(separator: ", "))) "
          + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))", values)
    } else if let order {
      try connection.execute(
        "UPDATE \(table) SET \(quoted(order.column)) = ? WHERE \(isSame)", [.integer(order.place)] + ends)
    }
  }

  /// Places in ordered relationships are 1024 apart and begin at 2048.
  private static let firstPlace: Int64 = 2_048
  private static let placeStep: Int64 = 1_024

  /// The column with an object's place at the other end of a relationship, when that end is an ordered one.
  private func inverseOrder(of name: String, in entity: EntityMap) -> String? {
    guard let relationship = entity.entity.relationshipsByName[name],
      let inverse = relationship.inverseRelationship, inverse !== relationship,
      let other = relationship.destinationEntity?.name.flatMap({ map[$0] })
    else { return nil }
    return switch other.properties[inverse.name] {
    case .inverse(_, _, let orderColumn, _), .join(_, _, _, let orderColumn, _): orderColumn
    default: nil
    }
  }

  /// The place after the last of an ordered relationship.
  private func nextPlace(_ orderColumn: String, in table: String, where column: String, is key: Int64) throws -> Int64 {
    let rows = try connection.rows(
      "SELECT max(\(quoted(orderColumn))) FROM \(quoted(table)) WHERE \(quoted(column)) = ?", [.integer(key)])
    guard case .integer(let last)? = rows.first?.first else { return Self.firstPlace }
    return last + Self.placeStep
  }

  // MARK: Objects

  private func entity(of id: NSManagedObjectID) -> EntityMap? { id.entity.name.flatMap { map[$0] } }

  private func key(of id: NSManagedObjectID) throws -> Int64 {
    if let key = keys[id] { return key }
    guard !id.isTemporaryID else {
      throw NSError.coreData(
        NSPersistentStoreSaveError, "an object is related to \(id.entity.name ?? "?"), which is not being saved")
    }
    return id.primaryKey
  }
}

/// A row of a join table: the two columns with the keys at either end.
private struct JoinRow {
  var table: String
  var source: (column: String, key: Int64)
  var target: (column: String, key: Int64)

  /// The same pair, seen from the other end of a relationship that is its own inverse.
  var reversed: JoinRow {
    JoinRow(table: table, source: (source.column, target.key), target: (target.column, source.key))
  }
}
