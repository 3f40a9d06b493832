import Foundation

/// A list's query as a SELECT over the rows of its entity.
struct ListSelect {
  let map: StoreMap
  let entity: EntityMap
  private(set) var select: Select
  private let scope: ListQuery.Scope

  /// Throws when the entity, relationship or sort key is not in the store.
  init(_ query: ListQuery, in store: SQLiteStore) throws {
    map = store.map
    scope = query.scope
    entity = try map.require(entity: query.entity)
    select = Select(entity)
    let sortPaths = query.sort.map { $0.key.split(separator: ".").map(String.init) }
    // Rows that are not followed can change with any others.
    crossed =
      entity.isFollowed
      ? Set(
        entity.entity.entitiesCrossed(by: query.filter, sortPaths)
          .flatMap { store.map[$0.name ?? ""]?.numbers ?? [] }) : Set(store.map.entities.map(\.number))
    if case .related(let key, let relationship) = query.scope {
      try narrow(to: relationship, of: key, isSorted: !query.sort.isEmpty)
    }
    if let text = query.text { find(text) }
    let sql = PredicateSQL(entity, in: store)
    if let filter = query.filter { select.require(try sql.condition(of: filter)) }
    for sort in query.sort {
      select.sort(by: try sql.sortExpression(for: sort.key).text, ascending: sort.ascending)
    }
    select.join(sql.root.joins)
    select.completeOrder()
  }

  private mutating func narrow(to name: String, of key: ObjectKey, isSorted: Bool) throws {
    guard let source = map[key.entity] else { throw StoreMap.unknown(entity: "number \(key.entity)") }
    guard let property = source.properties[name] else { throw StoreMap.unknown(property: name, of: source) }
    let value = SQLiteValue.integer(key.primaryKey)
    switch property {
    case .attribute: throw StoreMap.unknown(property: name, of: source)
    case .toOne(let column, _, _):
      select.require(
        "t.Z_PK = (SELECT \(quoted(column)) FROM \(quoted(source.table)) WHERE Z_PK = ?)", [value])
    case .inverse(_, let column, let orderColumn, _):
      select.require("t.\(quoted(column)) = ?", [value])
      if let orderColumn, !isSorted { select.sort(by: "t.\(quoted(orderColumn))") }
    case .reference(let link, _): select.require(link.isParent("t") { source.isRow($0, key.primaryKey) })
    case .referrers(let link, _): select.require(link.isChild("t") { source.isRow($0, key.primaryKey) })
    case .join(let table, let sourceColumn, let target, let orderColumn, _) where orderColumn == nil || isSorted:
      // Old join tables have no key: a pair that is in twice is one object all the same.
      select.require(
        "t.Z_PK IN (SELECT \(quoted(target)) FROM \(quoted(table)) WHERE \(quoted(sourceColumn)) = ?)", [value])
    case .join(let table, let sourceColumn, let target, let orderColumn, _):
      select.join("JOIN \(quoted(table)) j ON j.\(quoted(target)) = t.Z_PK")
      select.require("j.\(quoted(sourceColumn)) = ?", [value])
      if let orderColumn { select.sort(by: "j.\(quoted(orderColumn))") }
      isOrderedByJoin = true
    }
  }

  private mutating func find(_ text: String) {
    let needle = SQLiteValue.text(foldedForFinding(text))
    let columns = entity.entity.attributesByName.filter { $0.value.holdsText }.keys.sorted()
      .compactMap { entity.column(of: $0) }
    guard !columns.isEmpty else { return select.require("0") }
    let tests = columns.map { "cd_contains(t.\(quoted($0)), ?)" }
    select.require("(" + tests.joined(separator: " OR ") + ")", columns.map { _ in needle })
  }

  /// Whether finding the first rows can mean reading every row of the table: a sort, a search, or several entities in one.
  var readsWholeTable: Bool {
    guard case .all = scope else { return false }
    return select.order.count > 1 || !select.conditions.isEmpty
  }

  /// The numbers of the entities whose objects the filter and the order look at through relationships.
  let crossed: Set<Int32>

  /// Whether an object's place comes from a join table, and so can change without a change of its row.
  private(set) var isOrderedByJoin = false

  /// Turns the list round.
  mutating func reverse() { select.reverse() }

  /// Asks for what follows a row, given by its sort values.
  mutating func require(after row: [SQLiteValue]) { select.require(after: row) }

  /// Asks for some rows alone, whatever their place in the list.
  mutating func require(keys: [ObjectKey]) {
    let array = "[" + keys.map { String($0.primaryKey) }.joined(separator: ",") + "]"
    select.require(entity.isAmong("t", json: "\(bound: .text(array))"))
  }

  /// The sort values of one row of the list, or `nil` when it is gone.
  func sortValues(of key: ObjectKey, on connection: SQLiteConnection) throws -> [SQLiteValue]? {
    var one = select
    one.require(entity.isRow("t", key.primaryKey))
    return try connection.rows(one.sql(columns: select.order.map(\.expression), limit: 1), one.values).first
  }
}

extension EntityMap {
  /// The column of an attribute, or of a to-one relationship's key.
  func column(of property: String) -> String? {
    switch properties[property] {
    case .attribute(let column), .toOne(let column, _, _): column
    default: nil
    }
  }
}

extension NSAttributeDescription {
  /// Whether the values are texts a person would look for.
  var holdsText: Bool { attributeType == .stringAttributeType || attributeType == .URIAttributeType }
}

extension StoreMap {
  func require(entity name: String) throws -> EntityMap {
    guard let entity = self[name] else { throw Self.unknown(entity: name) }
    return entity
  }

  static func unknown(entity: String) -> NSError {
    invalid("the store has no entity \(entity)")
  }

  static func unknown(property: String, of entity: EntityMap) -> NSError {
    invalid("\(entity.name) has no stored property \(property) that can be used here")
  }

  private static func invalid(_ text: String) -> NSError {
    NSError(domain: NSCocoaErrorDomain, code: NSCoreDataError, userInfo: [NSLocalizedDescriptionKey: text])
  }
}
