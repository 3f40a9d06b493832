import Foundation
import Testing

@testable import CoreData

/// Commits of every kind by the real `sqlite3` program: after each quiet point the sum of what was reported is the
/// difference of two full readings, nothing lost and nothing twice.
///
/// A share of them runs with the suite; all 10,000 with LONG=1 in the environment.
@Suite(.serialized) struct WatcherCommitsTests {
  /// A way of writing, and the part of all commits that is made in it.
  struct Way: Sendable, CustomTestStringConvertible {
    var name: String
    var setup: String
    var isWAL = true
    var isReadOnly = true
    var share: Int
    var pageLimit = 4_096
    var testDescription: String { name }
  }

  static let ways = [
    Way(name: "WAL", setup: "PRAGMA journal_mode=wal; PRAGMA wal_autocheckpoint=200;", share: 40),
    Way(
      name: "WAL, opened for editing", setup: "PRAGMA journal_mode=wal; PRAGMA wal_autocheckpoint=60;",
      isReadOnly: false, share: 15),
    Way(
      name: "WAL without pointer map",
      setup:
        "PRAGMA journal_mode=delete; PRAGMA auto_vacuum=NONE; VACUUM; PRAGMA journal_mode=wal; PRAGMA wal_autocheckpoint=100;",
      share: 15),
    Way(
      name: "WAL, few pages followed", setup: "PRAGMA journal_mode=wal; PRAGMA wal_autocheckpoint=1000;", share: 10,
      pageLimit: 2),
    Way(name: "rollback journal, deleted", setup: "PRAGMA journal_mode=delete;", isWAL: false, share: 10),
    Way(
      name: "rollback journal, kept", setup: "PRAGMA journal_mode=persist; PRAGMA cache_size=2;", isWAL: false,
      isReadOnly: false, share: 10),
  ]

  @Test(arguments: ways) func `what is reported adds up to what differs`(way: Way) async throws {
    let isLong = ProcessInfo.processInfo.environment["LONG"] != nil
    let wanted = (isLong ? 10_000 : 700) * way.share / 100
    var settings = StoreWatcher.Settings()
    settings.pageLimit = way.pageLimit
    let shapes = try await WatchedShapes(setup: way.setup, isReadOnly: way.isReadOnly, settings: settings)
    var commits = RandomCommits(seed: UInt64(way.share) &* 77 &+ UInt64(way.name.count), isWAL: way.isWAL)
    var numbers = SeededNumbers(state: 5)
    var (made, quiet) = (0, 0)
    var history: [String] = []
    while made < wanted {
      let round = Int.random(in: 1...4, using: &numbers)
      var sum = 0
      for _ in 0..<round {
        let (sql, count) = commits.next()
        history = history.suffix(8) + [sql]
        // Mostly one statement after the other; sometimes all at once.
        try shapes.run(sql)
        sum += count
      }
      made += sum
      quiet += 1
      do {
        try await shapes.settle(isExact: sum == 1)
      } catch {
        Issue.record("after \(made) commits, the last being\n\(history.joined(separator: "\n"))\n\(error)")
        return
      }
    }
    #expect(shapes.mirror.incomplete == 0)
    print("\(way.name): \(made) commits, \(quiet) quiet points, reports by \(shapes.mirror.sources)")
  }
}
