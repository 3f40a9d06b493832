import Foundation

extension SQLiteStore {
  /// The dictionaries that a fetch finds: the store's values, each column computed in SQL.
  ///
  /// A value that is not there has no key. Throws errors of the Cocoa domain for what SQL has no words for.
  func dictionaries(for asked: DictionaryFetch) throws -> [[String: Any]] {
    guard let entity = asked.fetch.entity.name.flatMap({ map[$0] }) else { return [] }
    let sql = PredicateSQL(entity, in: self)
    var select = Select(entity, includesSubentities: asked.fetch.includesSubentities)
    if let predicate = asked.fetch.predicate { select.require(try sql.condition(of: predicate.tree)) }
    try sort(&select, by: asked.fetch.sort, sql)
    let columns = try (asked.columns + asked.groups).map { try sql.dictionaryColumn($0) }
    select.join(sql.root.joins)
    if asked.groups.isEmpty, !asked.isDistinct, !columns.contains(where: \.isAggregated) { select.completeOrder() }
    let first = columns.prefix(asked.columns.count).reduce(0) { $0 + $1.cells.count }
    let cells = columns.flatMap(\.cells)
    let limits = asked.limitsInStore
    let text = select.sql(
      columns: cells.map(\.text), isDistinct: asked.isDistinct && asked.limitsInStore,
      groups: asked.groups.isEmpty ? 0..<0 : first..<cells.count,
      limit: limits && asked.fetch.limit > 0 ? asked.fetch.limit : nil, offset: limits ? asked.fetch.offset : 0)
    let found = try withConnection { connection in
      try connection.withStatement(text) { statement in
        try statement.bind(cells.flatMap(\.values) + select.values)
        return try rows(of: statement, columns, width: cells.count)
      }
    }
    let chosen = try asked.chosen(found.map { $0 as [String: Any] })
    let wanted = Set(asked.columns.map(\.name))
    if asked.groups.allSatisfy({ wanted.contains($0.name) }) { return chosen }
    return chosen.map { $0.filter { wanted.contains($0.key) } }
  }

  private func rows(
    of statement: SQLiteStatement, _ columns: [DictionaryColumn], width: Int
  ) throws -> [[String: Any]] {
    let layout = SlabLayout(width: width, columns: [])
    var builder = RowSlabBuilder(layout: layout, capacity: Self.pageRows)
    var found: [[String: Any]] = []
    func finishPage() {
      guard builder.count > 0 else { return }
      let slab = builder.finish()
      for row in 0..<slab.count {
        var result: [String: Any] = [:]
        result.reserveCapacity(columns.count)
        var cell = 0
        for column in columns {
          if let value = column.value(StoredValue(slab: slab, row: row, column: cell), in: self) {
            result[column.name] = value
          }
          cell += column.cells.count
        }
        found.append(result)
      }
      builder = RowSlabBuilder(layout: layout, capacity: Self.pageRows)
    }
    while try statement.step() {
      for cell in 0..<Int32(width) { builder.append(cell: cell, of: statement) }
      if builder.count == Self.pageRows || builder.isFull { finishPage() }
    }
    finishPage()
    return found
  }
}

/// A column of dictionaries in SQL, and how its cells are read.
struct DictionaryColumn {
  /// What the value is.
  enum Content {
    case attribute(NSAttributeDescription)
    /// The id of an object: the first cell is its key, the second the number of its entity.
    case object(EntityMap)
  }
  let name: String
  let cells: [SQLFragment]
  let content: Content
  /// Whether the value is one of several rows.
  var isAggregated = false

  /// The value in the row of a cell; `nil` when there is none.
  func value(_ cell: StoredValue, in store: SQLiteStore) -> Any? {
    switch content {
    case .attribute(let attribute): return cell.object(of: attribute, type: attribute.attributeType, in: store)
    case .object(let entity):
      guard let key = cell.integer else { return nil }
      let number = cell.slab.integer(row: cell.row, column: cell.column + 1)
      return store.objectID(
        entity: number.map { Int32(truncatingIfNeeded: $0) } ?? entity.number, primaryKey: key)
    }
  }
}

extension PredicateSQL {
  /// A column of dictionaries.
  func dictionaryColumn(_ column: DictionaryFetch.Column) throws -> DictionaryColumn {
    let made = try content(of: column.tree, column.name)
    guard let type = column.type, case .attribute(let attribute) = made.content, attribute.attributeType != type
    else { return made }
    return DictionaryColumn(
      name: column.name, cells: made.cells, content: .attribute(Self.computed(type)), isAggregated: made.isAggregated)
  }

  private func content(of tree: ExpressionTree, _ name: String) throws -> DictionaryColumn {
    if let (scope, keys) = path(tree, [:]), !keys.contains(where: { $0.utf8.first == UInt8(ascii: "@") }) {
      switch try follow(keys[...], from: scope) {
      case .attribute(let attribute, let cell):
        return DictionaryColumn(name: name, cells: [cell], content: .attribute(attribute))
      case .object(let key, let entity, let number):
        let number = number ?? SQLFragment(text: String(entity.number))
        return DictionaryColumn(name: name, cells: [key, number], content: .object(entity))
      case .many:
        throw PredicateCheck.refusal("Invalid to many relationship (\(name)) passed to propertiesToFetch")
      case .beyond:
        throw PredicateCheck.refusal("keypath \(keys.joined(separator: ".")) not found in entity \(root.entity.name)")
      }
    }
    if case .function(let function, let arguments) = tree, arguments.count == 1,
      let aggregate = try aggregate(function, of: arguments[0], name)
    {
      return aggregate
    }
    guard let term = try term(tree, [:]) else {
      throw PredicateCheck.refusal("Unsupported function expression \(tree.format())")
    }
    return DictionaryColumn(name: name, cells: [term.sql], content: .attribute(Self.computed(term.type)))
  }

  /// A figure over all rows, or those of a group; `nil` for what is computed of each row.
  private func aggregate(
    _ function: PredicateFunction, of tree: ExpressionTree, _ name: String
  ) throws -> DictionaryColumn? {
    guard let word = function.sqlAggregate else { return nil }
    if let (scope, keys) = path(tree, [:]), case .many? = try? follow(keys[...], from: scope) { return nil }
    let inner = try content(of: tree, name)
    guard let cell = inner.cells.first else { return nil }
    let attribute: NSAttributeDescription
    switch (function, inner.content) {
    case (.count, _): attribute = Self.computed(.integer64AttributeType)
    case (.min, .attribute(let own)), (.max, .attribute(let own)): attribute = own
    case (.average, .attribute): attribute = Self.computed(.doubleAttributeType)
    case (_, .attribute(let own)):
      attribute = Self.computed(own.attributeType.isWholeNumber ? .integer64AttributeType : own.attributeType)
    case (_, .object):
      throw PredicateCheck.refusal("Unsupported function expression \(function.rawValue)(\(tree.format()))")
    }
    let text = SQLFragment(text: "\(word)(\(cell.text))", values: cell.values)
    return DictionaryColumn(name: name, cells: [text], content: .attribute(attribute), isAggregated: true)
  }

  /// An attribute for a value that no entity has.
  private static func computed(_ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.attributeType = type
    return attribute
  }
}

extension PredicateFunction {
  fileprivate var sqlAggregate: String? {
    switch self {
    case .count: "count"
    case .sum: "sum"
    case .min: "min"
    case .max: "max"
    case .average: "avg"
    default: nil
    }
  }
}

extension NSAttributeType {
  fileprivate var isWholeNumber: Bool {
    switch self {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType: true
    default: false
    }
  }
}
