import Foundation

/// Schemas that no program makes: odd names, views in circles, modules that are missing, and tables that are called as the
/// framework's are and have other shapes.
///
/// Each statement stands for itself: those that SQLite refuses are left out by it.
public struct HostileSchema {
  private var statements: [String] = []
  private var tables: [(name: String, columns: [String])] = []

  /// A script for the `sqlite3` program.
  public static func script(_ numbers: inout HostileBytes) -> String {
    var schema = HostileSchema()
    if numbers.oneIn(3) { schema.statements.append("PRAGMA journal_mode = WAL") }
    if numbers.oneIn(2) { schema.addFrameworkTables(&numbers) }
    for _ in 0...numbers.next(below: 6) {
      switch numbers.next(below: 8) {
      case 0...3: schema.addTable(&numbers)
      case 4: schema.addView(&numbers)
      case 5: schema.addVirtual(&numbers)
      case 6: schema.addIndex(&numbers)
      default: schema.addWide(&numbers)
      }
    }
    schema.fill(&numbers)
    if numbers.oneIn(3) { schema.forge(&numbers) }
    return schema.statements.map { $0 + ";\n" }.joined()
  }

  private static let types = [
    "", "INTEGER", "INT", "TEXT", "VARCHAR(20)", "BLOB", "REAL", "NUMERIC", "BOOLEAN", "DATE", "TIMESTAMP", "ANY",
    "UUID",
    "DECIMAL(10,2)", "nonsense type", "INTEGER INTEGER",
  ]

