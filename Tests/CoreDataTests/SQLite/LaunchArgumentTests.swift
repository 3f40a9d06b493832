import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// What programs are launched with to see what happens (reference/CONTEXT.md 76 and 110).
@Suite struct LaunchArgumentTests {
  /// What is told of a query at a level.
  private func lines(_ level: Int) throws -> [String] {
    let file = try TemporaryStore(
      sql:
        "CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, ZAGE INTEGER); INSERT INTO ZPERSON VALUES (1, 17), (2, 20), (3, 30);"
    )
    let connection = try SQLiteConnection(path: file.url.path, mode: .readWrite)
    let log = LifeLog()
    connection.debug = SQLDebug(level: level) { log.add($0) }
    _ = try connection.rows("SELECT t.Z_PK, t.ZAGE FROM ZPERSON t WHERE t.ZAGE > ?", [.integer(18)])
    return log.take()
  }

  @Test func `CONTEXT 110: level 1 tells the statement and its time`() throws {
    let lines = try lines(1)
    #expect(lines.count == 2)
    #expect(lines.first == "CoreData: sql: SELECT t.Z_PK, t.ZAGE FROM ZPERSON t WHERE t.ZAGE > ?")
    let time = try #require(lines.last)
    #expect(time.wholeMatch(of: /CoreData: annotation: sql connection fetch time: \d+\.\d{4}s/) != nil)
  }

  @Test func `CONTEXT 110: level 2 adds bound values and rows, 3 the rows' values, 4 the plan`() throws {
    let second = try lines(2)
    #expect(second.count == 4 && second[1] == "CoreData: details: SQLite bind[0] = 18")
    #expect(
      second[3].hasPrefix("CoreData: annotation: total fetch execution time: ") && second[3].hasSuffix("for 2 rows."))
    let third = try lines(3)
    #expect(
      third.filter { $0.contains("row ") } == ["CoreData: details: row 1: 2, 20", "CoreData: details: row 2: 3, 30"])
    #expect(try lines(4).contains { $0.hasPrefix("CoreData: details: EXPLAIN") && $0.contains("SCAN") })
  }

  @Test func `CONTEXT 110: a connection tells nothing unless it is asked to, and arguments are Apple's`() throws {
    #expect(SQLDebug.launched == nil)
    let name = "-com.apple.CoreData.SQLDebug"
    #expect(LaunchArguments.number(after: name, in: ["program", name, "3", "x"]) == 3)
    #expect(LaunchArguments.number(after: name, in: ["program", name]) == 0)
    #expect(LaunchArguments.number(after: name, in: ["program", name, "x"]) == 0)
    #expect(LaunchArguments.number(after: name, in: ["program"]) == 0)
  }

  @Test func `CONTEXT 76: with ConcurrencyDebug an object that is used off its queue stops the program`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let office = try Office { $0.new("Person", "ann") }
      let context = office.context()
      let ann = try context.performAndWait { try context.one("Person", "ann") }
      LaunchArguments.checksQueues.store(true, ordering: .relaxed)
      _ = ann.value(forKey: "name")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("__Multithreading_Violation_AllThatIsLeftToUsIsHonor__"))
    await #expect(processExitsWith: .failure) {
      let office = try Office()
      LaunchArguments.checksQueues.store(true, ordering: .relaxed)
      _ = try office.context().all("Person")
    }
    await #expect(processExitsWith: .success) {
      let office = try Office { $0.new("Person", "ann") }
      LaunchArguments.checksQueues.store(true, ordering: .relaxed)
      let name = try office.work { try $0.one("Person", "ann").value(forKey: "name") as? String }
      #expect(name == "ann")
    }
  }
}
