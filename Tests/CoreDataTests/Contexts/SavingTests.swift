import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Saving, looked at with the real `sqlite3` program (reference/CONTEXT.md 36, 39, 43, 46, 47).
@Suite struct SavingTests {
  private func office() throws -> Office {
    try Office { context in
      let red = context.new("Department", "red")
      for name in ["ann", "bob"] { context.new("Person", name, ["department": red]) }
    }
  }

  @Test func `CONTEXT 36: ids are temporary until the save, and then lead to the same object`() throws {
    let office = try office()
    try office.work { context in
      let eve = context.new("Person", "eve")
      let temporary = eve.objectID
      #expect(temporary.isTemporaryID)
      #expect(temporary.uriRepresentation().absoluteString.hasPrefix("x-coredata:///Person/t"))
      try context.save()
      #expect(!eve.objectID.isTemporaryID)
      #expect(eve.objectID.uriRepresentation().absoluteString.hasSuffix("/Person/p3"))
      #expect(context.registeredObject(for: eve.objectID) === eve)
      #expect(context.object(with: eve.objectID) === eve)
      #expect(try context.existingObject(with: eve.objectID) === eve)
    }
  }

  @Test func `CONTEXT 46: a save goes through its steps in Apple's order`() throws {
    let office = try office()
    try office.work { context in
      let log = LifeLog()
      context.userInfo["log"] = log
      let ann = try context.one("Person", "ann")
      ann.setValue("ada", forKey: "name")
      context.new("Person", "eve")
      _ = log.take()
      let posts = NotificationLog(
        context, .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextWillSave,
        .NSManagedObjectContextDidSave, NSManagedObjectContext.didSaveObjectIDsNotification)
      posts.onPost = { post in
        switch post.name {
        case .NSManagedObjectContextObjectsDidChange: log.add("changed")
        case .NSManagedObjectContextWillSave: log.add("will save")
        case .NSManagedObjectContextDidSave: log.add("did save, temporary \(ann.objectID.isTemporaryID)")
        default: log.add("ids")
        }
      }
      try context.save()
      #expect(
        log.take() == [
          "changed", "willSave ada", "willSave eve", "will save", "didSave eve", "didSave ada",
          "did save, temporary false", "ids",
        ])
      let saved = posts.take()
      // CONTEXT 63
      #expect(saved[1].userInfo == nil)
      #expect(saved[2].summary == ["inserted": ["eve"], "updated": ["ada"]])
      #expect(saved[3].summary == ["inserted_objectIDs": ["1 ids"], "updated_objectIDs": ["1 ids"]])
    }
  }

  @Test func `CONTEXT 46: a save without changes does nothing and posts nothing`() throws {
    let office = try office()
    try office.work { context in
      _ = try context.all("Person")
      let posts = NotificationLog(context, .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave)
      let before = try office.file.fingerprint()
      try context.save()
      #expect(posts.take().isEmpty)
      #expect(try office.file.fingerprint() == before)
    }
  }

  @Test func `CONTEXT 47: a version rises by one with each save, and begins at one`() throws {
    let office = try office()
    try office.work { context in
      let ann = try context.one("Person", "ann")
      for index in 0..<3 {
        ann.setValue("ann \(index)", forKey: "name")
        ann.setValue(index, forKey: "salary")
        try context.save()
        #expect(ann.value(forKey: "name") as? String == "ann \(index)")
      }
    }
    #expect(try office.file.rows("SELECT ZNAME, ZSALARY, Z_OPT FROM ZPERSON ORDER BY 1") == ["ann 2|2|4", "bob|1|1"])
  }

  @Test func `CONTEXT 43: a save that is refused leaves everything to be saved, and is saved after a fix`() throws {
    let office = try office()
    try office.work { context in
      let ann = try context.one("Person", "ann")
      ann.setValue("ada", forKey: "name")
      let eve = context.new("Person", "eve")
      let bob = try context.one("Person", "bob")
      context.delete(bob)
      let desk = context.new("Desk", "oak", ["owner": eve])
      try context.save()
      context.delete(desk)
      ann.setValue("amy", forKey: "name")
      let may = context.new("Person", "may")
      let posts = NotificationLog(context, .NSManagedObjectContextDidSave)
      #expect(code(context.save) == NSValidationRelationshipDeniedDeleteError)
      #expect(posts.take().isEmpty)
      #expect(context.insertedObjects == [may])
      #expect(context.updatedObjects.contains(ann))
      #expect(context.deletedObjects == [desk])
      #expect(may.objectID.isTemporaryID)
      #expect(ann.changedValues() as? [String: String] == ["name": "amy"])
      #expect(try office.names("Person") == ["ada", "eve"])
      desk.setValue(nil, forKey: "owner")
      try context.save()
      #expect(try office.names("Person") == ["amy", "eve", "may"])
      #expect(try office.names("Desk") == [])
    }
  }

  @Test func `several errors of validation are told together`() throws {
    let office = try Office { context in
      for name in ["oak", "elm"] { context.new("Desk", name, ["owner": context.new("Person", name)]) }
    }
    try office.work { context in
      for desk in try context.all("Desk") { context.delete(desk) }
      do {
        try context.save()
        Issue.record("deny was not heeded")
      } catch {
        let error = error as NSError
        #expect(error.code == NSValidationMultipleErrorsError)
        #expect((error.userInfo[NSDetailedErrorsKey] as? [NSError])?.count == 2)
      }
    }
  }

  @Test func `a store that is only read refuses with one clear error, and nothing is lost`() throws {
    let filled = try office()
    let office = try Office(isReadOnly: true)
    office.work { context in
      context.new("Person", "eve")
      #expect(code(context.save) == NSFileWriteNoPermissionError)
      #expect(context.insertedObjects.count == 1)
    }
    let context = try filled.file.context(of: filled.model, isReadOnly: true)
    try context.performAndWait {
      let ann = try context.one("Person", "ann")
      ann.setValue("ada", forKey: "name")
      #expect(code(context.save) == NSFileWriteNoPermissionError)
      context.rollback()
      context.delete(ann)
      #expect(code(context.save) == NSFileWriteNoPermissionError)
      #expect(context.deletedObjects == [ann])
    }
    #expect(try filled.names("Person") == ["ann", "bob"])
  }

  @Test func `objects that are saved have their values without another reading`() throws {
    let office = try office()
    try office.work { context in
      let ann = try context.one("Person", "ann")
      ann.setValue("ada", forKey: "name")
      let eve = context.new("Person", "eve", ["department": try context.one("Department", "red")])
      try context.save()
      try office.file.write("UPDATE ZPERSON SET ZNAME = 'other'")
      #expect(ann.value(forKey: "name") as? String == "ada")
      #expect(eve.value(forKey: "name") as? String == "eve")
      #expect(eve.related("department") == ["red"])
    }
  }

  @Test func `a save within a save is refused`() throws {
    let office = try office()
    try office.work { context in
      let posts = NotificationLog(context, .NSManagedObjectContextWillSave)
      var inner: Int?
      posts.onPost = { _ in inner = code(context.save) }
      context.new("Person", "eve")
      try context.save()
      #expect(inner == NSPersistentStoreSaveError)
    }
    #expect(try office.names("Person") == ["ann", "bob", "eve"])
  }

  @Test func `objects that wait to be saved and hold each other go with their context`() throws {
    let office = try Office()
    weak var gone: NSManagedObject?
    office.work { context in
      let red = context.new("Department", "red")
      context.new("Person", "ann", ["department": red])
      gone = red
    }
    #expect(gone == nil)
  }
}
