import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Values that only one object may have (reference/CONTEXT.md 59 and 60).
@Suite struct ConstraintTests {
  /// Regions with unique codes, and a kind of region; towns in them.
  private func regions(_ fill: (NSManagedObjectContext) throws -> Void = { _ in }) throws -> (
    TemporaryStore, NSManagedObjectModel
  ) {
    typealias Sketch = ModelSketch
    let state = Sketch.entity("State")
    let region = Sketch.entity(
      "Region",
      [
        Sketch.attribute("code", .stringAttributeType), Sketch.attribute("name", .stringAttributeType),
        Sketch.attribute("size", .integer64AttributeType),
      ], children: [state])
    region.uniquenessConstraints = [["code"]]
    let town = Sketch.entity("Town", [Sketch.attribute("name", .stringAttributeType)])
    Sketch.relate(region, "towns", .many, to: town, inverse: "region")
    let model = Sketch.model([region, state, town])
    return (try TemporaryStore(model: model, filling: fill), model)
  }

  private func fill(_ context: NSManagedObjectContext) throws {
    let region = context.new("Region", "old", ["code": "DE", "size": 7])
    context.new("Town", "Bonn", ["region": region])
  }

  private func work(
    _ policy: NSMergePolicy, _ body: (NSManagedObjectContext, TemporaryStore) throws -> Void
  ) throws {
    let (file, model) = try regions(fill)
    let context = try file.context(of: model, isReadOnly: false)
    context.mergePolicy = policy
    try context.performAndWait { try body(context, file) }
  }

  private let rows = "SELECT Z_PK, ZCODE, ZNAME, ZSIZE FROM ZREGION ORDER BY 1"

  @Test func `CONTEXT 59: the error policy refuses with the conflict, and the context stays as it is`() throws {
    try work(.error) { context, file in
      let new = context.new("Region", "new", ["code": "DE"])
      do {
        try context.save()
        Issue.record("the value is there twice")
      } catch {
        let error = error as NSError
        #expect(error.code == NSManagedObjectConstraintMergeError)
        let list = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
        let conflict = try #require(list?.first)
        #expect(list?.count == 1 && conflict.constraint == ["code"])
        #expect(conflict.constraintValues["code"] as? String == "DE" && conflict.conflictingObjects == [new])
        #expect(conflict.databaseObject?.value(forKey: "name") as? String == "old")
        #expect(conflict.databaseSnapshot?["name"] as? String == "old")
      }
      #expect(context.insertedObjects == [new] && new.value(forKey: "name") as? String == "new")
      new.setValue("FR", forKey: "code")
      try context.save()
      #expect(try file.rows(rows) == ["1|DE|old|7", "2|FR|new|"])
    }
  }

  @Test func `CONTEXT 59: by the policies that favour objects a new one is written to the row that is there`() throws {
    for policy in [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite] {
      try work(policy) { context, file in
        let held = try context.one("Region", "old")
        let new = context.new("Region", "new", ["code": "DE"])
        context.new("Town", "Köln", ["region": new])
        try context.save()
        #expect(new.objectID.primaryKey == 1 && !new.hasChanges && held.managedObjectContext == nil)
        #expect(context.object(with: new.objectID) === new)
        #expect(new.related("towns") == ["Bonn", "Köln"])
        #expect(try file.rows(rows) == ["1|DE|new|7"])
        #expect(try file.rows("SELECT ZNAME, ZREGION FROM ZTOWN ORDER BY 1") == ["Bonn|1", "Köln|1"])
        #expect(try file.rows("SELECT Z_OPT > 1 FROM ZREGION") == ["1"])
      }
    }
  }

  @Test func `CONTEXT 59: by the policies that favour the store its values win, and relationships move to it`() throws {
    for policy in [NSMergePolicy.mergeByPropertyStoreTrump, .rollback] {
      try work(policy) { context, file in
        let new = context.new("Region", "new", ["code": "DE", "size": 9])
        context.new("Town", "Köln", ["region": new])
        try context.save()
        #expect(new.value(forKey: "name") as? String == "old" && new.value(forKey: "size") as? Int == 7)
        #expect(try file.rows(rows) == ["1|DE|old|7"])
        #expect(try file.rows("SELECT ZNAME, ZREGION FROM ZTOWN ORDER BY 1") == ["Bonn|1", "Köln|1"])
      }
    }
  }

  @Test func `CONTEXT 59: of new objects with the same value one is saved, with what led to the others`() throws {
    for (policy, name) in [
      (NSMergePolicy.mergeByPropertyObjectTrump, "b"), (NSMergePolicy.mergeByPropertyStoreTrump, "a"),
    ] {
      try work(policy) { context, file in
        let (first, second) = (context.new("Region", "a", ["code": "FR"]), context.new("Region", "b", ["code": "FR"]))
        context.new("Town", "Metz", ["region": first])
        context.new("Town", "Nice", ["region": second])
        try context.save()
        #expect(try file.rows("SELECT ZNAME FROM ZREGION WHERE ZCODE = 'FR'") == [name])
        #expect(
          try file.rows(
            "SELECT t.ZNAME FROM ZTOWN t JOIN ZREGION r ON t.ZREGION = r.Z_PK WHERE r.ZCODE = 'FR' ORDER BY 1")
            == ["Metz", "Nice"])
      }
    }
  }

  @Test func `CONTEXT 60: subentities share the constraint, and objects without the value do not meet`() throws {
    try work(.error) { context, file in
      context.new("Region", "none")
      context.new("Region", "none too")
      try context.save()
      context.new("State", "state", ["code": "DE"])
      #expect(code { try context.save() } == NSManagedObjectConstraintMergeError)
      context.rollback()
      #expect(try file.rows("SELECT count(*) FROM ZREGION") == ["3"])
    }
  }

  @Test func `an object that was saved cannot become another one, whatever the policy`() throws {
    try work(.mergeByPropertyObjectTrump) { context, file in
      let other = context.new("Region", "other", ["code": "FR"])
      try context.save()
      other.setValue("DE", forKey: "code")
      #expect(code { try context.save() } == NSManagedObjectConstraintMergeError)
      #expect(context.updatedObjects == [other])
      #expect(try file.rows(rows) == ["1|DE|old|7", "2|FR|other|"])
    }
  }
}
