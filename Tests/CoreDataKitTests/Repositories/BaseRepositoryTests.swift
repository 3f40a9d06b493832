import Combine
import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreDataKit

final class PersonMO: NSManagedObject, ManagedEntity {
  @Persisted var id: UUID?
  @Persisted var name: String?
}

private struct Person: IdentifiableCoreDataMappable, Equatable {
  var id: String
  var name: String

  init(_ name: String, id: UUID = UUID()) { (self.id, self.name) = (id.uuidString, name) }

  init?(managedObject: PersonMO) {
    guard let id = managedObject.id, let name = managedObject.name else { return nil }
    (self.id, self.name) = (id.uuidString, name)
  }

  func store(in context: NSManagedObjectContext) -> PersonMO? {
    let request = PersonMO.newFetchRequest()
    request.predicate = NSPredicate(format: "id == %@", UUID(uuidString: id).map { $0 as NSUUID } ?? NSNull())
    guard let person = (try? context.fetch(request))?.first ?? PersonMO.insertNew(in: context) else { return nil }
    person.id = UUID(uuidString: id)
    person.name = name
    return person
  }
}

private final class People: BaseRepository<Person> {
  override func defaultFetchRequest() -> NSFetchRequest<PersonMO> {
    let request = PersonMO.newFetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return request
  }
}

/// Repositories of values over the stack (reference/SEEDS.md 16 to 18, 60 to 68).
@Suite struct BaseRepositoryTests {
  private let file: TemporaryStore
  private let people: People
  private let plain: BaseRepository<Person>

  init() throws {
    let model = ModelSketch.model([
      ModelSketch.entity(
        "Person",
        [ModelSketch.attribute("id", .UUIDAttributeType), ModelSketch.attribute("name", .stringAttributeType)],
        className: NSStringFromClass(PersonMO.self))
    ])
    file = try TemporaryStore(model: model)
    let stack = CoreDataStack(configuration: CoreDataConfiguration(databaseURL: file.url, managedObjectModel: model))
    people = People(persistentStore: stack)
    plain = BaseRepository(persistentStore: stack)
  }

  private final class DEMO: NSManagedObject, ManagedEntity {}
  private final class Item2MO: NSManagedObject, ManagedEntity {}
  private final class Renamed: NSManagedObject, ManagedEntity {
    static var entityName: String { "Person" }
  }

  @Test func `SEEDS 16: the entity is named as the class, without MO at the end of a word, unless it says otherwise`() {
    #expect(PersonMO.entityName == "Person")
    #expect(DEMO.entityName == "DEMO")
    #expect(Item2MO.entityName == "Item2")
    #expect(Renamed.newFetchRequest().entityName == "Person")
  }

  @Test func `SEEDS 17: no object is made of an entity that is not there, or of another class`() throws {
    let model = ModelSketch.model([ModelSketch.entity("Person", [ModelSketch.attribute("name", .stringAttributeType)])])
    let context = try TemporaryStore(model: model).context(of: model, isReadOnly: false)
    context.performAndWait {
      #expect(DEMO.insertNew(in: context) == nil)
      #expect(Renamed.insertNew(in: context) == nil)
      #expect(context.insertedObjects.isEmpty)
    }
  }

  @Test func `SEEDS 60 to 64: values are stored, found, changed and removed`() throws {
    let (ann, bob) = (Person("Ann"), Person("Bob"))
    #expect(try oneAnswer(people.store(bob)) == bob)
    #expect(try oneAnswer(people.store(ann)) == ann)
    #expect(try oneAnswer(people.getAll()) == [ann, bob])
    #expect(try oneAnswer(people.getById(bob.id)) == bob)
    #expect(try oneAnswer(people.getById(UUID().uuidString)) == nil)
    var renamed = bob
    renamed.name = "Aaron"
    _ = try oneAnswer(people.store(renamed))
    #expect(try oneAnswer(people.getAll()) == [renamed, ann])
    try oneAnswer(people.delete(ann))
    #expect(try oneAnswer(people.getAll()) == [renamed])
    #expect(throws: RepositoryError.notFound(entity: "Person", id: ann.id)) { try oneAnswer(people.delete(ann)) }
  }

  @Test func `SEEDS 67 and 68: all values and a single one are monitored, also without an order`() throws {
    let (ann, bob) = (Person("Ann"), Person("Bob"))
    _ = try oneAnswer(people.store(ann))
    let all = PublisherProbe(plain.monitorAll())
    let one = PublisherProbe(people.monitorById(bob.id))
    try #require(all.wait { $0.last?.0 == [ann] } && one.wait { $0.last?.0 == [] })
    _ = try oneAnswer(people.store(bob))
    try #require(all.wait { $0.last?.0 == [ann, bob] } && one.wait { $0.last?.0 == [bob] })
    let before = one.values.count
    var renamed = ann
    renamed.name = "Anna"
    _ = try oneAnswer(people.store(renamed))
    try #require(all.wait { $0.last?.0 == [renamed, bob] })
    // Only its own changes reach the one.
    #expect(one.values.count == before)
    try oneAnswer(people.delete(bob))
    try #require(one.wait { $0.last?.0 == [] })
    #expect(one.values.map(\.1).first == .initial && one.values.dropFirst().allSatisfy { $0.1 == .update })
  }

  @Test func `a bag cancels what it holds when it goes`() throws {
    let subject = PassthroughSubject<Int, Never>()
    let box = Box<[Int]>([])
    var bag: CancelBag? = CancelBag()
    if let bag { subject.sink { value in box.change { $0.append(value) } }.store(in: bag) }
    subject.send(1)
    bag = nil
    subject.send(2)
    #expect(box.value == [1])
  }
}
