import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Random sort descriptors: the order of SQL, the order of memory, and an order in plain Swift are one.
@Suite struct RandomSortTests {
  private static let count = LongRun.isOn ? 5_000 : 500
  private static let batch = 50

  @Test func `a fetch sorts as its descriptors do in memory, nil first ascending (rule 38)`() throws {
    for seed in 0..<UInt64(Self.count / Self.batch) {
      let stored = try StoredWorld(seed: 1_000 + seed)
      var generator = FetchGenerator(seed: seed, world: stored.world)
      try stored.work { context, objects in
        for number in 0..<Self.batch {
          let entity = generator.pick(FetchCheck.entities)
          let keys = (0..<generator.pick([1, 1, 2, 3, 4])).map { _ in generator.sortKey(entity) }
          let request = NSFetchRequest<NSManagedObject>(entityName: entity.rawValue)
          request.sortDescriptors = keys.map(\.descriptor)
          let fetched = try context.fetch(request)
          let name = "seed \(seed), number \(number), \(entity) by \(request.sortDescriptors ?? [])"
          let plain = stored.world.rows(of: entity).sorted { precedes($0, $1, keys, stored.world, objects) }
          guard Self.same(fetched, plain.map { objects[$0] }, name, "plain Swift") else { return }
          let memory = fetched.shuffled(using: &generator.random).sorted { one, two in
            for descriptor in request.sortDescriptors ?? [] {
              let order = descriptor.compare(one, to: two)
              if order != .orderedSame { return order == .orderedAscending }
            }
            return Self.place(one) < Self.place(two)
          }
          guard Self.same(fetched, memory, name, "memory") else { return }
        }
      }
    }
  }

  private func precedes(
    _ one: Int, _ two: Int, _ keys: [PlainSortKey], _ world: PlainWorld, _ objects: [NSManagedObject]
  ) -> Bool {
    for key in keys {
      let order = key.order(PlainScope(world: world, row: one), PlainScope(world: world, row: two))
      if order != 0 { return key.descriptor.ascending == (order < 0) }
    }
    return Self.place(objects[one]) < Self.place(objects[two])
  }

  /// Ties go by entity, then by primary key.
  private static func place(_ object: NSManagedObject) -> (Int32, Int64) {
    (object.objectID.objectStore?.number(of: object.entity) ?? 0, object.objectID.primaryKey)
  }

  private static func same(
    _ fetched: [NSManagedObject], _ expected: [NSManagedObject], _ name: String, _ whose: String
  ) -> Bool {
    guard
      let place = (0..<max(fetched.count, expected.count)).first(where: {
        !fetched.indices.contains($0) || !expected.indices.contains($0) || fetched[$0] !== expected[$0]
      })
    else { return true }
    let what = { (objects: [NSManagedObject]) in
      objects.indices.contains(place) ? "\(objects[place].objectID)" : "nothing"
    }
    Issue.record("\(name): at \(place) SQL has \(what(fetched)), \(whose) \(what(expected))")
    return false
  }
}

/// A sort descriptor and its meaning by hand.
struct PlainSortKey {
  let descriptor: NSSortDescriptor
  let expression: PlainExpression
  let selector: String

  /// Ascending; nothing comes first.
  func order(_ one: PlainScope, _ two: PlainScope) -> Int {
    let (one, two) = (expression.value(one), expression.value(two))
    if one.isMissing || two.isMissing { return (one.isMissing ? 0 : 1) - (two.isMissing ? 0 : 1) }
    guard case (.text(let left), .text(let right)) = (one, two) else { return one.order(to: two) ?? 0 }
    switch selector {
    case "caseInsensitiveCompare:": return one.order(to: two, "c") ?? 0
    case "localizedCompare:": return left.compare(right, locale: .current).rawValue
    case "localizedCaseInsensitiveCompare:":
      return left.compare(right, options: .caseInsensitive, locale: .current).rawValue
    case "localizedStandardCompare:": return left.localizedStandardCompare(right).rawValue
    default: return one.order(to: two) ?? 0
    }
  }
}

extension FetchGenerator {
  mutating func sortKey(_ entity: PlainEntity) -> PlainSortKey {
    var place = PlainPlace.selfObject(entity)
    for _ in 0..<pick([0, 0, 0, 1, 2]) {
      guard let one = place.entity.ones.randomElement(using: &random) else { break }
      place = place.one(one.key, one.target)
    }
    let (key, kind) = pick(place.entity.attributes)
    let expression = place.attribute(key, kind)
    let selector =
      kind == .text
      ? pick([
        "compare:", "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:",
        "localizedStandardCompare:",
      ]) : "compare:"
    let ascending = chance(2)
    let descriptor =
      selector == "compare:"
      ? NSSortDescriptor(key: expression.format, ascending: ascending)
      : NSSortDescriptor(key: expression.format, ascending: ascending, selector: selector)
    return PlainSortKey(descriptor: descriptor, expression: expression, selector: selector)
  }
}
