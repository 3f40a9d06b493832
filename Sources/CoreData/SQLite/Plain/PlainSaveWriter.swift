import Foundation

/// Writes one save to a plain database, inside a transaction that is open.
///
/// Deleted rows go first, then new ones, each after the rows that it names, then changed ones. What SQLite fills in by itself,
/// defaults and computed columns, is left to it. A to-many relationship is written by the rows that name this one: contexts
/// keep both ends alike.
struct PlainSaveWriter {
  private let store: SQLiteStore
  private let connection: SQLiteConnection
  private let request: SaveRequest
  private var permanent: [NSManagedObjectID: NSManagedObjectID] = [:]
  private var begun: Set<NSManagedObjectID> = []
  /// Relationships of new rows to rows that were not there yet.
  private var late: [(object: NSManagedObjectID, name: String, target: NSManagedObjectID)] = []
  /// Numbers that mean another key from now on, with the key that they meant before.
  private(set) var moved: [(entity: Int32, number: Int64, before: [UInt8])] = []

  init(_ request: SaveRequest, store: SQLiteStore, connection: SQLiteConnection) {
    (self.store, self.connection, self.request) = (store, connection, request)
  }

  mutating func write() throws -> SaveWriter.Written {
    for object in request.inserted + request.updated + request.deleted {
      if let refusal = object.id.entity.editRefusal { throw Self.refusal(refusal) }
    }
    // Rows that name each other are complete at the end of the transaction only.
    try connection.execute("PRAGMA defer_foreign_keys = ON")
    let known = request.updated + request.deleted + request.checked
    let current = try store.currentRows(of: known.map(\.id), on: connection)
    let conflicts = ConflictCheck.conflicts(of: request, with: current)
    guard conflicts.isEmpty else { throw SaveConflicts(conflicts: conflicts) }
    for object in request.deleted where current[object.id] != nil { try delete(object.id) }
    for object in request.inserted { try insert(object) }
    for object in request.updated { try update(object) }
    for link in late { try set(try columns([link.name: link.target], of: entity(link.object)), of: link.object) }
    return try written()
  }

  /// Takes back what numbers mean, after a save that was rolled back.
  func undoMoves() {
    for move in moved.reversed() { store.keys.move(move.number, to: move.before, entity: move.entity) }
  }

  private func written() throws -> SaveWriter.Written {
    let inserted = request.inserted.compactMap { permanent[$0.id] }
    var written = SaveWriter.Written(inserted: inserted)
    let present = inserted + request.updated.map(\.id)
    written.rows = try store.currentRows(of: present, on: connection)
    written.deleted = request.deleted.map(\.id)
    written.own = try (present + written.deleted).map { id in
      OwnSaves.Row(key: ObjectKey(entity: try entity(id).number, primaryKey: id.primaryKey), version: nil)
    }
    return written
  }

  // MARK: Rows

  private func delete(_ id: NSManagedObjectID) throws {
    let entity = try entity(id)
    let isRow = entity.isRow("t", id.primaryKey)
    try connection.execute("DELETE FROM \(quoted(entity.table)) AS t WHERE \(isRow.text)", isRow.values)
  }

  private mutating func insert(_ object: SavedObject) throws {
    guard begun.insert(object.id).inserted else { return }
    let entity = try entity(object.id)
    var ends: [String: NSManagedObjectID] = [:]
    for (name, target) in object.toOne.sorted(by: { $0.key < $1.key }) {
      guard let target else { continue }
      if target.isTemporaryID, let other = request.inserted.first(where: { $0.id == target }) { try insert(other) }
      if target.isTemporaryID, permanent[target] == nil {
        late.append((object.id, name, target))
      } else {
        ends[name] = target
      }
    }
    let columns = try values(of: object.attributes, in: entity).merging(try columns(ends, of: entity)) { $1 }
    let names = columns.keys.sorted()
    let list = names.map(quoted).joined(separator: ", ")
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    var sql =
      "INSERT INTO \(quoted(entity.table)) " + (names.isEmpty ? "DEFAULT VALUES" : "(\(list)) VALUES (\(marks))")
    var number: Int64?
    if case .columns(let keys) = entity.key, keys != [entity.rowIDName] {
      sql += " RETURNING " + keys.map(quoted).joined(separator: ", ")
      let row = try connection.rows(sql, names.compactMap { columns[$0] }).first ?? []
      number = try intern(row, entity)
    } else {
      try connection.execute(sql, names.compactMap { columns[$0] })
      let row = try connection.rows("SELECT last_insert_rowid()").first ?? []
      if case .columns = entity.key { number = try intern(row, entity) } else { number = row.first?.integer }
    }
    guard let number else { throw Self.refusal("the row of \(entity.name) has no key") }
    permanent[object.id] = store.ids.id(table: entity.table, entity: entity, primaryKey: number, store: store)
  }

