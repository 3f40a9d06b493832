import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Two contexts change the same objects (reference/CONTEXT.md 48 to 57).
///
/// The example is that of the rules: Alice with the salary 10; the first context renames her, the second changes her too.
@Suite struct ConflictTests {
  private func office() throws -> Office {
    try Office { context in
      let red = context.new("Department", "red")
      context.new("Department", "blue")
      context.new("Person", "Alice", ["salary": 10, "department": red])
      context.new("Person", "Bob", ["salary": 10])
    }
  }

  /// Runs `body` with Alice in a second context, after a first has renamed her and given her 50.
  private func afterRename<Result>(
    _ office: Office, policy: NSMergePolicy, name: String? = "FromCtx2", salary: Int? = nil, firstSalary: Int? = nil,
    _ body: (NSManagedObjectContext, NSManagedObject) throws -> Result
  ) throws -> Result {
    let second = office.context()
    let alice = try second.performAndWait {
      second.mergePolicy = policy
      let alice = try second.one("Person", "Alice")
      _ = alice.value(forKey: "name")
      if let name { alice.setValue(name, forKey: "name") }
      if let salary { alice.setValue(salary, forKey: "salary") }
      return alice
    }
    try office.work { first in
      let alice = try first.one("Person", "Alice")
      alice.setValue("FromCtx1", forKey: "name")
      if let firstSalary { alice.setValue(firstSalary, forKey: "salary") }
      try first.save()
    }
    return try second.performAndWait { try body(second, alice) }
  }

  private func row(_ office: Office) throws -> [String] {
    try office.file.rows("SELECT ZNAME, ZSALARY FROM ZPERSON WHERE Z_PK = (SELECT min(Z_PK) FROM ZPERSON)")
  }

  @Test func `CONTEXT 49 and 50: the error policy refuses with the conflicts, and the context stays dirty`() throws {
    let office = try office()
    try afterRename(office, policy: .error) { context, alice in
      do {
        try context.save()
        Issue.record("the conflict was not met")
      } catch {
        let error = error as NSError
        #expect(error.code == NSManagedObjectMergeError)
        let conflict = try #require((error.userInfo["conflictList"] as? [NSMergeConflict])?.first)
        #expect(conflict.sourceObject === alice)
        #expect(conflict.objectSnapshot?["name"] as? String == "Alice")
        #expect(conflict.cachedSnapshot?["name"] as? String == "FromCtx1")
        #expect(conflict.persistedSnapshot == nil)
        #expect((conflict.oldVersionNumber, conflict.newVersionNumber) == (1, 2))
      }
      #expect(context.updatedObjects == [alice])
      #expect(alice.value(forKey: "name") as? String == "FromCtx2")
    }
    #expect(try row(office) == ["FromCtx1|10"])
  }

  @Test func `CONTEXT 51: mergeByPropertyStoreTrump, the store wins what both changed, the rest is kept and written`()
    throws
  {
    let office = try office()
    try afterRename(office, policy: .mergeByPropertyStoreTrump, salary: 99) { context, alice in
      try context.save()
      #expect(alice.value(forKey: "name") as? String == "FromCtx1")
      #expect((alice.value(forKey: "salary") as? NSNumber)?.intValue == 99)
      #expect(!alice.hasChanges)
    }
    #expect(try row(office) == ["FromCtx1|99"])
  }

  @Test func `CONTEXT 52: mergeByPropertyObjectTrump, memory wins what both changed, the rest is taken over`() throws {
    let office = try office()
    try afterRename(office, policy: .mergeByPropertyObjectTrump, firstSalary: 50) { context, alice in
      let posts = NotificationLog(context, .NSManagedObjectContextObjectsDidChange)
      try context.save()
      #expect(alice.value(forKey: "name") as? String == "FromCtx2")
      #expect((alice.value(forKey: "salary") as? NSNumber)?.intValue == 50)
      #expect(posts.take().last?.summary == ["refreshed": ["FromCtx2"]])
    }
    #expect(try row(office) == ["FromCtx2|50"])
  }

  @Test func `CONTEXT 53: overwrite writes the whole object`() throws {
    let office = try office()
    try afterRename(office, policy: .overwrite, firstSalary: 50) { context, alice in
      try context.save()
      #expect((alice.value(forKey: "salary") as? NSNumber)?.intValue == 10)
    }
    #expect(try row(office) == ["FromCtx2|10"])
  }

  @Test func `CONTEXT 54: rollback drops the changes of the object in conflict, others are saved`() throws {
    let office = try office()
    try afterRename(office, policy: .rollback, salary: 99) { context, alice in
      try context.one("Person", "Bob").setValue("Ben", forKey: "name")
      try context.save()
      #expect(alice.value(forKey: "name") as? String == "FromCtx1")
      #expect((alice.value(forKey: "salary") as? NSNumber)?.intValue == 10)
      #expect(alice.changedValues().isEmpty)
      #expect(!context.hasChanges)
    }
    #expect(try office.names("Person") == ["Ben", "FromCtx1"])
  }

  @Test func `CONTEXT 55: different objects are no conflict, different properties of one are`() throws {
    let office = try office()
    try afterRename(office, policy: .error, name: nil) { context, _ in
      try context.one("Person", "Bob").setValue("Ben", forKey: "name")
      try context.save()
    }
    let again = try self.office()
    try afterRename(again, policy: .error, name: nil, salary: 20) { context, _ in
      #expect(code(context.save) == NSManagedObjectMergeError)
    }
  }

