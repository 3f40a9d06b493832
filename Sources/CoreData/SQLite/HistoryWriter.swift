import Foundation

/// Writes a save into the store's persistent history, when the store has one (reference/FORMAT.md, "Persistent history").
struct HistoryWriter {
  let connection: SQLiteConnection
  let schema: StoreSchema

  /// The framework's own entities: `Z_PRIMARYKEY` may lack those that were never written.
  private enum Entity: Int64 {
    case change = 16_001, transaction, string

    var name: String {
      switch self {
      case .change: "CHANGE"
      case .transaction: "TRANSACTION"
      case .string: "TRANSACTIONSTRING"
      }
    }
    var table: String { "A" + name }
  }

  /// Writes one transaction with a change for every row that changed: new ones, then updated ones, then deleted ones.
  func write(_ rows: [SavePlan.Row], author: String?, contextName: String?, date: Date = Date()) throws {
    guard schema.hasTable(Entity.change.table), schema.hasTable(Entity.transaction.table) else { return }
    let rows = rows.filter(\.isChanged).sorted { $0.kind.rawValue < $1.kind.rawValue }
    guard !rows.isEmpty else { return }
    let transaction = try writeTransaction(author: author, contextName: contextName, date: date)
    var key = try highestKey(of: .change)
    for row in rows {
      key += 1
      let columns = row.kind == .update ? HistoryColumns.bits(of: row.properties, in: row.entity.entity) : nil
      try connection.execute(
        """
        INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        [
          .integer(key), .integer(Entity.change.rawValue), .integer(row.kind.rawValue),
          .integer(Int64(row.entity.number)), .integer(row.id.primaryKey), .integer(transaction),
          columns.map { .blob($0) } ?? .null,
        ])
    }
    try setHighestKey(key, of: .change)
  }

  private func writeTransaction(author: String?, contextName: String?, date: Date) throws -> Int64 {
    let key = try highestKey(of: .transaction) + 1
    var columns = ["Z_PK", "Z_ENT", "ZTIMESTAMP"]
    var values: [SQLiteValue] = [
      .integer(key), .integer(Entity.transaction.rawValue), .real(date.timeIntervalSinceReferenceDate),
    ]
    let process = ProcessInfo.processInfo.processName
    let texts = [
      ("ZAUTHOR", author), ("ZBUNDLEID", Bundle.main.bundleIdentifier ?? process), ("ZCONTEXTNAME", contextName),
      ("ZPROCESSID", process),
    ]
    for (column, text) in texts {
      guard let text else { continue }
      // Stores of 2017 keep the texts themselves.
      if schema.hasTable(Entity.string.table), schema.hasColumn(column + "TS", in: Entity.transaction.table) {
        columns.append(column + "TS")
        values.append(.integer(try string(text)))
      } else if schema.hasColumn(column, in: Entity.transaction.table) {
        columns.append(column)
        values.append(.text(text))
      }
    }
    try connection.execute(
      "INSERT INTO ATRANSACTION (\(columns.joined(separator: ", "))) "
        + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))", values)
    try setHighestKey(key, of: .transaction)
    return key
  }

  /// The key of a text, which is in the table once.
  private func string(_ text: String) throws -> Int64 {
    if case .integer(let key)? = try connection.rows(
      "SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ? LIMIT 1", [.text(text)]
    ).first?.first {
      return key
    }
    let key = try highestKey(of: .string) + 1
    try connection.execute(
      "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (?, ?, ?)",
      [.integer(key), .integer(Entity.string.rawValue), .text(text)])
    try setHighestKey(key, of: .string)
    return key
  }

  private func highestKey(of entity: Entity) throws -> Int64 {
    try connection.highestKey(in: entity.table, entity: entity.rawValue)
  }

  private func setHighestKey(_ key: Int64, of entity: Entity) throws {
    try connection.execute(
      """
      INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?1, ?2, 0, ?3)
      ON CONFLICT (Z_ENT) DO UPDATE SET Z_MAX = ?3
      """, [.integer(entity.rawValue), .text(entity.name), .integer(key)])
  }
}

/// Which properties an update changed, as history keeps it: a bit each, the most significant first, in the alphabetical
/// order of all property names (DESIGN.md, "Rules of the store").
enum HistoryColumns {
  /// The bits of some of an entity's properties.
  static func bits(of names: Set<String>, in entity: NSEntityDescription) -> [UInt8] {
    let all = self.names(of: entity)
    var bytes = [UInt8](repeating: 0, count: (all.count + 7) / 8)
    for (index, name) in all.enumerated() where names.contains(name) { bytes[index / 8] |= 0x80 >> (index % 8) }
    return bytes
  }

  /// The names whose bits are set.
  static func names(of bits: [UInt8], in entity: NSEntityDescription) -> Set<String> {
    let set = names(of: entity).enumerated().filter { index, _ in
      index / 8 < bits.count && bits[index / 8] & 0x80 >> (index % 8) != 0
    }
    return Set(set.map(\.element))
  }

  private static func names(of entity: NSEntityDescription) -> [String] {
    entity.propertiesByName.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

extension SQLiteConnection {
  /// `Z_MAX`, or the highest key in the table where that is higher: stores filled by hand have a counter of 0
  /// (reference/ODDITIES.md 16).
  func highestKey(in table: String, entity number: Int64) throws -> Int64 {
    func highest(_ key: String) throws -> SQLiteValue? {
      try rows(
        """
        SELECT max(ifnull((SELECT max(\(key)) FROM \(quoted(table))), 0),
          ifnull((SELECT max(Z_MAX) FROM Z_PRIMARYKEY WHERE Z_ENT = ?), 0))
        """, [.integer(number)]
      ).first?.first
    }
    if case .integer(let key)? = try highest("Z_PK") { return key }
    // A table rebuilt by hand can have its keys as text (reference/ODDITIES.md 13), where 9 comes after 10.
    guard case .integer(let key)? = try highest("CAST(Z_PK AS INTEGER)") else { return 0 }
    return key
  }
}
