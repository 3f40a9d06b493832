import Foundation
import TestSupport

@testable import CoreData

/// The data of random fetches as plain Swift values, beside the same data as managed objects.
struct PlainWorld: Sendable {
  /// One row: what it holds under each key.
  struct Row: Sendable {
    let entity: PlainEntity
    var values: [String: PlainValue] = [:]
    var ones: [String: Int] = [:]
    var manys: [String: [Int]] = [:]
    var isDeleted = false
  }

  private(set) var rows: [Row] = []
  private var firstItem = 0
  private var random: SeededGenerator

  /// Random rows of every entity.
  init(seed: UInt64, items: Int = LongRun.isOn ? 48 : 20) {
    random = SeededGenerator(seed: seed)
    let counts: [(PlainEntity, Int)] = [(.group, 8), (.tag, 12), (.item, items), (.special, items / 4)]
    for (entity, count) in counts {
      for _ in 0..<count { rows.append(Row(entity: entity)) }
    }
    firstItem = counts[0].1 + counts[1].1
    for index in rows.indices { fill(index) }
    relate()
  }

  /// The rows that a fetch of the entity is about.
  func rows(of entity: PlainEntity, includingSubentities: Bool = true) -> [Int] {
    rows.indices.filter {
      !rows[$0].isDeleted
        && (rows[$0].entity == entity || includingSubentities && entity == .item && rows[$0].entity == .special)
    }
  }

  // MARK: Changes

  /// Changes a few rows, adds some and deletes some; answers which.
  mutating func change() -> (updated: Set<Int>, inserted: [Int], deleted: [Int]) {
    var updated: Set<Int> = []
    for index in rows.indices where !rows[index].isDeleted && chance(8) {
      fill(index)
      updated.insert(index)
    }
    var inserted: [Int] = []
    for entity in [PlainEntity.item, .item, .special, .group, .tag] where chance(2) {
      rows.append(Row(entity: entity))
      inserted.append(rows.count - 1)
      fill(rows.count - 1)
    }
    var deleted: [Int] = []
    // A relationship without an inverse would go on leading to what is gone.
    let held = Set(rows.flatMap { $0.manys["loose"] ?? [] })
    for index in rows.indices where !rows[index].isDeleted && chance(20) && !held.contains(index) {
      rows[index].isDeleted = true
      deleted.append(index)
    }
    relate()
    return (updated.subtracting(deleted), inserted.filter { !deleted.contains($0) }, deleted)
  }

  private mutating func chance(_ bound: Int) -> Bool { Int.random(in: 0..<bound, using: &random) == 0 }

  private mutating func fill(_ index: Int) {
    let entity = rows[index].entity
    for (key, kind) in entity.attributes {
      rows[index].values[key] = chance(5) ? .missing : kind.random(&random)
    }
    for (key, target) in entity.ownOnes {
      rows[index].ones[key] = chance(4) ? nil : any(of: target)
    }
    for (key, target) in entity.ownManys {
      if key == "loose" {
        rows[index].manys[key] = rows(of: target).filter { owner(of: $0) == index && !chance(4) }
        continue
      }
      let ends = (0..<Int.random(in: 0..<5, using: &random)).compactMap { _ in any(of: target) }
      rows[index].manys[key] = ends.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
  }

  /// The one item that may lead to a tag by the relationship without an inverse: a store keeps it in the tag's row, which
  /// has room for one.
  private func owner(of tag: Int) -> Int { firstItem + tag % 4 * 3 }

  private mutating func any(of entity: PlainEntity) -> Int? { rows(of: entity).randomElement(using: &random) }

  /// Takes out what leads to deleted rows, and derives the other ends.
  private mutating func relate() {
    let gone = Set(rows.indices.filter { rows[$0].isDeleted })
    for index in rows.indices {
      rows[index].ones = rows[index].ones.filter { !gone.contains($0.value) }
      rows[index].manys = rows[index].manys.mapValues { $0.filter { !gone.contains($0) } }
    }
    // An item stands in one line only.
    var placed: Set<Int> = []
    for index in rows(of: .group) {
      rows[index].manys["line"] = (rows[index].manys["line"] ?? []).filter { placed.insert($0).inserted }
    }
    for index in rows.indices {
      for (back, _, _, _) in PlainEntity.inverses {
        rows[index].manys[back] = nil
        rows[index].ones[back] = nil
      }
    }
    for (back, source, key, isOne) in PlainEntity.inverses {
      for index in rows(of: source) {
        let ends = rows[index].ones[key].map { [$0] } ?? rows[index].manys[key] ?? []
        for end in ends where !gone.contains(index) {
          if isOne { rows[end].ones[back] = index } else { rows[end].manys[back, default: []].append(index) }
        }
      }
    }
  }

  // MARK: Managed objects

  /// Gives the objects, one a row, what the rows hold; of relationships the ends that were chosen.
  func apply(to objects: [NSManagedObject], only some: Set<Int>? = nil) {
    for (index, row) in rows.enumerated() where !row.isDeleted && some?.contains(index) != false {
      for (key, kind) in row.entity.attributes {
        objects[index].setValue(kind.object(row.values[key] ?? .missing), forKey: key)
      }
      for (key, _) in row.entity.ownOnes {
        objects[index].setValue(row.ones[key].map { objects[$0] }, forKey: key)
      }
      for (key, _) in row.entity.ownManys {
        let ends = (row.manys[key] ?? []).map { objects[$0] }
        let isOrdered = objects[index].entity.relationshipsByName[key]?.isOrdered == true
        objects[index].setValue(isOrdered ? NSOrderedSet(array: ends) : NSSet(array: ends), forKey: key)
      }
    }
  }

  /// New objects in a context, one a row.
  func insert(into context: NSManagedObjectContext) -> [NSManagedObject] {
    let objects = rows.map { NSEntityDescription.insertNewObject(forEntityName: $0.entity.rawValue, into: context) }
    apply(to: objects)
    return objects
  }
}
