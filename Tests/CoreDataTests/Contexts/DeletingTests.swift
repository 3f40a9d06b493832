import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Deleting, and what delete rules take along (reference/CONTEXT.md 18, 19, 23, 24).
@Suite struct DeletingTests {
  private func office() throws -> Office {
    try Office { context in
      let red = context.new("Department", "red")
      let tags = ["x", "y"].map { context.new("Tag", $0) }
      let ann = context.new("Person", "ann", ["department": red, "tags": NSSet(array: tags)])
      let bob = context.new("Person", "bob", ["department": red, "boss": ann])
      context.new("Person", "cat", ["boss": bob])
      context.new("Person", "dan", ["tags": NSSet(object: tags[0])])
      context.new("Desk", "oak", ["owner": ann, "guests": NSSet(object: bob)])
    }
  }

  @Test func `CONTEXT 19: nullify removes the object from the other ends`() throws {
    let office = try office()
    try office.work { context in
      let (dan, x) = (try context.one("Person", "dan"), try context.one("Tag", "x"))
      context.delete(dan)
      #expect(x.related("people") == ["ann", "dan"])
      context.processPendingChanges()
      #expect(x.related("people") == ["ann"])
      #expect(context.deletedObjects == [dan])
      #expect(context.updatedObjects == [x])
      try context.save()
    }
    #expect(try office.names("Person") == ["ann", "bob", "cat"])
    #expect(try office.work { try $0.one("Tag", "x").related("people") } == ["ann"])
    #expect(try office.file.rows("SELECT count(*) FROM Z_3TAGS") == ["2"])
  }

  @Test func `CONTEXT 19: cascade takes along what it leads to, step by step`() throws {
    let office = try office()
    try office.work { context in
      let oak = try context.one("Desk", "oak")
      context.delete(try context.one("Department", "red"))
      context.processPendingChanges()
      // The department's staff, and their minions in turn.
      #expect(
        Set(context.deletedObjects.compactMap { $0.value(forKey: "name") as? String }) == ["red", "ann", "bob", "cat"])
      #expect(oak.value(forKey: "owner") == nil)
      try context.save()
    }
    #expect(try office.names("Person") == ["dan"])
    #expect(try office.names("Department") == [])
  }

  @Test func `CONTEXT 19: a cascade goes through a cycle once`() throws {
    let office = try Office { context in
      let people = ["a", "b", "c"].map { context.new("Person", $0) }
      for index in 0..<3 { people[index].setValue(people[(index + 1) % 3], forKey: "boss") }
    }
    try office.work { context in
      let log = LifeLog()
      context.userInfo["log"] = log
      let objects = try context.all("Person")
      for object in objects { object.willAccessValue(forKey: nil) }
      _ = log.take()
      context.delete(objects[0])
      context.processPendingChanges()
      #expect(log.take().sorted() == ["prepareForDeletion a", "prepareForDeletion b", "prepareForDeletion c"])
      try context.save()
    }
    #expect(try office.names("Person") == [])
  }

  @Test func `CONTEXT 19: deny refuses at the save unless the other end goes too`() throws {
    let office = try office()
    try office.work { context in
      let (oak, ann) = (try context.one("Desk", "oak"), try context.one("Person", "ann"))
      context.delete(oak)
      context.processPendingChanges()
      #expect(context.deletedObjects == [oak])
      #expect(code(context.save) == NSValidationRelationshipDeniedDeleteError)
      #expect(context.deletedObjects == [oak])
      context.delete(ann)
      try context.save()
    }
    #expect(try office.names("Desk") == [])
    #expect(try office.names("Person") == ["dan"])
  }

  @Test func `CONTEXT 19: no action leaves the other end as it is`() throws {
    let office = try office()
    try office.work { context in
      let oak = try context.one("Desk", "oak")
      oak.setValue(nil, forKey: "owner")
      context.delete(oak)
      context.processPendingChanges()
      #expect(try !context.one("Person", "bob").hasChanges)
      try context.save()
    }
    #expect(try office.file.rows("SELECT ZGUESTAT FROM ZPERSON WHERE ZNAME = 'bob'") == ["1"])
  }

  @Test func `CONTEXT 19: rules wait for the save when the context is told so`() throws {
    let office = try office()
    try office.work { context in
      context.propagatesDeletesAtEndOfEvent = false
      context.delete(try context.one("Department", "red"))
      context.processPendingChanges()
      #expect(context.deletedObjects.count == 1)
      try context.save()
    }
    #expect(try office.names("Person") == ["dan"])
  }

  @Test func `CONTEXT 18: what is inserted and deleted before a save leaves no trace`() throws {
    let office = try office()
    try office.work { context in
      let red = try context.one("Department", "red")
      let eve = context.new("Person", "eve", ["department": red])
      context.delete(eve)
      #expect(!context.insertedObjects.contains(eve))
      #expect(!context.deletedObjects.contains(eve))
      try context.save()
      #expect(red.related("staff") == ["ann", "bob"])
    }
    #expect(try office.names("Person") == ["ann", "bob", "cat", "dan"])
  }

  @Test func `CONTEXT 23: a deleted object keeps its values, and leaves its context with the save`() throws {
    let office = try office()
    try office.work { context in
      let dan = try context.one("Person", "dan")
      context.delete(dan)
      #expect(dan.isDeleted)
      #expect(!dan.isFault)
      #expect(try context.all("Person").count == 3)
      try context.save()
      // CONTEXT 13
      #expect(!dan.isDeleted)
      #expect(dan.managedObjectContext == nil)
      #expect(dan.value(forKey: "name") as? String == "dan")
      #expect(context.registeredObject(for: dan.objectID) == nil)
    }
  }

  @Test func `CONTEXT 24: after a rollback deleted objects are live, and new ones have no context`() throws {
    let office = try office()
    try office.work { context in
      let (ann, red) = (try context.one("Person", "ann"), try context.one("Department", "red"))
      context.delete(red)
      ann.setValue("ada", forKey: "name")
      let eve = context.new("Person", "eve")
      // One goes with its department, the other by itself.
      let (fay, gus) = (context.new("Person", "fay", ["department": red]), context.new("Person", "gus"))
      context.delete(gus)
      context.processPendingChanges()
      #expect(ann.isDeleted && fay.isDeleted && gus.isDeleted)
      context.rollback()
      #expect(!context.hasChanges)
      #expect(!red.isDeleted && !ann.isDeleted)
      #expect(ann.value(forKey: "name") as? String == "ann")
      #expect(ann.related("minions") == ["bob"])
      #expect(red.related("staff") == ["ann", "bob"])
      for person in [eve, fay, gus] { #expect(person.managedObjectContext == nil && !person.hasChanges) }
      #expect(try context.all("Person").count == 4)
    }
  }
}
