import Foundation

/// Finds the rows of a store that changed: by pages where they tell, by comparing with a baseline where not.
///
/// Not for use by two threads at once.
final class RowWatch {
  private let store: SQLiteStore
  private let files: StoreFiles
  private let watched: Set<String>
  /// Whether there are tables that cannot be followed row by row: what changes there is not told by object.
  private let hasOthers: Bool
  let identity: StoreIdentity
  let tables: WatchedTables
  private(set) var baseline: Baseline
  /// Whether rows can no longer be compared with what is remembered of them.
  let isMemoryVoid: Bool
  /// nil for a store with a rollback journal, and where pages never tell.
  private var pages: WALChangeFinder?
  private var failures = 0
  private var isDoubted = false
  /// Without pages: the version that was seen last, whether it moved since rows began to be compared, and how often
  /// in succession it did.
  private var version: Int64?
  private var didMove = false
  private var restlessPasses = 0
  /// How long one read lasts: less where commits come between.
  private var stretch = Duration.milliseconds(8)

  /// Begins with the store as it is now, or with what an earlier watcher remembers of it.
  init(_ store: SQLiteStore, files: StoreFiles, pageLimit: Int, memory: StoreMemory? = nil) throws {
    (self.store, self.files) = (store, files)
    let watched = WatchedTables.names(in: store.map)
    self.watched = watched
    hasOthers = store.map.entities.contains { !$0.isFollowed && !$0.isView }
    // The pages and the version first: what changes after them is found.
    pages = files.log.map {
      WALChangeFinder(main: files.main, log: $0.file, index: $0.index, pageLimit: pageLimit)
    }
    version = files.version()
    let first = try FirstRows(store, watched: watched, memory: memory)
    (identity, tables, baseline) = (first.identity, first.tables, first.baseline)
    isMemoryVoid = first.isMemoryVoid
  }

  /// Whether there is more to find that no notice will tell of.
  var isUnsettled: Bool { pages == nil && version == nil }

  /// Whether nothing was committed since rows were found; `state` is the one that was found last.
  func isStillFound(_ state: StoreFiles.State?) -> Bool {
    files.log == nil ? files.visibleVersion() == version : files.state() == state
  }

  /// Finds what changed since the last time; true where something did.
  func find(_ pending: inout UntoldChanges) throws -> Bool {
    switch pages?.find() {
    case .rows(let changed):
      failures = 0
      if changed.contains(where: { StoreIdentity.tables.contains($0.table) }) { isDoubted = true }
      for table in changed {
        guard let layout = tables[table.table]?.layout else {
          if hasOthers { pending.isComplete = false }
          continue
        }
        for row in table.rows { try take(row, layout, &pending) }
      }
      return !changed.isEmpty
    case .fullComparisonNeeded(let reason):
      // Where pages never tell, as in a database of another encoding, rows are compared from now on.
      failures = reason == .unreadable || reason == .nothingToGoBy ? failures + 1 : 0
      if failures > 3 { pages = nil }
      version = files.version()
      invalidate(&pending)
      return true
    case nil:
      return findByVersion(&pending)
    }
  }

  private func findByVersion(_ pending: inout UntoldChanges) -> Bool {
    // While a writer holds the store the signal looks again.
    guard let now = files.version() else { return false }
    let hasMoved = now != version
    version = now
    guard hasMoved else { return false }
    isDoubted = true
    if hasOthers { pending.isComplete = false }
    if baseline.isCurrent { invalidate(&pending) } else { didMove = true }
    return true
  }

  private func invalidate(_ pending: inout UntoldChanges) {
    if !baseline.isBuilt || hasOthers { pending.isComplete = false }
    isDoubted = true
    pending.source = .comparison
    baseline.invalidate()
  }

  private func take(_ row: RowChange, _ layout: TableLayout, _ pending: inout UntoldChanges) throws {
    func values(_ record: StoredRecord?) throws -> [RecordValue]? {
      guard let record else { return nil }
      guard let values = layout.values(of: record, rowid: row.rowid) else {
        throw Disconnection(liveness: .schemaChanged)
      }
      return values
    }
    let delta = RowDelta(before: try values(row.before), after: try values(row.after))
    guard baseline.take(delta, table: layout.name, rowid: row.rowid) else { return }
    pending.rows.add(delta, table: layout.name, rowid: row.rowid)
  }

  /// Makes sure that rows mean what they meant, where that is in doubt: before rows are compared, and before they are told.
  func confirmIdentity() throws {
    guard isDoubted else { return }
    let now: StoreIdentity
    do {
      now = try store.withConnection { try StoreIdentity(of: watched, path: files.main.path, on: $0) }
    } catch let error as NSError where error.code == NSPersistentStoreTypeMismatchError {
      throw Disconnection(liveness: .modelChanged)
    }
    switch identity.breach(by: now) {
    case .modelChanged: throw Disconnection(liveness: .modelChanged)
    case .schemaChanged: throw Disconnection(liveness: .schemaChanged)
    case nil: isDoubted = false
    }
  }

  // MARK: Comparing

  /// Compares rows with the baseline for a moment; `state` is the one that was found last.
  func compare(_ pending: inout UntoldChanges, at state: StoreFiles.State?, for time: Duration) throws {
    for found in try read(beyond: false, at: state, for: time) {
      pending.rows.add(found.delta, table: found.table, rowid: found.rowid)
    }
    guard pages == nil, baseline.isCurrent else { return }
    isDoubted = true
    guard didMove else {
      restlessPasses = 0
      return
    }
    // Rows were read one after the other while the store was written: once more, so that what is told is one state.
    // Where the store is never at rest it is told all the same.
    didMove = false
    restlessPasses += 1
    guard restlessPasses > 3 else { return baseline.invalidate() }
    (restlessPasses, version) = (0, nil)
  }

  /// Makes the baseline for a moment; `state` is the one that was found last.
  func build(at state: StoreFiles.State?, for time: Duration) throws {
    _ = try read(beyond: true, at: state, for: time)
  }

  private func read(beyond: Bool, at state: StoreFiles.State?, for time: Duration) throws -> [Baseline.Found] {
    // Only what shows the very state that was found last may be compared with it.
    if pages != nil, state == nil { return [] }
    var attempt = baseline
    let deadline = ContinuousClock.now + min(time, stretch)
    let isByVersion = pages == nil
    var seen: Int64?
    let found: [Baseline.Found] = try store.withConnection { connection in
      try connection.readTransaction { () throws -> [Baseline.Found] in
        // The transaction begins with the first read.
        if isByVersion {
          _ = try connection.rows("SELECT 1 FROM sqlite_schema LIMIT 1")
          seen = files.visibleVersion()
        }
        return try attempt.read(on: connection, beyond: beyond, isEnough: { ContinuousClock.now >= deadline })
      }
    }
    if isByVersion {
      if seen != version {
        // The next look finds it; rows that were never compared would hide what changed in them.
        guard !beyond else { return [] }
        didMove = true
      }
    } else if files.state() != state {
      stretch = max(stretch / 2, .microseconds(500))
      return []
    }
    stretch = min(stretch * 2, time)
    baseline = attempt
    return found
  }
}
