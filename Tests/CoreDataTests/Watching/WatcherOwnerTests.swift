import Foundation
import TestSupport
import Testing

@testable import CoreData

/// The store's owner never notices that it is watched.
@Suite(.serialized) struct WatcherOwnerTests {
  /// Commits without waiting for any lock, with checkpoints as Core Data makes them, and tells what went wrong.
  private static let owner = """
    import sqlite3, sys, time, os
    path, seconds, timeout = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
    store = sqlite3.connect(path, timeout=timeout, isolation_level=None)
    commits = errors = most = 0
    end = time.time() + seconds
    while time.time() < end:
        try:
            key = commits * 7919 % 20000 + 1
            store.execute("UPDATE ZITEM SET ZRANK = ?, Z_OPT = Z_OPT + 1 WHERE Z_PK = ?", (commits, key))
            commits += 1
            if commits % 100 == 0:
                store.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        except sqlite3.OperationalError as error:
            errors += 1
            print(error, file=sys.stderr)
        if os.path.exists(path + "-wal"):
            most = max(most, os.path.getsize(path + "-wal"))
        time.sleep(0.002)
    print(commits, errors, most)
    """

  private func own(_ shapes: WatchedShapes, timeout: Double) throws -> (commits: Int, errors: Int, log: Int) {
    let seconds = LongRun.isOn ? "60" : "3"
    let run = try ProcessRun("python3", ["-c", Self.owner, shapes.writer.path, seconds, String(timeout)])
    try #require(run.status == 0, Comment(rawValue: run.errors))
    let numbers = run.output.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    try #require(numbers.count == 3)
    print("\(numbers[0]) commits, \(numbers[1]) errors, a log of \(numbers[2]) bytes at most")
    return (numbers[0], numbers[1], numbers[2])
  }

  /// By pages, and by comparing all rows after every commit, as if the log were lost sight of each time.
  @Test(arguments: [4_096, 0])
  func `with a log the owner never waits, though it would not wait for anybody`(pageLimit: Int) async throws {
    var settings = StoreWatcher.Settings()
    settings.pageLimit = pageLimit
    let shapes = try await WatchedShapes(items: 20_000, settings: settings)
    let result = try own(shapes, timeout: 0)
    #expect(result.commits > 100)
    #expect(result.errors == 0)
    #expect(result.log < 16 << 20)
    try await shapes.settle()
  }

  @Test func `with a rollback journal the owner's usual patience is never tried`() async throws {
    let shapes = try await WatchedShapes(items: 20_000, setup: "PRAGMA journal_mode=delete;")
    let result = try own(shapes, timeout: 5)
    #expect(result.commits > 20)
    #expect(result.errors == 0)
    try await shapes.settle()
  }
}
