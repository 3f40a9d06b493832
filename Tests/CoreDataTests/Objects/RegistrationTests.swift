import Foundation
import TestSupport
import Testing

@testable import CoreData

/// reference/CONTEXT.md 17: a context has an object for as long as somebody holds it, and no longer.
@Suite struct RegistrationTests {
  private let sketch = ShapesModel()

  private func store(rows: Int) throws -> TemporaryStore {
    let file = try TemporaryStore(model: sketch.model)
    try file.write(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 6, 1, 'tag ' || i FROM n
      """)
    return file
  }

  private func tags(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
  }

  @Test func `an object that nobody holds is gone: its row is read anew`() throws {
    let file = try store(rows: 2)
    // Not read-only: that could be a snapshot, which shows no later commit.
    let context = try file.context(of: sketch.model, isReadOnly: false)
    try context.performAndWait {
      var found = try tags(context)
      let (kept, id) = (found[0], found[1].objectID)
      #expect(found.map { $0.value(forKey: "name") as? String } == ["tag 1", "tag 2"])
      found = []
      try file.write("UPDATE ZTAG SET ZNAME = 'changed'")
      #expect(context.registeredObject(for: id) == nil)
      found = try tags(context)
      #expect(found[0] === kept)
      #expect(found.map { $0.value(forKey: "name") as? String } == ["tag 1", "changed"])
      #expect(context.registeredObject(for: id) === found[1])
    }
  }

  @Test func `objects that nobody holds are let go as more are made`() throws {
    let file = try store(rows: 3_000)
    let context = try file.context(of: sketch.model)
    try context.performAndWait {
      weak var first: NSManagedObject?
      do { first = try tags(context)[0] }
      _ = try tags(context)
      #expect(first == nil)
    }
  }

  @Test func `changed and new objects are held by their context until they are saved`() throws {
    let file = try store(rows: 1)
    let context = try file.context(of: sketch.model, isReadOnly: false)
    try context.performAndWait {
      weak var new: NSManagedObject?
      do {
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        tag.setValue("new", forKey: "name")
        new = tag
        #expect(context.registeredObject(for: tag.objectID) === tag)
      }
      let temporary = try #require(new?.objectID)
      #expect(context.registeredObject(for: temporary) === new)
      try context.save()
      let permanent = try #require(new?.objectID)
      #expect(!permanent.isTemporaryID)
      #expect(context.registeredObject(for: temporary) == nil)
      #expect(context.registeredObject(for: permanent) == nil)
      #expect(context.object(with: permanent).value(forKey: "name") as? String == "new")
    }
  }

  @Test func `a context that was reset or is gone has no objects, and they hold nothing`() throws {
    let file = try store(rows: 10)
    weak var kept: NSManagedObject?
    weak var gone: NSManagedObjectContext?
    do {
      let context = try file.context(of: sketch.model)
      gone = context
      try context.performAndWait {
        let found = try tags(context)
        context.reset()
        #expect(context.registeredObject(for: found[3].objectID) == nil)
        #expect(try tags(context)[3] !== found[3])
        kept = try tags(context)[3]
      }
    }
    #expect(gone == nil)
    #expect(kept == nil)
  }
}
