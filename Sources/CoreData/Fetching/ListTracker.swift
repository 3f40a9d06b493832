import Foundation

/// Keeps the keys of one list in step with its store, and tells what each change of the store does to the list.
///
/// Made by `NSManagedObjectContext.listTracker`. A value without a queue of its own: each call reads the store on the thread
/// that makes it. A single change costs some rows read by key, whatever the sort and however long the list; where many objects
/// changed at once, or a place cannot be told from single rows, all keys are read anew and compared.
///
/// Changes may be told that the list contains already, since it was read later than they happened: the truth is what the
/// store holds. They must all be told in the end, and in their order.
public struct ListTracker: Sendable {
  /// What is followed.
  public let query: ListQuery
  /// The properties that rows are read with.
  public let columns: [String]
  /// The keys of the list as it is now.
  public private(set) var keys: KeyList
  private let store: SQLiteStore

  init(_ query: ListQuery, columns: [String], keys: KeyList, store: SQLiteStore) {
    self.query = query
    self.columns = columns
    self.keys = keys
    self.store = store
  }

  /// What changes of the store do to the list; `nil` when they do not concern it.
  ///
  /// Throws errors of the Cocoa domain, `CocoaError.userCancelled` once `cancellation` is used; the list is then as it was,
  /// and the same changes can be told again.
  public mutating func apply(_ changes: StoreChanges, cancellation: FetchCancellation? = nil) throws -> ListUpdate? {
    let list = try ListSelect(query, in: store)
    let numbers = list.entity.numbers
    let own = changes.changes.filter { numbers.contains($0.key.entity) }
    if dependsOnOthers(list, changes) { return try readAnew(changes, cancellation: cancellation) }
    if own.isEmpty { return nil }
    if list.isOrderedByJoin || own.count > Self.singleLimit(keys.count) {
      return try readAnew(changes, cancellation: cancellation)
    }
    do {
      let keys = keys
      let query = query
      let (places, new) = try store.withConnection(cancellation) { connection in
        try connection.readTransaction {
          var placer = ListPlacer(query, keys: keys, reader: ListPlaceReader(list, on: connection))
          return try placer.place(own)
        }
      }
      return try update(changes, ListChanges(places), keys: new, cancellation: cancellation)
    } catch is ListPlacer.Doubt {
      return try readAnew(changes, cancellation: cancellation)
    }
  }

  /// Reads all keys and tells how the list differs from what it was; `nil` when it does not.
  ///
  /// For changes that nobody could name: `changes` can be empty.
  public mutating func readAnew(
    _ changes: StoreChanges, cancellation: FetchCancellation? = nil
  ) throws -> ListUpdate? {
    let new = try store.keys(query, cancellation: cancellation)
    let list = ListChanges(from: keys, to: new, changed: Set(changes.changes.map(\.key)))
    return try update(changes, list, keys: new, cancellation: cancellation)
  }

  /// More changes than this are dearer one by one than reading the whole list.
  private static func singleLimit(_ count: Int) -> Int { max(32, count / 500) }

  /// Whether changes of other objects can change which objects are in the list, and where: of those that the filter and the
  /// order look at through relationships, and of the one whose relationship the list shows, where the relationship is not
  /// kept by the list's own objects.
  private func dependsOnOthers(_ list: ListSelect, _ changes: StoreChanges) -> Bool {
    if changes.changes.contains(where: { list.crossed.contains($0.key.entity) }) { return true }
    guard case .related(let source, let name) = query.scope else { return false }
    switch store.map[source.entity]?.properties[name] {
    case .inverse, .referrers: return false
    default: break
    }
    return changes.changes.contains { change in
      change.key == source && (change.properties.map { $0[name] != nil } ?? true || change.kind != .update)
    }
  }

  private mutating func update(
    _ changes: StoreChanges, _ list: ListChanges, keys new: KeyList, cancellation: FetchCancellation?
  ) throws -> ListUpdate? {
    var list = list
    // A new object that was in the list before, and stays where it is, was read with the list.
    let inserted = Set(changes.changes.lazy.filter { $0.kind == .insert }.map(\.key))
    list.updates.removeAll { inserted.contains($0.key) }
    let present = list.inserts.map(\.key) + list.moves.map(\.key) + list.updates.map(\.key)
    var rows: [ObjectKey: ListRow] = [:]
    if !present.isEmpty && present.count <= ListUpdate.rowLimit {
      let window = try store.window(
        query, columns: columns, at: .keys(present), limit: present.count, cancellation: cancellation)
      rows = Dictionary(window.rows.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    }
    keys = new
    if list.isEmpty { return nil }
    let touched = Set(present + list.deletes.map(\.key))
    var own = changes
    own.changes.removeAll { !touched.contains($0.key) }
    return ListUpdate(changes: own, list: list, keys: new, rows: rows)
  }
}
