import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// What a save writes into the rows of entities, looked at with the real `sqlite3` program.
@Suite struct SavingRowsTests {
  @Test func `CONTEXT 47: an update writes the columns that changed and raises Z_OPT by one`() throws {
    let saving = try SavingStore(
      shapes: """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME, ZRANK, ZSTRING) VALUES (1, 3, 4, 'one', 1, x'6162'), (2, 3, 1, 'two', 2, 'b');
        """)
    let before = try saving.rows("SELECT * FROM ZITEM WHERE Z_PK = 2")
    try saving.save(updated: [saving.known("Item", 1, ["name": "ONE", "rank": nil])])
    // A blob in a text column, which only an edit by hand makes, is as it was.
    #expect(
      try saving.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZNAME, ZRANK, typeof(ZSTRING) FROM ZITEM WHERE Z_PK = 1")
        == ["1|3|5|ONE||blob"])
    #expect(try saving.rows("SELECT * FROM ZITEM WHERE Z_PK = 2") == before)
    try saving.save(updated: [saving.known("Item", 1, ["rank": 7])])
    #expect(try saving.rows("SELECT Z_OPT, ZNAME, ZRANK FROM ZITEM WHERE Z_PK = 1") == ["6|ONE|7"])
  }

  @Test func `a row without a version gets one`() throws {
    let saving = try SavingStore(shapes: "INSERT INTO ZBOX (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'a');")
    try saving.save(updated: [saving.known("Box", 1, ["name": "b"])])
    #expect(try saving.rows("SELECT Z_OPT, ZNAME FROM ZBOX") == ["1|b"])
  }

  @Test func `inserts, updates and deletes of one save are there together, with Z_MAX of the root alone`() throws {
    let saving = try SavingStore(
      shapes: """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 3, 1, 'one'), (8, 4, 1, 'eight'), (9, 5, 1, 'nine');
        UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_ENT = 3;
        """)
    let ids = try saving.save(
      inserted: [saving.new("Book", ["name": "new", "extra": "x"]), saving.new("Box", ["name": "box"])],
      updated: [saving.known("Item", 1, ["name": "1"])], deleted: [saving.known("Book", 8)])
    #expect(ids.map(\.primaryKey) == [10, 1])
    #expect(ids.map(\.entity.name) == ["Book", "Box"])
    #expect(
      try saving.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZNAME, ZEXTRA FROM ZITEM ORDER BY 1")
        == ["1|3|2|1|", "9|5|1|nine|", "10|4|1|new|x"])
    #expect(
      try saving.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
        == ["Box|1", "Crate|0", "Item|10", "Book|0", "Toy|0", "Tag|0"])
    #expect(try saving.rows("PRAGMA integrity_check") == ["ok"])
  }

  @Test func `ODDITIES 16: keys follow the highest row where Z_MAX is behind it, and Z_MAX where rows were deleted`()
    throws
  {
    let saving = try SavingStore(
      shapes: """
        INSERT INTO ZBOX (Z_PK, Z_ENT) VALUES (40, 1); UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_NAME = 'Item';
        """)
    let ids = try saving.save(inserted: [saving.new("Crate"), saving.new("Toy")])
    #expect(ids.map(\.primaryKey) == [41, 10])
  }

  @Test func `ODDITIES 13: keys that are text in a table rebuilt by hand are counted as numbers`() throws {
    let saving = try SavingStore(
      shapes: """
        DROP TABLE ZTAG; CREATE TABLE ZTAG (Z_ENT, Z_PK, Z_OPT, ZPARENT, ZFAVOURITE, Z3_FAVOURITE, ZNAME);
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES ('9', '6', '1'), ('10', '6', '1');
        """)
    #expect(try saving.save(inserted: [saving.new("Tag", ["name": "t"])]).map(\.primaryKey) == [11])
    #expect(try saving.rows("SELECT Z_PK, ZNAME FROM ZTAG WHERE typeof(Z_PK) = 'integer'") == ["11|t"])
  }

  /// FORMAT, "Values": each type with what is stored for it.
  private var values: [(String, Any, String)] {
    [
      ("_flag", true, "integer|1"), ("int16", Int16(-3), "integer|-3"),
      ("int32", NSNumber(value: 70_000), "integer|70000"), ("int64", Int64.min, "integer|-9223372036854775808"),
      ("boolean", NSNumber(value: false), "integer|0"), ("double", 0.1, "real|0.1"), ("float", Float(0.5), "real|0.5"),
      ("decimal", NSDecimalNumber(string: "12.25"), "real|12.25"), ("string", "é'\"\0z", "text|é'\""),
      ("date", Date(timeIntervalSinceReferenceDate: 0.5), "real|0.5"),
      (
        "uuid", UUID(uuid: (0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0, 1, 2, 3, 4, 5, 6, 7, 8)),
        "blob|123456789ABCDEF00102030405060708"
      ),
      ("uri", URL(string: "https://a.b/c?d=e") as Any, "text|https://a.b/c?d=e"),
      ("data", Data([0, 255]), "blob|00FF"), ("external", Data([7]), "blob|0107"), ("coded", Data([0x62]), "blob|62"),
    ]
  }

  @Test func `values of every type are stored as the format says, read back the same, and taken away`() throws {
    let saving = try SavingStore(shapes: "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1);")
    try saving.save(
      updated: [saving.known("Item", 1, Dictionary(uniqueKeysWithValues: values.map { ($0.0, $0.1 as Any?) }))])
    for (key, _, expected) in values {
      let column = "Z" + key.uppercased()
      let shown = expected.hasPrefix("blob") ? "hex(\(column))" : column
      #expect(try saving.rows("SELECT typeof(\(column)), \(shown) FROM ZITEM") == [expected], "\(key)")
    }
    let context = try saving.file.context(of: saving.model)
    try context.performAndWait {
      let item = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")).first)
      for (key, value, _) in values {
        #expect(
          NSDictionary(object: item.value(forKey: key) as Any, forKey: key as NSString)
            == NSDictionary(object: value, forKey: key as NSString), "\(key)")
      }
    }
    try saving.save(
      updated: [saving.known("Item", 1, Dictionary(uniqueKeysWithValues: values.map { ($0.0, nil as Any?) }))])
    for (key, _, _) in values {
      #expect(try saving.rows("SELECT typeof(Z\(key.uppercased())) FROM ZITEM") == ["null"], "\(key)")
    }
  }

  @Test func `a value of another type is refused by name, and nothing is written`() throws {
    let saving = try SavingStore(shapes: "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 3, 1, 'one');")
    let before = try saving.file.write(".dump")
    #expect {
      try saving.save(
        inserted: [saving.new("Box", ["name": "b"])],
        updated: [saving.known("Item", 1, ["name": "x", "rank": "seven"])])
    } throws: {
      ($0 as NSError).localizedDescription.contains("rank")
    }
    #expect(try saving.file.write(".dump") == before)
  }

  @Test func `the ids of what was written have the rows as they are now`() throws {
    let saving = try SavingStore(
      shapes: "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 3, 1, 'one'), (2, 3, 1, 'two');")
    let (kept, gone) = (try saving.known("Item", 1, ["name": "ONE"]), try saving.known("Item", 2))
    let new = try saving.save(inserted: [saving.new("Toy", ["extra": 5])], updated: [kept], deleted: [gone])
    func cell(_ id: NSManagedObjectID, _ name: String) throws -> StoredValue {
      let row = try #require(id.slot.withLock { $0.row })
      let slot = try #require(id.entity.layout.slot(named: name))
      return StoredValue(
        slab: row.slab, row: row.index, column: Int(row.slab.layout.columns(of: id.entity)[slot].value))
    }
    #expect(try cell(kept.id, "name").text == "ONE")
    #expect(kept.id.slot.withLock { $0.row?.version } == 2)
    #expect(try cell(new[0], "extra").integer == 5)
    #expect(new[0].slot.withLock { $0.row?.version } == 1)
    #expect(gone.id.slot.withLock { $0.row } == nil)
  }

  @Test func `metadata that changed is written by a save of any kind`() throws {
    let saving = try SavingStore(shapes: "INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);")
    saving.store.metadataValues["answer"] = .integer(42)
    saving.store.hasChangedMetadata = true
    try saving.save(deleted: [saving.known("Box", 1)])
    #expect(!saving.store.hasChangedMetadata)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType, at: saving.file.url)
    #expect((metadata["answer"] as? NSNumber)?.intValue == 42)
  }
}
