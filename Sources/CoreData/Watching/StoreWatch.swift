import Glibc

/// What a store says of itself at one look.
struct StoreLook: Equatable, Sendable {
  /// Whether a commit is written that is not yet to be seen.
  let isCommitPending: Bool
  /// Moves with every commit that is to be seen; nil while the store is locked by its writer.
  let version: Int64?
}

/// What was last seen of a store, and what a new look reports against it.
struct StoreWatch: Sendable {
  private enum Presence { case present, replaced, removed }

  private let path: String
  private let identity: FileIdentity
  private var version: Int64?
  private var isLookSettled: Bool
  private var presence = Presence.present
  private var journals: [Bool]

  /// Begins with the file at `path` as it is now; nil where there is none.
  init?(path: String, first look: StoreLook) {
    guard let identity = FileIdentity(path: path) else { return nil }
    (self.path, self.identity, version, journals) = (path, identity, look.version, Self.journals(of: path))
    isLookSettled = !look.isCommitPending && look.version != nil
  }

  /// Whether no further look is due without a notice.
  var isSettled: Bool { isLookSettled || presence != .present }

  /// Takes a new look and returns what has changed since the one before.
  mutating func update(_ new: StoreLook) -> [SignalEvent] {
    var events: [SignalEvent] = []
    let now = FileIdentity(path: path)
    let (before, after) = (presence, now == nil ? Presence.removed : now == identity ? .present : .replaced)
    presence = after
    if before != after, after == .removed { events.append(.removed) }
    if before != after, after == .replaced { events.append(.replaced) }
    let present = Self.journals(of: path)
    if present != journals { events.append(.journalsChanged) }
    journals = present
    // A file that was moved away and is back may have changed while nobody watched it.
    let hasMoved = new.version != nil && new.version != version
    if after == .present, hasMoved || before != .present { events.append(.committed) }
    version = new.version ?? version
    isLookSettled = !new.isCommitPending && new.version != nil
    return events
  }

  private static func journals(of path: String) -> [Bool] {
    ["-wal", "-journal"].map { access(path + $0, F_OK) == 0 }
  }
}
