import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Ids before a save, checks of unchanged objects, and rows that are too old (reference/CONTEXT.md 37, 58, 82).
@Suite struct PermanentIDTests {
  private func office() throws -> Office {
    try Office { context in for name in ["ann", "bob"] { context.new("Person", name, ["salary": 10]) } }
  }

  private func highest(_ office: Office) throws -> [String] {
    try office.file.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Person'")
  }

  @Test func `CONTEXT 37: an id is reserved in the store, and the object keeps it when it is saved`() throws {
    let office = try office()
    try office.work { context in
      let eve = context.new("Person", "eve", ["department": context.new("Department", "red")])
      try context.obtainPermanentIDs(for: [eve])
      let id = eve.objectID
      #expect(!id.isTemporaryID && id.primaryKey == 3)
      #expect(eve.isInserted && !eve.isFault && context.insertedObjects.contains(eve))
      #expect(context.registeredObject(for: id) === eve && context.object(with: id) === eve)
      #expect(try context.all("Person").contains(eve))
      #expect(try highest(office) == ["3"])
      #expect(try office.names("Person") == ["ann", "bob"])
      // Others are given the next key.
      try office.work { other in
        let fay = other.new("Person", "fay")
        try other.save()
        #expect(fay.objectID.primaryKey == 4)
      }
      try context.obtainPermanentIDs(for: [eve, eve])
      let gus = context.new("Person", "gus", ["boss": eve])
      try context.save()
      #expect(eve.objectID === id && !eve.isInserted && gus.objectID.primaryKey == 5)
      #expect(context.registeredObject(for: id) === eve)
      #expect(eve.related("department") == ["red"] && eve.related("minions") == ["gus"])
    }
    #expect(
      try office.file.rows("SELECT Z_PK, ZNAME, ZBOSS FROM ZPERSON WHERE Z_PK > 2 ORDER BY 1") == [
        "3|eve|", "4|fay|", "5|gus|3",
      ])
  }

  @Test func `CONTEXT 37: a reserved key is not used again when the object is given up`() throws {
    let office = try office()
    try office.work { context in
      let eve = context.new("Person", "eve")
      try context.obtainPermanentIDs(for: [eve])
      context.rollback()
      #expect(eve.managedObjectContext == nil && context.registeredObject(for: eve.objectID) == nil)
      context.new("Person", "fay")
      try context.save()
    }
    #expect(try office.file.rows("SELECT Z_PK FROM ZPERSON ORDER BY 1") == ["1", "2", "4"])
  }

  @Test func `a store that is only read reserves nothing`() throws {
    let office = try Office(isReadOnly: true)
    office.work { context in
      let eve = context.new("Person", "eve")
      let refusal = code { try context.obtainPermanentIDs(for: [eve]) }
      #expect(refusal == NSFileWriteNoPermissionError)
      #expect(eve.objectID.isTemporaryID)
    }
  }

  @Test func `CONTEXT 58: an unchanged object is looked after when that is asked for, until the next save`() throws {
    let office = try office()
    try office.work { context in
      let (ann, bob) = (try context.one("Person", "ann"), try context.one("Person", "bob"))
      func editBoth() throws {
        try office.file.write("UPDATE ZPERSON SET ZSALARY = ZSALARY + 1, Z_OPT = Z_OPT + 1 WHERE ZNAME = 'ann'")
        bob.setValue(99 + (bob.value(forKey: "salary") as? Int ?? 0), forKey: "salary")
      }
      _ = ann.value(forKey: "name")
      try editBoth()
      try context.save()
      context.detectConflicts(for: ann)
      try editBoth()
      // Read before it was asked for, and changed twice since.
      #expect(code(context.save) == NSManagedObjectMergeError)
      context.refresh(ann, mergeChanges: false)
      ann.objectID.cachedRow = nil
      #expect((ann.value(forKey: "salary") as? Int) == 12)
      try context.save()
      try editBoth()
      try context.save()
    }
  }

  @Test func `CONTEXT 58: policies settle what was found of an unchanged object`() throws {
    let office = try office()
    try office.work { context in
      context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
      let (ann, bob) = (try context.one("Person", "ann"), try context.one("Person", "bob"))
      context.detectConflicts(for: ann)
      bob.setValue(1, forKey: "salary")
      try office.file.write("UPDATE ZPERSON SET ZSALARY = 77, Z_OPT = Z_OPT + 1 WHERE ZNAME = 'ann'")
      try context.save()
      #expect((ann.value(forKey: "salary") as? Int) == 77)
      #expect(!ann.hasChanges)
      context.detectConflicts(for: ann)
      bob.setValue(2, forKey: "salary")
      try office.file.write("DELETE FROM ZPERSON WHERE ZNAME = 'ann'")
      try context.save()
      #expect(ann.isDeleted)
    }
    #expect(try office.file.rows("SELECT ZNAME, ZSALARY FROM ZPERSON") == ["bob|2"])
  }

  @Test func `CONTEXT 82: a row in the cache serves until it is older than the context allows`() throws {
    let office = try office()
    try office.work { context in
      let ann = try context.one("Person", "ann")
      _ = ann.value(forKey: "name")
      #expect(context.stalenessInterval == -1)
      func salary(_ interval: TimeInterval, merging: Bool) -> Int? {
        context.stalenessInterval = interval
        context.refresh(ann, mergeChanges: merging)
        return ann.value(forKey: "salary") as? Int
      }
      try office.file.write("UPDATE ZPERSON SET ZSALARY = 20")
      #expect(salary(-1, merging: false) == 10)
      #expect(salary(-1, merging: true) == 10)
      #expect(salary(3_600, merging: false) == 10)
      // Values that are here stay.
      context.stalenessInterval = 0
      #expect((ann.value(forKey: "salary") as? Int) == 10)
      #expect(salary(0, merging: false) == 20)
      try office.file.write("UPDATE ZPERSON SET ZSALARY = 30")
      #expect(salary(0, merging: true) == 30)
    }
  }
}
