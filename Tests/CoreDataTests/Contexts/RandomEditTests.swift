import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Random edits on two contexts that merge each other's saves while both have edits that wait.
///
/// What must hold whatever they do: within a context every relationship and its inverse agree, and none leads to an object
/// that is gone; what was saved is what a context that begins now reads.
@Suite struct RandomEditTests {
  private static let scripts = LongRun.isOn ? 2_000 : 40
  private static let steps = LongRun.isOn ? 40 : 12

  @Test func `both ends agree, a fresh context reads what was saved, and ordered relationships keep their order`()
    throws
  {
    for seed in 0..<Self.scripts {
      var script = EditScript(seed: UInt64(seed), office: try Office())
      do {
        try script.run(steps: Self.steps)
      } catch {
        Issue.record("seed \(seed): \(error), after:\n\(script.log.suffix(40).joined(separator: "\n"))")
      }
    }
  }
}

/// One script: two contexts over one store, and what each should hold.
private struct EditScript {
  private var random: SeededGenerator
  private let office: Office
  private let contexts: [NSManagedObjectContext]
  /// What the first context has ever had, so that nothing there is read anew by chance.
  private var held: Set<NSManagedObject> = []
  /// Names tell objects apart in the store.
  private var lastName = 0
  private(set) var log: [String] = []

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
    for _ in 0..<steps { try step() }
    // In the end both have saved and merged: all read the same.
    for index in 0..<2 { try merge(try contexts[index].performAndWait { try save(index) }, savedBy: index) }
    for context in contexts { try compare(context) }
    let whole = try office.file.rows("PRAGMA integrity_check")
    if whole != ["ok"] { throw Wrong("\(whole)") }
  }

  private mutating func step() throws {
    let index = Int.random(in: 0..<2, using: &random)
    let context = contexts[index]
    let saved = try context.performAndWait { () -> Notification? in
      for _ in 0..<Int.random(in: 1...4, using: &random) { try edit(context, index) }
      context.processPendingChanges()
      try check(context)
      defer { if index == 0 { held.formUnion(context.registeredObjects) } }
      switch Int.random(in: 0..<12, using: &random) {
      case 0:
        log.append("\(index) rolls back")
        context.rollback()
      case 1...4: return try save(index)
      case 5: try refresh(context, index)
      default: break
      }
      try check(context)
      return nil
    }
    guard let saved else { return }
    try context.performAndWait { try check(context) }
    try merge(saved, savedBy: index)
    try compare(context)
  }

  /// Answers what was posted; `nil` when all was taken back instead.
  ///
  /// The other may have deleted what waits here, which object trump cannot settle.
  private mutating func save(_ index: Int) throws -> Notification? {
    let context = contexts[index]
    let posts = NotificationLog(context, .NSManagedObjectContextDidSave)
    do {
      try context.save()
      if context.hasChanges { throw Wrong("the context is dirty after a save") }
      log.append("\(index) saves")
      return posts.take().first
    } catch let error as NSError
      where [NSManagedObjectMergeError, NSValidationRelationshipDeniedDeleteError].contains(error.code)
    {
      log.append("\(index) cannot save: \(error.code)")
      context.rollback()
      if context.hasChanges { throw Wrong("the context is dirty after a rollback") }
      return nil
    }
  }

  private mutating func merge(_ saved: Notification?, savedBy index: Int) throws {
    guard let saved else { return }
    log.append("\(1 - index) merges")
    let other = contexts[1 - index]
    try other.performAndWait {
      other.mergeChanges(fromContextDidSave: saved)
      try check(other)
    }
  }

  private mutating func refresh(_ context: NSManagedObjectContext, _ index: Int) throws {
    guard let object = try any(Self.entities.randomElement(using: &random) ?? "Person", context) else { return }
    let keepsChanges = Bool.random(using: &random)
    log.append("\(index) refreshes \(Self.name(object))\(keepsChanges ? ", merging" : "")")
    context.refresh(object, mergeChanges: keepsChanges)
    context.processPendingChanges()
  }

  // MARK: Edits

  private mutating func edit(_ context: NSManagedObjectContext, _ index: Int) throws {
    switch Int.random(in: 0..<10, using: &random) {
    case 0...2:
      lastName += 1
      let entity = Self.entities.randomElement(using: &random) ?? "Person"
      log.append("\(index) new \(entity) o\(lastName)")
      context.new(entity, "o\(lastName)")
    case 3:
      if let object = try any(Self.entities.randomElement(using: &random) ?? "Person", context) {
        log.append("\(index) deletes \(Self.name(object))")
        context.delete(object)
        context.processPendingChanges()
      }
    case 4:
      if let object = try any("Person", context) {
        log.append("\(index) pays \(Self.name(object))")
        object.setValue(Int.random(in: 0..<5, using: &random), forKey: "salary")
      }
    case 5, 6:
      guard let (entity, key, target) = Self.one.randomElement(using: &random),
        let object = try any(entity, context)
      else { return }
      let end = Bool.random(using: &random) ? try any(target, context) : nil
      log.append("\(index) \(Self.name(object)).\(key) = \(end.map(Self.name) ?? "nil")")
      object.setValue(end, forKey: key)
    default: try editMany(context, index)
    }
  }

  private mutating func editMany(_ context: NSManagedObjectContext, _ index: Int) throws {
    guard let (entity, key, target) = Self.many.randomElement(using: &random), let object = try any(entity, context),
      let member = try any(target, context)
    else { return }
    let way = Int.random(in: 0..<3, using: &random)
    log.append("\(index) \(Self.name(object)).\(key) \(["+", "-", "~"][way]) \(Self.name(member))")
    if object.entity.relationshipsByName[key]?.isOrdered == true {
      let set = object.mutableOrderedSetValue(forKey: key)
      switch way {
      case 0: set.insert(member, at: Int.random(in: 0...set.count, using: &random))
      case 1: set.remove(member)
      default: object.setValue(NSOrderedSet(array: set.array.shuffled(using: &random)), forKey: key)
      }
    } else if way == 1 {
      object.mutableSetValue(forKey: key).remove(member)
    } else {
      object.mutableSetValue(forKey: key).add(member)
    }
  }

  private mutating func any(_ entity: String, _ context: NSManagedObjectContext) throws -> NSManagedObject? {
    try context.all(entity).randomElement(using: &random)
  }

  private static func name(_ object: NSManagedObject) -> String { object.value(forKey: "name") as? String ?? "?" }

  // MARK: What must hold

  /// Both ends of every relationship agree, and nothing live leads to something that is gone.
  private func check(_ context: NSManagedObjectContext) throws {
    var all: [NSManagedObject: [String: [NSManagedObject]]] = [:]
    for object in try Self.entities.flatMap(context.all) {
      all[object] = Dictionary(
        uniqueKeysWithValues: object.entity.relationshipsByName.keys.map { ($0, ends(object, $0)) })
    }
    for (object, relationships) in all {
      for (key, ends) in relationships {
        guard let inverse = object.entity.relationshipsByName[key]?.inverseRelationship else { continue }
        for end in ends where !mayDangle(inverse, end) {
          let what = "\(Self.name(object)).\(key) leads to \(Self.name(end))"
          guard !end.isDeleted, let back = all[end]?[inverse.name] else { throw Wrong("\(what), which is gone") }
          guard back.contains(object) else { throw Wrong("\(what), whose \(inverse.name) does not lead back") }
        }
      }
    }
  }

  /// No action leaves the ends of a deleted object as they are; deny does until the save refuses.
  private func mayDangle(_ inverse: NSRelationshipDescription, _ end: NSManagedObject) -> Bool {
    end.willAccessValue(forKey: nil)
    guard end.isDeleted else { return false }
    return inverse.deleteRule == .noActionDeleteRule
      || inverse.deleteRule == .denyDeleteRule && end.managedObjectContext?.deletedObjects.contains(end) == true
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
