import Foundation
import Testing

@testable import CoreData

@Suite struct WALChangeFinderTests {
  private static func setup(_ autoVacuum: String = "INCREMENTAL") -> String {
    """
    PRAGMA page_size=1024; PRAGMA auto_vacuum=\(autoVacuum); PRAGMA journal_mode=wal; PRAGMA wal_autocheckpoint=0;
    CREATE TABLE t(a INTEGER PRIMARY KEY, b, c); CREATE INDEX i ON t(b);
    CREATE TABLE long(a INTEGER PRIMARY KEY, b, c); CREATE TABLE other(x, y);
    INSERT INTO t SELECT value, value%7, 'c'||value FROM generate_series(1,500);
    INSERT INTO long SELECT value, 1, hex(randomblob(4000)) FROM generate_series(1,20);
    INSERT INTO other SELECT value, 'y' FROM generate_series(1,40);
    PRAGMA wal_checkpoint(RESTART); UPDATE other SET y = 'z' WHERE x = 1;
    """
  }

  private func summary(_ finding: ChangeFinding) -> [String] {
    guard case .rows(let tables) = finding else { return ["\(finding)"] }
    return tables.flatMap { table in table.rows.map { "\(table.table) \($0.rowid) \($0.kind)" } }
  }

  @Test(arguments: [
    ("INSERT INTO t VALUES(501,1,'n');", ["t 501 inserted"]),
    ("UPDATE t SET c='n' WHERE a IN (3,400);", ["t 3 updated", "t 400 updated"]),
    ("DELETE FROM t WHERE a=77;", ["t 77 deleted"]),
    ("BEGIN; DELETE FROM t WHERE a=5; INSERT INTO t VALUES(5,5,'again'); COMMIT;", ["t 5 updated"]),
    ("BEGIN; DELETE FROM t WHERE a=5; INSERT INTO t VALUES(5,5,'c5'); COMMIT;", []),
    ("INSERT INTO t VALUES(501,1,'n'); DELETE FROM t WHERE a=501;", []),
    ("UPDATE t SET a=9000 WHERE a=9;", ["t 9 deleted", "t 9000 inserted"]),
    ("UPDATE t SET b=b, c=c;", []),
    ("BEGIN; UPDATE t SET c='n'; ROLLBACK;", []),
    ("UPDATE other SET y='w' WHERE x=40; UPDATE t SET c='n' WHERE a=1;", ["other 40 updated", "t 1 updated"]),
  ]) func `a commit's rows are found`(sql: String, expected: [String]) throws {
    let writer = try SecondWriter(Self.setup())
    var finder = try writer.finder()
    try writer.run(sql)
    #expect(summary(finder.find()) == expected)
    #expect(summary(finder.find()) == [])
  }

  @Test func `a found row has its values before and after`() throws {
    let writer = try SecondWriter(Self.setup())
    var finder = try writer.finder()
    try writer.run("UPDATE t SET c='new' WHERE a=3;")

    guard case .rows(let tables) = finder.find() else { throw PageError.missing(page: 0) }
    let row = try #require(tables.first?.rows.first)

    #expect(row.before?.values() == [.null, .integer(3), .text(Array("c3".utf8))])
    #expect(row.after?.values() == [.null, .integer(3), .text(Array("new".utf8))])
  }

  @Test func `a change inside a long text that writes no leaf is found by the pointer map`() throws {
    let writer = try SecondWriter(Self.setup())
    var finder = try writer.finder()
    let before = try #require(WALIndex(try writer.bytes("-shm"))).lastFrame
    try writer.run("UPDATE long SET c=substr(c,1,5000)||'!'||substr(c,5002) WHERE a=7;")
    let after = try #require(WALIndex(try writer.bytes("-shm"))).lastFrame
    #expect(after - before == 1, "one page is written")
    #expect(summary(finder.find()) == ["long 7 updated"])
  }

  @Test func `rows whose pages were only moved by a vacuum did not change`() throws {
    let writer = try SecondWriter(Self.setup())
    try writer.run("DELETE FROM t WHERE a BETWEEN 100 AND 300;")
    var finder = try writer.finder()
    try writer.run("PRAGMA incremental_vacuum(3);")
    #expect(summary(finder.find()) == [])
  }

  @Test func `an emptied table's rows are all found though its leaves are freed unwritten`() throws {
    let writer = try SecondWriter(Self.setup())
    var finder = try writer.finder()
    try writer.run("DELETE FROM t;")
    #expect(summary(finder.find()) == (1...500).map { "t \($0) deleted" })
  }

