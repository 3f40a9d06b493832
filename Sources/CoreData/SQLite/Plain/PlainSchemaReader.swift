/// Reads the schema of a plain database through the pragma functions, every name bound.
///
/// A table that SQLite cannot read, such as a virtual one of a module that is not here, is left out with a remark. What is read
/// is bounded, whatever the file says.
struct PlainSchemaReader {
  /// How many tables and columns are read at most.
  private static let mostTables = 4_096
  private static let mostColumns = 65_536

  private let connection: SQLiteConnection
  private var columnsLeft = mostColumns

  private init(_ connection: SQLiteConnection) { self.connection = connection }

  /// The schema as the connection sees it now.
  static func schema(_ connection: SQLiteConnection) throws -> PlainSchema {
    var reader = PlainSchemaReader(connection)
    return try reader.read()
  }

  private mutating func read() throws -> PlainSchema {
    var facts: [String: (type: String, isKeyed: Bool, isStrict: Bool)] = [:]
    for row in try connection.rows("SELECT name, type, wr, strict FROM pragma_table_list WHERE schema = 'main'") {
      guard case .text(let name) = row[0], case .text(let type) = row[1] else { continue }
      facts[name] = (type, row[2] == .integer(1), row[3] == .integer(1))
    }
    let names = try connection.rows(
      """
      SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
      ORDER BY rowid LIMIT \(Self.mostTables + 1)
      """)
    var schema = PlainSchema()
    for (place, row) in names.enumerated() {
      guard case .text(let name) = row[0], let fact = facts[name], fact.type != "shadow" else { continue }
      guard place < Self.mostTables, columnsLeft > 0 else {
        schema.remarks.append(
          "the database has more tables than are shown here: \(name) and those after it are left out")
        break
      }
      var table = PlainTable(name: name)
      table.kind = fact.type == "view" ? .view : fact.type == "virtual" ? .virtual : .table
      table.isStrict = fact.isStrict
      do {
        try fill(&table, isKeyed: fact.isKeyed)
        schema.tables.append(table)
      } catch let error as SQLiteError where !error.isLock && !error.isInterrupt {
        schema.remarks.append("\(name) cannot be read: \(error.message)")
      }
    }
    return schema
  }

  private mutating func fill(_ table: inout PlainTable, isKeyed: Bool) throws {
    var keys: [(place: Int64, column: String)] = []
    var hidden: Set<String> = []
    for row in try connection.rows(
      "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?) ORDER BY cid LIMIT ?",
      [.text(table.name), .integer(Int64(columnsLeft))])
    {
      guard case .text(let name) = row[0] else { continue }
      columnsLeft -= 1
      // 1 is a hidden column of a virtual table; 2 and 3 are computed ones.
      guard row[5] != .integer(1) else {
        hidden.insert(name.asciiLowercased)
        continue
      }
      var column = PlainColumn(name: name, isNotNull: row[2] == .integer(1), isGenerated: row[5] != .integer(0))
      if case .text(let type) = row[1] { column.type = type }
      if case .text(let text) = row[3] { column.defaultText = text }
      if case .integer(let place) = row[4], place > 0 { keys.append((place, name)) }
      table.columns.append(column)
    }
    table.primaryKey = keys.sorted { $0.place < $1.place }.map(\.column)
    guard table.kind != .view else { return }
    let names = hidden.union(table.columns.map(\.name.asciiLowercased))
    if !isKeyed { table.rowIDName = ["rowid", "oid", "_rowid_"].first { !names.contains($0) } }
    try readUniqueKeys(of: &table)
    try readForeignKeys(of: &table)
    try readRowIDs(of: &table)
  }

  private func readUniqueKeys(of table: inout PlainTable) throws {
    var keys: [String: PlainTable.UniqueKey] = [:]
    var odd: Set<String> = []
    for row in try connection.rows(
      """
      SELECT i.name, x.name, x.coll FROM pragma_index_list(?) i, pragma_index_xinfo(i.name) x
      WHERE i."unique" AND NOT i.partial AND x.key ORDER BY i.seq, x.seqno LIMIT 4096
      """, [.text(table.name)])
    {
      guard case .text(let index) = row[0] else { continue }
      guard case .text(let column) = row[1], case .text(let collation) = row[2] else {
        odd.insert(index)  // an expression
        continue
      }
      keys[index, default: .init(columns: [], collations: [])].columns.append(column)
      keys[index]?.collations.append(collation)
    }
    table.uniqueKeys = keys.filter { !odd.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
  }

  private func readForeignKeys(of table: inout PlainTable) throws {
    var keys: [Int64: PlainForeignKey] = [:]
    for row in try connection.rows(
      "SELECT id, \"table\", \"from\", \"to\", on_delete FROM pragma_foreign_key_list(?) ORDER BY id, seq LIMIT 4096",
      [.text(table.name)])
    {
      guard case .integer(let id) = row[0], case .text(let parent) = row[1], case .text(let column) = row[2] else {
        continue
      }
      var key = keys[id] ?? PlainForeignKey(columns: [], table: parent, parentColumns: [])
      key.columns.append(column)
      if case .text(let name) = row[3] { key.parentColumns.append(name) }
      if case .text(let action) = row[4] { key.onDelete = action.uppercased() }
      keys[id] = key
    }
    // SQLite lists the last key first.
    table.foreignKeys = keys.sorted { $0.key > $1.key }.map(\.value)
  }

  /// Whether a column is the row id shows in what SQLite keeps: an `INTEGER PRIMARY KEY` has no index of its own.
  private func readRowIDs(of table: inout PlainTable) throws {
    guard let rowID = table.rowIDName else { return }
    if table.kind == .table, table.primaryKey.count == 1, let key = table.column(named: table.primaryKey[0]),
      key.type.uppercased() == "INTEGER", try !hasIndexedKey(table)
    {
      table.rowIDColumn = key.name
    }
    // A reader of virtual tables may take long for it, and gives them numbers from 1 on.
    guard table.kind == .table else { return }
    let least = try connection.rows("SELECT min(\(rowID)) FROM \(quoted(table.name))").first?.first
    if case .integer(let key)? = least, key <= 0 { table.hasPositiveRowIDs = false }
  }

  /// Whether the primary key has an index of its own, as any but the row id has; `INTEGER PRIMARY KEY DESC` has one, too.
  private func hasIndexedKey(_ table: PlainTable) throws -> Bool {
    try !connection.rows("SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'", [.text(table.name)]).isEmpty
  }
}
