import Foundation
import Testing

@testable import CoreData

/// Persistent history names who changed what; it is never the only way by which a change is found.
@Suite(.timeLimit(.minutes(1))) struct WatcherHistoryTests {
  private static let tables = """
    CREATE TABLE ATRANSACTIONSTRING (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR);
    CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER,
      ZCONTEXTNAMETS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZCONTEXTNAME VARCHAR);
    CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER,
      ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
    INSERT INTO ATRANSACTIONSTRING VALUES(1,16003,1,'app'),(2,16003,1,'import'),(3,16003,1,'background');
    INSERT INTO ATRANSACTION(Z_PK,Z_ENT,Z_OPT,ZAUTHORTS) VALUES(7,16002,1,1);
    """

  /// A commit as Core Data makes it: rows, and what history keeps of them; changes are type, entity and key.
  private static func commit(_ sql: String, _ number: Int, author: Int, context: Int?, _ changes: [(Int, Int, Int)])
    -> String
  {
    let rows = changes.map {
      "INSERT INTO ACHANGE(Z_ENT,Z_OPT,ZCHANGETYPE,ZENTITY,ZENTITYPK,ZTRANSACTIONID) "
        + "VALUES(16001,1,\($0.0),\($0.1),\($0.2),\(number));"
    }
    return """
      BEGIN; \(sql)
      INSERT INTO ATRANSACTION(Z_PK,Z_ENT,Z_OPT,ZAUTHORTS,ZCONTEXTNAMETS)
        VALUES(\(number),16002,1,\(author),\(context.map(String.init) ?? "NULL"));
      \(rows.joined()) COMMIT;
      """
  }

  /// Looks only when it is asked to.
  private static var unnoticed: StoreWatcher.Settings {
    var settings = StoreWatcher.Settings()
    settings.isTrusted = { _ in false }
    settings.polling = .seconds(3_600)
    return settings
  }

  @Test func `the author and the context of a transaction are told with its changes`() async throws {
    let shapes = try await WatchedShapes(setup: "PRAGMA journal_mode=wal;" + Self.tables)
    try shapes.run(
      Self.commit(
        "UPDATE ZITEM SET ZBOX=2, Z1_BOX=1, Z_OPT=2 WHERE Z_PK=6;", 8, author: 2, context: 3, [(1, 3, 6)]))
    let changes = await shapes.log.nextChanges()
    // The boxes' sides have no row of their own in history; they were changed by the same transaction.
    #expect(changes.lines == ["update 1/2 items:?>?", "update 2/1 items:?>?", "update 3/6 box:2/1>1/2"])
    #expect(changes.transaction == .init(author: "import", context: "background"))
    #expect(changes.source == .history)
  }

  @Test(arguments: ["PRAGMA journal_mode=wal;", "PRAGMA journal_mode=delete;"])
  func `what several transactions did between two looks is told by transaction, each change once`(journal: String)
    async throws
  {
    let shapes = try await WatchedShapes(setup: journal + Self.tables, settings: Self.unnoticed)
    try shapes.run(
      Self.commit(
        "INSERT INTO ZTAG(Z_PK,Z_ENT,Z_OPT,ZNAME) VALUES(13,6,1,'a'); UPDATE ZTAG SET ZNAME='b' WHERE Z_PK=1;", 8,
        author: 1, context: nil, [(0, 6, 13), (1, 6, 1)]))
    try shapes.run(
      Self.commit("UPDATE ZTAG SET ZNAME='c' WHERE Z_PK=13;", 9, author: 2, context: nil, [(1, 6, 13)]))
    // Plain SQL keeps no history, and is not lost beside it.
    try shapes.run("UPDATE ZTAG SET ZNAME='d' WHERE Z_PK=2;")
    shapes.watcher?.look()
    let parts = [
      await shapes.log.nextChanges(), await shapes.log.nextChanges(), await shapes.log.nextChanges(),
    ]
    #expect(
      parts.map(\.lines) == [
        ["update 6/2 name:'tag2'>'d'"], ["update 6/1 name:'tag1'>'b'"], ["insert 6/13 name:?>'c'"],
      ])
    #expect(parts.map { $0.transaction?.author } == [nil, "app", "import"])
    #expect(parts[0].source == (journal.contains("wal") ? .pages : .comparison))
    try await shapes.settle()
  }

  @Test func `what is committed after rows were found is noticed before history is told, with a journal`() async throws
  {
    let shapes = try await WatchedShapes(setup: "PRAGMA journal_mode=delete;" + Self.tables, settings: Self.unnoticed)
    let store = try #require(shapes.store as? SQLiteStore)
    let rows = try RowWatch(store, files: StoreFiles(store.file), pageLimit: 4_096)
    var pending = UntoldChanges()
    _ = try rows.find(&pending)
    #expect(rows.isStillFound(nil))
    try shapes.run("UPDATE ZTAG SET ZNAME='b' WHERE Z_PK=1;")
    #expect(!rows.isStillFound(nil))
    #expect(try rows.find(&pending))
    #expect(rows.isStillFound(nil))
  }

  @Test func `where nothing else can name what changed, history does, and says that more may have`() async throws {
    var settings = Self.unnoticed
    (settings.pace.smallStore, settings.pace.quiet, settings.pace.longestWait) = (0, .seconds(3_600), .seconds(3_600))
    let shapes = try await WatchedShapes(
      setup: "PRAGMA journal_mode=wal;" + Self.tables, settings: settings, awaitsBaseline: false)
    try shapes.run(
      Self.commit(
        "UPDATE ZTAG SET ZNAME='b' WHERE Z_PK=1; DELETE FROM ZTAG WHERE Z_PK=2;", 8, author: 1, context: nil,
        [(1, 6, 1), (2, 6, 2)]))
    try shapes.run("PRAGMA wal_checkpoint(TRUNCATE);")
    try shapes.run(
      Self.commit(
        "DELETE FROM ZTAG WHERE Z_PK=1; INSERT INTO ZTAG(Z_PK,Z_ENT,Z_OPT) VALUES(13,6,1);", 9, author: 2,
        context: nil, [(2, 6, 1), (0, 6, 13)]))
    shapes.watcher?.look()
    let parts = [await shapes.log.nextChanges(), await shapes.log.nextChanges()]
    #expect(parts.map(\.lines) == [["delete 6/2 ?"], ["delete 6/1 ?", "insert 6/13 ?"]])
    #expect(parts.map { $0.transaction?.author } == ["app", "import"])
    #expect(parts.allSatisfy { !$0.isComplete && $0.source == .history })
  }

  @Test func `history of 2017 keeps the texts themselves`() async throws {
    let shapes = try await WatchedShapes(
      setup: """
        PRAGMA journal_mode=wal;
        CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT,
          ZAUTHOR VARCHAR, ZCONTEXTNAME VARCHAR);
        CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER,
          ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB);
        """)
    try shapes.run(
      """
      BEGIN; UPDATE ZTAG SET ZNAME='b' WHERE Z_PK=1;
      INSERT INTO ATRANSACTION(Z_PK,Z_ENT,Z_OPT,ZAUTHOR) VALUES(1,16002,1,'old');
      INSERT INTO ACHANGE(Z_ENT,Z_OPT,ZCHANGETYPE,ZENTITY,ZENTITYPK,ZTRANSACTIONID) VALUES(16001,1,1,6,1,1); COMMIT;
      """)
    #expect(await shapes.log.nextChanges().transaction == .init(author: "old", context: nil))
  }

  @Test func `own saves are told to be own, and what others do to the same objects is not`() async throws {
    let shapes = try await WatchedShapes(isReadOnly: false)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = shapes.coordinator
    try await context.perform {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.predicate = NSPredicate(format: "name == 'item6'")
      let item = try #require(try context.fetch(request).first)
      item.setValue("mine", forKey: "name")
      try context.save()
    }
    #expect(await shapes.log.nextChanges().lines == ["update 3/6 name:'item6'>'mine' own"])
    try shapes.run("UPDATE ZITEM SET ZNAME='theirs' WHERE Z_PK=6;")
    #expect(await shapes.log.nextChanges().lines == ["update 3/6 name:'mine'>'theirs'"])
  }
}
