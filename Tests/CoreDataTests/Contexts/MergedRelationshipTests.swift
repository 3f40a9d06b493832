import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Both ends of a relationship agree when newer rows come under changes that wait (reference/CONTEXT.md 20, 67, 80).
@Suite struct MergedRelationshipTests {
  /// Ann and Bob in the department red, Ann at the desk one, with the tag hot.
  private func office() throws -> Office {
    try Office { context in
      let red = context.new("Department", "red")
      context.new("Department", "blue")
      let (one, hot) = (context.new("Desk", "one"), context.new("Tag", "hot"))
      context.new("Tag", "cold")
      context.new("Person", "ann", ["department": red, "desk": one, "tags": NSSet(object: hot)])
      context.new("Person", "bob", ["department": red])
    }
  }

  /// Changes in one context, a save in another and its merge, and what is to hold then.
  private func merge(
    _ office: Office, mine: (NSManagedObjectContext) throws -> Void, theirs: (NSManagedObjectContext) throws -> Void,
    undone: ((NSManagedObjectContext) throws -> Void)? = nil, then check: (NSManagedObjectContext) throws -> Void
  ) throws {
    let context = office.context()
    try context.performAndWait {
      try mine(context)
      context.processPendingChanges()
    }
    func merge(_ edit: (NSManagedObjectContext) throws -> Void) throws {
      let saved = try office.work { other in
        let posts = NotificationLog(other, .NSManagedObjectContextDidSave)
        try edit(other)
        try other.save()
        return try #require(posts.take().first)
      }
      context.performAndWait { context.mergeChanges(fromContextDidSave: saved) }
    }
    try merge(theirs)
    if let undone { try merge(undone) }
    try context.performAndWait { try check(context) }
  }