  private mutating func update(_ object: SavedObject) throws {
    let entity = try entity(object.id)
    if let column = entity.rowIDColumn, object.attributes[column] != nil {
      throw Self.refusal("\(entity.name).\(column) is the number that tells the row from others and cannot be changed")
    }
    var columns = try values(of: object.attributes, in: entity)
    for (name, target) in object.toOne.sorted(by: { $0.key < $1.key }) where target == nil {
      guard case .reference(let link, _)? = entity.properties[name] else { continue }
      // A column that was given a value of its own keeps it.
      for column in link.columns where columns[column] == nil { columns[column] = .null }
    }
    columns.merge(try self.columns(object.toOne.compactMapValues { $0 }, of: entity)) { $1 }
    try set(columns, of: object.id)
  }

  private mutating func set(_ columns: [String: SQLiteValue], of id: NSManagedObjectID) throws {
    guard !columns.isEmpty else { return }
    let id = permanent[id] ?? id
    let entity = try entity(id)
    let names = columns.keys.sorted()
    let isRow = entity.isRow("t", id.primaryKey)
    let changes = names.map { quoted($0) + " = ?" }.joined(separator: ", ")
    var sql = "UPDATE \(quoted(entity.table)) AS t SET \(changes) WHERE \(isRow.text)"
    let values = names.compactMap { columns[$0] } + isRow.values
    guard case .columns(let keys) = entity.key, keys.contains(where: names.contains) else {
      return try connection.execute(sql, values)
    }
    // The row keeps its number under its new key.
    sql += " RETURNING " + keys.map(quoted).joined(separator: ", ")
    guard let row = try connection.rows(sql, values).first,
      let before = store.keys.key(id.primaryKey, entity: entity.number),
      let after = store.keys.key(try intern(row, entity), entity: entity.number)
    else { return }
    moved.append((entity.number, id.primaryKey, before))
    store.keys.move(id.primaryKey, to: after, entity: entity.number)
  }

  /// The number of a row by the values of its key.
  private func intern(_ key: [SQLiteValue], _ entity: EntityMap) throws -> Int64 {
    let marks = key.map { _ in ", ?" }.joined()
    guard case .integer(let number)? = try connection.rows("SELECT cd_key(\(entity.number)\(marks))", key).first?.first
    else { throw Self.refusal("the row of \(entity.name) has no key") }
    return number
  }

  // MARK: Values

  private func values(of attributes: [String: Any?], in entity: EntityMap) throws -> [String: SQLiteValue] {
    var columns: [String: SQLiteValue] = [:]
    for (name, value) in attributes {
      guard let attribute = entity.entity.attributesByName[name], !attribute.isTransient else { continue }
      guard case .attribute(let column)? = entity.properties[name] else { continue }
      guard !attribute.isReadOnly else {
        throw Self.refusal("\(entity.name).\(name) is computed by the database and cannot be set")
      }
      columns[column] = try value.map { try SQLiteValue($0, for: attribute) } ?? .null
    }
    return columns
  }

  /// The columns that name the rows at the ends of relationships.
  private func columns(_ ends: [String: NSManagedObjectID], of entity: EntityMap) throws -> [String: SQLiteValue] {
    var columns: [String: SQLiteValue] = [:]
    for (name, target) in ends {
      guard case .reference(let link, let number)? = entity.properties[name], let destination = store.map[number] else {
        continue
      }
      let id = permanent[target] ?? target
      let isRow = destination.isRow("t", id.primaryKey)
      let names = link.parentColumns.map(quoted).joined(separator: ", ")
      let rows = try connection.rows(
        "SELECT \(names) FROM \(quoted(link.parent)) t WHERE \(isRow.text)", isRow.values)
      guard !id.isTemporaryID, let row = rows.first else {
        throw Self.refusal("the \(destination.name) that \(entity.name).\(name) leads to is not there any more")
      }
      for (column, value) in zip(link.columns, row) { columns[column] = value }
    }
    return columns
  }

  private func entity(_ id: NSManagedObjectID) throws -> EntityMap {
    guard let entity = id.entity.name.flatMap({ store.map[$0] }) else {
      throw Self.refusal("the database has no table \(id.entity.name ?? "?")")
    }
    return entity
  }

  private static func refusal(_ words: String) -> NSError {
    NSError.coreData(NSPersistentStoreSaveError, words + ": nothing was saved")
  }
}

extension SQLiteValue {
  /// The integer that the value is.
  fileprivate var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
}
