import Synchronization

/// The rows that this process wrote lately, for telling its own commits from those of others.
///
/// Whoever notices that a row changed asks `isOwn` with the version (`Z_OPT`) that the row has now, `nil` when it is gone.
/// A save records its rows before it commits and forgets them when it is rolled back, so a row that can be seen is here.
/// Each record answers once: an edit by plain SQL that follows and leaves `Z_OPT` as it is, is not taken for an own one.
final class OwnSaves: Sendable {
  /// A row that a save wrote, with the version it got; `nil` for one that was deleted.
  struct Row: Hashable, Sendable {
    var key: ObjectKey
    var version: Int64?
  }

  /// The older half goes when the newer one is full.
  private struct Records {
    var newer: [ObjectKey: [Int64?]] = [:]
    var older: [ObjectKey: [Int64?]] = [:]
  }
  private let records = Mutex(Records())
  private let half: Int

  /// Keeps the rows of the last saves, at least `limit` of them.
  init(limit: Int = 32_768) { half = limit }

  /// Notes the rows of a save that is about to commit.
  func record(_ rows: [Row]) {
    records.withLock { records in
      for row in rows {
        if records.newer.count >= half, records.newer[row.key] == nil {
          records.older = records.newer
          records.newer = [:]
        }
        records.newer[row.key, default: records.older.removeValue(forKey: row.key) ?? []].append(row.version)
      }
    }
  }

  /// Takes back what was noted of a save that did not commit.
  func forget(_ rows: [Row]) {
    records.withLock { records in
      for row in rows {
        Self.change(row.key, in: &records) { versions in
          if let index = versions.lastIndex(of: row.version) { versions.remove(at: index) }
        }
      }
    }
  }

  /// Whether a row is as a save of this process left it; asking takes the record away, and those of earlier saves with it.
  func isOwn(_ key: ObjectKey, versionAfter version: Int64?) -> Bool {
    records.withLock { records in
      var isOwn = false
      Self.change(key, in: &records) { versions in
        guard let index = versions.lastIndex(of: version) else { return }
        versions.removeSubrange(...index)
        isOwn = true
      }
      return isOwn
    }
  }

  private static func change(_ key: ObjectKey, in records: inout Records, _ body: (inout [Int64?]) -> Void) {
    for half in [\Records.newer, \Records.older] {
      guard var versions = records[keyPath: half][key] else { continue }
      body(&versions)
      records[keyPath: half][key] = versions.isEmpty ? nil : versions
      return
    }
  }
}
