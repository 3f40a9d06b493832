import Foundation
import TestSupport
import Testing

@testable import CoreData

/// A store that is opened anew is followed on from what was known of it.
@Suite(.timeLimit(.minutes(1))) struct StoreMemoryTests {
  /// A store as one opening after the other shows it.
  private final class Openings {
    let file: TemporaryStore
    let log = EventLog()
    private let model = ShapesModel().model
    private var coordinator: NSPersistentStoreCoordinator?
    private var watcher: StoreWatcher?
    private let built = Wakeups()

    init(journal: String = "wal") throws {
      file = try TemporaryStore(model: model)
      try file.write("PRAGMA journal_mode=\(journal);" + WatchedShapes.rows(items: 6))
    }

    deinit { watcher?.stop() }

    /// Opens the store, goes on from a memory, and waits until every row is known.
    func open(remembering memory: StoreMemory? = nil, awaitsBaseline: Bool = true) async throws {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, at: file.url, options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
      self.coordinator = coordinator
      var settings = StoreWatcher.Settings()
      settings.didBuildBaseline = { [built] in built.signal() }
      if !awaitsBaseline {
        (settings.pace.smallStore, settings.pace.quiet, settings.pace.longestWait) = (0, .seconds(99), .seconds(99))
      }
      watcher = try StoreWatcher(store: store, settings: settings, remembering: memory) { [log] in log.add($0) }
      if awaitsBaseline { try #require(await built.next(within: .seconds(30))) }
    }

    /// Closes the store; answers what was known.
    func close() throws -> StoreMemory? {
      let memory = watcher?.stopRemembering()
      if let store = coordinator?.persistentStores.first { try coordinator?.remove(store) }
      return memory
    }
  }

  @Test func `what outdates a snapshot is told by object once the store is opened anew, and so is what outdates that`()
    async throws
  {
    let openings = try Openings()
    try await openings.open()
    #expect(await openings.log.nextLiveness() == .snapshot)
    for (sql, line) in [
      ("UPDATE ZTAG SET ZNAME='new', Z_OPT=2 WHERE Z_PK=3;", "update 6/3 name:'tag3'>'new'"),
      ("INSERT INTO ZTAG(Z_PK,Z_ENT,Z_OPT,ZNAME) VALUES(13,6,1,'a');", "insert 6/13 name:?>'a'"),
      ("DELETE FROM ZTAG WHERE Z_PK=3;", "delete 6/3 name:'new'>?"),
    ] {
      // The program is the only one that has the store open: its end leaves no log, and a snapshot again.
      try openings.file.write(sql)
      #expect(await openings.log.nextLiveness() == .outdated)
      let memory = try #require(try openings.close())
      try await openings.open(remembering: memory)
      #expect(await openings.log.nextLiveness() == .snapshot)
      let changes = await openings.log.nextChanges()
      #expect(changes.lines == [line])
      #expect(changes.isComplete && changes.source == .comparison)
    }
  }

  @Test func `a snapshot whose writer stays is live when it is opened anew, and followed on from there`() async throws {
    let openings = try Openings()
    try await openings.open()
    let writer = try ConnectedShell(openings.file)
    try writer.run("UPDATE ZTAG SET ZNAME='one' WHERE Z_PK=3;")
    #expect(await openings.log.nextLiveness() == .snapshot)
    #expect(await openings.log.nextLiveness() == .outdated)
    let memory = try #require(try openings.close())
    try await openings.open(remembering: memory)
    #expect(await openings.log.nextLiveness() == .live)
    #expect(await openings.log.nextChanges().lines == ["update 6/3 name:'tag3'>'one'"])
    try writer.run("UPDATE ZTAG SET ZNAME='two' WHERE Z_PK=3;")
    let changes = await openings.log.nextChanges()
    #expect(changes.lines == ["update 6/3 name:'one'>'two'"])
    #expect(changes.source == .pages)
  }

  @Test(arguments: ["wal", "delete"])
  func `what is committed while a store is closed is told when it is open again`(journal: String) async throws {
    let openings = try Openings(journal: journal)
    let writer = try ConnectedShell(openings.file)
    try writer.run("UPDATE ZTAG SET ZNAME='one' WHERE Z_PK=3;")
    try await openings.open()
    #expect(await openings.log.nextLiveness() == .live)
    let memory = try #require(try openings.close())
    try writer.run("UPDATE ZTAG SET ZNAME='two' WHERE Z_PK=3; DELETE FROM ZTAG WHERE Z_PK=4;")
    try await openings.open(remembering: memory)
    #expect(await openings.log.nextLiveness() == .live)
    #expect(await openings.log.nextChanges().lines == ["update 6/3 name:'one'>'two'", "delete 6/4 name:'tag4'>?"])
  }

  @Test func `that nothing was committed is told as well`() async throws {
    let openings = try Openings()
    try await openings.open()
    let memory = try #require(try openings.close())
    try await openings.open(remembering: memory)
    let changes = await openings.log.nextChanges()
    #expect(changes.isEmpty && changes.isComplete)
  }

  @Test func `where tables are made otherwise meanwhile it is told that anything may have changed`() async throws {
    let openings = try Openings()
    try await openings.open()
    let memory = try #require(try openings.close())
    try openings.file.write("ALTER TABLE ZTAG ADD COLUMN ZMORE INTEGER; UPDATE ZTAG SET ZNAME='x' WHERE Z_PK=1;")
    try await openings.open(remembering: memory)
    let changes = await openings.log.nextChanges()
    #expect(changes.isEmpty && !changes.isComplete)
  }

  @Test func `a watcher that does not know every row remembers nothing`() async throws {
    let openings = try Openings()
    try await openings.open(awaitsBaseline: false)
    #expect(await openings.log.nextLiveness() == .snapshot)
    #expect(try openings.close() == nil)
  }
}
