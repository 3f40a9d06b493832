import Foundation

/// Writes one save inside a transaction that is open: keys, rows, relationships, counters, metadata, history.
struct SaveWriter {
  /// What was written.
  struct Written {
    /// The permanent ids of the new objects, in their order.
    var inserted: [NSManagedObjectID] = []
    /// The rows as they are now.
    var rows: [NSManagedObjectID: RowReference] = [:]
    var deleted: [NSManagedObjectID] = []
    /// The same for the watcher.
    var own: [OwnSaves.Row] = []
  }

  let store: SQLiteStore
  let connection: SQLiteConnection
  let external: ExternalDataWriter
  private var map: StoreMap { store.map }

  init(store: SQLiteStore, connection: SQLiteConnection, external: ExternalDataWriter) {
    (self.store, self.connection, self.external) = (store, connection, external)
  }

  func write(_ request: SaveRequest) throws -> Written {
    try refuseForeignTriggers()
    let known = request.updated + request.deleted + request.checked
    let current = try store.currentRows(of: known.map(\.id), on: connection)
    let conflicts = ConflictCheck.conflicts(of: request, with: current)
    guard conflicts.isEmpty else { throw SaveConflicts(conflicts: conflicts) }
    let inserted = try store.assignKeys(request.inserted.map(\.id), on: connection)
    let plan = try SavePlan(
      request, map: map,
      permanent: Dictionary(zip(request.inserted.map(\.id), inserted), uniquingKeysWith: { first, _ in first }),
      current: current, external: external)
    for row in plan.rows where row.kind == .delete {
      if let old = current[row.id] { external.remove(old, of: row.entity.entity) }
    }
    var rows = RowWriter(connection: connection)
    try rows.write(plan)
    var joins = JoinWriter(connection: connection)
    try joins.write(plan)
    try writeMetadata()
    try HistoryWriter(connection: connection, schema: store.schema)
      .write(plan.rows, author: request.author, contextName: request.contextName)
    var written = try read(plan, inserted)
    written.own += try own(joins.moved, besides: plan)
    return written
  }

  /// Rows that only got another place: their versions are as they were.
  private func own(_ moved: [(table: String, key: Int64)], besides plan: SavePlan) throws -> [OwnSaves.Row] {
    let known = Set(plan.rows.map { $0.entity.table + "." + String($0.id.primaryKey) })
    return try moved.filter { !known.contains($0.table + "." + String($0.key)) }.compactMap { table, key in
      let row = try connection.rows("SELECT Z_ENT, Z_OPT FROM \(quoted(table)) WHERE Z_PK = ?", [.integer(key)]).first
      guard case .integer(let number)? = row?.first, case .integer(let version)? = row?.last else { return nil }
      return OwnSaves.Row(key: ObjectKey(entity: Int32(truncatingIfNeeded: number), primaryKey: key), version: version)
    }
  }

  /// The rows as the save has left them, triggers and conversions of SQLite included.
  private func read(_ plan: SavePlan, _ inserted: [NSManagedObjectID]) throws -> Written {
    var written = Written(inserted: inserted)
    written.rows = try store.currentRows(of: plan.rows.filter { $0.kind != .delete }.map(\.id), on: connection)
    written.deleted = plan.rows.filter { $0.kind == .delete }.map(\.id)
    written.own = plan.rows.map { row in
      OwnSaves.Row(
        key: ObjectKey(entity: row.entity.number, primaryKey: row.id.primaryKey),
        version: row.kind == .delete ? nil : written.rows[row.id]?.version)
    }
    return written
  }

  private func writeMetadata() throws {
    guard store.hasChangedMetadata else { return }
    let entries = store.metadataValues.sorted { $0.key < $1.key }.map { PropertyListValue.Entry($0.key, $0.value) }
    try connection.execute(
      "UPDATE Z_METADATA SET Z_PLIST = ? WHERE Z_VERSION = 1",
      [.blob(BinaryPropertyListWriter.bytes(.dictionary(entries)))])
  }

  /// Triggers of derived attributes call functions that only the framework has (reference/ODDITIES.md 11).
  private func refuseForeignTriggers() throws {
    guard let reason = try SQLiteStore.triggerRefusal(on: connection) else { return }
    throw NSError.coreData(NSPersistentStoreOperationError, reason, path: store.url?.path)
  }
}
