import Foundation
import Testing

@testable import CoreData

/// Each way of finding what changed, forced, finds what a comparison of full readings finds.
@Suite(.timeLimit(.minutes(1))) struct WatcherTenantsTests {
  private static let edits = """
    UPDATE ZTAG SET ZNAME='new' WHERE Z_PK=3; DELETE FROM ZITEM WHERE Z_PK=7;
    INSERT INTO ZITEM(Z_PK,Z_ENT,Z_OPT,ZNAME,ZBOX,Z1_BOX) VALUES(200,4,1,'book',3,2);
    """

  @Test func `pages find the rows of a commit`() async throws {
    let shapes = try await WatchedShapes()
    try shapes.run("BEGIN; \(Self.edits) COMMIT;")
    try await shapes.settle(isExact: true)
    #expect(shapes.mirror.sources == [.pages: 1])
  }

  @Test(arguments: [
    "\(edits) PRAGMA wal_checkpoint(RESTART); UPDATE ZTAG SET ZNAME='after' WHERE Z_PK=4;",
    "\(edits) PRAGMA wal_checkpoint(TRUNCATE);",
    "\(edits) VACUUM;",
  ])
  func `rows are compared where the log was restarted or the file rebuilt`(sql: String) async throws {
    // Polled far apart, and begun with once the looks are over that a watcher begins with: everything lies between two looks.
    var settings = StoreWatcher.Settings()
    settings.isTrusted = { _ in false }
    settings.polling = .seconds(3_600)
    let shapes = try await WatchedShapes(settings: settings)
    try shapes.run(sql)
    shapes.watcher?.look()
    try await shapes.settle()
    #expect(shapes.mirror.sources == [.comparison: 1])
    // And pages tell again.
    try shapes.run("UPDATE ZTAG SET ZNAME='last' WHERE Z_PK=5;")
    shapes.watcher?.look()
    try await shapes.settle(isExact: true)
    #expect(shapes.mirror.sources == [.comparison: 1, .pages: 1])
  }

  @Test func `a small table's rows are compared by value, a large one's by digest, with their relationships`()
    async throws
  {
    let shapes = try await WatchedShapes(items: 6_000, setup: "PRAGMA journal_mode=delete;")
    try shapes.run(
      """
      BEGIN; UPDATE ZTAG SET ZNAME='new' WHERE Z_PK=3; UPDATE ZITEM SET ZNAME='new' WHERE Z_PK=5000;
      UPDATE ZITEM SET ZBOX=4, Z1_BOX=1 WHERE Z_PK=18; DELETE FROM ZITEM WHERE Z_PK=17; COMMIT;
      """)
    let changes = await shapes.log.nextChanges()
    #expect(
      changes.lines == [
        // 3/18 was in box 1, 5/17 in box 6.
        "update 1/4 items:?>?", "update 1/6 items:?>?", "update 2/1 items:?>?", "update 3/18 box:2/1>1/4",
        "delete 5/17 ?", "update 5/5000 ?", "update 6/3 name:'tag3'>'new'",
      ])
    #expect(changes.source == .comparison)
  }

  @Test func `what changed before a large store was known is said to be unknown`() async throws {
    var settings = StoreWatcher.Settings()
    (settings.pace.smallStore, settings.pace.quiet, settings.pace.longestWait) = (0, .seconds(3_600), .seconds(3_600))
    let shapes = try await WatchedShapes(
      setup: "PRAGMA journal_mode=delete;", settings: settings, awaitsBaseline: false)
    try shapes.run("UPDATE ZTAG SET ZNAME='new' WHERE Z_PK=3;")
    let changes = await shapes.log.nextChanges()
    #expect(changes.changes == [])
    #expect(!changes.isComplete)
  }

  @Test func `a baseline is made in the background in short reads, and kept in step with what pages find`()
    async throws
  {
    var settings = StoreWatcher.Settings()
    settings.pace = StoreFollower.Pace(
      smallStore: 0, quiet: .zero, longestWait: .zero, read: .microseconds(300), pause: .microseconds(100))
    let shapes = try await WatchedShapes(
      items: 3_000, setup: "PRAGMA journal_mode=wal;", settings: settings, awaitsBaseline: false)
    for round in 1...150 {
      try shapes.run("UPDATE ZITEM SET ZRANK=\(round) WHERE Z_PK=\(round * 19);")
      if round % 10 == 0 { try shapes.run("DELETE FROM ZITEM WHERE Z_PK=\(round * 11);") }
    }
    try await shapes.settle()
    try await shapes.awaitBaseline()
    try shapes.run("VACUUM;")
    try shapes.run("UPDATE ZITEM SET ZRANK=77 WHERE Z_PK=2000;")
    try await shapes.settle()
    #expect(shapes.mirror.incomplete == 0)
  }

  @Test func `an edit of an overflow page that raises no version is found without a pointer map too`() async throws {
    let shapes = try await WatchedShapes(
      setup: "PRAGMA journal_mode=delete; PRAGMA auto_vacuum=NONE; VACUUM; PRAGMA journal_mode=wal;")
    try shapes.run("UPDATE ZITEM SET ZSTRING=substr(ZSTRING,1,5000)||'!'||substr(ZSTRING,5002) WHERE Z_PK=6;")
    let changes = await shapes.log.nextChanges()
    #expect(changes.changes.map(\.key) == [ObjectKey(entity: 3, primaryKey: 6)])
    #expect(changes.source == .comparison)
  }
}
