@testable import CoreData

/// The rows of a table as a full reading saw them, a key and a digest of its values each: two of them compared are the
/// oracle of every finder.
struct RowDigests: Equatable, Sendable {
  private(set) var keys: [Int64] = []
  private(set) var digests: [Int] = []

  /// Adds a row; keys come in ascending order, as a table is read.
  mutating func append(_ key: Int64, digest: Int) {
    assert(keys.last.map { $0 < key } ?? true, "rows are read in the order of their keys")
    keys.append(key)
    digests.append(digest)
  }

  /// The rows that differ from an earlier reading, in ascending order of keys.
  func changes(since earlier: RowDigests) -> [(key: Int64, kind: RowChange.Kind)] {
    var result: [(Int64, RowChange.Kind)] = []
    var (old, new) = (0, 0)
    while old < earlier.keys.count || new < keys.count {
      if old == earlier.keys.count || (new < keys.count && keys[new] < earlier.keys[old]) {
        result.append((keys[new], .inserted))
        new += 1
      } else if new == keys.count || earlier.keys[old] < keys[new] {
        result.append((earlier.keys[old], .deleted))
        old += 1
      } else {
        if digests[new] != earlier.digests[old] { result.append((keys[new], .updated)) }
        (old, new) = (old + 1, new + 1)
      }
    }
    return result
  }
}
