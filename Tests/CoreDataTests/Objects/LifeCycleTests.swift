import Foundation
import TestSupport
import Testing

@testable import CoreData

/// The life of an object in its context (reference/CONTEXT.md 6 to 13).
@Suite struct LifeCycleTests {
  private func office() throws -> Office {
    try Office { context in for name in ["ann", "bob"] { context.new("Person", name, ["salary": 10]) } }
  }

  private func logged(_ context: NSManagedObjectContext) -> LifeLog {
    let log = LifeLog()
    context.userInfo["log"] = log
    return log
  }

  @Test func `CONTEXT 6: an object whose row is gone has no values and counts as deleted`() throws {
    let office = try office()
    try office.work { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.includesPropertyValues = false
      let people = try context.fetch(request)
      try office.file.write("DELETE FROM ZPERSON WHERE Z_PK = 1")
      let ann = try #require(people[0] as? OfficePerson)
      #expect(ann.isFault)
      #expect(ann.name == nil)
      #expect(ann.salary == 0)
      #expect(!ann.isFault)
      #expect(ann.isDeleted)
      #expect(context.deletedObjects == [ann])
      #expect(code { _ = try context.existingObject(with: ann.objectID) } == NSManagedObjectReferentialIntegrityError)
      // There is nothing to validate and nothing to delete.
      try context.save()
      #expect(!context.hasChanges)
    }
  }

