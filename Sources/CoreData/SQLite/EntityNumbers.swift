import Foundation

/// Which number (`Z_ENT`) each entity of a model has in one store.
///
/// `Z_PRIMARYKEY` can still hold the name from before a lightweight migration renamed the entity (reference/ODDITIES.md 3):
/// then the renaming identifier tells, or the place in the tree when only one entity can be meant.
struct EntityNumbers: Sendable {
  /// A row of `Z_PRIMARYKEY`.
  struct Row: Sendable, Hashable {
    var number: Int32
    var name: String
    var parent: Int32
    var highestKey: Int64
  }

  private var numbers: [String: Int32] = [:]
  private var storedNames: [String: String] = [:]

  init(model: NSManagedObjectModel, rows: [Row]) {
    // A table rebuilt by hand can hold a number twice: the first row counts.
    var seen: Set<Int32> = []
    let rows = rows.filter { seen.insert($0.number).inserted }
    var left = Dictionary(rows.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var unmatched: [NSEntityDescription] = []
    for entity in model.entities {
      guard let name = entity.name else { continue }
      if let row = left.removeValue(forKey: name) { take(row, for: name) } else { unmatched.append(entity) }
    }
    unmatched.removeAll { entity in
      guard let name = entity.name, let old = entity.renamingIdentifier, let row = left.removeValue(forKey: old) else {
        return false
      }
      take(row, for: name)
      return true
    }
    // Numbers 16001 and up are the framework's own entities.
    var open = left.values.filter { $0.number < 16_000 }
    for entity in Self.parentsFirst(unmatched) {
      guard let name = entity.name else { continue }
      guard let parent = entity.superentity.map({ number(of: $0) }) ?? 0 else { continue }
      let rivals = unmatched.filter { $0.superentity === entity.superentity }
      let candidates = open.filter { $0.parent == parent }
      guard rivals.count == 1, candidates.count == 1 else { continue }
      take(candidates[0], for: name)
      open.removeAll { $0 == candidates[0] }
    }
  }

  private static func parentsFirst(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
    func depth(_ entity: NSEntityDescription) -> Int { entity.superentity.map { depth($0) + 1 } ?? 0 }
    return entities.sorted { depth($0) < depth($1) }
  }

  private mutating func take(_ row: Row, for name: String) {
    numbers[name] = row.number
    storedNames[name] = row.name
  }

  func number(of entity: NSEntityDescription) -> Int32? { entity.name.flatMap { numbers[$0] } }

  /// The entity's name in `Z_PRIMARYKEY`.
  func storedName(of entity: NSEntityDescription) -> String? { entity.name.flatMap { storedNames[$0] } }
}
