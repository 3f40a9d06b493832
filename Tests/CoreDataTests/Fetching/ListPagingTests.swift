import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Windows of a list, put together in any way, are the list that a plain sort of all rows gives.
@Suite struct ListPagingTests {
  @Test(arguments: 0..<40) func `any way of paging gives the sorted list`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let sketch = ShapesModel()
    let file = try TemporaryStore(model: sketch.model)
    let items = RandomItems(using: &random)
    try file.write(items.sql)
    // A rollback journal is read in short stretches, so that no writer waits long.
    if seed % 2 == 1 { try file.write("PRAGMA journal_mode = DELETE") }
    let store = try NSPersistentStoreCoordinator(managedObjectModel: sketch.model)
      .openSQLiteStore(at: file.url, isReadOnly: true)
    for _ in 0..<12 {
      let query = ListQuery.random(using: &random)
      let expected = items.keys(of: query)
      let limit = Int.random(in: 1...7, using: &random)
      let keys = try store.keys(query, cancellation: nil)
      #expect(keys[0..<keys.count] == expected, "\(query)")
      #expect(try forwards(store, query, limit: limit) == expected, "\(query)")
      #expect(try backwards(store, query, limit: limit) == expected, "\(query)")
      try checkStretches(store, query, expected, &random)
      let filtered = ListQuery.randomlyFiltered(using: &random)
      let all = try store.keys(filtered, cancellation: nil)
      #expect(try forwards(store, filtered, limit: limit) == Array(all[0..<all.count]), "\(filtered)")
      #expect(try backwards(store, filtered, limit: limit) == Array(all[0..<all.count]), "\(filtered)")
      #expect(try store.count(filtered, cancellation: nil) == all.count, "\(filtered)")
    }
  }

  private func window(
    _ store: SQLiteStore, _ query: ListQuery, _ place: WindowPlace, limit: Int
  ) throws -> ListWindow {
    try store.window(query, columns: ["name", "rank"], at: place, limit: limit, cancellation: nil)
  }

  private func forwards(_ store: SQLiteStore, _ query: ListQuery, limit: Int) throws -> [ObjectKey] {
    var keys: [ObjectKey] = []
    var place = WindowPlace.start
    while true {
      let window = try window(store, query, place, limit: limit)
      #expect(window.reachesStart == (place == .start))
      keys += window.rows.map(\.key)
      guard !window.reachesEnd, let last = keys.last, window.rows.count == limit else {
        #expect(window.reachesEnd)
        return keys
      }
      place = .after(last)
    }
  }

  private func backwards(_ store: SQLiteStore, _ query: ListQuery, limit: Int) throws -> [ObjectKey] {
    var keys: [ObjectKey] = []
    var place = WindowPlace.end
    while true {
      let window = try window(store, query, place, limit: limit)
      #expect(window.reachesEnd == (place == .end))
      keys = window.rows.map(\.key) + keys
      guard !window.reachesStart, let first = keys.first, window.rows.count == limit else {
        #expect(window.reachesStart)
        return keys
      }
      place = .before(first)
    }
  }

  private func checkStretches(
    _ store: SQLiteStore, _ query: ListQuery, _ expected: [ObjectKey], _ random: inout SeededGenerator
  ) throws {
    let gone = ObjectKey(entity: 3, primaryKey: 1_000)
    let some = expected.shuffled(using: &random).prefix(5)
    let found = try window(store, query, .keys([gone] + some + [gone]), limit: 3)
    #expect(found.rows.map(\.key) == Array(some), "\(query)")
    // A row that is gone leads to the start.
    for place in [WindowPlace.after(gone), .before(gone)] {
      #expect(try window(store, query, place, limit: 4) == window(store, query, .start, limit: 4), "\(query)")
    }
    let offset = Int.random(in: 0...5, using: &random)
    let limit = Int.random(in: 0...5, using: &random)
    let stretch = try store.keys(query, offset: offset, limit: limit, cancellation: nil)
    #expect(stretch[0..<stretch.count] == Array(expected.dropFirst(offset).prefix(limit)), "\(query)")
  }

  @Test func `to-one scopes, and what is no relationship`() throws {
    let sketch = ShapesModel()
    let file = try TemporaryStore(model: sketch.model)
    try file.write(
      """
      INSERT INTO ZBOX (Z_PK, Z_ENT) VALUES (1, 1), (2, 2);
      INSERT INTO ZITEM (Z_PK, Z_ENT, ZBOX, Z1_BOX) VALUES (1, 3, 2, 2), (2, 3, NULL, NULL);
      """)
    let store = try NSPersistentStoreCoordinator(managedObjectModel: sketch.model)
      .openSQLiteStore(at: file.url, isReadOnly: true)
    func keys(_ item: Int64, _ relationship: String) throws -> [ObjectKey] {
      let scope = ListQuery.Scope.related(to: ObjectKey(entity: 3, primaryKey: item), relationship: relationship)
      let keys = try store.keys(ListQuery(entity: "Box", scope: scope), cancellation: nil)
      return keys[0..<keys.count]
    }
    #expect(try keys(1, "box") == [ObjectKey(entity: 2, primaryKey: 2)])
    #expect(try keys(2, "box") == [])
    #expect(try keys(9, "box") == [])
    #expect(throws: NSError.self) { try keys(1, "name") }
    #expect(throws: NSError.self) { try keys(1, "nothing") }
    #expect(throws: NSError.self) { try store.keys(ListQuery(entity: "Nobody"), cancellation: nil) }
    #expect(throws: NSError.self) {
      try store.keys(ListQuery(entity: "Box", sort: [ListSortKey("items")]), cancellation: nil)
    }
  }

  @Test func `a pair that an old join table holds twice is one object`() throws {
    let sketch = ShapesModel()
    let file = try TemporaryStore(model: sketch.model)
    try file.write(
      """
      DROP TABLE Z_3TAGS; CREATE TABLE Z_3TAGS ( Z_3ITEMS, Z_6TAGS );
      INSERT INTO ZTAG (Z_PK, Z_ENT) VALUES (1, 6);
      INSERT INTO ZITEM (Z_PK, Z_ENT) VALUES (1, 3), (2, 3);
      INSERT INTO Z_3TAGS VALUES (1, 1), (1, 1), (2, 1);
      """)
    let store = try NSPersistentStoreCoordinator(managedObjectModel: sketch.model)
      .openSQLiteStore(at: file.url, isReadOnly: true)
    let scope = ListQuery.Scope.related(to: ObjectKey(entity: 6, primaryKey: 1), relationship: "items")
    let keys = try store.keys(ListQuery(entity: "Item", scope: scope), cancellation: nil)
    #expect(keys[0..<keys.count].map(\.primaryKey) == [1, 2])
  }

  @Test func `a cancelled query throws, before it starts and while it runs`() throws {
    let sketch = ShapesModel()
    let file = try TemporaryStore(model: sketch.model)
    try file.write(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000)
      INSERT INTO ZITEM (Z_PK, Z_ENT, ZNAME) SELECT i, 3, hex(randomblob(16)) FROM n;
      """)
    let store = try NSPersistentStoreCoordinator(managedObjectModel: sketch.model)
      .openSQLiteStore(at: file.url, isReadOnly: true)
    let query = ListQuery(entity: "Item", sort: [ListSortKey("name")])
    let before = FetchCancellation()
    before.cancel()
    #expect { try store.keys(query, cancellation: before) } throws: { ($0 as? CocoaError)?.code == .userCancelled }
    for delay in [0.0, 0.001, 0.01] {
      let cancellation = FetchCancellation()
      let canceller = Thread {
        Thread.sleep(forTimeInterval: delay)
        cancellation.cancel()
      }
      canceller.start()
      #expect { try store.keys(query, cancellation: cancellation) } throws: {
        ($0 as? CocoaError)?.code == .userCancelled
      }
    }
    // The connection is as good as new, and a late cancel touches nobody.
    before.cancel()
    #expect(try store.keys(ListQuery(entity: "Item"), cancellation: FetchCancellation()).count == 300_000)
  }
}
