import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Keys, join rows and both ends of relationships after a save (reference/FORMAT.md, "Entity tables", "Many-to-many").
@Suite struct SavingRelationshipsTests {
  /// Boxes 1 and 2 (a crate), items 1 (in box 1), 2 (a book in the crate) and 3 (a toy), tags 1 to 3.
  private let rows = """
    INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 2, 1);
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZBOX, Z1_BOX) VALUES (1, 3, 1, 1, 1), (2, 4, 1, 2, 2), (3, 5, 1, NULL, NULL);
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 6, 1), (2, 6, 1), (3, 6, 1);
    """

  @Test func `a to-one relationship is a key and the number of the other end's own entity`() throws {
    let saving = try SavingStore(shapes: rows)
    let (box, crate) = (try saving.id("Box", 1), try saving.id("Crate", 2))
    let item = try saving.id("Item", 1)
    try saving.save(updated: [
      saving.known("Item", 1, toOne: ["box": crate]),
      saving.known("Box", 1, toMany: ["items": ToManyChange(objects: [], added: [], removed: [item])]),
      saving.known(
        "Crate", 2,
        toMany: ["items": ToManyChange(objects: [item, saving.id("Book", 2)], added: [item], removed: [])]),
      saving.known("Tag", 1, toOne: ["favourite": saving.id("Toy", 3)]),
    ])
    // Both ends are told; each row is written once.
    #expect(
      try saving.rows("SELECT Z_PK, Z_OPT, ZBOX, Z1_BOX FROM ZITEM ORDER BY 1") == ["1|2|2|2", "2|1|2|2", "3|1||"])
    #expect(try saving.rows("SELECT Z_PK, Z_OPT FROM ZBOX ORDER BY 1") == ["1|2", "2|2"])
    #expect(try saving.rows("SELECT ZFAVOURITE, Z3_FAVOURITE FROM ZTAG WHERE Z_PK = 1") == ["3|5"])
    #expect(
      try Set(saving.store.objectIDs(atEndOf: relationship("items", of: crate), of: crate).map(\.primaryKey)) == [1, 2])
    #expect(try saving.store.objectIDs(atEndOf: relationship("items", of: box), of: box).isEmpty)
    try saving.save(updated: [saving.known("Tag", 1, toOne: ["favourite": nil])])
    #expect(try saving.rows("SELECT Z_OPT, ZFAVOURITE, Z3_FAVOURITE FROM ZTAG WHERE Z_PK = 1") == ["3||"])
  }

  private func relationship(_ name: String, of id: NSManagedObjectID) throws -> NSRelationshipDescription {
    try #require(id.entity.relationshipsByName[name])
  }

  @Test func `a to-many end alone moves the keys on the other side`() throws {
    let saving = try SavingStore(shapes: rows)
    let (first, third) = (try saving.id("Item", 1), try saving.id("Toy", 3))
    try saving.save(updated: [
      saving.known("Box", 1, toMany: ["items": ToManyChange(objects: [third], added: [third], removed: [first])])
    ])
    #expect(
      try saving.rows("SELECT Z_PK, Z_OPT, ZBOX, Z1_BOX FROM ZITEM ORDER BY 1") == ["1|2||", "2|1|2|2", "3|2|1|1"])
  }

  @Test func `what was taken from one and given to another is where it was given`() throws {
    let saving = try SavingStore(shapes: rows)
    let item = try saving.id("Item", 1)
    // The order of the objects in the request must not matter.
    for isReversed in [false, true] {
      try saving.file.write("UPDATE ZITEM SET ZBOX = 1, Z1_BOX = 1 WHERE Z_PK = 1;")
      let updated = try [
        saving.known("Crate", 2, toMany: ["items": ToManyChange(objects: [item], added: [item], removed: [])]),
        saving.known("Box", 1, toMany: ["items": ToManyChange(objects: [], added: [], removed: [item])]),
      ]
      try saving.save(updated: isReversed ? updated.reversed() : updated)
      #expect(try saving.rows("SELECT ZBOX, Z1_BOX FROM ZITEM WHERE Z_PK = 1") == ["2|2"])
    }
  }

  @Test func `a pair of a many-to-many relationship is one row, whoever tells it`() throws {
    let saving = try SavingStore(shapes: rows)
    let (item, tag) = (try saving.id("Item", 1), try saving.id("Tag", 1))
    func ends(added: Bool, _ which: Int) throws -> [SavedObject] {
      func change(_ id: NSManagedObjectID) -> ToManyChange {
        ToManyChange(objects: added ? [id] : [], added: added ? [id] : [], removed: added ? [] : [id])
      }
      let one = try saving.known("Item", 1, toMany: ["tags": change(tag)])
      let other = try saving.known("Tag", 1, toMany: ["items": change(item)])
      return [[one, other], [one], [other]][which]
    }
    for which in 0..<3 {
      try saving.save(updated: ends(added: true, which))
      #expect(try saving.rows("SELECT Z_3ITEMS, Z_6TAGS FROM Z_3TAGS") == ["1|1"])
      // Told again, it is still one.
      try saving.save(updated: ends(added: true, which))
      #expect(try saving.rows("SELECT count(*) FROM Z_3TAGS") == ["1"])
      try saving.save(updated: ends(added: false, which))
      #expect(try saving.rows("SELECT count(*) FROM Z_3TAGS") == ["0"])
    }
    #expect(
      try saving.rows("SELECT Z_OPT FROM ZITEM WHERE Z_PK = 1 UNION SELECT Z_OPT FROM ZTAG WHERE Z_PK = 1") == ["7"])
  }

  @Test func `ODDITIES 10: a join table without a key has no pair twice`() throws {
    let saving = try SavingStore(
      shapes: rows + """
        DROP TABLE Z_3TAGS; CREATE TABLE Z_3TAGS (Z_3ITEMS, Z_6TAGS); INSERT INTO Z_3TAGS VALUES (1, 1);
        """)
    let tags = try [saving.id("Tag", 1), saving.id("Tag", 2)]
    try saving.save(updated: [
      saving.known("Item", 1, toMany: ["tags": ToManyChange(objects: tags, added: tags, removed: [])])
    ])
    #expect(try saving.rows("SELECT Z_3ITEMS, Z_6TAGS FROM Z_3TAGS ORDER BY 2") == ["1|1", "1|2"])
  }

  @Test func `a relationship that is its own inverse has the pair from both ends`() throws {
    let saving = try SavingStore(shapes: rows)
    let (one, two) = (try saving.id("Tag", 1), try saving.id("Tag", 2))
    try saving.save(updated: [
      saving.known("Tag", 1, toMany: ["friends": ToManyChange(objects: [two], added: [two], removed: [])]),
      saving.known("Tag", 2, toMany: ["friends": ToManyChange(objects: [one], added: [one], removed: [])]),
    ])
    #expect(try saving.rows("SELECT Z_6FRIENDS, REFLEXIVE FROM Z_6FRIENDS ORDER BY 1") == ["1|2", "2|1"])
    try saving.save(updated: [
      saving.known("Tag", 2, toMany: ["friends": ToManyChange(objects: [], added: [], removed: [one])])
    ])
    #expect(try saving.rows("SELECT count(*) FROM Z_6FRIENDS") == ["0"])
  }

  @Test func `a pair within one entity keeps its direction`() throws {
    let saving = try SavingStore(shapes: rows)
    let (one, two) = (try saving.id("Tag", 1), try saving.id("Tag", 2))
    try saving.save(updated: [
      saving.known("Tag", 1, toMany: ["followers": ToManyChange(objects: [two], added: [two], removed: [])]),
      saving.known("Tag", 2, toMany: ["following": ToManyChange(objects: [one], added: [one], removed: [])]),
    ])
    #expect(try saving.rows("SELECT Z_6FOLLOWERS, Z_6FOLLOWING FROM Z_6FOLLOWING") == ["2|1"])
  }

  @Test func `CONTEXT 21: without an inverse the key is written beside the other object, which is not changed by it`()
    throws
  {
    let saving = try SavingStore(shapes: rows)
    let boxes = try [saving.id("Box", 1), saving.id("Crate", 2)]
    try saving.save(updated: [
      saving.known("Tag", 1, toMany: ["loose": ToManyChange(objects: boxes, added: boxes, removed: [])])
    ])
    #expect(try saving.rows("SELECT Z_OPT, Z6LOOSE FROM ZBOX ORDER BY Z_PK") == ["1|1", "1|1"])
    #expect(try saving.rows("SELECT Z_OPT FROM ZTAG WHERE Z_PK = 1") == ["2"])
    try saving.save(updated: [
      saving.known("Tag", 1, toMany: ["loose": ToManyChange(objects: [boxes[1]], added: [], removed: [boxes[0]])])
    ])
    #expect(try saving.rows("SELECT Z_OPT, Z6LOOSE FROM ZBOX ORDER BY Z_PK") == ["1|", "1|1"])
  }

  @Test func `no join row outlives an object at either end`() throws {
    let saving = try SavingStore(
      shapes: rows + """
        INSERT INTO Z_3TAGS VALUES (1, 1), (2, 1), (2, 2);
        INSERT INTO Z_6FRIENDS VALUES (1, 2), (2, 1), (2, 3), (3, 2);
        INSERT INTO Z_6FOLLOWING (Z_6FOLLOWERS, Z_6FOLLOWING) VALUES (1, 2), (2, 1), (2, 3);
        """)
    let tag = try saving.id("Tag", 1)
    let gone = try saving.known("Tag", 1)
    try saving.save(
      updated: [saving.known("Item", 1, toMany: ["tags": ToManyChange(objects: [], added: [], removed: [tag])])],
      deleted: [gone])
    #expect(try saving.rows("SELECT Z_3ITEMS, Z_6TAGS FROM Z_3TAGS") == ["2|2"])
    #expect(try saving.rows("SELECT Z_6FRIENDS, REFLEXIVE FROM Z_6FRIENDS ORDER BY 1") == ["2|3", "3|2"])
    #expect(try saving.rows("SELECT Z_6FOLLOWERS, Z_6FOLLOWING FROM Z_6FOLLOWING") == ["2|3"])
    try saving.save(deleted: [saving.known("Book", 2)])
    #expect(try saving.rows("SELECT count(*) FROM Z_3TAGS") == ["0"])
  }

  @Test func `new objects are related among each other and to old ones, told from both ends`() throws {
    let saving = try SavingStore(shapes: rows)
    var (box, item) = (try saving.new("Crate"), try saving.new("Book"))
    let (old, tag) = (try saving.id("Item", 1), try saving.id("Tag", 2))
    box.toMany["items"] = ToManyChange(objects: [item.id, old], added: [item.id, old], removed: [])
    item.toOne["box"] = box.id
    item.toMany["tags"] = ToManyChange(objects: [tag], added: [tag], removed: [])
    let ids = try saving.save(
      inserted: [item, box],
      updated: [
        saving.known("Item", 1, toOne: ["box": box.id]),
        saving.known("Box", 1, toMany: ["items": ToManyChange(objects: [], added: [], removed: [old])]),
        saving.known("Tag", 2, toMany: ["items": ToManyChange(objects: [item.id], added: [item.id], removed: [])]),
      ])
    #expect(ids.map(\.primaryKey) == [4, 3])
    #expect(
      try saving.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZBOX, Z1_BOX FROM ZITEM ORDER BY 1")
        == ["1|3|2|3|2", "2|4|1|2|2", "3|5|1||", "4|4|1|3|2"])
    #expect(try saving.rows("SELECT Z_3ITEMS, Z_6TAGS FROM Z_3TAGS") == ["4|2"])
  }

  @Test func `an object related to one that is not being saved is refused`() throws {
    let saving = try SavingStore(shapes: rows)
    let other = try saving.new("Box")
    #expect { try saving.save(updated: [saving.known("Item", 1, toOne: ["box": other.id])]) } throws: {
      ($0 as NSError).code == NSPersistentStoreSaveError
    }
    #expect(try saving.rows("SELECT Z_OPT FROM ZITEM WHERE Z_PK = 1") == ["1"])
  }
}
