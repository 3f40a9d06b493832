/// The rows that one SELECT of a predicate goes through: the entity, its alias, and what was joined to it.
///
/// Each to-one relationship on a key path is one LEFT JOIN by primary key, shared by all paths that begin alike: no row is
/// lost or doubled by it, and what lies behind a missing object is NULL.
final class SQLScope {
  let alias: String
  let entity: EntityMap
  /// The table, and for the rows of a relationship what makes them its rows.
  let source: SQLFragment
  let condition: SQLFragment?
  private let aliases: SQLAliases
  private(set) var joins: [SQLFragment] = []
  private var joined: [[String]: (alias: String, entity: EntityMap)] = [:]

  init(_ entity: EntityMap, alias: String, aliases: SQLAliases, condition: SQLFragment? = nil) {
    self.entity = entity
    self.alias = alias
    self.aliases = aliases
    source = "\(name: entity.table) \(SQLFragment(text: alias))"
    self.condition = condition
  }

  /// The row at the end of a to-one relationship; `path` is the way to it from the scope's own row.
  ///
  /// `isEnd` is the condition that a row, by its alias, is that row.
  func join(
    _ path: [String], to destination: EntityMap, where isEnd: (_ alias: String) -> SQLFragment
  ) -> (String, EntityMap) {
    if let known = joined[path] { return known }
    let alias = aliases.next("p")
    let row = SQLFragment(text: alias)
    joins.append("LEFT JOIN \(name: destination.table) \(row) ON \(isEnd(alias))")
    joined[path] = (alias, destination)
    return (alias, destination)
  }

  /// `(SELECT result FROM …)` over the rows for which `condition` holds.
  func select(_ result: SQLFragment, where condition: SQLFragment?) -> SQLFragment {
    let conditions = [self.condition, condition].compactMap { $0 }
    let from = ([source] + joins).joined(by: " ")
    return conditions.isEmpty
      ? "(SELECT \(result) FROM \(from))" : "(SELECT \(result) FROM \(from) WHERE \(conditions.joined(by: " AND ")))"
  }
}

/// Names for the tables of one statement, each used once.
final class SQLAliases {
  private var count = 0

  func next(_ prefix: String) -> String {
    count += 1
    return prefix + String(count)
  }
}

extension SQLFragment {
  /// A column of a row.
  static func column(_ column: String, of alias: String) -> SQLFragment {
    "\(SQLFragment(text: alias)).\(name: column)"
  }
}
