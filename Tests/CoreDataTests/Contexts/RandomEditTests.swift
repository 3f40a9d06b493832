import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Random edits on two contexts that merge each other's saves: what must hold whatever they do.
@Suite struct RandomEditTests {
  /// More under `LONG=1`.
  private static let scripts = ProcessInfo.processInfo.environment["LONG"] == "1" ? 1_000 : 40

  @Test func `both ends agree, a fresh context reads what was saved, and ordered relationships keep their order`()
    throws
  {
    for seed in 0..<Self.scripts {
      var script = EditScript(seed: UInt64(seed), office: try Office())
      do {
        try script.run(steps: 60)
      } catch {
        Issue.record("seed \(seed): \(error)")
      }
    }
  }
}

/// One script: two contexts over one store, and what each should hold.
private struct EditScript {
  private var random: SeededGenerator
  private let office: Office
  private let contexts: [NSManagedObjectContext]
  /// Names tell objects apart in the store.
  private var lastName = 0

  private static let many = [
    ("Department", "staff", "Person"), ("Department", "line", "Person"), ("Person", "tags", "Tag"),
    ("Person", "ranked", "Tag"), ("Person", "friends", "Person"), ("Person", "minions", "Person"),
    ("Tag", "people", "Person"), ("Tag", "rankedBy", "Person"), ("Desk", "guests", "Person"),
  ]
  private static let one = [
    ("Person", "department", "Department"), ("Person", "lineOf", "Department"), ("Person", "desk", "Desk"),
    ("Person", "partner", "Person"), ("Person", "boss", "Person"), ("Desk", "owner", "Person"),
    ("Person", "favourite", "Tag"), ("Person", "guestAt", "Desk"),
  ]
  private static let entities = ["Person", "Department", "Desk", "Tag"]

  init(seed: UInt64, office: Office) {
    random = SeededGenerator(seed: seed)
    self.office = office
    contexts = [office.context(), office.context()]
    for context in contexts { context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump }
  }

  mutating func run(steps: Int) throws {
    for _ in 0..<steps {
      let index = Int.random(in: 0..<2, using: &random)
      let (context, other) = (contexts[index], contexts[1 - index])
      var saved: Notification?
      // The other may have deleted what waits here, which object trump cannot settle: then all is taken back.
      try context.performAndWait {
        for _ in 0..<Int.random(in: 1...4, using: &random) { try edit(context) }
        context.processPendingChanges()
        try check(context)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: context.rollback()
        case 1...4: saved = try save(context)
        default: break
        }
        try check(context)
      }
      guard let saved else { continue }
      try other.performAndWait {
        other.mergeChanges(fromContextDidSave: saved)
        try check(other)
      }
      try compare(context)
    }
  }

  private mutating func save(_ context: NSManagedObjectContext) throws -> Notification? {
    let posts = NotificationLog(context, .NSManagedObjectContextDidSave)
    do {
      try context.save()
      if context.hasChanges { throw Wrong("the context is dirty after a save") }
      return posts.take().first
    } catch let error as NSError
      where [NSManagedObjectMergeError, NSValidationRelationshipDeniedDeleteError].contains(error.code)
    {
      context.rollback()
      return nil
    }
  }

  private mutating func edit(_ context: NSManagedObjectContext) throws {
    switch Int.random(in: 0..<10, using: &random) {
    case 0...2:
      lastName += 1
      context.new(Self.entities.randomElement(using: &random) ?? "Person", "o\(lastName)")
    case 3:
      if let object = try any(Self.entities.randomElement(using: &random) ?? "Person", context) {
        context.delete(object)
        context.processPendingChanges()
      }
    case 4:
      if let object = try any("Person", context) {
        object.setValue(Int.random(in: 0..<5, using: &random), forKey: "salary")
      }
    case 5, 6:
      guard let (entity, key, target) = Self.one.randomElement(using: &random),
        let object = try any(entity, context)
      else { return }
      object.setValue(Bool.random(using: &random) ? try any(target, context) : nil, forKey: key)
    default: try editMany(context)
    }
  }

  private mutating func editMany(_ context: NSManagedObjectContext) throws {
    guard let (entity, key, target) = Self.many.randomElement(using: &random), let object = try any(entity, context)
    else { return }
    let isOrdered = object.entity.relationshipsByName[key]?.isOrdered ?? false
    guard let member = try any(target, context) else { return }
    if isOrdered {
      let set = object.mutableOrderedSetValue(forKey: key)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: set.insert(member, at: Int.random(in: 0...set.count, using: &random))
      case 1: set.remove(member)
      default:
        let shuffled = set.array.shuffled(using: &random)
        object.setValue(NSOrderedSet(array: shuffled), forKey: key)
      }
    } else if Bool.random(using: &random) {
      object.mutableSetValue(forKey: key).add(member)
    } else {
      object.mutableSetValue(forKey: key).remove(member)
    }
  }

  private mutating func any(_ entity: String, _ context: NSManagedObjectContext) throws -> NSManagedObject? {
    try context.all(entity).randomElement(using: &random)
  }

  // MARK: What must hold

  /// Both ends of every relationship agree, and nothing live leads to something deleted.
  private func check(_ context: NSManagedObjectContext) throws {
    for entity in Self.entities {
      for object in try context.all(entity) {
        for (key, relationship) in object.entity.relationshipsByName {
          guard let inverse = relationship.inverseRelationship else { continue }
          for end in ends(object, key)
          where relationship.inverseRelationship?.deleteRule != .noActionDeleteRule || !end.isDeleted {
            guard !end.isDeleted else { throw Wrong("\(object)'s \(key) leads to the deleted \(end)") }
            guard ends(end, inverse.name).contains(object) else {
              throw Wrong("\(object)'s \(key) leads to \(end), whose \(inverse.name) does not lead back")
            }
          }
        }
      }
    }
  }

  private func ends(_ object: NSManagedObject, _ key: String) -> [NSManagedObject] {
    switch object.value(forKey: key) {
    case let end as NSManagedObject: [end]
    case let set as NSSet: set.compactMap { $0 as? NSManagedObject }
    case let set as NSOrderedSet: set.compactMap { $0 as? NSManagedObject }
    default: []
    }
  }

  /// A context that begins now reads what was saved, order included.
  private func compare(_ context: NSManagedObjectContext) throws {
    let mine = try context.performAndWait { try Self.picture(context) }
    let fresh = try office.work { try Self.picture($0) }
    for (name, values) in mine {
      guard let read = fresh[name] else { throw Wrong("\(name) was not saved") }
      for (key, value) in values where read[key] != value {
        throw Wrong("\(name).\(key): \(value) was saved, \(read[key] ?? []) is read")
      }
    }
    if mine.count != fresh.count { throw Wrong("\(mine.count) objects were saved, \(fresh.count) are read") }
    let whole = try office.file.rows("PRAGMA integrity_check")
    if whole != ["ok"] { throw Wrong("\(whole)") }
  }

  /// By name, what every object's properties hold.
  private static func picture(_ context: NSManagedObjectContext) throws -> [String: [String: [String]]] {
    var result: [String: [String: [String]]] = [:]
    for object in try entities.flatMap(context.all) {
      guard let name = object.value(forKey: "name") as? String else { continue }
      var values: [String: [String]] = [:]
      for key in object.entity.relationshipsByName.keys { values[key] = object.related(key) }
      values["salary"] = object.entity.name == "Person" ? ["\(object.value(forKey: "salary") ?? "nil")"] : nil
      result[name] = values
    }
    return result
  }

  private struct Wrong: Error, CustomStringConvertible {
    var description: String
    init(_ text: String) { description = text }
  }
}
