import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Both ends of relationships are kept in step (reference/CONTEXT.md 20 to 22).
@Suite struct RelationshipTests {
  @Test func `CONTEXT 20: setting the one side sets the many side, and moving leaves the old set`() throws {
    let office = try Office()
    try office.work { context in
      let (red, blue) = (context.new("Department", "red"), context.new("Department", "blue"))
      let ann = context.new("Person", "ann")
      ann.setValue(red, forKey: "department")
      #expect(red.related("staff") == ["ann"])
      ann.setValue(blue, forKey: "department")
      #expect(red.related("staff") == [])
      #expect(blue.related("staff") == ["ann"])
      red.setValue(NSSet(object: ann), forKey: "staff")
      #expect(ann.related("department") == ["red"])
      #expect(blue.related("staff") == [])
      ann.setValue(nil, forKey: "department")
      #expect(red.related("staff") == [])
      try context.save()
    }
  }

  @Test func `CONTEXT 20: of saved objects too, both become updated, and the store agrees`() throws {
    let office = try Office { context in
      for name in ["red", "blue"] { context.new("Department", name) }
      for name in ["ann", "bob"] { context.new("Person", name, ["department": try context.one("Department", "red")]) }
    }
    try office.work { context in
      let (red, blue) = (try context.one("Department", "red"), try context.one("Department", "blue"))
      let bob = try context.one("Person", "bob")
      bob.setValue(blue, forKey: "department")
      #expect(context.updatedObjects == [red, blue, bob])
      #expect(red.related("staff") == ["ann"])
      #expect(blue.related("staff") == ["bob"])
      try context.save()
      #expect(red.related("staff") == ["ann"])
      #expect(blue.related("staff") == ["bob"])
    }
    try office.work { (context: NSManagedObjectContext) throws -> Void in
      #expect(try context.one("Department", "red").related("staff") == ["ann"])
      #expect(try context.one("Person", "bob").related("department") == ["blue"])
    }
  }

  @Test func `CONTEXT 20: one to one takes the partner away from whoever had it`() throws {
    let office = try Office()
    office.work { context in
      let (ann, bob) = (context.new("Person", "ann"), context.new("Person", "bob"))
      let (oak, elm) = (context.new("Desk", "oak"), context.new("Desk", "elm"))
      ann.setValue(oak, forKey: "desk")
      bob.setValue(elm, forKey: "desk")
      ann.setValue(elm, forKey: "desk")
      #expect(elm.related("owner") == ["ann"])
      #expect(oak.related("owner") == [])
      #expect(bob.related("desk") == [])
      oak.setValue(ann, forKey: "owner")
      #expect(ann.related("desk") == ["oak"])
      #expect(elm.related("owner") == [])
    }
  }

  @Test func `CONTEXT 20: a relationship that is its own inverse joins both, also to oneself`() throws {
    let office = try Office()
    try office.work { context in
      let people = ["ann", "bob", "cat"].map { context.new("Person", $0) }
      people[0].setValue(people[1], forKey: "partner")
      #expect(people[1].related("partner") == ["ann"])
      people[2].setValue(people[1], forKey: "partner")
      #expect(people[0].related("partner") == [])
      #expect(people[1].related("partner") == ["cat"])
      people[1].setValue(people[1], forKey: "partner")
      #expect(people[1].related("partner") == ["bob"])
      #expect(people[2].related("partner") == [])
      people[0].setValue(NSSet(array: [people[0], people[1]]), forKey: "friends")
      #expect(people[0].related("friends") == ["ann", "bob"])
      #expect(people[1].related("friends") == ["ann"])
      people[1].mutableSetValue(forKey: "friends").remove(people[0])
      #expect(people[0].related("friends") == ["ann"])
      people[0].mutableSetValue(forKey: "friends").remove(people[0])
      #expect(people[0].related("friends") == [])
      try context.save()
    }
  }

