import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// A store of an office for tests of contexts: every delete rule, every shape of relationship, objects that log their life.
final class Office: Sendable {
  let model: NSManagedObjectModel
  let file: TemporaryStore
  let coordinator: NSPersistentStoreCoordinator

  /// An empty store, or one that `fill` has filled and saved.
  init(isReadOnly: Bool = false, _ fill: (NSManagedObjectContext) throws -> Void = { _ in }) throws {
    model = Self.makeModel()
    file = try TemporaryStore(model: model, filling: fill)
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, at: file.url, options: [NSReadOnlyPersistentStoreOption: NSNumber(value: isReadOnly)])
  }

  private static func makeModel() -> NSManagedObjectModel {
    typealias Sketch = ModelSketch
    let note = Sketch.attribute("note", .stringAttributeType)
    note.isTransient = true
    let person = Sketch.entity(
      "Person",
      [
        Sketch.attribute("name", .stringAttributeType),
        Sketch.attribute("salary", .integer64AttributeType, default: NSNumber(value: 1)), note,
      ], className: "CoreDataTests.OfficePerson")
    let department = Sketch.entity("Department", [Sketch.attribute("name", .stringAttributeType)])
    let desk = Sketch.entity("Desk", [Sketch.attribute("name", .stringAttributeType)])
    let tag = Sketch.entity("Tag", [Sketch.attribute("name", .stringAttributeType)])
    Sketch.relate(department, "staff", .many, to: person, inverse: "department")
    Sketch.relate(department, "line", .ordered, to: person, inverse: "lineOf")
    Sketch.relate(person, "desk", .one, to: desk, inverse: "owner")
    Sketch.relate(desk, "guests", .many, to: person, inverse: "guestAt")
    Sketch.relate(person, "tags", .many, to: tag, inverse: "people", .many)
    Sketch.relate(person, "ranked", .ordered, to: tag, inverse: "rankedBy", .ordered)
    Sketch.relate(person, "friends", .many, to: person, inverse: "friends", .many)
    Sketch.relate(person, "partner", .one, to: person, inverse: "partner")
    Sketch.relate(person, "boss", .one, to: person, inverse: "minions", .many)
    Sketch.relate(person, "favourite", .one, to: tag)
    department.relationshipsByName["staff"]?.deleteRule = .cascadeDeleteRule
    person.relationshipsByName["minions"]?.deleteRule = .cascadeDeleteRule
    person.relationshipsByName["boss"]?.deleteRule = .nullifyDeleteRule
    desk.relationshipsByName["owner"]?.deleteRule = .denyDeleteRule
    desk.relationshipsByName["guests"]?.deleteRule = .noActionDeleteRule
    return Sketch.model([person, department, desk, tag])
  }

  func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// Runs `body` with a context of its own.
  func work<Result>(_ body: (NSManagedObjectContext) throws -> Result) rethrows -> Result {
    let context = context()
    return try context.performAndWait { try body(context) }
  }

  /// What a context with nothing in it reads of an entity: the names, ascending.
  func names(_ entity: String) throws -> [String] {
    try work { try $0.all(entity).compactMap { $0.value(forKey: "name") as? String }.sorted() }
  }
}

/// What a test notes of the objects' lives.
final class LifeLog: Sendable {
  private let lines = Mutex<[String]>([])
  func add(_ line: String) { lines.withLock { $0.append(line) } }
  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}

/// A person that tells a log of its context what happens to it, and does in `willSave` what it is told.
final class OfficePerson: NSManagedObject {
  @Persisted var name: String?
  @Persisted var salary: Int64
  @Persisted var department: NSManagedObject?

  private func log(_ what: String) {
    (managedObjectContext?.userInfo["log"] as? LifeLog)?.add(
      "\(what) \(primitiveValue(forKey: "name") as? String ?? "-")")
  }
  override func awakeFromInsert() { log("insert \(primitiveValue(forKey: "salary") ?? "nil")") }
  override func awakeFromFetch() {
    log("fetch")
    if managedObjectContext?.userInfo["noteOnFetch"] != nil { setValue("fetched", forKey: "note") }
  }
  override func willSave() {
    log("willSave")
    (managedObjectContext?.userInfo["willSave"] as? (OfficePerson) -> Void)?(self)
  }
  override func didSave() { log("didSave") }
  override func prepareForDeletion() { log("prepareForDeletion") }
  override func willTurnIntoFault() { log("willTurnIntoFault") }
  override func didTurnIntoFault() { log("didTurnIntoFault") }
  override func awake(fromSnapshotEvents flags: NSSnapshotEventType) { log("snapshot \(flags.rawValue)") }
}

extension NSManagedObjectContext {
  @discardableResult
  func new(_ entity: String, _ name: String? = nil, _ values: [String: Any] = [:]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    if let name { object.setValue(name, forKey: "name") }
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  func all(_ entity: String) throws -> [NSManagedObject] {
    try fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
  }

  /// The one object of an entity with a name.
  func one(_ entity: String, _ name: String) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "name == %@", argumentArray: [name])
    let found = try fetch(request)
    #expect(found.count == 1)
    return try #require(found.first)
  }
}

extension NSManagedObject {
  /// The names of the objects that a relationship leads to; ascending where it has no order.
  func related(_ key: String) -> [String] {
    switch value(forKey: key) {
    case let set as NSOrderedSet: set.array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
    case let set as NSSet: set.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }.sorted()
    case let object as NSManagedObject: [object.value(forKey: "name") as? String ?? ""]
    default: []
    }
  }
}

/// Collects what a context posts, in the order it is posted.
final class NotificationLog: @unchecked Sendable {
  // Written on the context's queue and read there, by tests that wait for it.
  private var observers: [any NSObjectProtocol] = []
  private(set) var posted: [Notification] = []
  /// Keeps a context that nobody else holds.
  var context: NSManagedObjectContext?
  /// Runs whenever something is posted.
  var onPost: ((Notification) -> Void)?

  init(_ context: NSManagedObjectContext, _ names: Notification.Name...) {
    for name in names {
      observers.append(
        NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] in
          self?.posted.append($0)
          self?.onPost?($0)
        })
    }
  }

  deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }

  func take() -> [Notification] {
    defer { posted = [] }
    return posted
  }
}

extension Notification {
  /// The names of the objects under a key, ascending; `nil` when the key is not there.
  func names(_ key: String) -> [String]? {
    (userInfo?[key] as? Set<NSManagedObject>)?.map { $0.primitiveValue(forKey: "name") as? String ?? "?" }.sorted()
  }

  /// What it says, one entry a key: names of objects, or how many ids.
  var summary: [String: [String]] {
    Dictionary(
      uniqueKeysWithValues: (userInfo ?? [:]).map { key, value in
        let key = key.base as? String ?? "?"
        return (key, names(key) ?? ["\((value as? Set<NSManagedObjectID>)?.count ?? -1) ids"])
      })
  }
}

/// The code of the error that `body` throws in the Cocoa domain.
func code(_ body: () throws -> Void) -> Int? {
  do {
    try body()
    return nil
  } catch {
    return (error as NSError).code
  }
}
