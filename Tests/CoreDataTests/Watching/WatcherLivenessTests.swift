import Foundation
import TestSupport
import Testing

@testable import CoreData

/// How closely a store is followed, and that rows are never read as what they no longer are.
@Suite(.timeLimit(.minutes(1))) struct WatcherLivenessTests {
  private static let files = FileManager.default

  @Test func `a store in WAL mode is live, and so is one with a rollback journal`() async throws {
    for setup in ["PRAGMA journal_mode=wal;", "PRAGMA journal_mode=delete;"] {
      let shapes = try await WatchedShapes(setup: setup)
      #expect(await shapes.log.next() == .liveness(.live))
    }
  }

  @Test func `where notices are not trusted the store is polled, and it says so`() async throws {
    var settings = StoreWatcher.Settings()
    settings.isTrusted = { _ in false }
    settings.polling = .milliseconds(20)
    for setup in ["PRAGMA journal_mode=wal;", "PRAGMA journal_mode=delete;"] {
      let shapes = try await WatchedShapes(setup: setup, settings: settings)
      let fileSystem = try #require(MountTable.current().fileSystem(of: shapes.writer.folder.path))
      #expect(await shapes.log.next() == .liveness(.polling(reason: "network file system \(fileSystem)")))
      try shapes.run("UPDATE ZTAG SET ZNAME='new' WHERE Z_PK=3;")
      #expect(await shapes.log.nextChanges().lines == ["update 6/3 name:'tag3'>'new'"])
    }
  }

  @Test func `a look is taken at once when it is asked for`() async throws {
    var settings = StoreWatcher.Settings()
    settings.isTrusted = { _ in false }
    settings.polling = .seconds(3_600)
    let shapes = try await WatchedShapes(settings: settings)
    try shapes.run("UPDATE ZTAG SET ZNAME='new' WHERE Z_PK=3;")
    shapes.watcher?.look()
    #expect(await shapes.log.nextChanges().lines == ["update 6/3 name:'tag3'>'new'"])
  }

  @Test func `a deleted and a replaced file are said; a file that is back is followed on`() async throws {
    let shapes = try await WatchedShapes()
    #expect(await shapes.log.next() == .liveness(.live))
    let (store, aside) = (URL(fileURLWithPath: shapes.writer.path), shapes.writer.folder.appending(path: "aside"))
    try Self.files.moveItem(at: store, to: aside)
    #expect(await shapes.log.next() == .liveness(.disconnected(reason: "file deleted")))
    try Self.files.copyItem(at: aside, to: store)
    #expect(await shapes.log.next() == .liveness(.disconnected(reason: "file replaced")))
    try shapes.run("UPDATE ZTAG SET ZNAME='meanwhile' WHERE Z_PK=3;")
    try Self.files.removeItem(at: store)
    #expect(await shapes.log.nextLiveness() == .disconnected(reason: "file deleted"))
    try Self.files.moveItem(at: aside, to: store)
    #expect(await shapes.log.nextLiveness() == .live)
    #expect(await shapes.log.nextChanges().lines == ["update 6/3 name:'tag3'>'meanwhile'"])
  }

  @Test(arguments: [
    ("PRAGMA journal_mode=wal;", "ALTER TABLE ZTAG RENAME COLUMN ZNAME TO ZOTHER;"),
    ("PRAGMA journal_mode=wal;", "ALTER TABLE ZITEM ADD COLUMN ZMORE INTEGER DEFAULT 5;"),
    ("PRAGMA journal_mode=wal;", "DROP TABLE Z_3TAGS;"),
    ("PRAGMA journal_mode=delete;", "ALTER TABLE ZTAG RENAME COLUMN ZNAME TO ZOTHER;"),
    ("PRAGMA journal_mode=delete;", "ALTER TABLE ZITEM ADD COLUMN ZMORE INTEGER DEFAULT 5;"),
    ("PRAGMA journal_mode=delete;", "DROP TABLE Z_3TAGS;"),
  ])
  func `a changed table ends the watching before its rows are misread`(setup: String, sql: String) async throws {
    let shapes = try await WatchedShapes(setup: setup)
    #expect(await shapes.log.next() == .liveness(.live))
    try shapes.run("BEGIN; UPDATE ZTAG SET ZNAME='x' WHERE Z_PK=3; \(sql) COMMIT;")
    #expect(await shapes.log.next() == .liveness(.disconnected(reason: "schema changed")))
  }

  @Test(arguments: [
    ("PRAGMA journal_mode=wal;", "UPDATE Z_MODELCACHE SET Z_CONTENT=x'00';"),
    ("PRAGMA journal_mode=wal;", "UPDATE Z_METADATA SET Z_PLIST=x'00';"),
    ("PRAGMA journal_mode=wal;", "UPDATE Z_PRIMARYKEY SET Z_NAME='Other' WHERE Z_ENT=6;"),
    ("PRAGMA journal_mode=wal;", "DROP TABLE Z_METADATA;"),
    ("PRAGMA journal_mode=delete;", "UPDATE Z_MODELCACHE SET Z_CONTENT=x'00';"),
    ("PRAGMA journal_mode=delete;", "UPDATE Z_PRIMARYKEY SET Z_NAME='Other' WHERE Z_ENT=6;"),
    ("PRAGMA journal_mode=delete;", "DROP TABLE Z_METADATA;"),
  ])
  func `another model ends the watching before its rows are misread`(setup: String, sql: String) async throws {
    let shapes = try await WatchedShapes(setup: setup)
    #expect(await shapes.log.next() == .liveness(.live))
    try shapes.run("BEGIN; UPDATE ZTAG SET ZNAME='x' WHERE Z_PK=3; \(sql) COMMIT;")
    #expect(await shapes.log.next() == .liveness(.disconnected(reason: "model changed")))
  }

  @Test(arguments: ["PRAGMA journal_mode=wal;", "PRAGMA journal_mode=delete;"])
  func `what is made beside the model's tables changes nothing`(setup: String) async throws {
    let shapes = try await WatchedShapes(setup: setup)
    #expect(await shapes.log.next() == .liveness(.live))
    try shapes.run(
      """
      CREATE TABLE mine(a); INSERT INTO mine VALUES(1); CREATE INDEX more ON ZTAG(ZNAME); VACUUM;
      UPDATE Z_PRIMARYKEY SET Z_MAX=99 WHERE Z_ENT=6;
      UPDATE ZTAG SET ZNAME='new' WHERE Z_PK=3;
      """)
    #expect(await shapes.log.next() != .liveness(.schemaChanged))
    try await shapes.settle()
  }

  @Test func `of a store that nobody has written since it was opened nothing is told, and the first commit whole`()
    async throws
  {
    let model = ShapesModel().model
    let store = try TemporaryStore(model: model)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let opened = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, at: store.url)
    let (log, built) = (EventLog(), Wakeups())
    var settings = StoreWatcher.Settings()
    settings.didBuildBaseline = { built.signal() }
    let watcher = try StoreWatcher(store: opened, settings: settings) { log.add($0) }
    try #require(await built.next(within: .seconds(30)))
    try store.write("INSERT INTO ZTAG(Z_PK,Z_ENT,Z_OPT) VALUES(1,6,1);")
    #expect(await log.next() == .liveness(.live))
    let changes = await log.nextChanges()
    #expect(changes.changes.map(\.key) == [ObjectKey(entity: 6, primaryKey: 1)])
    #expect(changes.isComplete)
    watcher.stop()
    try coordinator.remove(opened)
  }

  @Test func `a snapshot is told to be outdated once somebody writes`() async throws {
    let model = ShapesModel().model
    let store = try TemporaryStore(model: model)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let opened = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, at: store.url, options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
    let log = EventLog()
    let watcher = try StoreWatcher(store: opened) { log.add($0) }
    #expect(await log.next() == .liveness(.snapshot))
    try store.write("INSERT INTO ZTAG(Z_PK,Z_ENT,Z_OPT) VALUES(1,6,1);")
    #expect(await log.next() == .liveness(.outdated))
    watcher.stop()
    try coordinator.remove(opened)
  }

  @Test func `a snapshot that was outdated before it was watched is told to be`() async throws {
    let model = ShapesModel().model
    let store = try TemporaryStore(model: model)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let opened = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, at: store.url, options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
    try store.write("INSERT INTO ZTAG(Z_PK,Z_ENT,Z_OPT) VALUES(1,6,1);")
    let log = EventLog()
    let watcher = try StoreWatcher(store: opened) { log.add($0) }
    #expect(await log.next() == .liveness(.snapshot))
    #expect(await log.next() == .liveness(.outdated))
    watcher.stop()
  }

  @Test func `a store that changes from a rollback journal to a log is to be opened anew`() async throws {
    let shapes = try await WatchedShapes(setup: "PRAGMA journal_mode=delete;")
    #expect(await shapes.log.next() == .liveness(.live))
    try shapes.run("PRAGMA journal_mode=wal; UPDATE ZTAG SET ZNAME='new' WHERE Z_PK=3;")
    #expect(await shapes.log.nextLiveness() == .outdated)
  }

  @Test func `nothing is reported after stop`() async throws {
    let shapes = try await WatchedShapes()
    #expect(await shapes.log.next() == .liveness(.live))
    shapes.stop()
    try shapes.run("UPDATE ZTAG SET ZNAME='new' WHERE Z_PK=3;")
    #expect(shapes.mirror.sources.isEmpty)
  }

  @Test func `a writer that ends and another that begins are both followed`() async throws {
    let shapes = try await WatchedShapes()
    #expect(await shapes.log.next() == .liveness(.live))
    try shapes.writer.quit()
    for value in ["one", "two"] {
      let other = try SQLiteShell(URL(fileURLWithPath: shapes.writer.path))
      try other.run("UPDATE ZTAG SET ZNAME='\(value)' WHERE Z_PK=3;")
      try other.quit()
      #expect(await shapes.log.next().keys == [ObjectKey(entity: 6, primaryKey: 3)])
    }
  }
}

extension StoreEvent {
  /// The objects that changed; nil for another event.
  fileprivate var keys: [ObjectKey]? {
    if case .changes(let changes) = self { return changes.changes.map(\.key) }
    return nil
  }
}
