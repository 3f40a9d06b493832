import Foundation

extension SQLiteStore {
  /// A stretch of rows of a list.
  func window(
    _ query: ListQuery, columns: [String], at place: WindowPlace, limit: Int, cancellation: FetchCancellation?
  ) throws -> ListWindow {
    try withConnection(cancellation) { connection in
      let list = try ListSelect(query, in: self)
      let reader = WindowReader(
        columns: columns, list: list, map: map, schema: schema, depth: .grid, readsShortly: needsShortReads)
      switch place {
      case .start: return try reader.forward(list, limit: limit, reachesStart: true, on: connection)
      case .end: return try reader.backward(list, limit: limit, reachesEnd: true, on: connection)
      case .after(let key):
        guard let row = try list.sortValues(of: key, on: connection) else {
          return try reader.forward(list, limit: limit, reachesStart: true, on: connection)
        }
        var rest = list
        rest.require(after: row)
        return try reader.forward(rest, limit: limit, reachesStart: false, on: connection)
      case .before(let key):
        guard let row = try list.sortValues(of: key, on: connection) else {
          return try reader.forward(list, limit: limit, reachesStart: true, on: connection)
        }
        return try reader.backward(list, before: row, limit: limit, reachesEnd: false, on: connection)
      case .keys(let keys):
        return try reader.rows(list, keys: keys, on: connection)
      }
    }
  }

  /// The keys of a list, in order: all, or a stretch of them.
  func keys(
    _ query: ListQuery, offset: Int = 0, limit: Int? = nil, cancellation: FetchCancellation?
  ) throws -> KeyList {
    try withConnection(cancellation) { connection in
      let list = try ListSelect(query, in: self)
      let hasEntity = list.entity.hasSubentities
      var keys = KeyList()
      func take(_ statement: SQLiteStatement) {
        let entity = hasEntity ? Int32(truncatingIfNeeded: statement.integer(at: 1)) : list.entity.number
        keys.append(ObjectKey(entity: entity, primaryKey: statement.integer(at: 0)))
      }
      if needsShortReads, list.readsWholeTable, list.entity.hasKeyColumn {
        try ShortReads(connection: connection, entity: list.entity)
          .keys(of: list.select, limit: limit, offset: offset, take)
        return keys
      }
      let key = list.entity.key(of: "t")
      let columns = hasEntity ? [key, "t.Z_ENT"] : [key]
      try connection.withStatement(list.select.sql(columns: columns, limit: limit, offset: offset)) { statement in
        try statement.bind(list.select.values)
        while try statement.step() { take(statement) }
      }
      return keys
    }
  }

  /// How many objects an entity has of its own.
  func count(ofEntity name: String, cancellation: FetchCancellation?) throws -> Int {
    try withConnection(cancellation) { connection in
      try count(Select(try map.require(entity: name), includesSubentities: false), on: connection)
    }
  }

  /// How many objects a list has.
  func count(_ query: ListQuery, cancellation: FetchCancellation?) throws -> Int {
    try withConnection(cancellation) { connection in
      try count(ListSelect(query, in: self).select.unordered, on: connection)
    }
  }

  private func count(_ select: Select, on connection: SQLiteConnection) throws -> Int {
    func count(_ select: Select) throws -> Int {
      guard
        case .integer(let count)? = try connection.rows(select.sql(columns: ["count(*)"]), select.values).first?.first
      else { return 0 }
      return Int(count)
    }
    guard needsShortReads, select.entity.hasKeyColumn else { return try count(select) }
    var sum = 0
    try ShortReads(connection: connection, entity: select.entity).forEachPart(of: select) {
      sum += try count($0)
    }
    return sum
  }

  /// The first entity, in the order given, that has a row of its own.
  func firstEntityWithRows(_ names: [String]) throws -> String? {
    try withConnection(nil) { connection in
      try names.first { name in
        guard let entity = map[name] else { return false }
        return try !connection.rows(Select(entity, includesSubentities: false).sql(columns: ["1"], limit: 1)).isEmpty
      }
    }
  }

  /// The ids of some rows, their values cached on them, in the order of the keys; rows that are gone are left out.
  func objectIDs(for keys: [ObjectKey]) throws -> [NSManagedObjectID] {
    guard let first = keys.first, let entity = map[first.entity], let root = map[entity.entity.rootEntity.name ?? ""]
    else {
      return []
    }
    return try withConnection(nil) { connection in
      var list = try ListSelect(ListQuery(entity: root.name), in: self)
      list.require(keys: keys)
      let found = try objectIDs(root, list.select, limit: nil, offset: 0, includesRows: true, on: connection)
      let byKey = Dictionary(found.map { ($0.primaryKey, $0) }, uniquingKeysWith: { first, _ in first })
      return keys.compactMap { byKey[$0.primaryKey] }
    }
  }

