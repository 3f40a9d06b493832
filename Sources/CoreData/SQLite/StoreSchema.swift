import Foundation

/// The tables of a database file as they really are: what a model's expectations are checked against.
struct StoreSchema: Sendable {
  /// The columns of each ordinary table, in their order.
  let columns: [String: [String]]
  /// The columns by which rows of a table are found without reading it whole: `TABLE.COLUMN`.
  private let indexed: Set<String>

  /// Reads the schema; `schemaVersion` of the connection tells when it has to be read again.
  init(_ connection: SQLiteConnection) throws {
    var columns: [String: [String]] = [:]
    let tables = "sqlite_schema t WHERE t.type = 'table' AND t.sql NOT LIKE 'CREATE VIRTUAL%'"
    for row in try connection.rows(
      "SELECT t.name, c.name FROM (SELECT name FROM \(tables)) t, pragma_table_info(t.name) c ORDER BY 1, c.cid")
    {
      guard case .text(let table) = row[0], case .text(let column) = row[1] else { continue }
      columns[table, default: []].append(column)
    }
    var indexed: Set<String> = []
    for row in try connection.rows(
      """
      SELECT t.name, c.name FROM (SELECT name FROM \(tables)) t, pragma_index_list(t.name) i, pragma_index_info(i.name) c
      WHERE c.seqno = 0 AND i.partial = 0
      """)
    {
      guard case .text(let table) = row[0], case .text(let column) = row[1] else { continue }
      indexed.insert(table + "." + column)
    }
    self.columns = columns
    self.indexed = indexed
  }

  func hasTable(_ table: String) -> Bool { columns[table] != nil }

  func hasColumn(_ column: String, in table: String) -> Bool { columns[table]?.contains(column) ?? false }

  /// Whether some index begins with the column.
  func isIndexed(_ column: String, in table: String) -> Bool { indexed.contains(table + "." + column) }
}

/// A name as an SQL identifier; every table and column name in a statement passes through here.
///
/// Quotes are looked for among the scalars: a quote with a combining mark is another character, but the same to SQLite.
func quoted(_ identifier: String) -> String {
  var result = "\""
  for scalar in identifier.unicodeScalars {
    if scalar == "\"" { result += "\"" }
    result.unicodeScalars.append(scalar)
  }
  return result + "\""
}
