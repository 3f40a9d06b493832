import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Random predicates on random data, against a filter in plain Swift that shares no code with the engine's predicates.
@Suite struct RandomFetchTests {
  private static let count = LongRun.isOn ? 20_000 : 1_000
  /// Predicates asked of one set of data.
  private static let batch = 50
  private static let seeds = (0..<UInt64(count / batch)).map { $0 }

  @Test func `the evaluator, compiled or not, takes of unsaved objects those that the plain filter takes`() throws {
    var faults = FaultCount()
    for seed in Self.seeds {
      let world = PlainWorld(seed: seed)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: PlainEntity.model)
      context.performAndWait {
        let objects = world.insert(into: context)
        var generator = FetchGenerator(seed: seed, world: world)
        for number in 0..<Self.batch {
          let entity = generator.pick(FetchCheck.entities)
          let check = FetchCheck(generator.predicate(on: entity), entity, "seed \(seed), number \(number)", world)
          guard faults.goesOn(check.evaluates(objects)) else { return }
        }
      }
    }
  }

  @Test func `a fetch takes of saved objects those that the plain filter takes`() throws {
    var faults = FaultCount()
    for seed in Self.seeds {
      let stored = try StoredWorld(seed: seed)
      var generator = FetchGenerator(seed: seed, world: stored.world)
      let isRight = try stored.work { context, objects in
        for number in 0..<Self.batch {
          let entity = generator.pick(FetchCheck.entities)
          let check = FetchCheck(
            generator.predicate(on: entity), entity, "seed \(seed), number \(number)", stored.world)
          guard faults.goesOn(check.fetches(objects, in: context)) else { return false }
        }
        return true
      }
      guard isRight else { return }
    }
  }

  @Test func `a fetch sees what waits to be saved as the plain filter sees it`() throws {
    var faults = FaultCount()
    for seed in Self.seeds {
      let stored = try StoredWorld(seed: seed)
      let isRight = try stored.work { context, objects in
        var (world, objects) = (stored.world, objects)
        let changes = world.change()
        for row in objects.count..<world.rows.count {
          objects.append(
            NSEntityDescription.insertNewObject(forEntityName: world.rows[row].entity.rawValue, into: context))
        }
        for row in changes.deleted { context.delete(objects[row]) }
        context.processPendingChanges()
        world.apply(to: objects, only: changes.updated.union(changes.inserted))
        context.processPendingChanges()
        var generator = FetchGenerator(seed: seed, world: world)
        for number in 0..<Self.batch {
          let entity = generator.pick(FetchCheck.entities)
          let check = FetchCheck(generator.predicate(on: entity), entity, "seed \(seed), number \(number)", world)
          guard faults.goesOn(check.fetches(objects, in: context)) else { return false }
        }
        return true
      }
      guard isRight else { return }
    }
  }

  @Test func `format, parse, format is stable for each`() throws {
    for seed in Self.seeds {
      var generator = FetchGenerator(seed: seed, world: PlainWorld(seed: seed))
      for number in 0..<Self.batch {
        let predicate = generator.predicate(on: generator.pick(FetchCheck.entities))
        guard predicate.arguments.allSatisfy(\.isWritable) else { continue }
        let text = try predicate.form([]).tree.format(.parsable)
        let again = try PredicateForm(format: text, arguments: []).tree.format(.parsable)
        guard again == text else {
          Issue.record("seed \(seed), number \(number): \(predicate.format)\nis   \(text)\nthen \(again)")
          return
        }
      }
    }
  }
}

/// One predicate and what it is asked of.
struct FetchCheck {
  static let entities: [PlainEntity] = [.item, .item, .item, .special, .group, .tag]

  var predicate: PlainPredicate
  let entity: PlainEntity
  let name: String
  let world: PlainWorld
  /// Whether a fetch finds objects of subentities; every third does not.
  var includesSubentities: Bool { name.utf8.reduce(0) { $0 + Int($1) } % 3 != 0 }

  init(_ predicate: PlainPredicate, _ entity: PlainEntity, _ name: String, _ world: PlainWorld) {
    self.predicate = predicate
    self.entity = entity
    self.name = name
    self.world = world
  }

  /// Whether both ways of evaluating answer for each object what the plain filter answers, unknown included; records the
  /// first that differs.
  func evaluates(_ objects: [NSManagedObject]) -> Bool {
    holds { predicate in
      let form = try predicate.form(objects)
      let compiled = CompiledPredicate(form, nulls: .fetch)
      let evaluator = PredicateEvaluator(form.captures, nulls: .fetch)
      for row in world.rows(of: entity) {
        let expected = predicate.test(PlainScope(world: world, row: row))
        let value = PredicateValue.object(objects[row])
        let (one, two) = (try compiled.evaluate(value), try evaluator.evaluate(form.tree, value))
        if one != expected || two != expected {
          return "expected \(Self.word(expected)), compiled \(Self.word(one)), evaluated \(Self.word(two))" + about(row)
        }
      }
      return nil
    }
  }

  /// Whether a fetch finds what the plain filter takes, and counts as many; records the first row that differs.
  func fetches(_ objects: [NSManagedObject], in context: NSManagedObjectContext) -> Bool {
    holds { predicate in
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.rawValue)
      request.predicate = try predicate.form(objects).predicate
      request.includesSubentities = includesSubentities
      let found = Set(try context.fetch(request).map(ObjectIdentifier.init))
      for row in world.rows(of: entity, includingSubentities: includesSubentities) {
        let expected = predicate.test(PlainScope(world: world, row: row))
        if found.contains(ObjectIdentifier(objects[row])) != (expected ?? false) {
          return "expected \(Self.word(expected)), fetched \(expected != true)" + about(row)
        }
      }
      let count = try context.count(for: request)
      let wanted = Set(
        world.rows(of: entity, includingSubentities: includesSubentities).map { ObjectIdentifier(objects[$0]) })
      if !found.isSubset(of: wanted) { return "fetches objects of other entities" }
      return count == found.count ? nil : "counts \(count), fetches \(found.count)"
    }
  }

  /// Records what `fault` finds, for the smallest part of the predicate in which it finds something.
  private func holds(_ fault: (PlainPredicate) throws -> String?) -> Bool {
    func explained(_ predicate: PlainPredicate) -> String? {
      do { return try fault(predicate) } catch { return "\(error)" }
    }
    guard var words = explained(predicate) else { return true }
    var least = predicate
    search: while true {
      for part in least.parts {
        guard let less = explained(part) else { continue }
        (least, words) = (part, less)
        continue search
      }
      break
    }
    Issue.record("\(name), on \(entity): \(least.format)\nwith \(least.arguments)\n\(words)\nall: \(predicate.format)")
    return false
  }

  private func about(_ row: Int) -> String {
    let row = world.rows[row]
    let values = row.values.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return "\n\(row.entity) \(values.joined(separator: ", ")), \(row.ones), \(row.manys)"
  }

  private static func word(_ answer: Bool?) -> String { answer.map { "\($0)" } ?? "unknown" }
}

/// Lets a test go on after a fault, to the third.
struct FaultCount {
  private var faults = 0

  /// Whether to go on.
  mutating func goesOn(_ isRight: Bool) -> Bool {
    if !isRight { faults += 1 }
    return faults < 3
  }
}
