/// Writes the rows of a plan, each with one statement.
struct RowWriter {
  let connection: SQLiteConnection
  /// The statement of the last row, most often the next one's as well.
  private var last: (table: String, columns: [String], sql: String)?

  init(connection: SQLiteConnection) { self.connection = connection }

  /// Removes rows first, so that what they had alone is free; new ones come last.
  mutating func write(_ plan: SavePlan) throws {
    for row in plan.rows where row.kind == .delete { try delete(row) }
    try update(plan.rows.filter { $0.kind == .update })
    for row in plan.rows where row.kind == .insert { try insert(row) }
  }

  private func delete(_ row: SavePlan.Row) throws {
    let key = SQLiteValue.integer(row.id.primaryKey)
    // No pair of a join table outlives either of its ends.
    for case .join(let table, let source, let target, _, _) in row.entity.properties.values {
      try connection.execute("DELETE FROM \(quoted(table)) WHERE \(quoted(source)) = ?", [key])
      if target == "REFLEXIVE" { try connection.execute("DELETE FROM \(quoted(table)) WHERE REFLEXIVE = ?", [key]) }
    }
    try connection.execute("DELETE FROM \(quoted(row.entity.table)) WHERE Z_PK = ?", [key])
  }

  private mutating func update(_ rows: [SavePlan.Row]) throws {
    var waiting: [(row: SavePlan.Row, error: SQLiteError)] = []
    for row in rows {
      do {
        try update(row)
      } catch let error as SQLiteError where error.isDuplicate {
        // The row that still has the value may be one that is yet to be changed.
        waiting.append((row, error))
      }
    }
    guard waiting.count > 0 else { return }
    for (row, _) in waiting { try update(row, toNothing: true) }
    for (row, _) in waiting { try update(row, raisesVersion: false) }
  }

  private mutating func update(_ row: SavePlan.Row, toNothing: Bool = false, raisesVersion: Bool = true) throws {
    let raises = row.isChanged && raisesVersion
    guard raises || !row.columns.isEmpty else { return }
    let sql = statement(for: row.columns.map(\.name) + (raises ? ["Z_OPT"] : []), of: row) { columns in
      let changes = columns.map { $0 == "Z_OPT" ? "Z_OPT = ifnull(Z_OPT, 0) + 1" : quoted($0) + " = ?" }
      return "UPDATE \(quoted(row.entity.table)) SET \(changes.joined(separator: ", ")) WHERE Z_PK = ?"
    }
    try connection.execute(
      sql, row.columns.map { toNothing ? .null : $0.value } + [.integer(row.id.primaryKey)])
  }

  private mutating func insert(_ row: SavePlan.Row) throws {
    let sql = statement(for: ["Z_PK", "Z_ENT", "Z_OPT"] + row.columns.map(\.name), of: row) { columns in
      let marks = columns.map { _ in "?" }.joined(separator: ", ")
      return
        "INSERT INTO \(quoted(row.entity.table)) (\(columns.map(quoted).joined(separator: ", "))) VALUES (\(marks))"
    }
    try connection.execute(
      sql,
      [.integer(row.id.primaryKey), .integer(Int64(row.entity.number)), .integer(1)] + row.columns.map(\.value))
  }

  private mutating func statement(
    for columns: [String], of row: SavePlan.Row, _ make: ([String]) -> String
  ) -> String {
    if let last, last.table == row.entity.table, last.columns == columns { return last.sql }
    let sql = make(columns)
    last = (row.entity.table, columns, sql)
    return sql
  }
}