  @Test func `a log that was restarted with nothing missed is followed`() throws {
    let writer = try SecondWriter(Self.setup())
    try writer.run("UPDATE t SET b=b+1;")
    var finder = try writer.finder()
    try writer.run("PRAGMA wal_checkpoint(RESTART);")
    #expect(summary(finder.find()) == [])
    try writer.run("UPDATE t SET c='n' WHERE a=3;")
    #expect(summary(finder.find()) == ["t 3 updated"])
  }

  @Test func `a log that was never written is a state to begin with`() throws {
    let writer = try SecondWriter(Self.setup())
    try writer.quit()
    let other = try SQLiteShell(URL(fileURLWithPath: writer.path))
    try other.run("SELECT count(*) FROM t;")
    #expect(try writer.bytes("-wal").isEmpty)
    var finder = try writer.finder()
    #expect(summary(finder.find()) == [])
    try other.run("UPDATE t SET c='n' WHERE a=3;")
    #expect(finder.find() == .fullComparisonNeeded(.logRestarted))
    try other.run("UPDATE t SET c='n' WHERE a=4;")
    #expect(summary(finder.find()) == ["t 4 updated"])
    try other.quit()
  }

  @Test(arguments: [
    ("UPDATE t SET c='n' WHERE a=3; PRAGMA wal_checkpoint(RESTART); UPDATE t SET c='n' WHERE a=4;", "logRestarted"),
    ("PRAGMA wal_checkpoint(TRUNCATE); UPDATE t SET c='n' WHERE a=4;", "logRestarted"),
    ("UPDATE t SET c='n' WHERE a=3; PRAGMA wal_checkpoint(PASSIVE);", "oldImageLost"),
    ("CREATE TABLE v(x);", "schemaChanged"),
    ("VACUUM;", "schemaChanged"),
  ]) func `where pages do not tell, the reason is said`(sql: String, reason: String) throws {
    let writer = try SecondWriter(Self.setup())
    var finder = try writer.finder()
    try writer.run(sql)
    #expect(summary(finder.find()) == ["fullComparisonNeeded(CoreData.FullComparisonReason.\(reason))"])
    try writer.run("UPDATE t SET c='after' WHERE a=8;")
    #expect(summary(finder.find()) == ["t 8 updated"])
  }

  @Test func `without a pointer map an overflow page alone does not tell its row`() throws {
    let writer = try SecondWriter(Self.setup("NONE"))
    var finder = try writer.finder()
    try writer.run("UPDATE long SET c=substr(c,1,5000)||'!'||substr(c,5002) WHERE a=7;")
    #expect(finder.find() == .fullComparisonNeeded(.overflowOwnerUnknown))
    try writer.run("UPDATE long SET c='short' WHERE a=7; INSERT INTO long VALUES(21,1,hex(randomblob(3000)));")
    #expect(summary(finder.find()) == ["long 7 updated", "long 21 inserted"])
  }

  @Test(arguments: ["INCREMENTAL", "NONE"])
  func `a change inside a long text is found though its leaf was written for another row`(mode: String) throws {
    // Texts of which so little lies on the leaf that two rows share one.
    let writer = try SecondWriter(
      Self.setup(mode) + "INSERT INTO long SELECT value, 5, hex(randomblob(4130)) FROM generate_series(31,34);")
    var finder = try writer.finder()
    let before = try #require(WALIndex(try writer.bytes("-shm"))).lastFrame
    try writer.run(
      """
      BEGIN; UPDATE long SET b=6 WHERE a=33; UPDATE long SET c=substr(c,1,5000)||'!'||substr(c,5002) WHERE a=34;
      COMMIT;
      """)
    let after = try #require(WALIndex(try writer.bytes("-shm"))).lastFrame
    #expect(after - before == 2, "one leaf and one page of a text are written")
    #expect(summary(finder.find()) == ["long 33 updated", "long 34 updated"])
  }

  @Test func `a table without row ids needs the full comparison`() throws {
    let writer = try SecondWriter(Self.setup() + "CREATE TABLE k(a TEXT PRIMARY KEY) WITHOUT ROWID;")
    var finder = try writer.finder()
    try writer.run("INSERT INTO k VALUES('x');")
    #expect(finder.find() == .fullComparisonNeeded(.keyedTable))
  }

