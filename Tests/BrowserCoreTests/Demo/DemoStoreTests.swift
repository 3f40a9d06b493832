import BrowserTestSupport
import CoreData
import Foundation
import TestSupport
import Testing

@testable import BrowserCore

@Suite struct DemoStoreTests {
  private func demo(_ folder: TemporaryDirectory, _ name: String = "Demo.sqlite", rows: Int = 400, seed: UInt64 = 1)
    throws -> URL
  {
    let url = folder.url.appending(path: name)
    try DemoStore(at: url, plan: DemoStore.Plan(rows: rows, seed: seed), environment: [:]).prepare()
    return url
  }

  private func sqlite(_ url: URL, _ sql: String) throws -> String {
    let run = try ProcessRun("sqlite3", ["-batch", "-bail", url.path], input: sql)
    try #require(run.status == 0, "\(run.errors)")
    return run.output
  }

  /// Everything in the file but its own identifier.
  private func dump(_ url: URL) throws -> [String] {
    let identifier =
      try sqlite(url, "SELECT Z_UUID FROM Z_METADATA").split(separator: "\n").first.map(String.init) ?? ""
    return try sqlite(url, ".dump").replacing(identifier, with: "UUID").split(separator: "\n").map(String.init)
  }

  @Test func `the same seed makes the same rows, another makes others`() throws {
    let folder = try TemporaryDirectory()
    let one = try dump(demo(folder, "one.sqlite"))
    let two = try dump(demo(folder, "two.sqlite"))
    #expect(one.count == two.count)
    for (left, right) in zip(one, two) where left != right {
      Issue.record("\(left.prefix(200)) is \(right.prefix(200))")
      break
    }
    #expect(try dump(demo(folder, "three.sqlite", seed: 2)) != one)
  }

  @Test func `it has six entities, some five thousand objects, and is a whole database`() throws {
    let folder = try TemporaryDirectory()
    let url = folder.url.appending(path: "Demo.sqlite")
    try DemoStore(at: url, environment: [:]).prepare()
    let run = CommandRun("entities", url.path)
    let rows = run.lines.dropFirst().map { $0.split(separator: "\t").map(String.init) }
    #expect(rows.map(\.first) == ["Hiker", "Park", "Sighting", "BirdSighting", "Trail", "Waypoint"])
    let counts = rows.compactMap { Int($0[3]) }
    #expect(counts.allSatisfy { $0 > 0 })
    #expect((4_500...5_500).contains(counts.reduce(0, +)))
    #expect(try sqlite(url, "PRAGMA integrity_check") == "ok\n")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Demo.sqlite"])
    // Counters, versions, both columns of a key that leads into a tree, and places in order.
    #expect(
      try sqlite(url, "SELECT Z_MAX = (SELECT max(Z_PK) FROM ZSIGHTING) FROM Z_PRIMARYKEY WHERE Z_NAME = 'Sighting'")
        == "1\n")
    #expect(try sqlite(url, "SELECT count(*) FROM ZTRAIL WHERE Z_OPT <> 1 OR ZPARK IS NULL") == "0\n")
    #expect(
      try sqlite(
        url,
        """
        SELECT count(*) FROM (SELECT Z_FOK_TRAIL - 1024 * row_number() OVER (PARTITION BY ZTRAIL ORDER BY Z_FOK_TRAIL) d
        FROM ZWAYPOINT) WHERE d <> 1024
        """) == "0\n")
  }

  @Test func `a current demo is left alone, one of another plan is made anew`() throws {
    let folder = try TemporaryDirectory()
    let url = try demo(folder)
    let before = try FileFingerprint(of: url)
    _ = try demo(folder)
    #expect(try FileFingerprint(of: url) == before)
    _ = try demo(folder, rows: 500)
    #expect(try FileFingerprint(of: url) != before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Demo.sqlite"])
  }

  @Test func `a demo of an older version is made anew`() throws {
    let folder = try TemporaryDirectory()
    let url = try demo(folder)
    let model = try StoreModel(forStoreAt: url).model
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, at: url)
    var metadata = store.metadata
    metadata["StorebrowserDemoVersion"] = "0.400.1"
    coordinator.setMetadata(metadata, for: store)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      NSEntityDescription.insertNewObject(forEntityName: "Park", into: context).setValue("Old", forKey: "name")
      try context.save()
    }
    try coordinator.remove(store)
    #expect(!DemoStore(at: url, plan: DemoStore.Plan(rows: 400), environment: [:]).isCurrent)
    _ = try demo(folder)
    #expect(try sqlite(url, "SELECT count(*) FROM ZPARK WHERE ZNAME = 'Old'") == "0\n")
  }

  @Test func `a file that is not the demo is refused and stays`() throws {
    let folder = try TemporaryDirectory()
    let library = try LibraryStore()
    let store = folder.url.appending(path: "Library.sqlite")
    try library.file.write("PRAGMA wal_checkpoint(TRUNCATE)")
    try FileManager.default.copyItem(at: library.file.url, to: store)
    let text = folder.url.appending(path: "text")
    try Data("mine".utf8).write(to: text)
    for url in [store, text, folder.url] {
      let before = try FileFingerprint(of: url)
      #expect(throws: (any Error).self) { try DemoStore(at: url, environment: [:]).prepare() }
      #expect(try FileFingerprint(of: url) == before)
    }
    #expect(CommandRun("demo", "--at", store.path, "--dump-screen", "text").status == 1)
    #expect(CommandRun("demo", "--at", text.path, "--dump-screen", "text").status == 1)
  }

  @Test func `it lies where the environment says`() {
    #expect(DemoStore(environment: ["XDG_DATA_HOME": "/data"]).url.path == "/data/storebrowser/Trails.sqlite")
    #expect(DemoStore(environment: ["HOME": "/home/me"]).url.path == "/home/me/.local/share/storebrowser/Trails.sqlite")
    // A relative path there is to be ignored.
    #expect(
      DemoStore(environment: ["HOME": "/home/me", "XDG_DATA_HOME": "data"]).url.path
        == "/home/me/.local/share/storebrowser/Trails.sqlite")
  }
}
