import Foundation

/// Why a store is not followed any further.
struct Disconnection: Error {
  let liveness: StoreLiveness
}

/// Follows a store that is read in place: what of it was seen, and which objects changed since.
///
/// Changed rows are found by the pages of the write-ahead log where they tell. Where they do not, and with a rollback
/// journal, all rows are compared with a baseline, in short reads that keep no writer waiting. The baseline of a large
/// store is made in the background; of what changed before it was made, and pages do not tell, it is said that something
/// did. Persistent history, which only Core Data keeps, finds no rows; it names who changed them. Not for use by two
/// threads at once.
final class StoreFollower: StoreFollowing {
  /// How the baseline is made.
  struct Pace: Sendable {
    /// A store up to this size is read at once.
    var smallStore = 8 << 20
    /// How long a larger one has to be quiet before, and how long that is waited for.
    var quiet = Duration.seconds(1)
    var longestWait = Duration.seconds(5)
    /// How long one read lasts, and how long one waits between two where nobody waits for the result.
    var read = Duration.milliseconds(8)
    var pause = Duration.milliseconds(12)
  }

  private let rows: RowWatch
  private let files: StoreFiles
  private let pace: Pace
  private var teller: ChangeTeller
  private var pending = UntoldChanges()
  /// Whether it is still to be told how the rows differ from what is remembered.
  private var owesComparison: Bool
  private let began = ContinuousClock.now
  private var lastChange = ContinuousClock.now

  /// Begins with the store as it is now, or with what an earlier watcher remembers of it.
  init(_ store: SQLiteStore, files: StoreFiles, pageLimit: Int, pace: Pace, memory: StoreMemory?) throws {
    (self.files, self.pace, owesComparison) = (files, pace, memory != nil)
    rows = try RowWatch(store, files: files, pageLimit: pageLimit, memory: memory)
    teller = try ChangeTeller(store, tables: rows.tables, after: memory?.lastTransaction)
    guard memory != nil else { return }
    pending.source = .comparison
    pending.isComplete = !rows.isMemoryVoid
  }

  var isBaselineBuilt: Bool { rows.baseline.isBuilt }

  var memory: StoreMemory? {
    guard rows.baseline.isBuilt, rows.baseline.isCurrent, pending.isEmpty, !owesComparison else { return nil }
    return StoreMemory(baseline: rows.baseline, identity: rows.identity, lastTransaction: teller.lastTransaction)
  }

  /// Looks at the store, reads on for a moment where rows are to be compared, and answers what changed.
  ///
  /// `next` is when to go on without a notice. Throws a `Disconnection` where rows no longer mean what they meant; after
  /// other errors one may try again, nothing is lost by them.
  func look() throws -> (changes: [StoreChanges], next: Duration?) {
    guard files.areCurrent else { throw Disconnection(liveness: .outdated) }
    var told: [StoreChanges] = []
    // Related rows are read through a connection, which must show the state whose rows were found.
    for attempt in 1...4 {
      let state = files.state()
      if try rows.find(&pending) { lastChange = .now }
      try rows.confirmIdentity()
      if !rows.baseline.isCurrent { try rows.compare(&pending, at: state, for: pace.read) }
      guard rows.baseline.isCurrent else { return ([], .milliseconds(1)) }
      try rows.confirmIdentity()
      let changes = try teller.changes(of: pending)
      if !rows.isStillFound(state) {
        guard attempt == 4 else { continue }
        // A store that is never at rest is told all the same. Of nothing nothing is told, for history may show a commit
        // here whose rows the next look finds.
        if pending.isEmpty { return ([], .milliseconds(1)) }
      }
      told = teller.tell(changes, of: pending)
      if owesComparison, told.isEmpty { told = [StoreChanges([], date: .now, source: .comparison)] }
      (pending, owesComparison) = (UntoldChanges(), false)
      guard rows.baseline.isBuilt else { return (told, try goOnBuilding(at: state)) }
      break
    }
    return (told, rows.isUnsettled ? .milliseconds(20) : nil)
  }

  /// Makes the baseline, for a moment, when it is time to; answers when to go on.
  private func goOnBuilding(at state: StoreFiles.State?) throws -> Duration {
    let isSmall = files.main.size <= pace.smallStore
    let (now, due) = (ContinuousClock.now, min(lastChange + pace.quiet, began + pace.longestWait))
    guard isSmall || now >= due else { return now.duration(to: due) }
    try rows.build(at: state, for: pace.read)
    return isSmall ? .milliseconds(1) : pace.pause
  }
}

/// What was found and not yet told.
struct UntoldChanges {
  var rows = RowDeltas()
  var source = StoreChanges.Source.pages
  /// False where rows changed that cannot be named.
  var isComplete = true

  var isEmpty: Bool { rows.isEmpty && isComplete }
}