  /// One row read deeply, with its version; `nil` when it is gone.
  func record(_ key: ObjectKey, cancellation: FetchCancellation?) throws -> (
    row: ListRow, names: [String], version: Int?
  )? {
    guard let asked = map[key.entity] else { return nil }
    let isRow = asked.isRow("t", key.primaryKey)
    return try withConnection(cancellation) { connection in
      let found = try connection.rows(
        "SELECT \(asked.entityNumber(of: "t")), \(asked.version(of: "t")) FROM \(quoted(asked.table)) t WHERE \(isRow.text)",
        isRow.values)
      guard let first = found.first else { return nil }
      var entity = asked
      if case .integer(let number) = first[0], let own = map[Int32(truncatingIfNeeded: number)] { entity = own }
      let names = entity.entity.listedPropertyNames
      let list = try ListSelect(ListQuery(entity: entity.name), in: self)
      let reader = WindowReader(columns: names, list: list, map: map, schema: schema, depth: .inspector)
      let own = ObjectKey(entity: entity.number, primaryKey: key.primaryKey)
      guard let row = try reader.rows(list, keys: [own], on: connection).rows.first else { return nil }
      var version: Int?
      if !entity.isPlain, case .integer(let number) = first[1] { version = Int(number) }
      return (row, names, version)
    }
  }
}

/// Reads stretches of a list's rows.
private struct WindowReader {
  let columns: ListColumns
  let expressions: [String]
  let entity: EntityMap
  private let readsShortly: Bool

  init(
    columns names: [String], list: ListSelect, map: StoreMap, schema: StoreSchema, depth: ListColumns.Depth,
    readsShortly: Bool = false
  ) {
    self.readsShortly = readsShortly && list.readsWholeTable && list.entity.hasKeyColumn
    entity = list.entity
    columns = ListColumns(names, of: list.entity, map: map, schema: schema, depth: depth, firstColumn: 2)
    expressions = [entity.key(of: "t"), entity.entityNumber(of: "t")] + columns.expressions
  }

  func forward(_ list: ListSelect, limit: Int, reachesStart: Bool, on connection: SQLiteConnection) throws -> ListWindow
  {
    var rows = try read(list.select, limit: limit + 1, on: connection)
    let reachesEnd = rows.count <= limit
    if !reachesEnd { rows.removeLast() }
    return ListWindow(rows: rows, reachesStart: reachesStart, reachesEnd: reachesEnd)
  }

  func backward(
    _ list: ListSelect, before row: [SQLiteValue]? = nil, limit: Int, reachesEnd: Bool, on connection: SQLiteConnection
  ) throws -> ListWindow {
    var reversed = list
    reversed.reverse()
    if let row { reversed.require(after: row) }
    var rows = try read(reversed.select, limit: limit + 1, on: connection)
    let reachesStart = rows.count <= limit
    if !reachesStart { rows.removeLast() }
    return ListWindow(rows: rows.reversed(), reachesStart: reachesStart, reachesEnd: reachesEnd)
  }

  func rows(_ list: ListSelect, keys: [ObjectKey], on connection: SQLiteConnection) throws -> ListWindow {
    var some = list
    some.require(keys: keys)
    let found = Dictionary(
      try read(some.select, limit: nil, on: connection).map { ($0.key.primaryKey, $0) },
      uniquingKeysWith: { first, _ in first })
    return ListWindow(rows: keys.compactMap { found[$0.primaryKey] }, reachesStart: false, reachesEnd: false)
  }

  private func read(_ select: Select, limit: Int?, on connection: SQLiteConnection) throws -> [ListRow] {
    guard readsShortly, let limit else { return try readPart(select, limit: limit, on: connection).map(\.row) }
    return try ShortReads(connection: connection, entity: entity).first(limit, of: select) { part in
      try readPart(part, limit: limit, sortedBy: select.order.map(\.expression), on: connection)
    }
  }

  /// Rows as one statement gives them, with the values of some expressions beside each.
  private func readPart(
    _ select: Select, limit: Int?, sortedBy sort: [String] = [], on connection: SQLiteConnection
  ) throws -> [(sort: [SQLiteValue], row: ListRow)] {
    let sortColumns = Int32(expressions.count)..<Int32(expressions.count + sort.count)
    return try connection.withStatement(select.sql(columns: expressions + sort, limit: limit)) { statement in
      try statement.bind(select.values)
      var rows: [(sort: [SQLiteValue], row: ListRow)] = []
      while try statement.step() {
        let number = statement.isNull(at: 1) ? entity.number : Int32(truncatingIfNeeded: statement.integer(at: 1))
        let key = ObjectKey(entity: number, primaryKey: statement.integer(at: 0))
        rows.append(
          (sortColumns.map { statement.value(at: $0) }, ListRow(key: key, cells: columns.cells(of: statement))))
      }
      return rows
    }
  }
}
