import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Saving new objects, looked at with the real `sqlite3` program (reference/FORMAT.md).
@Suite struct InsertingTests {
  private let sketch = ShapesModel()

  private func new(_ entity: String, _ name: String? = nil, _ context: NSManagedObjectContext) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    if let name { object.setValue(name, forKey: "name") }
    return object
  }

  @Test func `new objects get keys after the highest of their tree, Z_OPT 1, and permanent ids`() throws {
    let file = try TemporaryStore(model: sketch.model)
    try file.write(
      "INSERT INTO ZBOX (Z_PK, Z_ENT) VALUES (40, 1); UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_NAME = 'Item';")
    let context = try file.context(of: sketch.model, isReadOnly: false)
    try context.performAndWait {
      let objects = [
        new("Item", "i", context), new("Book", "b", context), new("Box", "x", context), new("Toy", "t", context),
      ]
      #expect(objects.allSatisfy { $0.objectID.isTemporaryID && $0.isInserted })
      #expect(context.hasChanges)
      try context.save()
      #expect(!context.hasChanges)
      #expect(context.insertedObjects.isEmpty)
      #expect(objects.map(\.objectID.primaryKey) == [10, 11, 41, 12])
      #expect(objects.allSatisfy { !$0.objectID.isTemporaryID && !$0.isInserted && !$0.hasChanges })
      #expect(objects.map { $0.value(forKey: "name") as? String } == ["i", "b", "x", "t"])
      #expect(context.registeredObject(for: objects[0].objectID) === objects[0])
      #expect(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")).first === objects[0])
    }
    #expect(
      try file.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM ZITEM ORDER BY 1") == ["10|3|1|i", "11|4|1|b", "12|5|1|t"])
    #expect(
      try file.rows("SELECT Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT")
        == ["Box|0|41", "Crate|1|0", "Item|0|12", "Book|3|0", "Toy|3|0", "Tag|0|0"])
    #expect(try file.rows("PRAGMA integrity_check") == ["ok"])
  }

  @Test func `CONTEXT 109: values have the storage classes of the format`() throws {
    let file = try TemporaryStore(model: sketch.model)
    let context = try file.context(of: sketch.model, isReadOnly: false)
    let values: [(String, Any, String)] = [
      ("_flag", true, "integer|1"), ("int16", Int16(-3), "integer|-3"),
      ("int32", NSNumber(value: 70_000), "integer|70000"),
      ("int64", Int64.max, "integer|9223372036854775807"), ("boolean", NSNumber(value: false), "integer|0"),
      ("double", 0.1, "real|0.1"), ("float", Float(0.5), "real|0.5"),
      ("decimal", NSDecimalNumber(string: "12.25"), "real|12.25"), ("string", "é'\"", "text|é'\""),
      ("date", Date(timeIntervalSinceReferenceDate: 0.5), "real|0.5"),
      (
        "uuid", UUID(uuid: (0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0, 1, 2, 3, 4, 5, 6, 7, 8)),
        "blob|123456789ABCDEF00102030405060708"
      ),
      ("uri", URL(string: "https://a.b/c?d=e") as Any, "text|https://a.b/c?d=e"),
      ("data", Data([0, 255]), "blob|00FF"),
      ("external", Data([7]), "blob|0107"), ("coded", Data([0x62]), "blob|62"),
    ]
    try context.performAndWait {
      let item = new("Item", nil, context)
      for (key, value, _) in values { item.setValue(value, forKey: key) }
      try context.save()
      for (key, value, _) in values {
        #expect(
          NSDictionary(object: item.value(forKey: key) as Any, forKey: key as NSString)
            == NSDictionary(object: value, forKey: key as NSString), "\(key)")
      }
    }
    for (key, _, expected) in values {
      let column = "Z" + key.uppercased()
      let shown = expected.hasPrefix("blob") ? "hex(\(column))" : column
      #expect(try file.rows("SELECT typeof(\(column)), \(shown) FROM ZITEM") == [expected], "\(key)")
    }
    // Whole seconds and whole decimals become integers by the column's affinity, as Apple's do.
    try context.performAndWait {
      let item = new("Item", "whole", context)
      item.setValue(Date(timeIntervalSinceReferenceDate: 60), forKey: "date")
      item.setValue(Decimal(5), forKey: "decimal")
      item.setValue(nil, forKey: "string")
      try context.save()
    }
    #expect(
      try file.rows(
        "SELECT typeof(ZDATE), ZDATE, typeof(ZDECIMAL), ZDECIMAL, typeof(ZSTRING) FROM ZITEM WHERE ZNAME = 'whole'")
        == ["integer|60|integer|5|null"])
  }

  @Test func `relationships of every shape are written from either end`() throws {
    let file = try TemporaryStore(model: sketch.model)
    let context = try file.context(of: sketch.model, isReadOnly: false)
    try context.performAndWait {
      let (attic, crate) = (new("Box", "attic", context), new("Crate", "crate", context))
      let (one, two, three) = (new("Item", "1", context), new("Book", "2", context), new("Toy", "3", context))
      let (red, blue) = (new("Tag", "red", context), new("Tag", "blue", context))
      one.setValue(crate, forKey: "box")
      attic.setValue(NSSet(array: [two, three]), forKey: "items")
      attic.setValue(NSOrderedSet(array: [three, one]), forKey: "line")
      two.setValue(attic, forKey: "lineOf")
      one.setValue(NSSet(array: [red, blue]), forKey: "tags")
      blue.setValue(NSSet(array: [one, two]), forKey: "items")
      one.setValue(NSOrderedSet(array: [blue, red]), forKey: "ranked")
      red.setValue(NSOrderedSet(array: [two, one]), forKey: "rankedBy")
      red.setValue(NSSet(object: blue), forKey: "friends")
      red.setValue(NSSet(object: blue), forKey: "following")
      red.setValue(NSSet(object: attic), forKey: "loose")
      red.setValue(NSOrderedSet(array: [crate, attic]), forKey: "stack")
      blue.setValue(red, forKey: "parent")
      blue.setValue(two, forKey: "favourite")
      try context.save()
    }
    // Box 1, Crate 2, Item 3, Book 4, Toy 5, Tag 6; keys in the order of insertion.
    #expect(
      try file.rows("SELECT Z_PK, ZBOX, Z1_BOX, ZLINEOF, Z1_LINEOF, Z_FOK_LINEOF FROM ZITEM ORDER BY 1")
        == ["1|2|2|1|1|3072", "2|1|1|1|1|4096", "3|1|1|1|1|2048"])
    #expect(try file.rows("SELECT Z_3ITEMS, Z_6TAGS FROM Z_3TAGS ORDER BY 1, 2") == ["1|1", "1|2", "2|2"])
    #expect(
      try file.rows("SELECT Z_3RANKEDBY, Z_6RANKED, Z_FOK_6RANKED, Z_FOK_3RANKEDBY FROM Z_3RANKED ORDER BY 1, 2")
        == ["1|1|3072|3072", "1|2|2048|2048", "2|1|2048|2048"])
    #expect(try file.rows("SELECT Z_6FRIENDS, REFLEXIVE FROM Z_6FRIENDS ORDER BY 1") == ["1|2", "2|1"])
    #expect(try file.rows("SELECT Z_6FOLLOWERS, Z_6FOLLOWING FROM Z_6FOLLOWING") == ["1|2"])
    #expect(
      try file.rows("SELECT Z_PK, Z6LOOSE, Z6STACK, Z_FOK_6STACK FROM ZBOX ORDER BY 1") == ["1|1|1|3072", "2||1|2048"])
    #expect(
      try file.rows("SELECT Z_PK, ZPARENT, ZFAVOURITE, Z3_FAVOURITE FROM ZTAG ORDER BY 1") == ["1|||", "2|1|2|4"])
    #expect(
      try file.rows("SELECT DISTINCT Z_OPT FROM ZITEM UNION SELECT Z_OPT FROM ZBOX UNION SELECT Z_OPT FROM ZTAG") == [
        "1"
      ])
    #expect(try file.rows("PRAGMA integrity_check") == ["ok"])
    try reopened(file)
  }

  private func reopened(_ file: TemporaryStore) throws {
    let context = try file.context(of: sketch.model)
    try context.performAndWait {
      func named(_ entity: String, _ name: String) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "name == %@", argumentArray: [name])
        return try #require(try context.fetch(request).first)
      }
      func names(_ value: Any?) -> [String] {
        let objects = (value as? NSOrderedSet)?.array ?? (value as? NSSet)?.allObjects ?? []
        let names = objects.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
        return value is NSOrderedSet ? names : names.sorted()
      }
      let (red, blue, attic) = (try named("Tag", "red"), try named("Tag", "blue"), try named("Box", "attic"))
      #expect(names(attic.value(forKey: "items")) == ["2", "3"])
      #expect(names(attic.value(forKey: "line")) == ["3", "1", "2"])
      #expect(names(try named("Item", "1").value(forKey: "ranked")) == ["blue", "red"])
      #expect(names(red.value(forKey: "rankedBy")) == ["2", "1"])
      #expect(names(red.value(forKey: "friends")) == ["blue"])
      #expect(names(blue.value(forKey: "friends")) == ["red"])
      #expect(names(blue.value(forKey: "followers")) == ["red"])
      #expect(names(red.value(forKey: "children")) == ["blue"])
      #expect(names(red.value(forKey: "stack")) == ["crate", "attic"])
      #expect((blue.value(forKey: "favourite") as? NSManagedObject)?.entity.name == "Book")
    }
  }

  @Test func `a row that is led to a new object counts as changed`() throws {
    let file = try TemporaryStore(model: sketch.model)
    try file.write("INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 3, 4, 'old');")
    let context = try file.context(of: sketch.model, isReadOnly: false)
    try context.performAndWait {
      let item = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")).first)
      new("Box", "new", context).setValue(NSSet(object: item), forKey: "items")
      try context.save()
      #expect((item.value(forKey: "box") as? NSManagedObject)?.value(forKey: "name") as? String == "new")
    }
    #expect(try file.rows("SELECT Z_OPT, ZBOX, Z1_BOX FROM ZITEM") == ["5|1|1"])
  }

  @Test func `a place at the end of an ordered relationship is taken when only the other end is set`() throws {
    let file = try TemporaryStore(model: sketch.model)
    let context = try file.context(of: sketch.model, isReadOnly: false)
    for name in ["a", "b", "c"] {
      try context.performAndWait {
        let box =
          try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Box")).first ?? new("Box", "box", context)
        new("Item", name, context).setValue(box, forKey: "lineOf")
        try context.save()
      }
    }
    #expect(try file.rows("SELECT ZNAME, Z_FOK_LINEOF FROM ZITEM ORDER BY 2") == ["a|2048", "b|3072", "c|4096"])
  }

  @Test func `a save that fails leaves the file as it was and the objects as they were`() throws {
    let file = try TemporaryStore(model: sketch.model)
    let context = try file.context(of: sketch.model, isReadOnly: false)
    let dump = ".dump"
    let before = try file.write(dump)
    try context.performAndWait { () throws -> Void in
      _ = new("Box", "first", context)
      let item = new("Item", "second", context)
      item.setValue(Date(), forKey: "rank")
      #expect { try context.save() } throws: { ($0 as NSError).localizedDescription.contains("rank") }
      #expect(context.hasChanges && context.insertedObjects.count == 2)
    }
    #expect(try file.write(dump) == before)
    try context.performAndWait {
      for object in context.insertedObjects where object.entity.name == "Item" { object.setValue(5, forKey: "rank") }
      try context.save()
    }
    #expect(try file.rows("SELECT Z_PK, ZRANK FROM ZITEM") == ["1|5"])
  }

  @Test func `an object related to one that is not being saved is refused`() throws {
    let file = try TemporaryStore(model: sketch.model)
    let context = try file.context(of: sketch.model, isReadOnly: false)
    try context.performAndWait {
      let box = try #require(sketch.model.entitiesByName["Box"])
      new("Item", "x", context).setValue(NSManagedObject(entity: box, insertInto: nil), forKey: "box")
      #expect { try context.save() } throws: { ($0 as NSError).code == NSPersistentStoreSaveError }
    }
    #expect(try file.rows("SELECT count(*) FROM ZITEM") == ["0"])
  }

  @Test func `CONTEXT 106: metadata and model of a new store are those of the model`() throws {
    let file = try TemporaryStore(model: sketch.model)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: file.url)
    #expect(metadata[NSStoreModelVersionHashesKey] as? [String: Data] == sketch.model.entityVersionHashesByName)
    #expect(metadata["NSStoreModelVersionChecksumKey"] as? String == sketch.model.versionChecksum)
    #expect(metadata["NSStoreModelVersionHashesDigest"] as? String == sketch.model.versionHashesDigest)
    #expect(metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
    let identifier = try #require(metadata[NSStoreUUIDKey] as? String)
    #expect(UUID(uuidString: identifier) != nil)
    #expect(try file.rows("SELECT Z_VERSION, Z_UUID FROM Z_METADATA") == ["1|\(identifier)"])
    let model = try StoreModel(forStoreAt: file.url)
    #expect(model.source == .cache)
    #expect(model.model.entityVersionHashesByName == sketch.model.entityVersionHashesByName)
    let context = try file.context(of: model.model)
    try context.performAndWait { () throws -> Void in
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item")) == 0)
    }
  }

  @Test func `changed metadata is written with the next save`() throws {
    let file = try TemporaryStore(model: sketch.model)
    let context = try file.context(of: sketch.model, isReadOnly: false)
    let coordinator = try #require(context.persistentStoreCoordinator)
    let store = try #require(coordinator.persistentStores.first)
    var metadata = coordinator.metadata(for: store)
    metadata["answer"] = NSNumber(value: 42)
    coordinator.setMetadata(metadata, for: store)
    func written() throws -> Int? {
      let found = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: file.url)
      return (found["answer"] as? NSNumber)?.intValue
    }
    #expect(try written() == nil)
    try context.performAndWait {
      _ = new("Box", "x", context)
      try context.save()
    }
    #expect(try written() == 42)
  }
}
