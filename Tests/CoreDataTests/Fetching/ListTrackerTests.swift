import Foundation
import TestSupport
import Testing

@testable import CoreData

/// A followed list against a fresh read of it, while another connection edits the store.
@Suite struct ListTrackerTests {
  private let sketch = ShapesModel()

  private func open(_ items: EditedItems) throws -> SQLiteStore {
    try NSPersistentStoreCoordinator(managedObjectModel: sketch.model)
      .openSQLiteStore(at: items.file.url, isReadOnly: false)
  }

  /// Applies an update to the keys before by the arithmetic of FRC 43, and compares everything that it says.
  private func check(_ update: ListUpdate, on old: KeyList, _ tracker: ListTracker) {
    let list = update.list
    var keys = old[0..<old.count]
    let gone = list.deletes.map { ($0.key, $0.position) } + list.moves.map { ($0.key, $0.from) }
    for (key, position) in gone.sorted(by: { $0.1 > $1.1 }) { #expect(keys.remove(at: position) == key) }
    let come = list.inserts.map { ($0.key, $0.position) } + list.moves.map { ($0.key, $0.to) }
    for (key, position) in come.sorted(by: { $0.1 < $1.1 }) { keys.insert(key, at: position) }
    let new = update.keys[0..<update.keys.count]
    #expect(keys == new)
    #expect(tracker.keys == update.keys)
    for step in list.updates { #expect(old[step.from] == step.key && update.keys[step.to] == step.key) }
    let touched = list.deletes.map(\.key) + list.inserts.map(\.key) + list.moves.map(\.key) + list.updates.map(\.key)
    #expect(Set(touched).count == list.count && list.count > 0, "one change an object")
    #expect(Set(update.rows.keys) == Set(touched).subtracting(list.deletes.map(\.key)).intersection(new))
    #expect(Set(update.changes.changes.map(\.key)).isSubset(of: touched))
    var applied = old
    applied.apply(list)
    #expect(applied == update.keys)
  }

  /// Each seed is 50 scripts: five lists at a time, ten times, with some commits.
  @Test(arguments: 0..<(LongRun.isOn ? 400 : 6)) func `what is told of a list makes a fresh read of it`(seed: Int)
    throws
  {
    let items = try EditedItems(sketch.model, seed: UInt64(seed))
    let store = try open(items)
    func fresh(_ tracker: ListTracker) throws -> KeyList { try store.keys(tracker.query, cancellation: nil) }
    for _ in 0..<10 {
      var trackers: [ListTracker] = []
      // What happened before a list was read can be told to it afterwards.
      var told: [StoreChanges] = []
      if items.chance(3) { told.append(try items.commit(edits: 3)) }
      for _ in 0..<5 {
        let query = items.query()
        trackers.append(
          ListTracker(
            query, columns: ["name", "rank"], keys: try store.keys(query, cancellation: nil), store: store))
        if items.chance(5) { told.append(try items.commit(edits: 2)) }
      }
      // Changes are told at once, or when more has happened already.
      for _ in 0..<Int.random(in: 1...6, using: &items.random) {
        told.append(try items.commit(edits: items.chance(5) ? 50 : Int.random(in: 1...6, using: &items.random)))
        if items.chance(3) { continue }
        for number in trackers.indices {
          for changes in told {
            let old = trackers[number].keys
            guard let update = try trackers[number].apply(changes) else {
              #expect(trackers[number].keys == old)
              continue
            }
            check(update, on: old, trackers[number])
          }
          #expect(try trackers[number].keys == fresh(trackers[number]), "\(trackers[number].query)")
        }
        told = []
      }
    }
  }

  private func withItems(_ body: (TemporaryStore, SQLiteStore) throws -> Void) throws {
    let file = try TemporaryStore(model: sketch.model)
    try file.write(
      """
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZRANK) VALUES
      (1, 3, 1, 'a', 10), (2, 3, 1, 'b', 20), (3, 4, 1, 'c', 30), (4, 5, 1, 'd', 40);
      """)
    let store = try NSPersistentStoreCoordinator(managedObjectModel: sketch.model)
      .openSQLiteStore(at: file.url, isReadOnly: false)
    try body(file, store)
  }

  private func tracker(_ query: ListQuery, _ store: SQLiteStore) throws -> ListTracker {
    ListTracker(query, columns: ["name"], keys: try store.keys(query, cancellation: nil), store: store)
  }

  private func changes(_ changes: StoreChanges.Change...) -> StoreChanges {
    StoreChanges(changes, date: Date(timeIntervalSinceReferenceDate: 0), source: .pages)
  }

  private func key(_ number: Int64, _ entity: Int32 = 3) -> ObjectKey { ObjectKey(entity: entity, primaryKey: number) }

  @Test func `a change of another entity, or of what a search leaves out, is not told`() throws {
    try withItems { (file: TemporaryStore, store: SQLiteStore) throws -> Void in
      var books = try tracker(ListQuery(entity: "Book"), store)
      #expect(try books.apply(changes(.init(.update, key(1)))) == nil)
      var found = try tracker(ListQuery(entity: "Item", text: "b"), store)
      #expect(try found.apply(changes(.init(.update, key(1)))) == nil)
      #expect(found.keys == KeyList([key(2)]))
    }
  }

  @Test func `an insert that the list was read with is not told again, an update is`() throws {
    try withItems { (file: TemporaryStore, store: SQLiteStore) throws -> Void in
      var list = try tracker(ListQuery(entity: "Item", sort: [ListSortKey("rank")]), store)
      #expect(try list.apply(changes(.init(.insert, key(2)))) == nil)
      let update = try #require(try list.apply(changes(.init(.insert, key(2)), .init(.update, key(1)))))
      #expect(update.list == ListChanges(updates: [.init(key(1), from: 0, to: 0)]))
      #expect(update.changes.changes.map(\.key) == [key(1)])
      #expect(update.rows[key(1)]?.cells == [.text("a", length: 1)])
      // Told as gone, or as new, but the store knows better.
      #expect(try list.apply(changes(.init(.delete, key(9)))) == nil)
      #expect(try list.apply(changes(.init(.insert, key(9)))) == nil)
    }
  }

  @Test func `a key whose sort value changed is told as moved, one that only shifts is not`() throws {
    try withItems { (file: TemporaryStore, store: SQLiteStore) throws -> Void in
      var list = try tracker(ListQuery(entity: "Item", sort: [ListSortKey("rank")]), store)
      try file.write("UPDATE ZITEM SET ZRANK = 35 WHERE Z_PK = 1; UPDATE ZITEM SET ZNAME = 'B' WHERE Z_PK = 2;")
      let rank = StoreChanges.Change.Values(old: .integer(10), new: .integer(35))
      let name = StoreChanges.Change.Values(old: .text("b"), new: .text("B"))
      let update = try #require(
        try list.apply(
          changes(
            .init(.update, key(1), properties: ["rank": rank]), .init(.update, key(2), properties: ["name": name]))))
      #expect(
        update.list
          == ListChanges(
            moves: [.init(key(1), from: 0, to: 2)], updates: [.init(key(2), from: 1, to: 0)]))
      #expect(list.keys == KeyList([key(2), key(3, 4), key(1), key(4, 5)]))
    }
  }

