import CSQLite
import Foundation
import Synchronization

extension SQLiteStore {
  func objectIDs(for fetch: StoreFetch) throws -> [NSManagedObjectID] {
    try withConnection { connection in
      guard let (entity, select) = try self.select(for: fetch) else { return [] }
      return try objectIDs(
        entity, select, limit: fetch.limit > 0 ? fetch.limit : nil, offset: fetch.offset,
        includesRows: fetch.includesRows,
        on: connection)
    }
  }

  func count(for fetch: StoreFetch) throws -> Int {
    try withConnection { connection in
      guard let (_, select) = try self.select(for: fetch) else { return 0 }
      let inner = select.sql(columns: ["1"], limit: fetch.limit > 0 ? fetch.limit : nil, offset: fetch.offset)
      guard
        case .integer(let count)? = try connection.rows("SELECT count(*) FROM (\(inner))", select.values).first?.first
      else { return 0 }
      return Int(count)
    }
  }

  func row(of id: NSManagedObjectID) throws -> RowReference? {
    guard let entity = id.entity.name.flatMap({ map[$0] }) else { return nil }
    return try withConnection { connection in
      var select = Select(entity)
      select.require(entity.isRow("t", id.primaryKey))
      let found = try objectIDs(entity, select, limit: 1, offset: 0, includesRows: true, on: connection)
      guard let found = found.first else { return nil }
      return found.slot.withLock { $0.row }
    }
  }

  func objectIDs(
    atEndOf relationship: NSRelationshipDescription, of id: NSManagedObjectID
  ) throws -> [NSManagedObjectID] {
    guard let source = id.entity.name.flatMap({ map[$0] }), let target = relationship.destinationEntity?.name,
      map[target] != nil, source.properties[relationship.name] != nil
    else { return [] }
    let key = ObjectKey(entity: source.number, primaryKey: id.primaryKey)
    return try withConnection { connection in
      let list = try ListSelect(
        ListQuery(entity: target, scope: .related(to: key, relationship: relationship.name)), in: self)
      return try objectIDs(list.entity, list.select, limit: nil, offset: 0, includesRows: false, on: connection)
    }
  }

  /// The SELECT of a fetch; `nil` when the entity has no table here.
  private func select(for fetch: StoreFetch) throws -> (EntityMap, Select)? {
    guard let entity = fetch.entity.name.flatMap({ map[$0] }) else { return nil }
    var select = Select(entity, includesSubentities: fetch.includesSubentities)
    let sql = PredicateSQL(entity, in: self)
    if let predicate = fetch.predicate { select.require(try sql.condition(of: predicate.tree)) }
    try sort(&select, by: fetch.sort, sql)
    select.join(sql.root.joins)
    select.completeOrder(sorting: fetch.predicate != nil && fetch.limit == 0)
    return (entity, select)
  }

  /// Gives a SELECT the order of a fetch.
  func sort(_ select: inout Select, by descriptors: [NSSortDescriptor], _ sql: PredicateSQL) throws {
    for descriptor in descriptors {
      let sort = try PredicateCheck(entity: sql.root.entity.entity).sortKey(of: descriptor)
      let collation = sort.comparison.collation.map { " COLLATE " + $0 } ?? ""
      select.sort(by: try sql.sortExpression(for: sort.key ?? "self").text + collation, ascending: sort.ascending)
    }
  }

  /// Runs a SELECT over an entity's rows and makes the rows' ids; with their values, in slabs of one page each.
  func objectIDs(
    _ entity: EntityMap, _ select: Select, limit: Int?, offset: Int, includesRows: Bool, on connection: SQLiteConnection
  ) throws -> [NSManagedObjectID] {
    let columns = rowColumns.columns(of: entity, map: map)
    let sql = select.sql(
      columns: [entity.key(of: "t"), entity.entityNumber(of: "t")] + (includesRows ? columns.expressions : []),
      limit: limit, offset: offset)
    return try connection.withStatement(sql) { statement in
      try statement.bind(select.values)
      var rows = RowKeys()
      var slabs: [RowSlab] = []
      var builder = RowSlabBuilder(layout: columns.layout, capacity: 128)
      func finishPage() {
        guard builder.count > 0 else { return }
        slabs.append(builder.finish())
        builder = RowSlabBuilder(layout: columns.layout, capacity: Self.pageRows)
      }
      // The entity of the last row, most often the next one's as well.
      var (number, current) = (entity.number, entity.entity)
      while try statement.step() {
        if entity.hasSubentities {
          let own = statement.isNull(at: 1) ? entity.number : Int32(truncatingIfNeeded: statement.integer(at: 1))
          if own != number { (number, current) = (own, (map[own] ?? entity).entity) }
        }
        rows.append(statement.integer(at: 0), of: current)
        guard includesRows else { continue }
        columns.read(statement, from: 2, into: &builder)
        if builder.count == Self.pageRows || builder.isFull { finishPage() }
      }
      finishPage()
      let found = ids.ids(table: entity.table, of: rows, store: self)
      var place = 0
      for slab in slabs {
        for index in 0..<slab.count {
          found[place].slot.withLock { $0.row = RowReference(slab: slab, index: index) }
          place += 1
        }
      }
      return found
    }
  }

