import BrowserTestSupport
import CoreData
import CoreDataKit
import Foundation
import TestSupport
import Testing

@testable import BrowserCore

@Suite struct DemoChangesTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// A demo of 300 objects with a number of changes made to it, in one run or in several.
  private func demo(_ name: String, seed: UInt64 = 7, runs: [Int]) throws -> URL {
    let url = folder.url.appending(path: name)
    let plan = DemoStore.Plan(rows: 300, seed: seed)
    try DemoStore(at: url, plan: plan, environment: [:]).prepare()
    for steps in runs {
      let context = try context(url)
      try context.performAndWait {
        var changes = try DemoChanges(plan: plan, context: context)
        for _ in 0..<steps { try changes.next() }
      }
    }
    return url
  }

  private func context(_ url: URL) throws -> NSManagedObjectContext {
    let stack = CoreDataStack(
      configuration: CoreDataConfiguration(databaseURL: url, managedObjectModel: DemoModel.make()))
    _ = try stack.open()
    return stack.newBackgroundContext()
  }

  private func sqlite(_ url: URL, _ sql: String) throws -> [String] {
    let run = try ProcessRun("sqlite3", ["-batch", "-bail", url.path], input: sql)
    try #require(run.status == 0, "\(run.errors)")
    return run.output.split(separator: "\n").map(String.init)
  }

  private static let tables = ["ZHIKER", "ZPARK", "ZSIGHTING", "ZTRAIL", "ZWAYPOINT"]

  /// Every row of every table with its version, in the order of keys.
  private func rows(_ url: URL) throws -> [String] {
    var rows: [String] = []
    for table in Self.tables { rows += try sqlite(url, "SELECT '\(table)', * FROM \(table) ORDER BY Z_PK") }
    let joins = try sqlite(url, "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
    for table in joins { rows += try sqlite(url, "SELECT '\(table)', * FROM \(table) ORDER BY 2, 3") }
    return rows + (try sqlite(url, "SELECT * FROM Z_PRIMARYKEY"))
  }

  @Test func `the same seed gives equal stores after as many changes, another seed others`() throws {
    let one = try rows(demo("one.sqlite", runs: [250]))
    let two = try rows(demo("two.sqlite", runs: [250]))
    #expect(one.count == two.count)
    for (left, right) in zip(one, two) where left != right {
      Issue.record("\(left.prefix(200)) is \(right.prefix(200))")
      break
    }
    #expect(try rows(demo("three.sqlite", seed: 8, runs: [250])) != one)
    #expect(try rows(demo("four.sqlite", runs: [249])) != one)
  }

  @Test func `a second run goes on with other objects`() throws {
    let url = try demo("again.sqlite", runs: [150, 150])
    #expect(try sqlite(url, "SELECT count(*) - count(DISTINCT ZID) FROM ZHIKER") == ["0"])
    #expect(try rows(url) == rows(demo("also.sqlite", runs: [150, 150])))
  }

  @Test func `every kind of change happens, and the demo keeps about its size`() throws {
    let before = try demo("before.sqlite", runs: [])
    let after = try demo("after.sqlite", runs: [600])
    func numbers(_ url: URL) throws -> [Int] {
      try Self.tables.map { Int(try sqlite(url, "SELECT count(*) FROM \($0)")[0]) ?? 0 }
    }
    for (old, new) in zip(try numbers(before), try numbers(after)) {
      #expect(Double(abs(new - old)) <= max(12, Double(old) / 4), "\(old) became \(new)")
    }
    let changed = """
      ATTACH '\(before.path)' AS old;
      SELECT count(*) FROM ZSIGHTING WHERE Z_PK NOT IN (SELECT Z_PK FROM old.ZSIGHTING);
      SELECT count(*) FROM old.ZSIGHTING WHERE Z_PK NOT IN (SELECT Z_PK FROM ZSIGHTING);
      SELECT count(*) FROM ZHIKER JOIN old.ZHIKER o USING (Z_PK) WHERE ZHIKER.ZSTEPS <> o.ZSTEPS;
      SELECT count(*) FROM ZTRAIL JOIN old.ZTRAIL o USING (Z_PK) WHERE ZTRAIL.ZLENGTH <> o.ZLENGTH;
      SELECT count(*) FROM ZTRAIL JOIN old.ZTRAIL o USING (Z_PK) WHERE ZTRAIL.ZNAME <> o.ZNAME;
      SELECT count(*) FROM ZPARK JOIN old.ZPARK o USING (Z_PK) WHERE ZPARK.ZISOPEN <> o.ZISOPEN;
      SELECT count(*) FROM ZSIGHTING JOIN old.ZSIGHTING o USING (Z_PK) WHERE ZSIGHTING.ZTRAIL <> o.ZTRAIL;
      SELECT count(*) FROM ZWAYPOINT WHERE Z_PK NOT IN (SELECT Z_PK FROM old.ZWAYPOINT);
      SELECT count(*) FROM ZHIKER WHERE Z_PK NOT IN (SELECT Z_PK FROM old.ZHIKER);
      """
    for (line, count) in try sqlite(after, changed).enumerated() { #expect(Int(count) ?? 0 > 0, "kind \(line)") }
    #expect(try sqlite(after, "PRAGMA integrity_check") == ["ok"])
    #expect(try sqlite(after, "SELECT count(*) FROM ZWAYPOINT WHERE ZTRAIL IS NULL OR Z_FOK_TRAIL IS NULL") == ["0"])
    #expect(try sqlite(after, "SELECT count(*) FROM ZSIGHTING WHERE ZTRAIL NOT IN (SELECT Z_PK FROM ZTRAIL)") == ["0"])
    #expect(try sqlite(after, "SELECT count(*) FROM ZSIGHTING WHERE ZHIKER NOT IN (SELECT Z_PK FROM ZHIKER)") == ["0"])
  }

  @Test func `a writer writes until it is stopped, and not a byte more`() async throws {
    let url = try demo("written.sqlite", runs: [])
    func versions() throws -> String { try sqlite(url, "SELECT sum(Z_OPT), count(*), max(Z_PK) FROM ZSIGHTING")[0] }
    let before = try versions()
    let writer = DemoWriter(url: url, plan: DemoStore.Plan(rows: 300, seed: 7), rate: 500)
    writer.start()
    while try versions() == before { await Task.yield() }
    writer.stop()
    let stopped = try rows(url)
    // Started anew it goes on.
    writer.start()
    while try rows(url) == stopped { await Task.yield() }
    writer.stop()
    #expect(try sqlite(url, "PRAGMA integrity_check") == ["ok"])
  }

  @Test func `a rate of zero changes nothing`() throws {
    let url = try demo("still.sqlite", runs: [])
    let before = try FileFingerprint(of: url)
    let writer = DemoWriter(url: url, plan: DemoStore.Plan(rows: 300, seed: 7), rate: 0)
    writer.start()
    writer.stop()
    #expect(try FileFingerprint(of: url) == before)
  }
}

/// When the demo is alive.
@Suite struct DemoLaunchTests {
  private func launch(_ words: String...) throws -> BrowserLaunch {
    let folder = try TemporaryDirectory()
    let run = CommandRun(words, environment: ["XDG_DATA_HOME": folder.url.path])
    return try #require(run.launch, "\(run.errors)")
  }

  @Test func `the demo changes while it is shown, unless the rate is zero or the screen is printed`() throws {
    #expect(try launch("demo", "--rows", "100").activity is DemoWriter)
    #expect(try launch().activity is DemoWriter)
    #expect(try launch("demo", "--rows", "100", "--writer-process").activity is DemoWriterProcess)
    #expect(try launch("demo", "--rows", "100", "--rate", "0").activity == nil)
    #expect(try launch("demo", "--rows", "100", "--dump-screen", "text").activity == nil)
    #expect(try launch("demo", "--rows", "100", "--dump-screen", "text", "--rate", "2").activity is DemoWriter)
    let store = try LibraryStore()
    #expect(try launch(store.path).activity == nil)
  }

  @Test(arguments: ["-1", "x", "", "nan", "inf", "1001"])
  func `a rate is a number of changes a second`(rate: String) {
    #expect(CommandRun("demo", "--rate", rate).status == 64)
  }
}
