import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Texts that look alike and have other bytes: `á` as one scalar and as two is a change (reference/CONTEXT.md 11 and 12).
@Suite struct ExactTextTests {
  private static let composed = "\u{E1}"
  private static let decomposed = "a\u{301}"

  private func office() throws -> Office {
    try Office { $0.new("Person", Self.composed, ["salary": 10]) }
  }

  private func bytes(_ value: Any?) -> [UInt8]? { (value as? String).map { Array($0.utf8) } }

  @Test func `a text that only its bytes tell from the old one is changed, saved, and read so by others`() throws {
    let office = try office()
    try office.work { context in
      let person = try #require(try context.all("Person").first)
      person.setValue(Self.decomposed, forKey: "name")
      #expect(context.hasChanges && person.hasPersistentChangedValues)
      #expect(bytes(person.changedValues()["name"]) == Array(Self.decomposed.utf8))
      #expect(person.changedKeys == ["name"])
      let change = try #require(context.pendingStoreChanges().changes.first)
      #expect(change.properties?["name"] == .init(old: .text(Self.composed), new: .text(Self.decomposed)))
      try context.save()
    }
    #expect(try office.file.rows("SELECT hex(ZNAME) FROM ZPERSON") == ["61CC81"])
    let read = try office.work { try $0.all("Person").first?.value(forKey: "name") as? String }
    #expect(bytes(read) == Array(Self.decomposed.utf8))
  }

  @Test func `the same text is no change`() throws {
    try office().work { context in
      let person = try #require(try context.all("Person").first)
      person.setValue(Self.composed, forKey: "name")
      #expect(person.hasChanges && !person.hasPersistentChangedValues)
    }
  }

  @Test func `a text that only its bytes tell from the store's is a conflict, settled by the policy`() throws {
    let office = try office()
    try office.work { context in
      context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
      let person = try #require(try context.all("Person").first)
      person.setValue("mine", forKey: "name")
      try office.file.write("UPDATE ZPERSON SET ZNAME = 'a' || char(769)")
      try context.save()
      // Changed by both: the store's.
      #expect(bytes(person.value(forKey: "name")) == Array(Self.decomposed.utf8))
    }
    #expect(try office.file.rows("SELECT hex(ZNAME) FROM ZPERSON") == ["61CC81"])
  }

  @Test(.timeLimit(.minutes(1))) func `a watcher tells that only the bytes of a text have changed`() async throws {
    let shapes = try await WatchedShapes()
    for (sql, value) in [("char(225)", Self.composed), ("'a' || char(769)", Self.decomposed)] {
      try shapes.run("UPDATE ZTAG SET ZNAME = \(sql), Z_OPT = Z_OPT + 1 WHERE Z_PK = 2;")
      let changes = await shapes.log.nextChanges()
      #expect(changes.changes.first?.properties?["name"]?.new == .text(value))
    }
  }

  @Test func `travelling values, cells and bound values are equal, and hash, by their bytes`() {
    let (one, two) = (Self.composed, Self.decomposed)
    #expect(one == two)
    #expect(PropertyValue.text(one) != .text(two) && PropertyValue.odd(one) != .odd(two))
    #expect(Set([PropertyValue.text(one), .text(two), .text(one), .odd(one)]).count == 3)
    #expect(SQLiteValue.text(one) != .text(two) && Set([SQLiteValue.text(one), .text(two), .text(one)]).count == 2)
    #expect(CellValue.text(one, length: 1) != .text(two, length: 1))
    #expect(Set([CellValue.text(one, length: 1), .text(two, length: 1), .text(one, length: 1)]).count == 2)
    let key = ObjectKey(entity: 1, primaryKey: 1)
    #expect(CellValue.object(key, title: one) != .object(key, title: two))
    #expect(CellValue.object(key, title: one) == .object(key, title: one))
  }
}
