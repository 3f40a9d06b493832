/// How a table's rows lie in records and in statements.
struct TableLayout: Equatable, Sendable {
  let name: String
  /// The statement that made the table: as long as it is the same, columns are what they were.
  let sql: String
  /// The stored columns, in the order of a record's values.
  let columns: [String]
  /// The column that stands for the row id (`INTEGER PRIMARY KEY`), which records store as null.
  let rowIDColumn: Int?
  /// Whether the table's rows lie in a b-tree by row id; else it is read by its primary key.
  let hasRowIDs: Bool
  /// A name of the row id that no column takes.
  let rowIDName: String

  /// Reads the layouts of some tables; those that are not there are left out.
  static func read(_ names: some Sequence<String>, on connection: SQLiteConnection) throws -> [String: TableLayout] {
    var layouts: [String: TableLayout] = [:]
    for name in names {
      let found = try connection.rows(
        "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?", [.text(name)])
      guard case .text(let sql)? = found.first?.first else { continue }
      var columns: [String] = []
      var keys: [(column: Int, isInteger: Bool)] = []
      for row in try connection.rows(
        "SELECT name, upper(type), pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid", [.text(name)])
      {
        // A computed column that is not stored (2) has no place in a record.
        guard case .text(let column) = row[0], row[3] != .integer(2) else { continue }
        if row[2] != .integer(0) { keys.append((columns.count, row[1] == .text("INTEGER"))) }
        columns.append(column)
      }
      let isKeyed = try connection.rows(
        "SELECT wr FROM pragma_table_list WHERE schema = 'main' AND name = ?", [.text(name)])
      let hasRowIDs = isKeyed.first?.first != .integer(1)
      let names = Set(columns.map(\.asciiLowercased))
      let alias = hasRowIDs && keys.count == 1 && keys[0].isInteger ? keys[0].column : nil
      layouts[name] = TableLayout(
        name: name, sql: sql, columns: columns, rowIDColumn: alias, hasRowIDs: hasRowIDs,
        rowIDName: ["rowid", "oid", "_rowid_"].first { !names.contains($0) } ?? "rowid")
    }
    return layouts
  }

  /// The values of a record; nil where its bytes are no record of this table.
  func values(of record: StoredRecord, rowid: Int64) -> [RecordValue]? {
    guard var values = record.values()?.map(\.normalized), values.count <= columns.count else { return nil }
    // Columns that were added after the row was written.
    while values.count < columns.count { values.append(.null) }
    if let alias = rowIDColumn, values[alias] == .null { values[alias] = .integer(rowid) }
    return values
  }

  /// The values of the row that a statement stands on, its columns in this layout's order after `first` others.
  func values(of statement: SQLiteStatement, after first: Int32) -> [RecordValue] {
    columns.indices.map { index in
      switch statement.value(at: first + Int32(index)) {
      case .null, .test: .null
      case .integer(let value): .integer(value)
      case .real(let value): RecordValue.real(value).normalized
      case .text: .text(statement.withText(at: first + Int32(index)) { Array($0) })
      case .blob(let bytes): .blob(bytes)
      }
    }
  }
}