  @Test func `a row from before a column with a default needs the full comparison`() throws {
    let writer = try SecondWriter(
      Self.setup() + "ALTER TABLE t ADD COLUMN d DEFAULT 5; ALTER TABLE other ADD COLUMN e;")
    var finder = try writer.finder()
    try writer.run("UPDATE other SET e=NULL WHERE x=2;")
    #expect(summary(finder.find()) == [])
    try writer.run("UPDATE t SET d=5 WHERE a=3;")
    #expect(finder.find() == .fullComparisonNeeded(.defaultsUnknown))
  }

  @Test func `more pages than the limit are left to the full comparison`() throws {
    let writer = try SecondWriter(Self.setup())
    var finder = try writer.finder(pageLimit: 3)
    try writer.run("UPDATE t SET c='n';")
    #expect(finder.find() == .fullComparisonNeeded(.tooManyPages))
  }

  @Test func `a store without a log gives nothing to go by`() throws {
    let writer = try SecondWriter("CREATE TABLE t(a);")
    let none = Bytes(content: [])
    var finder = WALChangeFinder(main: try writer.file(""), log: none, index: none)
    #expect(finder.find() == .fullComparisonNeeded(.nothingToGoBy))
  }

  @Test func `pages that contradict the format need the full comparison`() throws {
    let writer = try SecondWriter(Self.setup())
    var garbage = try writer.bytes("")
    for offset in 2 * 1024..<garbage.count { garbage[offset] = 0xff }
    var finder = WALChangeFinder(
      main: Bytes(content: garbage), log: try writer.file("-wal"), index: try writer.file("-shm"))
    try writer.run("UPDATE t SET c='n' WHERE a=3;")
    #expect(finder.find() == .fullComparisonNeeded(.unreadable))
  }

  @Test(arguments: ["INCREMENTAL", "FULL", "NONE"]) func `random commits are found as two full readings differ`(
    mode: String
  ) throws {
    let writer = try SecondWriter(Self.setup(mode))
    try writer.run("PRAGMA wal_autocheckpoint=60;")
    var finder = try writer.finder()
    var numbers = SeededNumbers(state: 42)
    var before = try Self.digests(writer)
    var (found, left) = (0, 0)
    for _ in 0..<150 {
      let sql = Self.randomCommit(&numbers)
      try writer.run(sql)
      let after = try Self.digests(writer)
      let finding = finder.find()
      if case .rows = finding {
        let expected = ["long", "t"].flatMap { table in
          (after[table] ?? RowDigests()).changes(since: before[table] ?? RowDigests()).map {
            "\(table) \($0.key) \($0.kind)"
          }
        }
        #expect(summary(finding) == expected, "after \(sql)")
        found += 1
      } else {
        left += 1
      }
      before = after
    }
    #expect(found > left)
  }

  private static func randomCommit(_ numbers: inout SeededNumbers) -> String {
    let key = Int.random(in: 1...600, using: &numbers)
    switch Int.random(in: 0..<7, using: &numbers) {
    case 0: return "INSERT OR REPLACE INTO t VALUES(\(key),1,hex(randomblob(\(key % 90))));"
    case 1: return "UPDATE t SET c='u\(key)' WHERE a BETWEEN \(key) AND \(key + 9);"
    case 2: return "DELETE FROM t WHERE a BETWEEN \(key) AND \(key + 40);"
    case 3: return "UPDATE long SET c=substr(c,1,3000)||'\(key % 10)'||substr(c,3002) WHERE a=\(key % 20);"
    case 4: return "UPDATE long SET c=hex(randomblob(\(key * 5))) WHERE a=\(key % 20);"
    case 5: return "INSERT INTO t(b,c) SELECT value, 'n' FROM generate_series(1,\(key % 60));"
    default: return "PRAGMA incremental_vacuum(\(key % 9));"
    }
  }

  private static func digests(_ writer: SecondWriter) throws -> [String: RowDigests] {
    var result: [String: RowDigests] = [:]
    for table in ["t", "long"] {
      var rows = RowDigests()
      for line in try writer.run("SELECT a||' '||quote(b)||quote(c) FROM \(table) ORDER BY a;") {
        let parts = line.split(separator: " ", maxSplits: 1)
        rows.append(try #require(Int64(parts[0])), digest: parts[1].hashValue)
      }
      result[table] = rows
    }
    return result
  }
}
