/// What tells the rows of a table apart, as a whole number: the primary key of a store, whichever kind it is.
enum RowKey: Hashable, Sendable {
  /// A column of whole numbers, or the row id under one of its names: a name that needs no quotes.
  case column(String)
  /// The values of a key's columns, which stand for a number as long as the store is open (`InternedKeys`).
  case columns([String])
  /// All that a row holds, likewise: of a view, or of a table without a key.
  ///
  /// Rows that hold the same are one.
  case row([String])
}

extension EntityMap {
  /// The expression for a row's key.
  func key(of alias: String) -> String {
    switch key {
    case .column(let name): "\(alias).\(name)"
    case .columns(let names): "cd_key(\(number), \(Self.list(names, of: alias)))"
    case .row(let names): "cd_row(\(number), \(Self.list(names, of: alias)))"
    }
  }

  /// The expression for the number of a row's own entity.
  func entityNumber(of alias: String) -> String { isPlain ? String(number) : "\(alias).Z_ENT" }

  /// The expression for a row's version; plain tables count none, and their rows have one all the time.
  func version(of alias: String) -> String { isPlain ? "0" : "\(alias).Z_OPT" }

  /// The condition that a row is the one with a key.
  func isRow(_ alias: String, _ wanted: SQLFragment) -> SQLFragment {
    switch key {
    case .column: return "\(SQLFragment(text: key(of: alias))) = \(wanted)"
    case .columns(let names): return isRow(alias, by: names, wanted)
    case .row: return "\(SQLFragment(text: knownKey(of: alias))) = \(wanted)"
    }
  }

  /// The condition that a row has the values of a key in some columns; the key is given by its number.
  func isRow(_ alias: String, by names: [String], _ wanted: SQLFragment) -> SQLFragment {
    names.enumerated().map { place, name in
      let arguments: SQLFragment =
        "\(SQLFragment(text: String(number))), \(wanted), \(SQLFragment(text: String(place)))"
      return "\(.column(name, of: alias)) IS cd_part(\(arguments))"
    }.joined(by: " AND ")
  }

  /// The condition that a row is the one with a key.
  func isRow(_ alias: String, _ wanted: Int64) -> SQLFragment { isRow(alias, "\(bound: .integer(wanted))") }

  /// The condition that a row is one of some, whose keys are the numbers of a JSON array, bound.
  func isAmong(_ alias: String, json: SQLFragment) -> SQLFragment {
    switch key {
    case .column: return "\(SQLFragment(text: key(of: alias))) IN (SELECT value FROM json_each(\(json)))"
    case .columns(let names):
      let columns = names.map { SQLFragment.column($0, of: alias) }.joined(by: ", ")
      let parts = names.indices.map { SQLFragment(text: "cd_part(\(number), value, \($0))") }.joined(by: ", ")
      return names.count == 1
        ? "\(columns) IN (SELECT \(parts) FROM json_each(\(json)))"
        : "(\(columns)) IN (SELECT \(parts) FROM json_each(\(json)))"
    case .row: return "\(SQLFragment(text: knownKey(of: alias))) IN (SELECT value FROM json_each(\(json)))"
    }
  }

  /// What rows are sorted by at last, so that each has one place.
  ///
  /// A keyed table is read in the order of its key. Rows of a view come in the order in which they were first seen, which is
  /// the view's own for a first reading.
  func keyOrder(of alias: String) -> [String] {
    switch key {
    case .column, .row: [key(of: alias)]
    case .columns(let names): names.map { alias + "." + quoted($0) }
    }
  }

  /// Whether rows are sorted by their keys' numbers at last.
  var isOrderedByNumber: Bool { if case .columns = key { false } else { true } }

  /// Whether the table can be read in ranges of keys.
  var hasKeyColumn: Bool { if case .column = key { true } else { false } }

  /// As `key(of:)`, but NULL for a row that has no number yet: nothing is kept of the rows that are passed by.
  private func knownKey(of alias: String) -> String {
    if case .row(let names) = key { return "cd_known_row(\(number), \(Self.list(names, of: alias)))" }
    return key(of: alias)
  }

  private static func list(_ names: [String], of alias: String) -> String {
    names.map { alias + "." + quoted($0) }.joined(separator: ", ")
  }
}

extension KeyLink {
  /// The condition that a row of the one table names a row of the other.
  ///
  /// It compares as SQLite does for the foreign key: by the type and the collation of the key that is named.
  func holds(child: String, parent: String) -> SQLFragment {
    zip(zip(columns, parentColumns), collations).map { columns, collation in
      "\(.column(columns.1, of: parent)) = \(.column(columns.0, of: child)) COLLATE \(name: collation)"
    }.joined(by: " AND ")
  }

  /// The conditions that a row of the one table is named by, or names, a certain row of the other.
  ///
  /// The other row is looked up first, so that an index of the sought one's columns serves.
  func isParent(_ alias: String, ofRow condition: (String) -> SQLFragment) -> SQLFragment {
    zip(zip(columns, parentColumns), collations).map { columns, collation in
      """
      \(.column(columns.1, of: alias)) = (SELECT \(.column(columns.0, of: "o")) FROM \(name: child) o
      WHERE \(condition("o")) LIMIT 1) COLLATE \(name: collation)
      """
    }.joined(by: " AND ")
  }

  func isChild(_ alias: String, ofRow condition: (String) -> SQLFragment) -> SQLFragment {
    zip(zip(columns, parentColumns), collations).map { columns, collation in
      """
      \(.column(columns.0, of: alias)) = (SELECT \(.column(columns.1, of: "o")) FROM \(name: parent) o
      WHERE \(condition("o")) LIMIT 1) COLLATE \(name: collation)
      """
    }.joined(by: " AND ")
  }
}
