import Foundation

/// Makes of changed rows what is reported: in the model's terms, with who made it.
struct ChangeTeller {
  /// What is needed for telling, read from the store; reading it again changes nothing.
  struct Material {
    fileprivate var translation = ChangeTranslator.Translation()
    fileprivate var transactions: [HistoryTransaction] = []
  }

  private let store: SQLiteStore
  private let translator: ChangeTranslator
  private var history: HistoryReader?

  /// Begins after a transaction of history, or after the last that history knows now.
  init(_ store: SQLiteStore, tables: WatchedTables, after transaction: Int64? = nil) throws {
    self.store = store
    translator = ChangeTranslator(tables: tables)
    history = try store.withConnection { try HistoryReader(store.schema, after: transaction, on: $0) }
  }

  /// The last transaction that was told, or that there was to begin with; `nil` for a store without history.
  var lastTransaction: Int64? { history?.last }

  /// Reads what the rows mean and who changed them.
  func changes(of pending: UntoldChanges) throws -> Material {
    guard !pending.isEmpty || history != nil else { return Material() }
    return try store.withConnection { connection in
      var material = Material()
      if let history { material.transactions = try history.transactions(on: connection) }
      material.translation = try translator.translation(of: pending.rows) {
        try Self.entities(of: $1, in: $0, on: connection)
      }
      return material
    }
  }

  /// The reports, in order; this is done once for what was found.
  mutating func tell(_ material: Material, of pending: UntoldChanges) -> [StoreChanges] {
    var changes = material.translation.changes
    for (key, version) in material.translation.versions where store.ownSaves.isOwn(key, versionAfter: version) {
      changes[key]?.isOwn = true
    }
    // Objects that changed only at the far end of a relationship have no row that tells.
    let isAllOwn =
      !material.translation.versions.isEmpty
      && material.translation.versions.keys.allSatisfy { key in
        changes[key]?.isOwn ?? true
      }
    if isAllOwn { for key in changes.keys { changes[key]?.isOwn = true } }
    if let last = material.transactions.last { history?.didTell(last) }
    if !pending.isComplete { Self.name(&changes, by: material.transactions) }
    let parts = HistorySplit.parts(of: changes, among: material.transactions)
    let date = Date()
    var told = parts.map { part in
      StoreChanges(
        part.changes, date: date, transaction: part.transaction,
        source: part.transaction == nil ? pending.source : .history)
    }
    guard !pending.isComplete || !material.translation.isComplete else { return told }
    if told.isEmpty { told = [StoreChanges([], date: date, source: pending.source)] }
    for index in told.indices { told[index].isComplete = false }
    return told
  }

  /// Adds what only history tells of.
  private static func name(_ changes: inout [ObjectKey: StoreChanges.Change], by transactions: [HistoryTransaction]) {
    for (key, kind) in HistorySplit.net(of: transactions) where changes[key] == nil {
      changes[key] = StoreChanges.Change(kind, key)
    }
  }

  /// The entity numbers of the rows that are there.
  private static func entities(
    of keys: [Int64], in table: WatchedTable, on connection: SQLiteConnection
  ) throws -> [Int64: Int32] {
    var found: [Int64: Int32] = [:]
    for start in stride(from: 0, to: keys.count, by: 500) {
      let list = keys[start..<min(start + 500, keys.count)].map(String.init).joined(separator: ",")
      let isPlain = table.object?.entity == nil
      let (key, entity) = isPlain ? (table.layout.rowIDName, "NULL") : ("Z_PK", "Z_ENT")
      for row in try connection.rows(
        "SELECT \(key), \(entity) FROM \(quoted(table.layout.name)) WHERE \(key) IN (\(list))")
      {
        guard case .integer(let key) = row[0] else { continue }
        found[key] = table.root
        if case .integer(let number) = row[1], let known = Int32(exactly: number), table.entities[known] != nil {
          found[key] = known
        }
      }
    }
    return found
  }
}
