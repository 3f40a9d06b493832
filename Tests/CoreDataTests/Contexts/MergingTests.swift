import Foundation
import TestSupport
import Testing

@testable import CoreData

/// What contexts post, and how one takes over what another has saved (reference/CONTEXT.md 62 to 69).
@Suite struct MergingTests {
  private func office() throws -> Office {
    try Office { context in for name in ["ann", "bob", "cat"] { context.new("Person", name, ["salary": 10]) } }
  }

  @Test func `CONTEXT 62: changes are posted as sets of objects once they are processed, a fetch never`() throws {
    let office = try office()
    try office.work { context in
      let posts = NotificationLog(context, .NSManagedObjectContextObjectsDidChange)
      let people = try context.all("Person")
      context.processPendingChanges()
      #expect(posts.take().isEmpty)
      people[0].setValue("ada", forKey: "name")
      context.delete(people[1])
      context.new("Person", "eve")
      #expect(posts.take().isEmpty)
      context.processPendingChanges()
      #expect(posts.take().map(\.summary) == [["inserted": ["eve"], "updated": ["ada"], "deleted": ["bob"]]])
      context.processPendingChanges()
      #expect(posts.take().isEmpty)
      people[2].setValue("cay", forKey: "name")
      context.processPendingChanges()
      #expect(posts.take().map(\.summary) == [["updated": ["cay"]]])
    }
  }

  @Test func `CONTEXT 62: what an observer changes is told in turn`() throws {
    let office = try office()
    try office.work { context in
      let people = try context.all("Person")
      let posts = NotificationLog(context, .NSManagedObjectContextObjectsDidChange)
      posts.onPost = { post in
        if post.names("updated") == ["ada"] { people[1].setValue("ben", forKey: "name") }
      }
      people[0].setValue("ada", forKey: "name")
      context.processPendingChanges()
      #expect(posts.take().map(\.summary) == [["updated": ["ada"]], ["updated": ["ben"]]])
    }
  }

  @Test func `CONTEXT 64: a reset posts the ids of all, and its objects belong to no context`() throws {
    let office = try office()
    try office.work { context in
      let people = try context.all("Person")
      people[0].setValue("ada", forKey: "name")
      let posts = NotificationLog(context, .NSManagedObjectContextObjectsDidChange)
      context.reset()
      let ids = posts.take().first?.userInfo?[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID]
      #expect(ids.map(Set.init) == Set(people.map(\.objectID)))
      // CONTEXT 83
      #expect(people.allSatisfy { $0.managedObjectContext == nil && !$0.hasChanges })
      #expect(!context.hasChanges)
      #expect(context.registeredObjects.isEmpty)
      #expect(try context.all("Person").count == 3)
    }
  }

  @Test func `CONTEXT 65: keys have the names that programs read`() {
    typealias Key = NSManagedObjectContext.NotificationKey
    #expect(Key.insertedObjects.rawValue == NSInsertedObjectsKey)
    #expect(Key.invalidatedAllObjects.rawValue == NSInvalidatedAllObjectsKey)
    #expect(Key.refreshedObjectIDs.rawValue == NSRefreshedObjectIDsKey)
    #expect(NSManagedObjectContext.didSaveObjectsNotification == .NSManagedObjectContextDidSave)
  }

  /// The notification of a save that renames ann, deletes bob and inserts eve.
  private func save(in office: Office) throws -> Notification {
    try office.work { context in
      let posts = NotificationLog(context, .NSManagedObjectContextDidSave)
      try context.one("Person", "ann").setValue("ada", forKey: "name")
      context.delete(try context.one("Person", "bob"))
      context.new("Person", "eve")
      try context.save()
      return try #require(posts.take().first)
    }
  }