  @Test func `what was changed here and deleted elsewhere keeps its changes, and leads nowhere in the store`() throws {
    let office = try office()
    try merge(office) {
      try $0.one("Person", "ann").setValue(99, forKey: "salary")
    } theirs: {
      $0.delete(try $0.one("Person", "ann"))
    } then: { context throws in
      let ann = try context.one("Person", "ann")
      #expect(ann.isUpdated && !ann.isDeleted && ann.value(forKey: "salary") as? Int == 99)
      for key in ["department", "desk", "tags"] { #expect(ann.related(key) == []) }
      #expect(try context.one("Department", "red").related("staff") == ["bob"])
      #expect(try context.one("Desk", "one").related("owner") == [])
      #expect(code(context.save) == NSManagedObjectMergeError)
      context.rollback()
      #expect(ann.isDeleted && !ann.isUpdated && !context.hasChanges)
      #expect(try context.all("Person").count == 1)
    }
  }

  @Test func `what is lost does not lead where the other end no longer leads back`() throws {
    let office = try office()
    // Both desk ends are set here, then there as well; then the row goes.
    try merge(office) { context in
      let bob = try context.one("Person", "bob")
      context.new("Tag", "new", ["people": NSSet(object: bob)])
      bob.setValue(try context.one("Desk", "one"), forKey: "desk")
    } theirs: {
      try $0.one("Person", "bob").setValue(try $0.one("Desk", "one"), forKey: "desk")
    } undone: {
      $0.delete(try $0.one("Person", "bob"))
    } then: { context throws in
      let bob = try context.one("Person", "bob")
      #expect(bob.isUpdated && bob.related("desk") == [] && bob.related("tags") == ["new"])
      #expect(try context.one("Desk", "one").related("owner") == [])
      #expect(try context.one("Tag", "new").related("people") == ["bob"])
    }
  }

  @Test func `CONTEXT 19: what was never saved denies nothing, and nothing leads to it once it is deleted`() throws {
    let office = try office()
    try office.work { context in
      let bob = try context.one("Person", "bob")
      let desk = context.new("Desk", "two", ["owner": bob, "guests": NSSet(object: bob)])
      let tag = context.new("Tag", "new")
      bob.setValue(tag, forKey: "favourite")
      for object in [desk, tag] { context.delete(object) }
      context.processPendingChanges()
      #expect(bob.related("desk") == [] && bob.related("guestAt") == [])
      try context.save()
      #expect(bob.related("favourite") == [])
    }
    #expect(try office.file.rows("SELECT ZDESK, ZGUESTAT, ZFAVOURITE FROM ZPERSON WHERE ZNAME = 'bob'") == ["||"])
  }

  @Test func `what was set to the value that it had follows the store, and so do both ends`() throws {
    let office = try office()
    try merge(office) { context in
      let ann = try context.one("Person", "ann")
      ann.setValue(ann.value(forKey: "desk"), forKey: "desk")
      ann.setValue("ann", forKey: "name")
    } theirs: {
      try $0.one("Person", "bob").setValue(try $0.one("Desk", "one"), forKey: "desk")
      try $0.one("Person", "ann").setValue("ada", forKey: "name")
    } then: { context throws in
      #expect(try context.one("Person", "ada").related("desk") == [])
      #expect(try context.one("Desk", "one").related("owner") == ["bob"])
    }
  }

  @Test func `what is to be deleted is let go also where the store has moved it`() throws {
    let office = try office()
    try merge(office) { context in
      let bob = try context.one("Person", "bob")
      bob.setValue(nil, forKey: "desk")
      bob.setValue(nil, forKey: "department")
      context.delete(bob)
    } theirs: {
      try $0.one("Person", "bob").setValue(try $0.one("Desk", "one"), forKey: "desk")
      try $0.one("Person", "bob").setValue(try $0.one("Department", "blue"), forKey: "department")
    } then: { context throws in
      #expect(try context.one("Desk", "one").related("owner") == [])
      #expect(try context.one("Department", "blue").related("staff") == [])
      try context.save()
    }
    #expect(try office.names("Person") == ["ann"])
  }

  @Test func `CONTEXT 80: changes of a set are differences to what the store holds by now`() throws {
    let office = try office()
    try merge(office) { context in
      let ann = try context.one("Person", "ann")
      ann.mutableSetValue(forKey: "tags").add(try context.one("Tag", "cold"))
      ann.mutableSetValue(forKey: "tags").remove(try context.one("Tag", "hot"))
    } theirs: {
      // Both changes are made there as well.
      try $0.one("Person", "ann").setValue(NSSet(object: try $0.one("Tag", "cold")), forKey: "tags")
    } undone: {
      try $0.one("Person", "ann").setValue(NSSet(object: try $0.one("Tag", "hot")), forKey: "tags")
    } then: { context throws in
      #expect(try context.one("Person", "ann").related("tags") == ["hot"])
      #expect(try context.one("Tag", "hot").related("people") == ["ann"])
      #expect(try context.one("Tag", "cold").related("people") == [])
    }
  }

  @Test func `an object that the policy lets go is let go by those that were to lead to it`() throws {
    let office = try office()
    try office.work { context in
      context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
      let (ann, cold) = (try context.one("Person", "ann"), try context.one("Tag", "cold"))
      cold.mutableSetValue(forKey: "people").add(ann)
      let two = context.new("Desk", "two", ["owner": ann])
      try office.work { other in
        other.delete(try other.one("Person", "ann"))
        try other.save()
      }
      try context.save()
      #expect(ann.isDeleted)
      #expect(cold.related("people") == [] && two.related("owner") == [])
    }
    #expect(try office.file.rows("SELECT count(*) FROM ZDESK WHERE ZOWNER IS NOT NULL") == ["0"])
  }

  @Test func `an object that stays after all is led to again, but for ends that went elsewhere`() throws {
    let office = try office()
    try office.work { context in
      let (ann, bob) = (try context.one("Person", "ann"), try context.one("Person", "bob"))
      let (red, one) = (try context.one("Department", "red"), try context.one("Desk", "one"))
      context.delete(ann)
      context.processPendingChanges()
      #expect(red.related("staff") == ["bob"] && one.related("owner") == [])
      one.setValue(bob, forKey: "owner")
      context.insert(ann)
      #expect(red.related("staff") == ["ann", "bob"] && ann.related("department") == ["red"])
      #expect(try context.one("Tag", "hot").related("people") == ["ann"])
      #expect(one.related("owner") == ["bob"] && ann.related("desk") == [] && bob.related("desk") == ["one"])
      try context.save()
    }
    #expect(try office.names("Person") == ["ann", "bob"])
  }

  @Test func `an object that the store's newer row keeps is led to again`() throws {
    let office = try office()
    try office.work { context in
      context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
      let ann = try context.one("Person", "ann")
      context.delete(ann)
      try office.work { other in
        try other.one("Person", "ann").setValue(50, forKey: "salary")
        try other.save()
      }
      try context.save()
      #expect(!ann.isDeleted && ann.related("department") == ["red"] && ann.related("tags") == ["hot"])
      #expect(try context.one("Department", "red").related("staff") == ["ann", "bob"])
      #expect(try context.one("Desk", "one").related("owner") == ["ann"])
    }
    let staff = try office.work { try $0.one("Department", "red").related("staff") }
    #expect(staff == ["ann", "bob"])
  }

  @Test func `CONTEXT 80: a refreshed object takes its relationships back at both ends`() throws {
    let office = try office()
    try office.work { context in
      let (ann, blue) = (try context.one("Person", "ann"), try context.one("Department", "blue"))
      ann.setValue(blue, forKey: "department")
      ann.setValue(nil, forKey: "desk")
      ann.mutableSetValue(forKey: "tags").add(try context.one("Tag", "cold"))
      context.refresh(ann, mergeChanges: false)
      #expect(!ann.hasChanges)
      #expect(ann.related("department") == ["red"] && blue.related("staff") == [])
      #expect(try context.one("Department", "red").related("staff") == ["ann", "bob"])
      #expect(try context.one("Desk", "one").related("owner") == ["ann"])
      #expect(try context.one("Tag", "cold").related("people") == [])
    }
  }
}
