import Synchronization
import TestSupport
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

  /// The commits of all ways so far.
  private static let all = Mutex(0)

  @Test(arguments: ways) func `what is reported adds up to what differs`(way: Way) async throws {
    let wanted = (LongRun.isOn ? 10_000 : 700) * way.share / 100
    var settings = StoreWatcher.Settings()
    settings.pageLimit = way.pageLimit
    let shapes = try await WatchedShapes(setup: way.setup, isReadOnly: way.isReadOnly, settings: settings)
    var commits = RandomCommits(seed: UInt64(way.share) &* 77 &+ UInt64(way.name.count), isWAL: way.isWAL)
    var numbers = SeededNumbers(state: 5)
    var (made, quiet) = (0, 0)
    var history: [String] = []
    while made < wanted {
      // Mostly a few statements, one after the other; sometimes all at once, and many.
      let isBurst = Int.random(in: 0..<8, using: &numbers) == 0
      let round = Int.random(in: 1...(isBurst ? 24 : 4), using: &numbers)
      let statements = (0..<round).map { _ in commits.next() }
      history = history.suffix(8) + statements.joined()
      var sum = 0
      for some in isBurst ? [Array(statements.joined())] : statements { sum += try shapes.commit(some) }
      made += sum
      quiet += 1
      do {
        try await shapes.settle(isExact: sum <= 1)
      } catch {
        Issue.record("after \(made) commits, the last being\n\(history.joined(separator: "\n"))\n\(error)")
        return
      }
    }
    #expect(shapes.mirror.incomplete == 0)
    let all = Self.all.withLock { all in
      all += made
      return all
    }
    let sources = shapes.mirror.sources.map { "\($0.value) by \($0.key)" }.sorted().joined(separator: ", ")
    print("\(way.name): \(made) commits, \(quiet) quiet points, reports: \(sources); \(all) commits so far")
  }
}

extension WatchedShapes {
  /// Runs statements in one go; answers how many of them changed rows, each of which was a commit.
  ///
  /// What is rolled back is none, and a vacuum is not counted.
  fileprivate func commit(_ statements: [String]) throws -> Int {
    let mark = "changes "
    func count(_ lines: [String]) -> [Substring] {
      lines.filter { $0.hasPrefix(mark) }.map { $0.dropFirst(mark.count) }
    }
    let asking = "SELECT '\(mark)'||total_changes();"
    let counts = count(try run(asking + statements.map { $0 + asking }.joined(separator: "\n")))
    try #require(counts.count == statements.count + 1)
    return zip(statements, zip(counts, counts.dropFirst())).count { sql, counts in
      counts.0 != counts.1 && !sql.contains("ROLLBACK")
    }
  }
}
