import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Ids are one a row and coordinator, and let go when nobody holds them (reference/CONTEXT.md 36 to 39).
@Suite struct ObjectIDTests {
  private let sketch = ShapesModel()

  private func store(rows: Int) throws -> TemporaryStore {
    let file = try TemporaryStore(model: sketch.model)
    try file.write(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT i, 6, 1, 'tag ' || i FROM n;
      """)
    return file
  }

  @Test func `ids of two coordinators are equal but not the same, and hash alike`() throws {
    let file = try store(rows: 3)
    let (one, two) = (try file.context(of: sketch.model), try file.context(of: sketch.model))
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Tag")
    request.resultType = .managedObjectIDResultType
    let left = try one.performAndWait { try one.fetch(request) }
    let right = try two.performAndWait { try two.fetch(request) }
    #expect(left == right)
    #expect(left.map(\.hash) == right.map(\.hash))
    #expect(zip(left, right).allSatisfy { $0 !== $1 })
    #expect(left[0] != left[1])
    #expect(Set(left + right).count == 3)
  }

  @Test func `ids that nobody holds are let go, those that somebody holds stay the same`() throws {
    let file = try store(rows: 30_000)
    let context = try file.context(of: sketch.model)
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Tag")
    request.resultType = .managedObjectIDResultType
    try context.performAndWait {
      request.fetchLimit = 10
      let kept = try context.fetch(request)
      let dropped = WeakID()
      func fetchAll() throws {
        let all = NSFetchRequest<NSManagedObjectID>(entityName: "Tag")
        all.resultType = .managedObjectIDResultType
        let ids = try context.fetch(all)
        #expect(ids.count == 30_000)
        dropped.id = ids[20_000]
      }
      try fetchAll()
      // The table is swept now and then, when it has grown.
      for offset in stride(from: 0, to: 40_000, by: 10_000) {
        (request.fetchOffset, request.fetchLimit) = (offset % 20_000, 10_000)
        _ = try context.fetch(request)
      }
      #expect(dropped.id == nil)
      (request.fetchOffset, request.fetchLimit) = (0, 10)
      let again = try context.fetch(request)
      for (one, two) in zip(kept, again) { #expect(one === two) }
    }
  }

  @Test func `a new object's id is temporary and its own`() throws {
    let file = try store(rows: 1)
    let context = try file.context(of: sketch.model, isReadOnly: false)
    context.performAndWait {
      let one = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      let two = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
      #expect(one.objectID.isTemporaryID)
      #expect(one.objectID != two.objectID)
      #expect(one.objectID.uriRepresentation().absoluteString.hasPrefix("x-coredata:///Tag/t"))
      #expect(one.objectID.persistentStore == nil)
    }
  }
}

private final class WeakID {
  weak var id: NSManagedObjectID?
}
