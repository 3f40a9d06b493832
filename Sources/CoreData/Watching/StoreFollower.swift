import Foundation

/// Why a store is not followed any further.
struct Disconnection: Error {
  let liveness: StoreLiveness
}

/// Follows a store that is read in place: what of it was seen, and which objects changed since.
///
/// Changed rows are found by the pages of the write-ahead log where they tell, else by comparing all rows with a
/// baseline; persistent history, which other writers than Core Data do not keep, only names who made them. Not for use by
/// two threads at once.
final class StoreFollower {
  private let store: SQLiteStore
  private let files: StoreFiles
  private let tables: WatchedTables
  private let watched: Set<String>
  private let identity: StoreIdentity
  private var pages: WALChangeFinder?
  /// What was found and not yet told.
  private var pending = RowDeltas()
  private var source = StoreChanges.Source.pages
  private var isComplete = true

  /// Begins with the store as it is now.
  init(_ store: SQLiteStore, files: StoreFiles, pageLimit: Int) throws {
    (self.store, self.files) = (store, files)
    let watched = WatchedTables.names(in: store.map)
    self.watched = watched
    // The pages first: what changes after them is found.
    pages = files.log.map {
      WALChangeFinder(main: files.main, log: $0.file, index: $0.index, pageLimit: pageLimit)
    }
    identity = try store.withConnection {
      try StoreIdentity(of: watched, path: files.main.path, on: $0)
    }
    tables = WatchedTables(map: store.map, layouts: identity.layouts)
  }

  /// What changed since the last look.
  ///
  /// Throws a `Disconnection` where rows no longer mean what they meant; other errors pass, and nothing is lost by them.
  func look() throws -> [StoreChanges] {
    guard files.areCurrent else { throw Disconnection(liveness: .outdated) }
    guard pages != nil, let log = files.log else { return [] }
    // Related rows are read through a connection, which must show the state whose rows were found.
    for attempt in 1... {
      let published = WALIndex.read(log.index)
      try findRows()
      let changes = try translated()
      guard attempt < 4, published == nil || WALIndex.read(log.index) != published else {
        pending = RowDeltas()
        defer { (source, isComplete) = (.pages, true) }
        return changes
      }
    }
    return []
  }

  private func findRows() throws {
    guard let finding = pages?.find() else { return }
    switch finding {
    case .rows(let changed):
      if changed.contains(where: { StoreIdentity.tables.contains($0.table) }) { try checkIdentity() }
      for table in changed {
        guard let layout = tables[table.table]?.layout else { continue }
        for row in table.rows { try take(row, layout) }
      }
    case .fullComparisonNeeded:
      try checkIdentity()
      (source, isComplete) = (.comparison, false)
    }
  }

  private func take(_ row: RowChange, _ layout: TableLayout) throws {
    func values(_ record: StoredRecord?) throws -> [RecordValue]? {
      guard let record else { return nil }
      guard let values = layout.values(of: record, rowid: row.rowid) else {
        throw Disconnection(liveness: .schemaChanged)
      }
      return values
    }
    let delta = RowDelta(before: try values(row.before), after: try values(row.after))
    pending.add(delta, table: layout.name, rowid: row.rowid)
  }

  private func checkIdentity() throws {
    let now: StoreIdentity
    do {
      now = try store.withConnection { try StoreIdentity(of: watched, path: files.main.path, on: $0) }
    } catch let error as NSError where error.code == NSPersistentStoreTypeMismatchError {
      throw Disconnection(liveness: .modelChanged)
    }
    switch identity.breach(by: now) {
    case .modelChanged: throw Disconnection(liveness: .modelChanged)
    case .schemaChanged: throw Disconnection(liveness: .schemaChanged)
    case nil: return
    }
  }

  // MARK: Telling

  private func translated() throws -> [StoreChanges] {
    guard !pending.isEmpty || !isComplete else { return [] }
    let changes = try store.withConnection { connection in
      try ChangeTranslator(tables: tables).changes(
        of: pending, entities: { try Self.entities(of: $1, in: $0, on: connection) }, isOwn: { _, _ in false })
    }
    guard !changes.isEmpty || !isComplete else { return [] }
    var told = StoreChanges(changes, date: Date(), source: source)
    told.isComplete = isComplete
    return [told]
  }

  /// The entity numbers of the rows that are there.
  private static func entities(
    of keys: [Int64], in table: WatchedTable, on connection: SQLiteConnection
  ) throws -> [Int64: Int32] {
    var found: [Int64: Int32] = [:]
    for start in stride(from: 0, to: keys.count, by: 500) {
      let list = keys[start..<min(start + 500, keys.count)].map(String.init).joined(separator: ",")
      for row in try connection.rows(
        "SELECT Z_PK, Z_ENT FROM \(quoted(table.layout.name)) WHERE Z_PK IN (\(list))")
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