  @Test func `of many rows no cells are sent along`() throws {
    try withItems { (file: TemporaryStore, store: SQLiteStore) throws -> Void in
      var list = try tracker(ListQuery(entity: "Item", sort: [ListSortKey("name", ascending: false)]), store)
      try file.write(
        """
        WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 510)
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 3, 1, 'n' || i FROM n;
        """)
      let all = StoreChanges(
        (10...510).map { .init(.insert, key($0)) }, date: Date(timeIntervalSinceReferenceDate: 0), source: .pages)
      let update = try #require(try list.apply(all))
      #expect(update.list.inserts.count == 501 && update.list.count == 501)
      #expect(update.rows.isEmpty)
      #expect(update.keys == (try store.keys(list.query, cancellation: nil)))
    }
  }

  @Test func `a context makes a tracker, from keys that were read before as well`() throws {
    try withItems { (file: TemporaryStore, store: SQLiteStore) throws -> Void in
      let context = try file.context(of: sketch.model)
      try context.performAndWait { () throws -> Void in
        let query = ListQuery(entity: "Item", sort: [ListSortKey("rank", ascending: false)])
        var tracker = try context.listTracker(query, columns: ["name"])
        #expect(tracker.keys == KeyList([key(4, 5), key(3, 4), key(2), key(1)]))
        var early = try context.listTracker(query, columns: ["name"], keys: KeyList([key(4, 5), key(2), key(1)]))
        #expect(try tracker.readAnew(changes()) == nil)
        let update = try #require(try early.readAnew(changes()))
        #expect(update.list == ListChanges(inserts: [.init(key(3, 4), at: 1)]))
        #expect(early.keys == tracker.keys)
      }
    }
  }
}
