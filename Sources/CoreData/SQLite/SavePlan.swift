import Foundation

/// What a save writes: one change a row, and the rows of join tables, worked out before anything is written.
///
/// Both ends of a relationship can say the same; here it comes together and is written once.
struct SavePlan {
  /// A row of an entity's table.
  struct Row {
    /// The numbers are those of persistent history.
    enum Kind: Int64 { case insert = 0, update = 1, delete = 2 }

    let id: NSManagedObjectID
    let entity: EntityMap
    let kind: Kind
    /// Whether the object itself changed; a key or a place that only another object knows of changes the row alone.
    var isChanged: Bool
    fileprivate(set) var columns: [(name: String, value: SQLiteValue)] = []
    /// The names of the properties that change; of new objects none are kept.
    fileprivate(set) var properties: Set<String> = []

    fileprivate mutating func set(_ column: String, _ value: SQLiteValue) {
      if let index = columns.firstIndex(where: { $0.name == column }) {
        columns[index].value = value
      } else {
        columns.append((column, value))
      }
    }

    fileprivate mutating func note(_ property: String) {
      if kind == .update { properties.insert(property) }
    }

    fileprivate func sets(_ column: String) -> Bool { columns.contains { $0.name == column } }
  }

  /// A join table by its two columns, whichever end looks at it.
  struct JoinTable: Hashable {
    let table: String
    let first: String
    let second: String
  }
  struct JoinPair: Hashable {
    let first: Int64
    let second: Int64
  }
  struct JoinChanges {
    var added: Set<JoinPair> = []
    var removed: Set<JoinPair> = []
  }

  /// The members that one object has in an ordered relationship: where they and their places are found.
  struct OrderScope: Hashable {
    let table: String
    /// The column with the object's key, and that key.
    let owner: String
    let key: Int64
    /// The column with the members' keys.
    let member: String
    let place: String
  }
  struct Order {
    /// The members in order; `nil` when only the other end was told, and new ones go to the end.
    var members: [Int64]?
    /// Members whose place, if they have one, is that of another object's relationship.
    var arrived: Set<Int64> = []
  }

  private(set) var rows: [Row] = []
  private(set) var joins: [JoinTable: JoinChanges] = [:]
  private(set) var orders: [OrderScope: Order] = [:]
  private let map: StoreMap
  private let permanent: [NSManagedObjectID: NSManagedObjectID]
  private let current: [NSManagedObjectID: RowReference]
  private let external: ExternalDataWriter
  private var places: [NSManagedObjectID: Int] = [:]

  /// Plans a save.
  ///
  /// `permanent` has the ids of the new objects by their temporary ones, `current` the rows of the others as they are now.
  /// Large data goes to `external`.
  init(
    _ request: SaveRequest, map: StoreMap, permanent: [NSManagedObjectID: NSManagedObjectID],
    current: [NSManagedObjectID: RowReference], external: ExternalDataWriter
  ) throws {
    (self.map, self.permanent, self.current, self.external) = (map, permanent, current, external)
    for object in request.deleted where current[object.id] != nil { _ = try row(of: object.id, .delete) }
    for object in request.updated { _ = try row(of: object.id, .update) }
    for object in request.inserted { _ = try row(of: object.id, .insert) }
    let written = request.updated + request.inserted
    for object in written { try setOwnValues(of: object) }
    for object in written {
      for (name, change) in object.toMany.sorted(by: { $0.key < $1.key }) { try add(change, to: name, of: object.id) }
    }
    // An object that was taken from one and given to another keeps what it was given.
    for object in written {
      for (name, change) in object.toMany.sorted(by: { $0.key < $1.key }) {
        try remove(change.removed, from: name, of: object.id)
      }
    }
  }

  // MARK: Values of the object's own row

  private mutating func setOwnValues(of object: SavedObject) throws {
    let index = try row(of: object.id)
    let entity = rows[index].entity
    for (name, value) in object.attributes.sorted(by: { $0.key < $1.key }) {
      guard let attribute = entity.entity.attributesByName[name], !attribute.isTransient else { continue }
      guard case .attribute(let column)? = entity.properties[name] else {
        guard value != nil, !(value is NSNull) else { continue }
        throw NSError.coreData(NSPersistentStoreSaveError, "the store has no column for \(entity.name).\(name)")
      }
      rows[index].set(
        column, try external.stored(value, of: attribute, replacing: current[rows[index].id], in: entity.entity))
      rows[index].note(name)
    }
    for (name, target) in object.toOne.sorted(by: { $0.key < $1.key }) {
      try lead(name, of: index, to: try target.map(resolved))
    }
  }

  /// Sets a to-one relationship; a change of whom it leads to ends the row's place in the other end's order.
  private mutating func lead(_ name: String, of index: Int, to target: NSManagedObjectID?) throws {
    let entity = rows[index].entity
    guard case .toOne(let column, let entityColumn, _)? = entity.properties[name] else { return }
    rows[index].set(column, target.map { .integer($0.primaryKey) } ?? .null)
    if let entityColumn {
      rows[index].set(entityColumn, try target.map { .integer(Int64(try self.entity(of: $0).number)) } ?? .null)
    }
    rows[index].note(name)
    rows[index].isChanged = true
    guard let place = inverseOrder(of: name, in: entity) else { return }
    guard let target else { return rows[index].set(place, .null) }
    let key = rows[index].id.primaryKey
    guard currentKey(name, of: rows[index]) != target.primaryKey else { return }
    orders[
      OrderScope(table: entity.table, owner: column, key: target.primaryKey, member: "Z_PK", place: place),
      default: Order()
    ].arrived.insert(key)
  }

