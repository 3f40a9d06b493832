import Foundation
import TestSupport
import Testing

@testable import CoreData

/// reference/CONTEXT.md 1 to 5: one object a row and context, and values read once.
///
/// What was read is told from what is read anew by changing the file in between.
@Suite struct FaultingTests {
  private let sketch = ShapesModel()

  private func store() throws -> TemporaryStore {
    let file = try TemporaryStore(model: sketch.model)
    try file.write(
      """
      INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Attic'), (2, 2, 1, 'Crate');
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 6, 1, 'red'), (2, 6, 1, 'blue');
      INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZBOX, Z1_BOX, ZLINEOF, Z1_LINEOF, Z_FOK_LINEOF)
      VALUES (1, 3, 1, 'one', 1, 1, 1, 1, 3072), (2, 4, 1, 'two', 2, 2, 1, 1, 2048), (3, 5, 1, 'three', NULL, NULL, 1, 1, 4096);
      INSERT INTO Z_3TAGS (Z_3ITEMS, Z_6TAGS) VALUES (1, 1), (1, 2), (2, 2);
      INSERT INTO Z_3RANKED (Z_3RANKEDBY, Z_6RANKED, Z_FOK_3RANKEDBY, Z_FOK_6RANKED) VALUES (1, 1, 2048, 3072), (1, 2, 2048, 2048);
      """)
    return file
  }

  private func items(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
  }

  @Test func `CONTEXT 1: the same row is the same object in a context and another in another`() throws {
    let file = try store()
    let context = try file.context(of: sketch.model, isReadOnly: false)
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = context.persistentStoreCoordinator
    let (first, again) = try context.performAndWait { (try items(context), try items(context)) }
    let elsewhere = try other.performAndWait { try items(other) }
    for (one, two) in zip(first, again) { #expect(one === two) }
    for (one, two) in zip(first, elsewhere) {
      #expect(one !== two)
      #expect(one.objectID === two.objectID)
    }
    context.performAndWait {
      #expect(context.object(with: first[0].objectID) === first[0])
      #expect(context.registeredObject(for: first[1].objectID) === first[1])
      #expect(first[0].value(forKey: "name") as? String == "one")
      let box = first[0].value(forKey: "box") as? NSManagedObject
      #expect(box?.value(forKey: "items") as? NSSet == NSSet(object: first[0]))
    }
  }

  @Test func `CONTEXT 3: a fetched row needs no second reading, and a fired fault none ever`() throws {
    let file = try store()
    let context = try file.context(of: sketch.model, isReadOnly: false)
    try context.performAndWait {
      let found = try items(context)
      #expect(found.allSatisfy { $0.isFault })
      try file.write("UPDATE ZITEM SET ZNAME = 'changed'")
      // The fetch brought the values with it.
      #expect(found[0].value(forKey: "name") as? String == "one")
      #expect(!found[0].isFault)
      try file.write("DELETE FROM ZITEM")
      #expect(found[0].value(forKey: "name") as? String == "one")
      #expect(found[1].value(forKey: "name") as? String == "two")
    }
  }

  @Test func `CONTEXT 3: without property values the row is read when the fault fires`() throws {
    let file = try store()
    let context = try file.context(of: sketch.model, isReadOnly: false)
    try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.includesPropertyValues = false
      let found = try context.fetch(request)
      try file.write("UPDATE ZITEM SET ZNAME = 'changed'")
      #expect(found[0].value(forKey: "name") as? String == "changed")
    }
  }

  @Test func `CONTEXT 4: a fetch does not change an object that has its values`() throws {
    let file = try store()
    let context = try file.context(of: sketch.model, isReadOnly: false)
    try context.performAndWait {
      let found = try items(context)
      #expect(found[0].value(forKey: "name") as? String == "one")
      try file.write("UPDATE ZITEM SET ZNAME = 'changed'")
      let again = try items(context)
      #expect(again[0].value(forKey: "name") as? String == "one")
      #expect(again[1].value(forKey: "name") as? String == "changed")
    }
  }