  @Test func `CONTEXT 48: a row that plain SQL changed without raising its version is a conflict too`() throws {
    let office = try office()
    try office.work { context in
      let alice = try context.one("Person", "Alice")
      alice.setValue(20, forKey: "salary")
      try office.file.write("UPDATE ZPERSON SET ZNAME = 'sql' WHERE ZNAME = 'Alice'")
      #expect(code(context.save) == NSManagedObjectMergeError)
      context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      try context.save()
      #expect(alice.value(forKey: "name") as? String == "sql")
    }
    #expect(try row(office) == ["sql|20"])
  }

  @Test func `CONTEXT 48: a row that is gone has the version 0 and no snapshot`() throws {
    for policy in [NSMergePolicy.error, .mergeByPropertyObjectTrump, .overwrite] {
      let office = try office()
      try office.work { context in
        context.mergePolicy = policy
        let alice = try context.one("Person", "Alice")
        alice.setValue(20, forKey: "salary")
        try office.file.write("DELETE FROM ZPERSON WHERE ZNAME = 'Alice'")
        do {
          try context.save()
          Issue.record("the conflict was not met")
        } catch {
          let conflict = try #require(((error as NSError).userInfo["conflictList"] as? [NSMergeConflict])?.first)
          #expect(conflict.newVersionNumber == 0)
          #expect(conflict.persistedSnapshot == nil)
        }
        #expect(context.updatedObjects == [alice])
      }
    }
  }

  @Test func `an object gone from the store is let go by the policies that follow the store`() throws {
    for policy in [NSMergePolicy.mergeByPropertyStoreTrump, .rollback] {
      let office = try office()
      try office.work { context in
        context.mergePolicy = policy
        let alice = try context.one("Person", "Alice")
        alice.setValue(20, forKey: "salary")
        try context.one("Person", "Bob").setValue("Ben", forKey: "name")
        try office.file.write("DELETE FROM ZPERSON WHERE ZNAME = 'Alice'")
        try context.save()
        #expect(alice.isDeleted)
        #expect(!context.hasChanges)
      }
      #expect(try office.names("Person") == ["Ben"])
    }
  }

  @Test func `a deletion gives way to the store, or is done all the same, as the policy says`() throws {
    for (policy, names) in [
      (NSMergePolicy.mergeByPropertyStoreTrump, ["Bob", "FromCtx1"]), (.rollback, ["Bob", "FromCtx1"]),
      (.mergeByPropertyObjectTrump, ["Bob"]), (.overwrite, ["Bob"]),
    ] {
      let office = try office()
      try afterRename(office, policy: policy, name: nil) { context, alice in
        context.delete(alice)
        try context.save()
        #expect(!alice.isDeleted)
        #expect(!context.hasChanges)
      }
      #expect(try office.names("Person") == names, "\(policy.mergeType)")
    }
  }

  @Test func `CONTEXT 56: both ends of a relationship agree after a conflict, whoever wins`() throws {
    for policy in [NSMergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback] {
      let office = try office()
      let second = office.context()
      try second.performAndWait {
        second.mergePolicy = policy
        let alice = try second.one("Person", "Alice")
        alice.setValue(try second.one("Department", "blue"), forKey: "department")
      }
      try office.work { first in
        try first.one("Person", "Alice").setValue(nil, forKey: "department")
        try first.save()
      }
      let department = try second.performAndWait {
        try second.save()
        let departments = try second.all("Department")
        let alice = try second.one("Person", "Alice")
        for department in departments {
          #expect(
            (department.related("staff") == ["Alice"])
              == (alice.value(forKey: "department") as? NSObject === department))
        }
        return alice.related("department")
      }
      let mineWins = policy === NSMergePolicy.mergeByPropertyObjectTrump || policy === NSMergePolicy.overwrite
      #expect(department == (mineWins ? ["blue"] : []), "\(policy.mergeType)")
      #expect(try office.work { try $0.one("Person", "Alice").related("department") } == department)
    }
  }

  @Test func `CONTEXT 57: a policy of one's own decides, and may call super`() throws {
    let office = try office()
    try afterRename(office, policy: JoiningPolicy(), salary: 99) { context, alice in
      try context.save()
      #expect(alice.value(forKey: "name") as? String == "FromCtx2+FromCtx1")
    }
    #expect(try row(office) == ["FromCtx2+FromCtx1|99"])
  }

  @Test func `CONTEXT 57: raw values are Apple's, and the old names mean the same policies`() {
    #expect(
      [
        NSErrorMergePolicy, NSMergeByPropertyStoreTrumpMergePolicy, NSMergeByPropertyObjectTrumpMergePolicy,
        NSOverwriteMergePolicy, NSRollbackMergePolicy,
      ].map(\.mergeType.rawValue) == [0, 1, 2, 3, 4])
  }
}

/// Takes the names of both.
private final class JoiningPolicy: NSMergePolicy, @unchecked Sendable {
  init() { super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType) }

  override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    let theirs = list.map { ($0.persistedSnapshot ?? $0.cachedSnapshot)?["name"] as? String ?? "" }
    try super.resolve(optimisticLockingConflicts: list)
    for (conflict, name) in zip(list, theirs) {
      let mine = conflict.sourceObject.value(forKey: "name") as? String ?? ""
      conflict.sourceObject.setValue(mine + "+" + name, forKey: "name")
    }
  }
}
