/// Learns the rows of a store that is read as a snapshot or from a copy, and tells how they differ from what is remembered.
///
/// Nothing changes in what it reads; what takes its place is opened anew, by a watcher that remembers these rows. Not for use
/// by two threads at once.
final class SnapshotFollower: StoreFollowing {
  private let store: SQLiteStore
  private let pace: StoreFollower.Pace
  private let identity: StoreIdentity
  private var baseline: Baseline
  private var teller: ChangeTeller
  private var pending = UntoldChanges()
  /// Whether it is still to be told how the rows differ from what is remembered.
  private var owesComparison: Bool
  private let began = ContinuousClock.now

  /// Begins with what an earlier watcher remembers, if anything.
  init(_ store: SQLiteStore, pace: StoreFollower.Pace, memory: StoreMemory?) throws {
    (self.store, self.pace, owesComparison) = (store, pace, memory != nil)
    let first = try FirstRows(store, watched: WatchedTables.names(in: store.map), memory: memory)
    (identity, baseline) = (first.identity, first.baseline)
    teller = try ChangeTeller(store, tables: first.tables, after: memory?.lastTransaction)
    pending.source = .comparison
    pending.isComplete = !first.isMemoryVoid
  }

  var isBaselineBuilt: Bool { baseline.isBuilt }

  var memory: StoreMemory? {
    guard baseline.isBuilt, baseline.isCurrent, !owesComparison else { return nil }
    return StoreMemory(baseline: baseline, identity: identity, lastTransaction: teller.lastTransaction)
  }

  /// Reads on for a moment; the changes are those since what is remembered, told once.
  ///
  /// Throws a `Disconnection` where there is something newer, of which nothing is read here.
  func look() throws -> (changes: [StoreChanges], next: Duration?) {
    guard isUnchanged else { throw Disconnection(liveness: .outdated) }
    if !baseline.isCurrent { try read(beyond: false) }
    guard baseline.isCurrent else { return ([], .milliseconds(1)) }
    var told: [StoreChanges] = []
    if owesComparison {
      let changes = try teller.changes(of: pending)
      guard isUnchanged else { throw Disconnection(liveness: .outdated) }
      told = teller.tell(changes, of: pending)
      if told.isEmpty { told = [StoreChanges([], date: .now, source: .comparison)] }
      (pending, owesComparison) = (UntoldChanges(), false)
    }
    guard !baseline.isBuilt else { return (told, nil) }
    let isSmall = store.file.size <= pace.smallStore
    let (now, due) = (ContinuousClock.now, began + pace.quiet)
    guard isSmall || now >= due else { return (told, now.duration(to: due)) }
    try read(beyond: true)
    return (told, isSmall ? .milliseconds(1) : pace.pause)
  }

  /// Whether what is read is what was opened: a copy always is.
  private var isUnchanged: Bool { store.ladder?.access == .copy || FileStamp(store.file) == store.stamp }

  private func read(beyond: Bool) throws {
    var attempt = baseline
    let deadline = ContinuousClock.now + pace.read
    let found = try store.withConnection { connection in
      try connection.readTransaction {
        try attempt.read(on: connection, beyond: beyond, isEnough: { ContinuousClock.now >= deadline })
      }
    }
    // Where somebody began to write the file, pages of two states may have been read.
    guard isUnchanged else { return }
    baseline = attempt
    for row in found { pending.rows.add(row.delta, table: row.table, rowid: row.rowid) }
  }
}