  @Test func `CONTEXT 6: without shouldDeleteInaccessibleFaults reading it stops the program`() async throws {
    await #expect(processExitsWith: .failure) {
      let office = try Office { $0.new("Person", "ann") }
      try office.work { context in
        context.shouldDeleteInaccessibleFaults = false
        let id = try #require(try context.all("Person").first?.objectID)
        context.reset()
        try office.file.write("DELETE FROM ZPERSON")
        id.cachedRow = nil
        _ = context.object(with: id).value(forKey: "name")
      }
    }
  }

  @Test func `CONTEXT 7: awakeFromInsert once with defaults in place, awakeFromFetch each time a fault fires`() throws {
    let office = try office()
    try office.work { context in
      let log = logged(context)
      let eve = context.new("Person", "eve")
      #expect(log.take() == ["insert 1 -"])
      let ann = try context.one("Person", "ann")
      #expect(log.take() == [])
      _ = ann.value(forKey: "name")
      #expect(log.take() == ["fetch ann"])
      context.refresh(ann, mergeChanges: false)
      _ = log.take()
      _ = ann.value(forKey: "salary")
      #expect(log.take() == ["fetch ann"])
      try context.save()
      _ = log.take()
      // A saved object is no fault.
      #expect(!eve.isFault)
      _ = eve.value(forKey: "name")
      #expect(log.take() == [])
    }
  }

  @Test func `CONTEXT 7: what awakeFromFetch sets is no change`() throws {
    let office = try office()
    try office.work { context in
      context.userInfo["noteOnFetch"] = true
      let ann = try context.one("Person", "ann")
      #expect(ann.value(forKey: "note") as? String == "fetched")
      #expect(!context.hasChanges)
      #expect(!ann.hasChanges)
    }
  }

  @Test func `CONTEXT 8: turning into a fault is told once before and once after`() throws {
    let office = try office()
    try office.work { context in
      let ann = try context.one("Person", "ann")
      _ = ann.value(forKey: "name")
      let log = logged(context)
      context.refresh(ann, mergeChanges: false)
      #expect(ann.isFault)
      context.refresh(ann, mergeChanges: false)
      #expect(log.take() == ["willTurnIntoFault ann", "didTurnIntoFault -"])
    }
  }

  @Test func `CONTEXT 8: prepareForDeletion is called at each delete`() throws {
    let office = try office()
    try office.work { context in
      let ann = try context.one("Person", "ann")
      _ = ann.value(forKey: "name")
      let log = logged(context)
      context.delete(ann)
      context.delete(ann)
      #expect(log.take() == ["prepareForDeletion ann", "prepareForDeletion ann"])
      #expect(context.deletedObjects == [ann])
    }
  }

  @Test func `CONTEXT 9: willSave may change values, then it is called again until it does not`() throws {
    let office = try office()
    try office.work { context in
      let log = logged(context)
      context.userInfo["willSave"] = { (person: OfficePerson) in
        if person.salary < 13 { person.salary += 1 }
      }
      let ann = try #require(try context.one("Person", "ann") as? OfficePerson)
      ann.name = "ada"
      _ = log.take()
      try context.save()
      #expect(log.take() == ["willSave ada", "willSave ada", "willSave ada", "willSave ada", "didSave ada"])
      #expect(ann.salary == 13)
    }
    #expect(try office.file.rows("SELECT ZSALARY, Z_OPT FROM ZPERSON WHERE ZNAME = 'ada'") == ["13|2"])
  }

  @Test func `CONTEXT 9: a willSave that never comes to rest fails, and the context stays dirty`() throws {
    let office = try office()
    try office.work { context in
      context.userInfo["willSave"] = { (person: OfficePerson) in person.salary += 1 }
      (try context.one("Person", "ann") as? OfficePerson)?.name = "ada"
      #expect(code(context.save) == NSPersistentStoreSaveError)
      #expect(context.hasChanges)
    }
    #expect(try office.names("Person") == ["ann", "bob"])
  }

  @Test func `CONTEXT 9: didSave is called for deleted objects too`() throws {
    let office = try office()
    try office.work { context in
      let log = logged(context)
      context.delete(try context.one("Person", "ann"))
      try context.one("Person", "bob").setValue("ben", forKey: "name")
      context.new("Person", "eve")
      _ = log.take()
      try context.save()
      #expect(log.take().filter { $0.hasPrefix("didSave") }.sorted() == ["didSave ann", "didSave ben", "didSave eve"])
    }
  }

  @Test func `CONTEXT 11: changed and committed values tell after from before, until the save`() throws {
    let office = try office()
    try office.work { context in
      let ann = try context.one("Person", "ann")
      #expect(ann.changedValues().isEmpty)
      ann.setValue("ada", forKey: "name")
      ann.setValue(nil, forKey: "salary")
      ann.setValue("a note", forKey: "note")
      #expect(ann.changedValues().keys.sorted() == ["name", "salary"])
      #expect(ann.changedValues()["name"] as? String == "ada")
      #expect(ann.changedValues()["salary"] is NSNull)
      let committed = ann.committedValues(forKeys: nil)
      #expect(committed["name"] as? String == "ann")
      #expect((committed["salary"] as? NSNumber)?.intValue == 10)
      #expect(committed["department"] is NSNull)
      #expect(committed["tags"] as? NSSet == NSSet())
      #expect(committed["note"] == nil)
      #expect(ann.committedValues(forKeys: ["name"]).count == 1)
      try context.save()
      #expect(ann.changedValues().isEmpty)
      #expect(ann.committedValues(forKeys: ["name"])["name"] as? String == "ada")
      // A transient value outlives the save.
      #expect(ann.value(forKey: "note") as? String == "a note")
    }
  }

  @Test func `CONTEXT 11: of the current event only what was set since observers were told`() throws {
    let office = try office()
    try office.work { context in
      let ann = try context.one("Person", "ann")
      ann.setValue("ada", forKey: "name")
      #expect(ann.changedValuesForCurrentEvent() as? [String: String] == ["name": "ada"])
      context.processPendingChanges()
      #expect(ann.changedValuesForCurrentEvent().isEmpty)
      var seen: [String: Any] = [:]
      let log = NotificationLog(context, .NSManagedObjectContextObjectsDidChange)
      log.onPost = { _ in seen = ann.changedValuesForCurrentEvent() }
      ann.setValue(11, forKey: "salary")
      context.processPendingChanges()
      #expect(seen as? [String: Int] == ["salary": 11])
      #expect(ann.changedValues().count == 2)
    }
  }

  @Test func `CONTEXT 12: setting the same value is a change, but nothing to write`() throws {
    let office = try office()
    try office.work { context in
      let ann = try context.one("Person", "ann")
      ann.setValue("ann", forKey: "name")
      #expect(ann.hasChanges && context.hasChanges)
      #expect(!ann.hasPersistentChangedValues)
      let bob = try context.one("Person", "bob")
      bob.setValue("a note", forKey: "note")
      #expect(bob.hasChanges)
      #expect(!bob.hasPersistentChangedValues)
      bob.setValue("ben", forKey: "name")
      #expect(bob.hasPersistentChangedValues)
      try context.save()
      #expect(!context.hasChanges && !ann.hasChanges)
    }
    #expect(try office.file.rows("SELECT ZNAME, Z_OPT FROM ZPERSON ORDER BY 1") == ["ann|1", "ben|2"])
  }

  @Test func `CONTEXT 13: the flags of an object follow its state and are down after the save`() throws {
    let office = try office()
    try office.work { context in
      let (ann, bob) = (try context.one("Person", "ann"), try context.one("Person", "bob"))
      let eve = context.new("Person", "eve")
      ann.setValue("ada", forKey: "name")
      context.delete(bob)
      #expect(eve.isInserted && !eve.isUpdated && !eve.isDeleted && eve.hasChanges)
      #expect(!ann.isInserted && ann.isUpdated && !ann.isDeleted && ann.hasChanges)
      #expect(!bob.isInserted && !bob.isUpdated && bob.isDeleted && bob.hasChanges)
      try context.save()
      for object in [ann, bob, eve] {
        #expect(!object.isInserted && !object.isUpdated && !object.isDeleted && !object.hasChanges)
        #expect(!object.isFault)
      }
    }
  }

  @Test func `CONTEXT 16: an object without a context lives alone until it is inserted`() throws {
    let office = try office()
    try office.work { context in
      let entity = try #require(office.model.entitiesByName["Person"])
      let eve = OfficePerson(entity: entity, insertInto: nil)
      eve.name = "eve"
      #expect(eve.managedObjectContext == nil)
      #expect(!eve.isFault && eve.salary == 1)
      #expect(!context.hasChanges)
      context.insert(eve)
      #expect(eve.isInserted)
      try context.save()
    }
    #expect(try office.names("Person") == ["ann", "bob", "eve"])
  }

  @Test func `CONTEXT 16: a relationship between objects of two contexts stops the program`() async throws {
    await #expect(processExitsWith: .failure) {
      let office = try Office()
      let other = office.context()
      let red = other.performAndWait { other.new("Department", "red") }
      office.work { context in context.new("Person", "ann").setValue(red, forKey: "department") }
    }
  }
}
