import Glibc

/// What was last seen of a store, and what a new look reports against it.
struct StoreWatch: Sendable {
  private enum Presence { case present, replaced, removed }

  private let path: String
  private let identity: FileIdentity
  private var look: StoreLook
  private var presence = Presence.present
  private var journals: [Bool]

  /// Begins with the file at `path` as it is now; nil where there is none.
  init?(path: String, first look: StoreLook) {
    guard let identity = FileIdentity(path: path) else { return nil }
    (self.path, self.identity, self.look, journals) = (path, identity, look, Self.journals(of: path))
  }

  /// Whether no further look is due without a notice.
  var isSettled: Bool { look.isSettled || presence != .present }

  /// Takes a new look and returns what has changed since the one before.
  mutating func update(_ new: StoreLook) -> [StoreEvent] {
    var events: [StoreEvent] = []
    let now = FileIdentity(path: path)
    let (before, after) = (presence, now == nil ? Presence.removed : now == identity ? .present : .replaced)
    presence = after
    if before != after, after == .removed { events.append(.removed) }
    if before != after, after == .replaced { events.append(.replaced) }
    let present = Self.journals(of: path)
    if present != journals { events.append(.journalsChanged) }
    journals = present
    // A file that was moved away and is back may have changed while nobody watched it.
    if after == .present, new.version != look.version || before != .present { events.append(.committed) }
    look = new
    return events
  }

  private static func journals(of path: String) -> [Bool] {
    ["-wal", "-journal"].map { access(path + $0, F_OK) == 0 }
  }
}