  private func currentKey(_ name: String, of row: Row) -> Int64? {
    guard let current = current[row.id], let slot = row.entity.entity.layout.slot(named: name) else { return nil }
    let columns = current.slab.layout.columns(of: row.entity.entity)
    guard slot < columns.count, columns[slot].value >= 0 else { return nil }
    return current.slab.integer(row: current.index, column: Int(columns[slot].value))
  }

  // MARK: To-many relationships

  private mutating func add(_ change: ToManyChange, to name: String, of id: NSManagedObjectID) throws {
    let index = try row(of: id)
    let entity = rows[index].entity
    guard let property = entity.properties[name], let relationship = entity.entity.relationshipsByName[name] else {
      return
    }
    rows[index].note(name)
    let source = rows[index].id
    let added = try change.added.map(resolved).filter { !isDeleted($0) }
    let members = try change.objects.map(resolved).filter { !isDeleted($0) }.map(\.primaryKey)
    switch property {
    case .inverse(let table, let column, let place, _):
      for target in added {
        let other = try row(of: target, isChanged: relationship.inverseRelationship != nil)
        guard !rows[other].sets(column) else { continue }
        if let inverse = relationship.inverseRelationship?.name {
          try lead(inverse, of: other, to: source)
        } else {
          rows[other].set(column, .integer(source.primaryKey))
        }
      }
      guard let place else { return }
      let scope = OrderScope(table: table, owner: column, key: source.primaryKey, member: "Z_PK", place: place)
      orders[scope, default: Order()].members = members
      if relationship.inverseRelationship == nil { orders[scope]?.arrived.formUnion(added.map(\.primaryKey)) }
    case .join(let table, let owner, let member, let place, _):
      let isOwnInverse = relationship.inverseRelationship === relationship
      for target in added {
        join(table, (owner, source), (member, target), \.added)
        if isOwnInverse { join(table, (owner, target), (member, source), \.added) }
        if let place = inverseOrder(of: name, in: entity) {
          // Nothing is said of the order there; that the new member goes to the end is.
          orders[
            OrderScope(table: table, owner: member, key: target.primaryKey, member: owner, place: place),
            default: Order()
          ].arrived.insert(source.primaryKey)
        }
      }
      guard let place else { return }
      orders[
        OrderScope(table: table, owner: owner, key: source.primaryKey, member: member, place: place), default: Order()
      ].members = members
    case .attribute, .toOne, .reference, .referrers: return
    }
  }

  private mutating func remove(_ removed: [NSManagedObjectID], from name: String, of id: NSManagedObjectID) throws {
    let index = try row(of: id)
    let entity = rows[index].entity
    guard let property = entity.properties[name], let relationship = entity.entity.relationshipsByName[name] else {
      return
    }
    let source = rows[index].id
    for target in try removed.map(resolved) where !isDeleted(target) {
      switch property {
      case .inverse(_, let column, let place, _):
        let other = try row(of: target, isChanged: relationship.inverseRelationship != nil)
        guard !rows[other].sets(column) else { continue }
        if let inverse = relationship.inverseRelationship?.name {
          try lead(inverse, of: other, to: nil)
        } else {
          rows[other].set(column, .null)
          if let place { rows[other].set(place, .null) }
        }
      case .join(let table, let owner, let member, _, _):
        join(table, (owner, source), (member, target), \.removed)
        if relationship.inverseRelationship === relationship {
          join(table, (owner, target), (member, source), \.removed)
        }
      case .attribute, .toOne, .reference, .referrers: return
      }
    }
  }

  private mutating func join(
    _ table: String, _ one: (column: String, id: NSManagedObjectID), _ other: (column: String, id: NSManagedObjectID),
    _ kind: WritableKeyPath<JoinChanges, Set<JoinPair>>
  ) {
    let (first, second) = one.column < other.column ? (one, other) : (other, one)
    joins[JoinTable(table: table, first: first.column, second: second.column), default: JoinChanges()][keyPath: kind]
      .insert(JoinPair(first: first.id.primaryKey, second: second.id.primaryKey))
  }

  /// The column with an object's place at the other end of a relationship, when that end is an ordered one.
  private func inverseOrder(of name: String, in entity: EntityMap) -> String? {
    guard let relationship = entity.entity.relationshipsByName[name],
      let inverse = relationship.inverseRelationship, inverse !== relationship,
      let other = relationship.destinationEntity?.name.flatMap({ map[$0] })
    else { return nil }
    return switch other.properties[inverse.name] {
    case .inverse(_, _, let place, _), .join(_, _, _, let place, _): place
    default: nil
    }
  }

  // MARK: Objects

  /// Where an object's row stands in `rows`; a row that only a relationship led to is put in.
  private mutating func row(
    of id: NSManagedObjectID, _ kind: Row.Kind = .update, isChanged: Bool = true
  ) throws -> Int {
    let id = try resolved(id)
    if let index = places[id] { return index }
    places[id] = rows.count
    rows.append(Row(id: id, entity: try entity(of: id), kind: kind, isChanged: isChanged))
    return rows.count - 1
  }

  private func isDeleted(_ id: NSManagedObjectID) -> Bool { places[id].map { rows[$0].kind == .delete } ?? false }

  private func resolved(_ id: NSManagedObjectID) throws -> NSManagedObjectID {
    guard id.isTemporaryID else { return id }
    guard let permanent = permanent[id] else {
      throw NSError.coreData(
        NSPersistentStoreSaveError, "an object is related to \(id.entity.name ?? "?"), which is not being saved")
    }
    return permanent
  }

  private func entity(of id: NSManagedObjectID) throws -> EntityMap {
    guard let entity = id.entity.name.flatMap({ map[$0] }) else {
      throw NSError.coreData(NSPersistentStoreSaveError, "the store has no entity \(id.entity.name ?? "?")")
    }
    return entity
  }
}
