/// What a watcher knew of a store's rows when it ended, for one that follows the same store opened anew.
///
/// So what was committed between the two is told by object like every other change.
public struct StoreMemory: Sendable {
  /// The rows as they were told last.
  let baseline: Baseline
  let identity: StoreIdentity
  /// The last transaction of history that was told; `nil` for a store without history.
  let lastTransaction: Int64?
}

/// What the following of rows begins with.
struct FirstRows {
  let identity: StoreIdentity
  let tables: WatchedTables
  /// Nothing is known, or what is remembered, which is to be compared.
  let baseline: Baseline
  /// Whether the store's rows can no longer be compared with what is remembered of them.
  let isMemoryVoid: Bool

  /// Reads what rows mean now.
  init(_ store: SQLiteStore, watched: Set<String>, memory: StoreMemory?) throws {
    let identity = try store.withConnection { try StoreIdentity(of: watched, path: store.file.path, on: $0) }
    self.identity = identity
    tables = WatchedTables(map: store.map, layouts: identity.layouts)
    isMemoryVoid = memory.map { $0.identity.breach(by: identity) != nil } ?? false
    var baseline = Baseline(tables)
    if let memory, !isMemoryVoid {
      baseline = memory.baseline
      baseline.invalidate()
    }
    self.baseline = baseline
  }
}

/// Finds and tells what changed in a store, as long as rows mean what they meant.
protocol StoreFollowing: AnyObject {
  /// Whether every row is known, so that no change can be missed.
  var isBaselineBuilt: Bool { get }
  /// What is known of the rows; `nil` where that is not all, or something of it was not told yet.
  var memory: StoreMemory? { get }
  /// Looks at the store and answers what changed; `next` is when to go on without a notice.
  func look() throws -> (changes: [StoreChanges], next: Duration?)
}
