import Foundation
import Testing

@testable import CoreData

@Suite(.timeLimit(.minutes(1))) struct PlainWatchingTests {
  private struct Watched {
    let writer: SecondWriter
    let coordinator: NSPersistentStoreCoordinator
    let watcher: StoreWatcher
    let log = EventLog()

    init(_ sql: String, journal: String) async throws {
      writer = try SecondWriter("PRAGMA journal_mode = \(journal);" + sql)
      let url = URL(fileURLWithPath: writer.path)
      coordinator = NSPersistentStoreCoordinator(managedObjectModel: try StoreModel(forStoreAt: url).model)
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, at: url, options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
      let built = Wakeups()
      var settings = StoreWatcher.Settings()
      settings.didBuildBaseline = { built.signal() }
      watcher = try StoreWatcher(store: store, settings: settings) { [log] in log.add($0) }
      watcher.awaitLooks()
      try #require(await built.next(within: .seconds(30)))
    }

    func end() throws {
      watcher.stop()
      for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
  }

  private static let sql = """
    CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE pet (name TEXT, owner_id INTEGER REFERENCES owner, weight REAL, twice REAL AS (weight * 2), rowid TEXT);
    INSERT INTO owner VALUES (1, 'A'), (2, 'B');
    INSERT INTO pet (name, owner_id, weight, rowid) VALUES ('cat', 1, 4.5, 'x'), ('dog', 1, 20, 'y'), ('none', NULL, 1, 'z');
    """

  @Test(arguments: ["WAL", "DELETE"])
  func `commits to tables with row ids are told by object, with both ends of foreign keys`(journal: String) async throws
  {
    let watched = try await Watched(Self.sql, journal: journal)
    let store = try #require(watched.coordinator.persistentStores.first as? SQLiteStore)
    let (o, p) = (try #require(store.map["owner"]).number, try #require(store.map["pet"]).number)
    for (sql, expected) in [
      ("UPDATE owner SET name = 'Z' WHERE id = 2;", ["update \(o)/2 name:'B'>'Z'"]),
      ("UPDATE pet SET weight = 5 WHERE name = 'cat';", ["update \(p)/1 weight:4.5>5.0"]),
      (
        "UPDATE pet SET owner_id = 2 WHERE name = 'dog';",
        ["update \(o)/1 pet:?>?", "update \(o)/2 pet:?>?", "update \(p)/2 owner:\(o)/1>\(o)/2 owner_id:1>2"]
      ),
      (
        "INSERT INTO pet (name, owner_id) VALUES ('new', 1);",
        ["update \(o)/1 pet:?>?", "insert \(p)/4 name:?>'new' owner:?>\(o)/1 owner_id:?>1"]
      ),
      ("DELETE FROM pet WHERE name = 'none';", ["delete \(p)/3 name:'none'>? rowid:'z'>? weight:1.0>?"]),
      ("UPDATE pet SET weight = 'heavy' WHERE name = 'cat';", ["update \(p)/1 weight:5.0>'heavy'"]),
    ] {
      try watched.writer.run(sql)
      let changes = await watched.log.nextChanges()
      #expect(changes.lines == expected, "\(journal)")
      #expect(changes.isComplete)
    }
    try watched.end()
  }

  @Test(arguments: ["WAL", "DELETE"])
  func `a commit to a table without row ids is told to be one that cannot be named`(journal: String) async throws {
    let watched = try await Watched(
      Self.sql + "CREATE TABLE keyed (k TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO keyed VALUES ('a');",
      journal: journal)
    try watched.writer.run("INSERT INTO keyed VALUES ('b');")
    let changes = await watched.log.nextChanges()
    #expect(!changes.isComplete)
    #expect(changes.changes.isEmpty)
    try watched.end()
  }

  @Test func `a changed foreign key that names rows by texts is told, but not whose relationship it changes`()
    async throws
  {
    let watched = try await Watched(
      """
      CREATE TABLE team (code TEXT PRIMARY KEY); CREATE TABLE player (name TEXT, team TEXT REFERENCES team);
      INSERT INTO team VALUES ('a'), ('b'); INSERT INTO player VALUES ('one', 'a');
      """, journal: "WAL")
    try watched.writer.run("UPDATE player SET name = 'two';")
    #expect(await watched.log.nextChanges().isComplete)
    try watched.writer.run("UPDATE player SET team = 'b';")
    let changes = await watched.log.nextChanges()
    #expect(changes.changes.count == 1 && !changes.isComplete)
    try watched.end()
  }

  @Test func `a list of a view is read anew when any table changes`() async throws {
    let watched = try await Watched(
      Self.sql + "CREATE VIEW heavy AS SELECT name FROM pet WHERE weight > 10;", journal: "WAL")
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = watched.coordinator
    var tracker = try context.performAndWait {
      try context.listTracker(ListQuery(entity: "heavy"), columns: ["name"])
    }
    #expect(tracker.keys.count == 1)
    try watched.writer.run("UPDATE pet SET weight = 50 WHERE name = 'cat';")
    let changes = await watched.log.nextChanges()
    #expect(changes.isComplete)
    _ = try tracker.apply(changes)
    #expect(tracker.keys.count == 2)
    try watched.end()
  }
}
