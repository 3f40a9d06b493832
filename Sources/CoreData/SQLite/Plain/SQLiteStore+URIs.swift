import Foundation

extension SQLiteStore {
  /// The URI of a row of a plain database; `nil` for a store in Apple's format.
  func plainURI(of id: NSManagedObjectID) -> URL? {
    guard plain != nil, !id.isTemporaryID, let entity = id.entity.name.flatMap({ map[$0] }) else { return nil }
    return PlainURI(identifier: identifier, table: entity.name, row: uriRow(of: id, entity)).url
  }

  private func uriRow(of id: NSManagedObjectID, _ entity: EntityMap) -> PlainURI.Row {
    if case .column = entity.key {
      guard !entity.namedBy.isEmpty else { return .number(id.primaryKey) }
      return (cachedKey(of: id, entity) ?? readKey(of: id.primaryKey, entity)).map(PlainURI.Row.key)
        ?? .number(id.primaryKey)
    }
    guard let key = keys.key(id.primaryKey, entity: entity.number) else { return .number(id.primaryKey) }
    // Row ids that are not above zero have numbers of their own inside the engine.
    if case .columns(let names) = entity.key, names.count == 1, names[0] == entity.rowIDName,
      case .integer(let rowID)? = KeyBytes.parts(of: key)?.first
    {
      return .number(rowID)
    }
    return .key(key)
  }

  /// The key as the cached row has it; `nil` where a part of it is missing.
  private func cachedKey(of id: NSManagedObjectID, _ entity: EntityMap) -> [UInt8]? {
    guard let row = id.cachedRow else { return nil }
    let columns = row.slab.layout.columns(of: id.entity)
    var key = KeyBytes()
    for name in entity.namedBy {
      guard let slot = id.entity.layout.slot(named: name), slot < columns.count, columns[slot].value >= 0,
        key.append(row.slab, row: row.index, column: Int(columns[slot].value))
      else { return nil }
    }
    return key.bytes
  }

  private func readKey(of number: Int64, _ entity: EntityMap) -> [UInt8]? {
    let names = entity.namedBy.map { SQLFragment.column($0, of: "t") }.joined(by: ", ")
    let count = SQLFragment(text: String(entity.number))
    let isRow = entity.isRow("t", number)
    let sql: SQLFragment = "SELECT \(names), cd_key(\(count), \(names)) FROM \(name: entity.table) t WHERE \(isRow)"
    guard let row = try? withConnection(nil, { try $0.rows(sql.text, sql.values) }).first,
      !row.dropLast().contains(.null),
      case .integer(let interned)? = row.last
    else { return nil }
    return keys.key(interned, entity: entity.number)
  }

  /// The id that a URI of a plain database means; `nil` where there is no such row, or it is another database's.
  func objectID(for uri: PlainURI) -> NSManagedObjectID? {
    guard plain != nil, uri.identifier == identifier, let entity = map[uri.table] else { return nil }
    return key(of: uri.row, in: entity).flatMap { objectID(entity: entity.number, primaryKey: $0) }
  }

  private func key(of row: PlainURI.Row, in entity: EntityMap) -> Int64? {
    switch (row, entity.key) {
    case (.number(let number), .column): return number
    case (.number(let number), .columns(let names)) where names.count == 1 && names[0] == entity.rowIDName:
      return intern(KeyBytes(integer: number).bytes, entity)
    case (.number, _): return nil
    case (.key(let key), .columns), (.key(let key), .row): return intern(key, entity)
    case (.key(let key), .column):
      guard !entity.namedBy.isEmpty else { return nil }
      let isRow = entity.isRow("t", by: entity.namedBy, "\(bound: .integer(intern(key, entity)))")
      let sql = "SELECT \(entity.key(of: "t")) FROM \(quoted(entity.table)) t WHERE \(isRow.text)"
      guard case .integer(let number)?? = try? withConnection(nil, { try $0.rows(sql, isRow.values) }).first?.first
      else {
        return nil
      }
      return number
    }
  }

  private func intern(_ key: [UInt8], _ entity: EntityMap) -> Int64 {
    key.withUnsafeBufferPointer { keys.number(of: $0, entity: entity.number) }
  }
}