  /// The framework's own tables, right or nearly so, or of another shape altogether.
  private mutating func addFrameworkTables(_ numbers: inout HostileBytes) {
    let shapes: [(String, [String])] = [
      (
        "Z_PRIMARYKEY",
        [
          "Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER", "Z_NAME BLOB",
          "Z_ENT TEXT, Z_NAME, Z_SUPER, Z_MAX",
        ]
      ),
      (
        "Z_METADATA",
        [
          "Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB", "Z_UUID REAL",
          "Z_VERSION, Z_UUID, Z_PLIST TEXT",
        ]
      ),
      ("Z_MODELCACHE", ["Z_CONTENT BLOB", "Z_CONTENT TEXT", "Z_OTHER"]),
      (
        "ZFOO",
        [
          "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, ZBAR INTEGER, Z_FOK_BAR INTEGER",
          "Z_PK TEXT, ZNAME", "ZNAME",
        ]
      ),
      (
        "Z_1BARS",
        [
          "Z_1FOOS INTEGER, Z_2BARS INTEGER, PRIMARY KEY (Z_1FOOS, Z_2BARS)", "Z_1FOOS",
          "REFLEXIVE INTEGER, Z_1A, Z_9B",
        ]
      ),
      (
        "ATRANSACTION",
        ["Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP TIMESTAMP, ZAUTHORTS INTEGER", "a"]
      ),
      (
        "ACHANGE",
        [
          "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCHANGETYPE INTEGER",
          "a",
        ]
      ),
    ]
    for (name, variants) in shapes where !numbers.oneIn(5) {
      let body = numbers.oneIn(3) ? numbers.pick(variants) : variants[0]
      let kind =
        numbers.oneIn(12)
        ? "CREATE VIEW \(name) AS SELECT \(HostileSQL.literal(&numbers)) a" : "CREATE TABLE \(name) (\(body))"
      statements.append(kind)
      let columns = body.split(separator: ",").filter { !$0.contains("KEY (") && !$0.contains("))") }
        .compactMap { $0.split(separator: " ").first.map(String.init) }
      tables.append((name, columns))
    }
    for (number, name) in ["Foo", "Bar", "Baz", "fOO"].enumerated() {
      let sane = "(\(number + 1), '\(name)', \(numbers.next(below: 5)), \(numbers.next(below: 5)))"
      let odd =
        "(\(HostileSQL.literal(&numbers)), \(HostileSQL.literal(&numbers)), \(HostileSQL.literal(&numbers)), \(HostileSQL.literal(&numbers)))"
      statements.append(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES \(numbers.oneIn(4) ? odd : sane)")
    }
    statements.append(
      "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, 'U', \(HostileSQL.literal(&numbers)))")
    if numbers.oneIn(2) { statements.append("INSERT INTO Z_MODELCACHE VALUES (\(HostileSQL.literal(&numbers)))") }
  }

  private mutating func addTable(_ numbers: inout HostileBytes) {
    let name = HostileSQL.name(&numbers)
    let columns = (0...numbers.next(below: 6)).map { _ in HostileSQL.name(&numbers) }
    var parts = columns.map { column in
      var part = HostileSQL.quoted(column) + " " + numbers.pick(Self.types)
      if numbers.oneIn(6) { part += " NOT NULL" }
      if numbers.oneIn(6) { part += " DEFAULT (\(HostileSQL.literal(&numbers)))" }
      if numbers.oneIn(8) { part += " UNIQUE" }
      if numbers.oneIn(8) { part += " COLLATE NOCASE" }
      if numbers.oneIn(8) {
        part += " AS (\(HostileSQL.quoted(numbers.pick(columns))) || 'x') \(numbers.oneIn(2) ? "STORED" : "")"
      }
      if numbers.oneIn(5) { part += " REFERENCES \(HostileSQL.quoted(other(name, &numbers)))" }
      return part
    }
    let some = { (numbers: inout HostileBytes) in
      (0...numbers.next(below: 2)).map { _ in HostileSQL.quoted(numbers.pick(columns)) }.joined(separator: ", ")
    }
    if numbers.oneIn(2) { parts.append("PRIMARY KEY (\(some(&numbers)))") }
    if numbers.oneIn(4) {
      parts.append(
        "FOREIGN KEY (\(some(&numbers))) REFERENCES \(HostileSQL.quoted(other(name, &numbers))) (\(some(&numbers))) ON DELETE CASCADE"
      )
    }
    let options = numbers.pick(["", "", "", " WITHOUT ROWID", " STRICT", " STRICT, WITHOUT ROWID"])
    statements.append("CREATE TABLE \(HostileSQL.quoted(name)) (\(parts.joined(separator: ", ")))\(options)")
    tables.append((name, columns))
  }

  private func other(_ own: String, _ numbers: inout HostileBytes) -> String {
    numbers.oneIn(3) ? own : tables.isEmpty || numbers.oneIn(3) ? HostileSQL.name(&numbers) : numbers.pick(tables).name
  }

  /// A view of a table, of itself, of one that comes later, or of nothing.
  private mutating func addView(_ numbers: inout HostileBytes) {
    let (name, next) = (HostileSQL.quoted(HostileSQL.name(&numbers)), HostileSQL.quoted(other("v", &numbers)))
    switch numbers.next(below: 5) {
    case 0: statements += ["CREATE VIEW \(name) AS SELECT * FROM v2", "CREATE VIEW v2 AS SELECT * FROM \(name)"]
    case 1: statements.append("CREATE VIEW \(name) AS SELECT *, rowid, 1, 1 AS \"1\", count(*) FROM \(next)")
    case 2: statements.append("CREATE VIEW \(name) AS SELECT nothing(1), load_extension('x') FROM \(next)")
    case 3: statements.append("CREATE VIEW \(name) (a, a, \"\") AS VALUES (1, 2, 3), (NULL, x'00', 'x')")
    default: statements.append("CREATE VIEW \(name) AS SELECT * FROM \(next) UNION ALL SELECT * FROM \(next)")
    }
  }

  private mutating func addVirtual(_ numbers: inout HostileBytes) {
    let name = HostileSQL.quoted(HostileSQL.name(&numbers))
    statements.append(
      "CREATE VIRTUAL TABLE \(name) USING "
        + numbers.pick([
          "fts5(a, b)", "fts5(a, content='')", "fts5(a, content='nothing')", "rtree(id, x, y)", "fts4(a)", "dbstat",
          "json_each",
        ]))
  }

  private mutating func addIndex(_ numbers: inout HostileBytes) {
    guard !tables.isEmpty else { return }
    let table = numbers.pick(tables)
    let column = HostileSQL.quoted(table.columns.isEmpty ? "a" : numbers.pick(table.columns))
    statements.append(
      "CREATE \(numbers.pick(["", "UNIQUE "]))INDEX \(HostileSQL.quoted(HostileSQL.name(&numbers))) ON \(HostileSQL.quoted(table.name)) "
        + numbers.pick(["(\(column))", "(\(column) || 'x')", "(\(column) COLLATE NOCASE DESC) WHERE \(column) > 1"]))
  }

  /// A table of very many columns.
  private mutating func addWide(_ numbers: inout HostileBytes) {
    guard numbers.oneIn(6) else { return addTable(&numbers) }
    let columns = (0..<1_900).map { "c\($0)" }
    statements.append("CREATE TABLE wide (\(columns.joined(separator: ", ")))")
    tables.append(("wide", Array(columns.prefix(5))))
  }

  private mutating func fill(_ numbers: inout HostileBytes) {
    for table in tables where !table.columns.isEmpty {
      for _ in 0..<numbers.next(below: 5) {
        let columns = Set(table.columns).sorted()
        let values = columns.map { _ in numbers.oneIn(3) ? "\(numbers.next(below: 4))" : HostileSQL.literal(&numbers) }
        statements.append(
          "INSERT INTO \(HostileSQL.quoted(table.name)) (\(columns.map(HostileSQL.quoted).joined(separator: ", "))) "
            + "VALUES (\(values.joined(separator: ", ")))")
      }
    }
  }

  /// Changes the schema's own table, which no program may.
  private mutating func forge(_ numbers: inout HostileBytes) {
    statements += [".dbconfig defensive off", "PRAGMA writable_schema = ON"]
    let text = HostileSQL.literal(&numbers)
    statements.append(
      numbers.pick([
        "INSERT INTO sqlite_master VALUES ('table', 'ghost', 'ghost', 0, 'CREATE VIRTUAL TABLE ghost USING nomodule(a, b)')",
        "UPDATE sqlite_master SET sql = \(text) WHERE rowid = \(1 + numbers.next(below: 4))",
        "UPDATE sqlite_master SET rootpage = \(numbers.next(below: 20)) WHERE rowid = \(1 + numbers.next(below: 4))",
        "UPDATE sqlite_master SET name = \(text), tbl_name = \(text) WHERE rowid = \(1 + numbers.next(below: 4))",
        "UPDATE sqlite_master SET type = 'view' WHERE rowid = \(1 + numbers.next(below: 4))",
        "DELETE FROM sqlite_master WHERE type = 'index'",
        "UPDATE sqlite_master SET sql = replace(sql, 'INTEGER', 'TEXT')",
        "PRAGMA user_version = -1", "PRAGMA application_id = 1", "PRAGMA encoding = 'UTF-16'",
      ]))
  }
}
