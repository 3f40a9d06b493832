import Foundation
import TestSupport
import Testing

@testable import CoreData

/// reference/SQLITE.md, "The ladder": each rung reads what is there and changes nothing.
@Suite struct ReadLadderTests {
  private static let table = "CREATE TABLE T (a); INSERT INTO T VALUES (1), (2), (3);"

  private func count(_ ladder: ReadLadder) throws -> Int64 {
    let connection = try SQLiteConnection(path: ladder.path, mode: ladder.mode)
    return try count(connection)
  }

  private func count(_ connection: SQLiteConnection) throws -> Int64 {
    guard case .integer(let count)? = try connection.rows("SELECT count(*) FROM T").first?.first else { return -1 }
    return count
  }

  /// A copy of some of a store's files in a folder of their own.
  private func files(_ names: [String], of store: TemporaryStore) throws -> (TemporaryDirectory, URL) {
    let folder = try TemporaryDirectory()
    for name in names {
      try FileManager.default.copyItem(
        at: store.directory.url.appending(path: name), to: folder.url.appending(path: name))
    }
    return (folder, folder.url.appending(path: "Test.sqlite"))
  }

  private func fingerprint(_ folder: TemporaryDirectory) throws -> [String: FileFingerprint] {
    var found: [String: FileFingerprint] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) {
      found[name] = try FileFingerprint(of: folder.url.appending(path: name))
    }
    return found
  }

  @Test func `a rollback store is read in place, and commits of others are seen`() throws {
    let store = try TemporaryStore(sql: Self.table)
    let before = try store.fingerprint()
    let ladder = try ReadLadder(StoreFile(path: store.url.path))
    #expect(ladder.access == .live)
    #expect(ladder.path == store.url.path)
    let connection = try SQLiteConnection(path: ladder.path, mode: ladder.mode)
    #expect(try count(connection) == 3)
    #expect(try store.fingerprint() == before)
    try store.write("INSERT INTO T VALUES (4)")
    #expect(try count(connection) == 4)
  }

  @Test func `a hot journal is played back in a copy only`() throws {
    let store = try TemporaryStore(
      sql: """
        CREATE TABLE T (a, b);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO T SELECT i, hex(randomblob(200)) FROM n;
        """)
    let crashed = try TemporaryDirectory()
    let target = crashed.url.appending(path: "Test.sqlite")
    try store.write(
      """
      PRAGMA cache_size = 5; BEGIN; DELETE FROM T WHERE a > 7; UPDATE T SET b = hex(randomblob(400));
      .system cp '\(store.url.path)' '\(target.path)'
      .system cp '\(store.url.path)-journal' '\(target.path)-journal'
      ROLLBACK;
      """)
    let before = try fingerprint(crashed)
    #expect(before.count == 2)
    var ladder: ReadLadder? = try ReadLadder(StoreFile(path: target.path))
    #expect(ladder?.access == .copy)
    #expect(try ladder.map(count) == 2_000)
    let copy = try #require(ladder?.copy?.folder.path)
    #expect(FileManager.default.fileExists(atPath: copy))
    ladder = nil
    #expect(!FileManager.default.fileExists(atPath: copy))
    #expect(try fingerprint(crashed) == before)
  }

  @Test func `a journal that a writer still works with is not hot`() throws {
    let store = try TemporaryStore(sql: Self.table)
    let writer = try SQLiteShell(store.url)
    try writer.run("BEGIN IMMEDIATE; INSERT INTO T VALUES (4);")
    #expect(FileManager.default.fileExists(atPath: store.url.path + "-journal"))
    let file = try StoreFile(path: store.url.path)
    #expect(file.isReserved)
    let ladder = try ReadLadder(file)
    #expect(ladder.access == .live)
    let connection = try SQLiteConnection(path: ladder.path, mode: ladder.mode)
    #expect(try count(connection) == 3)
    try writer.run("COMMIT;")
    #expect(!file.isReserved)
    #expect(try count(connection) == 4)
  }

  @Test func `a log with its shared memory is read in place, and commits of others are seen`() throws {
    let store = try TemporaryStore(sql: "PRAGMA journal_mode = WAL; " + Self.table)
    let writer = try SQLiteShell(store.url)
    try writer.run("INSERT INTO T VALUES (4);")
    let before = try store.fingerprint()
    #expect(Set(before.keys) == ["Test.sqlite", "Test.sqlite-wal", "Test.sqlite-shm"])
    let ladder = try ReadLadder(StoreFile(path: store.url.path))
    #expect(ladder.access == .live)
    #expect(ladder.mode == .readOnlySharedMemory)
    let connection = try SQLiteConnection(path: ladder.path, mode: ladder.mode)
    #expect(try count(connection) == 4)
    #expect(try store.fingerprint().mapValues(\.bytes) == before.mapValues(\.bytes))
    try writer.run("INSERT INTO T VALUES (5);")
    #expect(try count(connection) == 5)
  }

  @Test func `a log without shared memory is read in a copy`() throws {
    let store = try TemporaryStore(sql: "PRAGMA journal_mode = WAL; " + Self.table)
    let writer = try SQLiteShell(store.url)
    try writer.run("INSERT INTO T VALUES (4);")
    let (folder, url) = try files(["Test.sqlite", "Test.sqlite-wal"], of: store)
    let before = try fingerprint(folder)
    let ladder = try ReadLadder(StoreFile(path: url.path))
    #expect(ladder.access == .copy)
    #expect(try count(ladder) == 4)
    #expect(try fingerprint(folder) == before)
  }

  @Test(arguments: [false, true])
  func `without frames in a log the file alone is a snapshot`(hasEmptyLog: Bool) throws {
    let store = try TemporaryStore(sql: "PRAGMA journal_mode = WAL; " + Self.table)
    if hasEmptyLog { try Data().write(to: URL(filePath: store.url.path + "-wal")) }
    let before = try store.fingerprint()
    #expect(before.count == (hasEmptyLog ? 2 : 1))
    let ladder = try ReadLadder(StoreFile(path: store.url.path))
    #expect(ladder.access == .snapshot)
    #expect(ladder.journal == .writeAheadLog)
    #expect(try count(ladder) == 3)
    #expect(try store.fingerprint() == before)
  }

  @Test func `a descriptor of a file is not closed while another holder lives`() throws {
    let store = try TemporaryStore(sql: Self.table)
    func othersCanWrite() throws -> Bool {
      let run = try ProcessRun("sqlite3", ["-batch", "-bail", store.url.path], input: "INSERT INTO T VALUES (9);")
      return run.status == 0
    }
    var holder: StoreFile? = try StoreFile(path: store.url.path)
    let connection = try SQLiteConnection(path: store.url.path, mode: .readWrite)
    try connection.execute("BEGIN IMMEDIATE")
    // Closing a descriptor here would drop the lock that the connection holds.
    for _ in 0..<3 { _ = try ReadLadder(StoreFile(path: store.url.path)) }
    #expect(try !othersCanWrite())
    try connection.execute("ROLLBACK")
    #expect(try othersCanWrite())
    #expect(holder != nil)
    holder = nil
  }

  @Test(arguments: [
    "plain", "with space", "Ünïcode ✓", "per%cent", "question?mode=rw", "hash#fragment", "semi;colon&amp", "café",
  ])
  func `a path may hold any character`(name: String) throws {
    let store = try TemporaryStore(named: name + ".sqlite", sql: Self.table)
    let before = try store.fingerprint()
    #expect(try count(ReadLadder(StoreFile(path: store.url.path))) == 3)
    #expect(try count(ReadLadder(StoreFile(path: "/" + store.url.path))) == 3)
    #expect(try store.fingerprint() == before)
  }
}
