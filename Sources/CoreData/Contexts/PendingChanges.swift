/// Which objects of a context wait to be saved, and what its observers have not been told yet.
///
/// Two records of the same steps, a pure value. To be saved, each object waits in one way at most (reference/CONTEXT.md 18):
/// an inserted one that changes stays inserted, one that is deleted before it was saved does not wait any more. To be told,
/// each object counts once: by the net effect since the last time.
struct PendingChanges<Key: Hashable> {
  /// How an object waits to be saved.
  enum Kind { case inserted, updated, deleted }
  /// What became of an object since observers were told.
  enum Event { case inserted, updated, deleted, refreshed }

  private struct Entry {
    var kind: Kind
    var order: Int
  }
  private var entries: [Key: Entry] = [:]
  private var events: [Key: Event] = [:]
  private var lastOrder = 0

  /// How an object waits to be saved.
  func kind(of key: Key) -> Kind? { entries[key]?.kind }

  /// The objects that wait in one way, in the order they were first touched.
  func keys(_ kind: Kind) -> [Key] {
    entries.filter { $0.value.kind == kind }.sorted { $0.value.order < $1.value.order }.map(\.key)
  }

  /// Everything that waits, in the order it was first touched.
  var keys: [Key] { entries.sorted { $0.value.order < $1.value.order }.map(\.key) }

  /// Whether nothing waits to be saved.
  var isEmpty: Bool { entries.isEmpty }
  /// How many objects wait to be saved.
  var count: Int { entries.count }
  /// Whether observers have been told everything.
  var isTold: Bool { events.isEmpty }
  /// The objects that observers have yet to be told of.
  var untold: [Key] { Array(events.keys) }

  // MARK: Steps

  /// An object is new, or is back after it was to be deleted.
  mutating func insert(_ key: Key) {
    let wasSaved = entries[key]?.kind == .deleted
    wait(key, wasSaved ? .updated : .inserted)
    events[key] = wasSaved && events[key] == .deleted ? .updated : .inserted
  }

  /// An object was changed.
  mutating func update(_ key: Key) {
    switch entries[key]?.kind {
    case .deleted: return
    case nil: wait(key, .updated)
    case .inserted, .updated: break
    }
    if events[key] == nil || events[key] == .refreshed { events[key] = .updated }
  }

  /// An object is to go.
  mutating func delete(_ key: Key) {
    if entries[key]?.kind == .inserted {
      entries[key] = nil
    } else {
      wait(key, .deleted)
    }
    end(key)
  }

  /// An object has the values of the store.
  mutating func refresh(_ key: Key) {
    if events[key] == nil { events[key] = .refreshed }
  }

  /// An object gave its changes up.
  mutating func forgetUpdate(_ key: Key) {
    guard entries[key]?.kind == .updated else { return }
    entries[key] = nil
    events[key] = events[key] == .inserted ? .inserted : .refreshed
  }

  /// A new object is none any more.
  mutating func forgetInsertion(_ key: Key) {
    guard entries[key]?.kind == .inserted else { return }
    entries[key] = nil
    end(key)
  }

  /// A new object was found to be one that the store has.
  mutating func becomeUpdate(_ key: Key) {
    guard entries[key]?.kind == .inserted else { return }
    entries[key]?.kind = .updated
    if events[key] == nil { events[key] = .updated }
  }

  /// An object that was to be deleted stays.
  mutating func forgetDeletion(_ key: Key) {
    guard entries[key]?.kind == .deleted else { return }
    entries[key] = nil
    events[key] = events[key] == .deleted ? .refreshed : .inserted
  }

  /// Somebody else has inserted an object.
  mutating func mergeInsertion(_ key: Key) { events[key] = .inserted }

  /// Somebody else has deleted an object: nothing of it is left to be saved.
  mutating func mergeDeletion(_ key: Key) {
    let wasToldDeleted = entries[key]?.kind == .deleted && events[key] == nil
    entries[key] = nil
    if !wasToldDeleted { end(key) }
  }

  /// Everything that waited was saved, or one object of it.
  mutating func saved(_ key: Key) { entries[key] = nil }

  /// Takes what observers have not been told.
  mutating func takeEvents() -> [Key: Event] {
    defer { events = [:] }
    return events
  }

  private mutating func wait(_ key: Key, _ kind: Kind) {
    lastOrder += entries[key] == nil ? 1 : 0
    entries[key] = Entry(kind: kind, order: entries[key]?.order ?? lastOrder)
  }

  /// What came and went between two tellings is not told.
  private mutating func end(_ key: Key) {
    events[key] = events[key] == .inserted ? nil : .deleted
  }
}