  static let pageRows = 2_048
}

/// The columns that a row of an entity's tree needs, and where each slot of each entity finds its own.
struct RowColumns: Sendable {
  let expressions: [String]
  let layout: SlabLayout

  /// The first cell is the version (`Z_OPT`); a to-one relationship takes two where the store keeps the entity as well.
  init(of entity: EntityMap, map whole: StoreMap) {
    var expressions = [entity.version(of: "t")]
    var places: [String: SlabLayout.Column] = [:]
    var columns: [(entity: NSEntityDescription, columns: [SlabLayout.Column])] = []
    func place(_ column: String, entity: String? = nil) -> SlabLayout.Column {
      if let known = places[column] { return known }
      var place = SlabLayout.Column(value: Int16(expressions.count))
      expressions.append("t." + quoted(column))
      if let entity {
        place.entity = Int16(expressions.count)
        expressions.append("t." + quoted(entity))
      }
      places[column] = place
      return place
    }
    /// The key of the row that a foreign key names.
    func place(_ link: KeyLink, to destination: Int32) -> SlabLayout.Column {
      guard let key = whole[destination]?.key(of: "r") else { return SlabLayout.Column(value: -1) }
      expressions.append(
        "(SELECT \(key) FROM \(quoted(link.parent)) r WHERE \(link.holds(child: "t", parent: "r").text) LIMIT 1)")
      return SlabLayout.Column(value: Int16(expressions.count - 1))
    }
    for number in [entity.number] + entity.numbers where columns.isEmpty || number != entity.number {
      guard let map = whole[number] else { continue }
      let layout = map.entity.layout
      let slots = layout.properties[layout.stored].map { property in
        switch map.properties[property.name] {
        case .attribute(let column): place(column)
        case .toOne(let column, let entityColumn, _): place(column, entity: entityColumn)
        case .reference(let link, let destination): place(link, to: destination)
        default: SlabLayout.Column(value: -1)
        }
      }
      columns.append((map.entity, slots))
    }
    self.expressions = expressions
    layout = SlabLayout(width: expressions.count, columns: columns)
  }

  /// Packs the row that the statement stands on.
  func read(_ statement: SQLiteStatement, from first: Int32, into builder: inout RowSlabBuilder) {
    for column in first..<first + Int32(expressions.count) { builder.append(cell: column, of: statement) }
  }
}

extension RowSlab.Tag {
  /// The tag of a storage class by SQLite's number.
  init(sqlite type: Int32) {
    switch type {
    case SQLITE_INTEGER: self = .integer
    case SQLITE_FLOAT: self = .real
    case SQLITE_TEXT: self = .text
    case SQLITE_BLOB: self = .blob
    default: self = .null
    }
  }
}

extension RowSlabBuilder {
  /// Packs one cell of the row that the statement stands on.
  mutating func append(cell column: Int32, of statement: SQLiteStatement) {
    switch statement.type(at: column) {
    case SQLITE_INTEGER: append(statement.integer(at: column))
    case SQLITE_FLOAT: append(statement.real(at: column))
    case SQLITE_TEXT: statement.withText(at: column) { append(text: $0) }
    case SQLITE_BLOB: statement.withBlob(at: column) { append(blob: $0) }
    default: appendNull()
    }
  }
}

/// The row columns of a store's entities, worked out once each.
final class RowColumnsCache: Sendable {
  private let known = Mutex<[Int32: RowColumns]>([:])

  func columns(of entity: EntityMap, map: StoreMap) -> RowColumns {
    known.withLock { known in
      if let columns = known[entity.number] { return columns }
      let columns = RowColumns(of: entity, map: map)
      known[entity.number] = columns
      return columns
    }
  }
}
