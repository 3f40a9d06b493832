import Foundation

/// A SELECT over one entity's rows, put together from parts: which rows, in which order.
///
/// The entity's table has the alias `t`. Values are always bound; names come from the real schema and are quoted.
struct Select {
  let entity: EntityMap
  private(set) var source: String
  private(set) var conditions: [String] = []
  private(set) var values: [SQLiteValue] = []
  private(set) var order: [Term] = []

  /// One sort key: an expression over `t`, and a direction.
  struct Term: Hashable {
    var expression: String
    var ascending: Bool
  }

  init(_ entity: EntityMap, includesSubentities: Bool = true) {
    self.entity = entity
    source = quoted(entity.table) + " t"
    let numbers = includesSubentities ? entity.numbers : [entity.number]
    if !(includesSubentities && entity.ownsTable) && !(entity.ownsTable && !entity.hasSubentities) {
      conditions.append("t.Z_ENT IN (\(numbers.map(String.init).joined(separator: ", ")))")
    }
  }

  mutating func require(_ condition: String, _ values: [SQLiteValue] = []) {
    conditions.append(condition)
    self.values += values
  }

  mutating func require(_ condition: SQLFragment) { require(condition.text, condition.values) }

  /// Adds what the key paths of conditions and sort orders are read from.
  mutating func join(_ clauses: [SQLFragment]) {
    for clause in clauses { join(clause.text) }
  }

  /// Adds a table whose rows lead to those of `t`; its values come before those of the conditions.
  mutating func join(_ clause: String) { source += " " + clause }

  mutating func sort(by expression: String, ascending: Bool = true) {
    order.append(Term(expression: expression, ascending: ascending))
  }

  /// Ends the order with what makes it total: entity number and primary key, ascending.
  ///
  /// Rows that conditions choose are better found by those than read in the order of their keys: with `sorting` no index
  /// is taken for the order's sake.
  mutating func completeOrder(sorting: Bool = false) {
    let mark = sorting && order.isEmpty ? "+" : ""
    if entity.hasSubentities { sort(by: mark + "t.Z_ENT") }
    for (place, expression) in entity.keyOrder(of: "t").enumerated() {
      sort(by: (entity.hasSubentities || place > 0 ? "" : mark) + expression)
    }
  }

  /// The same rows in any order.
  var unordered: Select {
    var select = self
    select.order = []
    return select
  }

  /// Turns the order round, for reading a list from its end.
  mutating func reverse() {
    for index in order.indices { order[index].ascending.toggle() }
  }

  /// Asks for the rows after the one whose sort values are given, in the order as it stands now.
  ///
  /// Missing values are the smallest, as SQLite sorts them.
  mutating func require(after row: [SQLiteValue]) {
    // A key of several columns is compared as one, so that the table's own order serves.
    if order.count > 1, entity.isKeyedWithoutNull, order.map(\.expression) == entity.keyOrder(of: "t"),
      Set(order.map(\.ascending)).count == 1
    {
      let columns = order.map(\.expression).joined(separator: ", ")
      let marks = order.map { _ in "?" }.joined(separator: ", ")
      return require("(\(columns)) \(order[0].ascending ? ">" : "<") (\(marks))", row)
    }
    var alternatives: [String] = []
    var bound: [SQLiteValue] = []
    for (place, term) in order.enumerated() {
      let later: String
      var laterValues: [SQLiteValue] = []
      switch (row[place], term.ascending) {
      case (.null, true): later = "\(term.expression) IS NOT NULL"
      case (.null, false): continue
      case (let value, true): (later, laterValues) = ("\(term.expression) > ?", [value])
      case (let value, false):
        let canBeNull = !isNeverNull(term.expression)
        later = canBeNull ? "(\(term.expression) < ? OR \(term.expression) IS NULL)" : "\(term.expression) < ?"
        laterValues = [value]
      }
      let same = order[..<place].map { "\($0.expression) IS ?" }
      alternatives.append((same + [later]).joined(separator: " AND "))
      bound += row[..<place] + laterValues
    }
    require(alternatives.count == 1 ? alternatives[0] : "(" + alternatives.joined(separator: " OR ") + ")", bound)
  }

  private func isNeverNull(_ expression: String) -> Bool {
    expression == "t.Z_ENT" || entity.isOrderedByNumber && expression == entity.key(of: "t")
  }

  var whereClause: String { conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ") }

  var orderClause: String {
    order.isEmpty
      ? "" : " ORDER BY " + order.map { $0.expression + ($0.ascending ? "" : " DESC") }.joined(separator: ", ")
  }

  /// The statement's text for some result columns; rows that agree in those of `groups` are one.
  func sql(
    columns: [String], isDistinct: Bool = false, groups: Range<Int> = 0..<0, limit: Int? = nil, offset: Int = 0
  ) -> String {
    let grouping = groups.isEmpty ? "" : " GROUP BY " + groups.map { String($0 + 1) }.joined(separator: ", ")
    var text =
      "SELECT " + (isDistinct ? "DISTINCT " : "") + columns.joined(separator: ", ") + " FROM " + source + whereClause
      + grouping + orderClause
    if limit != nil || offset > 0 { text += " LIMIT \(limit ?? -1)" }
    if offset > 0 { text += " OFFSET \(offset)" }
    return text
  }
}
