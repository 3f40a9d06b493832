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
    for seed in Self.seeds {
      let world = PlainWorld(seed: seed)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: PlainEntity.model)
      try context.performAndWait {
        let objects = world.insert(into: context)
        var generator = FetchGenerator(seed: seed, world: world)
        for number in 0..<Self.batch {
          let entity = generator.pick(FetchCheck.entities)
          let check = FetchCheck(generator.predicate(on: entity), entity, "seed \(seed), number \(number)", world)
          guard try check.evaluates(objects) else { return }
        }
      }
    }
  }

  @Test func `a fetch takes of saved objects those that the plain filter takes`() throws {
    for seed in Self.seeds {
      let stored = try StoredWorld(seed: seed)
      var generator = FetchGenerator(seed: seed, world: stored.world)
      let isRight = try stored.work { context, objects in
        for number in 0..<Self.batch {
          let entity = generator.pick(FetchCheck.entities)
          let check = FetchCheck(
            generator.predicate(on: entity), entity, "seed \(seed), number \(number)", stored.world)
          guard try check.fetches(objects, in: context) else { return false }
        }
        return true
      }
      guard isRight else { return }
    }
  }

  @Test func `a fetch sees what waits to be saved as the plain filter sees it`() throws {
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
          guard try check.fetches(objects, in: context) else { return false }
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

  let predicate: PlainPredicate
  let entity: PlainEntity
  let name: String
  let world: PlainWorld

  init(_ predicate: PlainPredicate, _ entity: PlainEntity, _ name: String, _ world: PlainWorld) {
    self.predicate = predicate
    self.entity = entity
    self.name = name
    self.world = world
  }

  /// Whether both ways of evaluating answer for each object what the plain filter answers, unknown included; records the
  /// first that differs.
  func evaluates(_ objects: [NSManagedObject]) throws -> Bool {
    let form = try PlainError.naming(predicate, name) { try predicate.form(objects) }
    let compiled = CompiledPredicate(form, nulls: .fetch)
    let evaluator = PredicateEvaluator(form.captures, nulls: .fetch)
    for row in world.rows(of: entity) {
      let expected = predicate.test(PlainScope(world: world, row: row))
      let value = PredicateValue.object(objects[row])
      let (one, two) = try PlainError.naming(predicate, name) {
        (try compiled.evaluate(value), try evaluator.evaluate(form.tree, value))
      }
      guard one == expected, two == expected else {
        Issue.record(
          """
          \(name), on \(entity): \(predicate.format)
          with \(predicate.arguments)
          expected \(Self.word(expected)), compiled \(Self.word(one)), evaluated \(Self.word(two)), for row \(row):
          \(world.rows[row])
          """)
        return false
      }
    }
    return true
  }

  /// Whether a fetch finds what the plain filter takes, and counts as many; records the first row that differs.
  func fetches(_ objects: [NSManagedObject], in context: NSManagedObjectContext) throws -> Bool {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity.rawValue)
    request.predicate = try predicate.form(objects).predicate
    let found = try PlainError.naming(predicate, name) { Set(try context.fetch(request).map(ObjectIdentifier.init)) }
    for row in world.rows(of: entity) {
      let expected = predicate.test(PlainScope(world: world, row: row))
      guard found.contains(ObjectIdentifier(objects[row])) == (expected ?? false) else {
        Issue.record(
          """
          \(name), on \(entity): \(predicate.format)
          with \(predicate.arguments)
          expected \(Self.word(expected)), fetched \(expected != true), for row \(row):
          \(world.rows[row])
          """)
        return false
      }
    }
    let count = try context.count(for: request)
    guard count == found.count else {
      Issue.record("\(name): \(predicate.format)\ncounts \(count), fetches \(found.count)")
      return false
    }
    return true
  }

  private static func word(_ answer: Bool?) -> String { answer.map { "\($0)" } ?? "unknown" }
}

/// An error, with the predicate that met it.
struct PlainError: Error, CustomStringConvertible {
  let description: String

  static func naming<Result>(
    _ predicate: PlainPredicate, _ name: String, _ work: () throws -> Result
  ) throws -> Result {
    do {
      return try work()
    } catch {
      throw PlainError(description: "\(name): \(predicate.format)\nwith \(predicate.arguments)\n\(error)")
    }
  }
}
