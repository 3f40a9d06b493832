import Foundation

extension StoreShape {
  /// Reads the store at a URL, changing nothing; errors are of the Cocoa domain.
  init(reading url: URL, timeout: Double? = nil) throws {
    self = try StoreContents.reading(url, timeout: timeout) { connection in
      try StoreShape(connection, try StoreContents(connection, path: url.path))
    }
  }

  /// Reads what a store shows of its model; the contents are those of the same store.
  init(_ connection: SQLiteConnection, _ contents: StoreContents) throws {
    var tables: [String: [Column]] = [:]
    for row in try connection.rows(
      """
      SELECT t.name, c.name, c.type
      FROM (SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%') t,
        pragma_table_info(t.name) c ORDER BY 1, c.cid
      """)
    {
      guard case .text(let table) = row[0], case .text(let name) = row[1] else { continue }
      var type = ""
      if case .text(let declared) = row[2] { type = declared }
      tables[table, default: []].append(Column(name: name, type: type))
    }
    var indexes: Set<String> = []
    for row in try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'index'") {
      if case .text(let name) = row[0] { indexes.insert(name) }
    }
    self.init(
      tables: tables, indexes: indexes, entities: contents.entities,
      hashedNames: Set((contents.versionHashes ?? [:]).keys))
  }
}

extension ModelInference {
  /// Infers the model of the store at a URL, changing nothing; errors are of the Cocoa domain.
  init(reading url: URL, timeout: Double? = nil) throws {
    self = try StoreContents.reading(url, timeout: timeout) { connection in
      let shape = try StoreShape(connection, try StoreContents(connection, path: url.path))
      return ModelInference(shape) { question in
        // What cannot be asked leads nowhere; a thousand values tell enough.
        let answer = try? connection.rows(
          """
          SELECT count(*), count(t.Z_PK)
          FROM (SELECT DISTINCT \(quoted(question.column)) AS k FROM \(quoted(question.table))
            WHERE \(quoted(question.column)) IS NOT NULL LIMIT 1000) s
          LEFT JOIN \(quoted(question.targetTable)) t ON t.Z_PK = s.k AND t.Z_ENT = ?
          """, [.integer(Int64(question.target))])
        guard case .integer(let asked)? = answer?.first?[0], case .integer(let found)? = answer?.first?[1] else {
          return false
        }
        return asked > 0 && asked == found
      }
    }
  }
}