  @Test func `CONTEXT 3: objects are asked for as faults or with their values`() throws {
    let file = try store()
    let context = try file.context(of: sketch.model, isReadOnly: false)
    try context.performAndWait { () throws -> Void in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.returnsObjectsAsFaults = false
      #expect(try context.fetch(request).allSatisfy { !$0.isFault })
    }
  }

  @Test func `CONTEXT 5: an object that is not there is a fault without values, and existingObject throws`() throws {
    let file = try store()
    let context = try file.context(of: sketch.model, isReadOnly: false)
    try context.performAndWait {
      let coordinator = try #require(context.persistentStoreCoordinator)
      let identifier = try #require(coordinator.persistentStores.first?.identifier)
      let uri = try #require(URL(string: "x-coredata://\(identifier)/Item/p77"))
      let id = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
      #expect(id.uriRepresentation() == uri)
      let object = context.object(with: id)
      #expect(object.isFault)
      #expect(object.value(forKey: "name") == nil)
      #expect((context.lastReadError as NSError?)?.code == NSManagedObjectReferentialIntegrityError)
      #expect { try context.existingObject(with: id) } throws: {
        ($0 as NSError).code == NSManagedObjectReferentialIntegrityError
      }
    }
  }

  @Test func `CONTEXT 39: an id is found by its URI alone, and foreign URIs name nothing`() throws {
    let file = try store()
    let context = try file.context(of: sketch.model, isReadOnly: false)
    let coordinator = try #require(context.persistentStoreCoordinator)
    let identifier = try #require(coordinator.persistentStores.first?.identifier)
    for text in [
      "x-coredata://\(identifier)/Nobody/p1", "x-coredata://\(identifier)/Item/t1", "x-coredata://\(identifier)/Item/p",
      "x-coredata://\(identifier)/Item", "x-coredata://\(UUID())/Item/p1", "http://\(identifier)/Item/p1",
      "x-coredata:///Item/p1", "x-coredata://\(identifier)/Item/p1/p2",
      "x-coredata://\(identifier)/Item/p99999999999999999999",
    ] {
      let uri = try #require(URL(string: text))
      #expect(coordinator.managedObjectID(forURIRepresentation: uri) == nil, "\(text)")
    }
    try context.performAndWait {
      for object in try items(context) {
        let uri = object.objectID.uriRepresentation()
        #expect(coordinator.managedObjectID(forURIRepresentation: uri) === object.objectID)
      }
      // A URI that names an ancestor leads to the object all the same.
      let parent = try #require(URL(string: "x-coredata://\(identifier)/Item/p2"))
      #expect(try context.listObject(at: parent)?.entity.name == "Book")
      let stranger = try #require(URL(string: "x-coredata://\(identifier)/Toy/p2"))
      #expect(try context.listObject(at: stranger) == nil)
    }
  }

  @Test func `every shape of relationship leads to its objects, in order where it has one`() throws {
    let file = try store()
    let context = try file.context(of: sketch.model, isReadOnly: false)
    try context.performAndWait {
      let found = try items(context)
      #expect(found.map { $0.entity.name } == ["Item", "Book", "Toy"])
      let crate = try #require(found[1].value(forKey: "box") as? NSManagedObject)
      #expect(crate.entity.name == "Crate")
      #expect(crate.value(forKey: "name") as? String == "Crate")
      #expect(found[2].value(forKey: "box") == nil)
      let attic = try #require(found[0].value(forKey: "box") as? NSManagedObject)
      let line = try #require(attic.value(forKey: "line") as? NSOrderedSet)
      #expect(
        line.array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String } == ["two", "one", "three"])
      let tags = try #require(found[0].value(forKey: "tags") as? NSSet)
      #expect(Set(tags.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }) == ["red", "blue"])
      let ranked = try #require(found[0].value(forKey: "ranked") as? NSOrderedSet)
      #expect(
        ranked.array.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String } == ["blue", "red"])
      let blue = try #require(ranked.firstObject as? NSManagedObject)
      #expect(blue.value(forKey: "items") as? NSSet == NSSet(array: [found[0], found[1]]))
      #expect((blue.value(forKey: "loose") as? NSSet)?.count == 0)
    }
  }
}
