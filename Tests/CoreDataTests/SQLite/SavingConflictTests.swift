import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// Optimistic conflict detection (reference/CONTEXT.md 48, reference/SQLITE.md 9), and the record of own saves.
@Suite struct SavingConflictTests {
  private let rows = """
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZBOX) VALUES (1, 3, 1, 'one', NULL), (2, 3, 1, 'two', NULL), (3, 3, 1, 'three', NULL);
    """

  /// The conflicts of a save that meets some, or nothing.
  private func conflicts(_ body: () throws -> Void) -> [SaveConflicts.Conflict]? {
    do {
      try body()
      return nil
    } catch {
      return (error as? SaveConflicts)?.conflicts
    }
  }

  @Test
  func `CONTEXT 48: a row whose version moved, or that is gone, is a conflict; all are told and nothing is written`()
    throws
  {
    let saving = try SavingStore(shapes: rows)
    let updated = try [1, 2, 3].map { try saving.known("Item", $0, ["name": "mine"]) }
    try saving.file.write(
      "UPDATE ZITEM SET Z_OPT = 2, ZNAME = 'theirs' WHERE Z_PK = 1; DELETE FROM ZITEM WHERE Z_PK = 2;")
    let before = try saving.file.write(".dump")
    let found = try #require(conflicts { try saving.save(inserted: [saving.new("Box")], updated: updated) })
    #expect(found.map(\.id.primaryKey) == [1, 2])
    #expect(found.map { $0.persisted?.version } == [2, nil])
    let row = try #require(found[0].persisted)
    let slot = try #require(found[0].id.entity.layout.slot(named: "name"))
    #expect(
      row.slab.text(row: row.index, column: Int(row.slab.layout.columns(of: found[0].id.entity)[slot].value))
        == "theirs")
    #expect(try saving.file.write(".dump") == before)
    // Based on the row as it is now, it can be saved.
    var again = updated[0]
    again.snapshot = found[0].persisted
    try saving.save(updated: [again, updated[2]])
    #expect(try saving.rows("SELECT Z_PK, Z_OPT, ZNAME FROM ZITEM ORDER BY 1") == ["1|3|mine", "3|2|mine"])
  }

  @Test(arguments: ["ZNAME = 'theirs'", "ZNAME = x'6F6E65'", "ZBOX = 5", "ZDATA = x'00'", "ZRANK = 0", "ZDOUBLE = 1.5"])
  func `SQLITE 9: a value that plain SQL changed without raising Z_OPT is a conflict`(change: String) throws {
    let saving = try SavingStore(shapes: rows)
    let (mine, gone) = (try saving.known("Item", 1, ["string": "x"]), try saving.known("Item", 2))
    try saving.file.write("UPDATE ZITEM SET \(change) WHERE Z_PK < 3;")
    #expect(conflicts { try saving.save(updated: [mine], deleted: [gone]) }?.map(\.id.primaryKey) == [1, 2])
    #expect(try saving.rows("SELECT count(*), max(Z_OPT) FROM ZITEM") == ["3|1"])
  }

  @Test func `a change to a row that others wrote the same values to is no conflict`() throws {
    let saving = try SavingStore(shapes: rows)
    let mine = try saving.known("Item", 1, ["name": "mine"])
    try saving.file.write("UPDATE ZITEM SET ZNAME = 'one' WHERE Z_PK = 1; UPDATE ZITEM SET ZNAME = 'x' WHERE Z_PK = 2;")
    try saving.save(updated: [mine])
    #expect(try saving.rows("SELECT Z_OPT, ZNAME FROM ZITEM WHERE Z_PK = 1") == ["2|mine"])
  }

  @Test func `without a snapshot what is there is overwritten or deleted; a row that is gone cannot be written`() throws
  {
    let saving = try SavingStore(shapes: rows)
    var (mine, gone, missing) = (
      try saving.known("Item", 1, ["name": "mine"]), try saving.known("Item", 2), try saving.known("Item", 3)
    )
    (mine.snapshot, gone.snapshot, missing.snapshot) = (nil, nil, nil)
    try saving.file.write("UPDATE ZITEM SET Z_OPT = 7; DELETE FROM ZITEM WHERE Z_PK = 3;")
    // Both want it gone, and it is.
    try saving.save(updated: [mine], deleted: [gone, missing])
    #expect(try saving.rows("SELECT Z_PK, Z_OPT, ZNAME FROM ZITEM") == ["1|8|mine"])
    missing.attributes["name"] = "x"
    #expect(conflicts { try saving.save(updated: [missing]) }?.map { $0.persisted == nil } == [true])
  }

  @Test func `a snapshot read through the parent entity is compared all the same`() throws {
    let saving = try SavingStore(
      shapes: "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZEXTRA) VALUES (1, 4, 1, 'book', 'x');")
    let item = try #require(saving.model.entitiesByName["Item"])
    let id = try #require(try saving.store.objectIDs(for: StoreFetch(entity: item)).first)
    let snapshot = id.slot.withLock { $0.row }
    try saving.save(updated: [SavedObject(id: id, snapshot: snapshot, attributes: ["extra": "y"])])
    #expect(try saving.rows("SELECT Z_OPT, ZEXTRA FROM ZITEM") == ["2|y"])
    #expect(
      conflicts { try saving.save(updated: [SavedObject(id: id, snapshot: snapshot, attributes: ["extra": "z"])]) }?
        .count
        == 1)
  }

  @Test func `a row whose entity changed under its key is another object`() throws {
    let saving = try SavingStore(shapes: rows)
    let mine = try saving.known("Item", 1, ["name": "mine"])
    try saving.file.write("UPDATE ZITEM SET Z_ENT = 4 WHERE Z_PK = 1;")
    #expect(conflicts { try saving.save(updated: [mine]) }?.map { $0.persisted == nil } == [true])
  }

  // MARK: Own saves

  @Test func `rows of a save are known as own, once, by the version they got`() throws {
    let saving = try SavingStore(shapes: rows)
    let own = saving.store.ownSaves
    let ids = try saving.save(
      inserted: [saving.new("Box")], updated: [saving.known("Item", 1, ["name": "a"])],
      deleted: [saving.known("Item", 2)])
    let (item, gone) = (ObjectKey(entity: 3, primaryKey: 1), ObjectKey(entity: 3, primaryKey: 2))
    #expect(!own.isOwn(item, versionAfter: 3))
    #expect(own.isOwn(item, versionAfter: 2))
    #expect(!own.isOwn(item, versionAfter: 2))
    #expect(own.isOwn(gone, versionAfter: nil))
    #expect(own.isOwn(ObjectKey(entity: 1, primaryKey: ids[0].primaryKey), versionAfter: 1))
    #expect(!own.isOwn(ObjectKey(entity: 3, primaryKey: 3), versionAfter: 1))
    // Two saves seen as one change.
    try saving.save(updated: [saving.known("Item", 1, ["name": "b"])])
    try saving.save(updated: [saving.known("Item", 1, ["name": "c"])])
    #expect(own.isOwn(item, versionAfter: 4))
    #expect(!own.isOwn(item, versionAfter: 3))
  }

  @Test func `a save that fails leaves no own rows, and the record is bounded`() throws {
    let saving = try SavingStore(shapes: rows)
    #expect(throws: (any Error).self) {
      try saving.save(updated: [saving.known("Item", 1, ["name": "a"]), saving.known("Item", 2, ["rank": "x"])])
    }
    #expect(!saving.store.ownSaves.isOwn(ObjectKey(entity: 3, primaryKey: 1), versionAfter: 2))
    let small = OwnSaves(limit: 10)
    for key in 1...100 { small.record([.init(key: ObjectKey(entity: 1, primaryKey: Int64(key)), version: 1)]) }
    let known = (1...100).filter { small.isOwn(ObjectKey(entity: 1, primaryKey: Int64($0)), versionAfter: 1) }
    #expect(known.count <= 20 && known.suffix(10) == Array(91...100))
    small.record([.init(key: ObjectKey(entity: 1, primaryKey: 5), version: 2)])
    small.forget([.init(key: ObjectKey(entity: 1, primaryKey: 5), version: 2)])
    #expect(!small.isOwn(ObjectKey(entity: 1, primaryKey: 5), versionAfter: 2))
  }
}