  @Test func `CONTEXT 66 and 67: a merge inserts, refreshes what is here with its values, and deletes`() throws {
    let office = try office()
    let other = office.context()
    let people = try other.performAndWait {
      let people = try other.all("Person")
      for person in people { person.willAccessValue(forKey: nil) }
      return people
    }
    let saved = try save(in: office)
    try other.performAndWait { () throws -> Void in
      let posts = NotificationLog(
        other, .NSManagedObjectContextObjectsDidChange, NSManagedObjectContext.didMergeChangesObjectIDsNotification)
      #expect(people[0].value(forKey: "name") as? String == "ann")
      other.mergeChanges(fromContextDidSave: saved)
      let posted = posts.take()
      #expect(posted.count == 2)
      #expect(posted.first?.names("inserted")?.count == 1)
      #expect(posted.first?.names("refreshed") == ["ada"])
      #expect(posted.first?.names("deleted") == ["bob"])
      #expect(posted.first?.names("updated") == nil)
      #expect(
        posted.last?.summary == [
          "inserted_objectIDs": ["1 ids"], "updated_objectIDs": ["1 ids"], "deleted_objectIDs": ["1 ids"],
        ])
      #expect(people[0].value(forKey: "name") as? String == "ada")
      #expect(!people[0].hasChanges && !other.hasChanges)
      // CONTEXT 23: deleted elsewhere, it keeps its values here.
      #expect(people[1].isDeleted && !people[1].isFault)
      #expect(people[1].value(forKey: "name") as? String == "bob")
      #expect(try other.all("Person").compactMap { $0.value(forKey: "name") as? String } == ["ada", "cat", "eve"])
    }
  }

  @Test func `CONTEXT 66: faults and objects that are not here are told by their ids alone`() throws {
    let office = try office()
    let other = office.context()
    let saved = try save(in: office)
    other.performAndWait {
      let posts = NotificationLog(other, .NSManagedObjectContextObjectsDidChange)
      other.mergeChanges(fromContextDidSave: saved)
      let posted = posts.take()
      #expect(posted.count == 1)
      #expect(posted.first?.names("refreshed") == nil)
      #expect((posted.first?.userInfo?[NSRefreshedObjectIDsKey] as? Set<NSManagedObjectID>)?.count == 1)
      #expect((posted.first?.userInfo?[NSDeletedObjectIDsKey] as? Set<NSManagedObjectID>)?.count == 1)
    }
  }

  @Test func `CONTEXT 67: unsaved changes outlive a merge, and saving them is no conflict`() throws {
    let office = try office()
    let other = office.context()
    let ann = try other.performAndWait {
      let ann = try other.one("Person", "ann")
      ann.setValue(99, forKey: "salary")
      return ann
    }
    let saved = try save(in: office)
    try other.performAndWait {
      other.mergeChanges(fromContextDidSave: saved)
      #expect(ann.value(forKey: "name") as? String == "ada")
      #expect((ann.value(forKey: "salary") as? NSNumber)?.intValue == 99)
      #expect(ann.isUpdated)
      try other.save()
    }
    #expect(
      try office.file.rows("SELECT ZNAME, ZSALARY, Z_OPT FROM ZPERSON WHERE Z_PK = \(ann.objectID.primaryKey)") == [
        "ada|99|3"
      ])
  }

  @Test func `an object that was changed here and deleted elsewhere keeps its changes, and the save says so`() throws {
    let office = try office()
    let other = office.context()
    let bob = try other.performAndWait {
      let bob = try other.one("Person", "bob")
      bob.setValue(99, forKey: "salary")
      return bob
    }
    let saved = try save(in: office)
    other.performAndWait {
      other.mergeChanges(fromContextDidSave: saved)
      #expect(!bob.isDeleted && bob.isUpdated)
      #expect(code(other.save) == NSManagedObjectMergeError)
    }
  }

  @Test func `CONTEXT 68: what another process saved is merged by ids or URIs, rows read anew`() throws {
    let office = try office()
    let context = office.context()
    let people = try context.performAndWait {
      let people = try context.all("Person")
      for person in people { person.willAccessValue(forKey: nil) }
      return people
    }
    try office.file.write(
      "UPDATE ZPERSON SET ZNAME = 'ada', Z_OPT = 2 WHERE ZNAME = 'ann'; DELETE FROM ZPERSON WHERE ZNAME = 'bob';")
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [
        NSUpdatedObjectsKey: [people[0].objectID.uriRepresentation()], NSDeletedObjectIDsKey: [people[1].objectID],
      ], into: [context])
    context.performAndWait {
      #expect(people[0].value(forKey: "name") as? String == "ada")
      #expect(people[1].isDeleted)
      #expect(people[2].value(forKey: "name") as? String == "cat")
    }
  }

  @Test func `CONTEXT 69: a root context that asks for it takes over the saves of its siblings`() async throws {
    let office = try office()
    let (other, deaf) = (office.context(), office.context())
    #expect(!other.automaticallyMergesChangesFromParent)
    other.automaticallyMergesChangesFromParent = true
    let (ids, _) = try other.performAndWait { (try other.all("Person").map(\.objectID), try other.all("Person")) }
    let held = other.performAndWait { ids.map(other.object(with:)) }
    let unmoved = try deaf.performAndWait { try deaf.one("Person", "ann") }
    for person in held { other.performAndWait { person.willAccessValue(forKey: nil) } }
    deaf.performAndWait { unmoved.willAccessValue(forKey: nil) }
    _ = try save(in: office)
    // Blocks of one context run in their order: the merge was given before this one.
    try await other.perform {}
    other.performAndWait { #expect(held[0].value(forKey: "name") as? String == "ada") }
    deaf.performAndWait { #expect(unmoved.value(forKey: "name") as? String == "ann") }
  }
}