  @Test func `many to many is kept at both ends, saved or not`() throws {
    let office = try Office { context in
      let tags = ["x", "y", "z"].map { context.new("Tag", $0) }
      context.new("Person", "ann", ["tags": NSSet(array: [tags[0], tags[1]])])
      context.new("Person", "bob", ["tags": NSSet(array: [tags[1]])])
    }
    try office.work { context in
      let (ann, y, z) = (try context.one("Person", "ann"), try context.one("Tag", "y"), try context.one("Tag", "z"))
      ann.setValue(NSSet(array: [y, z]), forKey: "tags")
      #expect(y.related("people") == ["ann", "bob"])
      #expect(z.related("people") == ["ann"])
      #expect(try context.one("Tag", "x").related("people") == [])
      y.mutableSetValue(forKey: "people").remove(ann)
      #expect(ann.related("tags") == ["z"])
      y.mutableSetValue(forKey: "people").add(ann)
      #expect(ann.related("tags") == ["y", "z"])
      try context.save()
    }
    try office.work { (context: NSManagedObjectContext) throws -> Void in
      #expect(try context.one("Person", "ann").related("tags") == ["y", "z"])
      #expect(try context.one("Tag", "y").related("people") == ["ann", "bob"])
    }
  }

  @Test func `CONTEXT 21: without an inverse only that side changes`() throws {
    let office = try Office { context in context.new("Tag", "x") }
    try office.work { context in
      let (ann, tag) = (context.new("Person", "ann"), try context.one("Tag", "x"))
      ann.setValue(tag, forKey: "favourite")
      #expect(!tag.hasChanges)
      try context.save()
    }
    #expect(try office.file.rows("SELECT Z_OPT FROM ZTAG") == ["1"])
  }

  @Test func `CONTEXT 22: an ordered relationship keeps its order, new ones come last`() throws {
    let office = try Office { context in
      let people = ["a", "b", "c", "d"].map { context.new("Person", $0) }
      context.new("Department", "red", ["line": NSOrderedSet(array: [people[2], people[0], people[1]])])
    }
    try office.work { context in
      let (red, d) = (try context.one("Department", "red"), try context.one("Person", "d"))
      d.setValue(red, forKey: "lineOf")
      #expect(red.related("line") == ["c", "a", "b", "d"])
      let line = red.mutableOrderedSetValue(forKey: "line")
      line.exchangeObject(at: 0, withObjectAt: 3)
      #expect(red.related("line") == ["d", "a", "b", "c"])
      line.insert(context.new("Person", "e"), at: 1)
      line.removeObject(at: 2)
      line.add(d)
      #expect(red.related("line") == ["d", "e", "b", "c"])
      #expect(try context.one("Person", "a").related("lineOf") == [])
      line.sort(using: [NSSortDescriptor(key: "name", ascending: false)])
      try context.save()
    }
    try office.work { (context: NSManagedObjectContext) throws -> Void in
      #expect(try context.one("Department", "red").related("line") == ["e", "d", "c", "b"])
      #expect(try context.one("Person", "e").related("lineOf") == ["red"])
    }
  }

  @Test func `a set of a relationship shows what the relationship is`() throws {
    let office = try Office()
    office.work { context in
      let (red, ann) = (context.new("Department", "red"), context.new("Person", "ann"))
      let staff = red.mutableSetValue(forKey: "staff")
      ann.setValue(red, forKey: "department")
      #expect(staff.count == 1)
      #expect(staff.contains(ann))
      #expect(staff.allObjects.first as? NSManagedObject === ann)
      staff.removeAllObjects()
      #expect(ann.value(forKey: "department") == nil)
      staff.addObjects(from: [ann])
      #expect(ann.related("department") == ["red"])
    }
  }

  @Test func `CONTEXT 10: a primitive value changes one side, and nobody notices`() throws {
    let office = try Office { context in
      context.new("Department", "red")
      context.new("Person", "ann")
    }
    try office.work { context in
      let (red, ann) = (try context.one("Department", "red"), try context.one("Person", "ann"))
      ann.setPrimitiveValue(red, forKey: "department")
      ann.setPrimitiveValue("eve", forKey: "name")
      #expect(!context.hasChanges)
      #expect(red.related("staff") == [])
      #expect(ann.value(forKey: "name") as? String == "eve")
    }
  }

  @Test func `taking in and letting go reads no relationship`() throws {
    let office = try Office { context in context.new("Department", "red") }
    try office.work { context in
      let red = try context.one("Department", "red")
      for index in 0..<50 { context.new("Person", "p\(index)", ["department": red]) }
      let slot = red.slot(forKey: "staff")
      #expect((red.changed(slot) as? RelationshipEdit)?.base == nil)
      #expect((red.changed(slot) as? RelationshipEdit)?.added.count == 50)
      try context.save()
    }
    #expect(try office.file.rows("SELECT count(*) FROM ZPERSON WHERE ZDEPARTMENT = 1") == ["50"])
  }
}
