import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Values on their way between objects and everybody else.
@Suite struct PropertyValueTests {
  private let sketch = ShapesModel()

  private let values: [(String, PropertyValue)] = [
    ("_flag", .boolean(true)), ("int16", .integer(-3)), ("int32", .integer(70_000)), ("int64", .integer(.max)),
    ("boolean", .boolean(false)), ("double", .real(0.1)), ("float", .real(0.5)), ("decimal", .decimal("12.25")),
    ("string", .text("é'\"")), ("date", .date(Date(timeIntervalSinceReferenceDate: 0.5))),
    ("uuid", .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))),
    ("uri", .text("https://a.b/c?d=e")), ("data", .data(Data([0, 255]))), ("external", .data(Data([7]))),
    ("coded", .data(Data([0x62]))),
  ]

  @Test func `every kind of value goes into an object and comes out as it was, before and after a save`() throws {
    let file = try TemporaryStore(model: sketch.model)
    let context = try file.context(of: sketch.model, isReadOnly: false)
    try context.performAndWait {
      let item = context.new("Item")
      for (key, value) in values { try item.setPropertyValue(value, forKey: key) }
      for (key, value) in values { #expect(PropertyValue(item, property: key) == value, "\(key)") }
      try context.save()
      context.refresh(item, mergeChanges: false)
      for (key, value) in values {
        #expect(PropertyValue(item, property: key) == value, "\(key)")
        #expect(PropertyValue(committed: item, property: key) == value, "\(key)")
        try item.setPropertyValue(.null, forKey: key)
        #expect(PropertyValue(item, property: key) == .null, "\(key)")
        #expect(PropertyValue(committed: item, property: key) == value, "\(key)")
      }
    }
  }

  @Test func `values that a property cannot hold are refused`() throws {
    let file = try TemporaryStore(model: sketch.model)
    let context = try file.context(of: sketch.model, isReadOnly: false)
    try context.performAndWait {
      let (item, tag) = (context.new("Item"), context.new("Tag"))
      try context.save()
      let tagKey = try #require(tag.objectKey)
      for (key, value) in [
        ("int16", PropertyValue.text("x")), ("date", .integer(1)), ("uuid", .text("x")), ("decimal", .decimal("x")),
        ("box", .text("x")), ("box", .object(tagKey)), ("box", .object(ObjectKey(entity: 1, primaryKey: 99))),
        ("tags", .object(tagKey)), ("nothing", .null), ("string", .odd("x")),
      ] {
        #expect(throws: (any Error).self, "\(key)") { try item.setPropertyValue(value, forKey: key) }
      }
      #expect(!context.hasChanges)
    }
  }

  @Test func `objects are known by keys, below zero until they are saved`() throws {
    let file = try TemporaryStore(model: sketch.model)
    let context = try file.context(of: sketch.model, isReadOnly: false)
    try context.performAndWait {
      let (book, tag, box) = (context.new("Book", "b"), context.new("Tag", "t"), context.new("Box", "x"))
      let keys = try [book, tag, box].map { try #require($0.objectKey) }
      #expect(keys.map(\.entity) == [4, 6, 1])
      #expect(keys.allSatisfy { $0.primaryKey < 0 } && Set(keys.map(\.primaryKey)).count == 3)
      #expect(try context.object(for: keys[0]) === book)
      try book.setPropertyValue(.objects([keys[1]]), forKey: "tags")
      try book.setPropertyValue(.object(keys[2]), forKey: "box")
      #expect(PropertyValue(tag, property: "items") == .objects([keys[0]]))
      try context.save()
      #expect(book.objectKey == ObjectKey(entity: 4, primaryKey: 1))
      #expect(try context.object(for: keys[0]) == nil)
      #expect(try context.object(for: ObjectKey(entity: 4, primaryKey: 1)) === book)
      #expect(try context.object(for: ObjectKey(entity: 4, primaryKey: 9)) == nil)
      #expect(PropertyValue(committed: book, property: "box") == box.objectKey.map(PropertyValue.object))
    }
  }

  @Test func `what the next save would change is told with values before and after, cascades included`() throws {
    let office = try Office { context in
      let red = context.new("Department", "red")
      for name in ["ann", "bob"] { context.new("Person", name, ["department": red]) }
      context.new("Desk", "oak", ["guests": NSSet(object: try context.one("Person", "bob"))])
    }
    try office.work { context in
      let before = try office.file.fingerprint()
      let oak = try context.one("Desk", "oak")
      let (red, ann) = (try context.one("Department", "red"), try context.one("Person", "ann"))
      try context.one("Person", "bob").setValue(nil, forKey: "department")
      oak.setValue("elm", forKey: "name")
      ann.setValue("ann", forKey: "name")
      let eve = context.new("Person", "eve", ["boss": try context.one("Person", "bob")])
      context.delete(red)
      let changes = context.pendingStoreChanges()
      let store = try #require(eve.objectID.objectStore ?? (try context.stores().first))
      func told(_ object: NSManagedObject) -> StoreChanges.Change? {
        changes.changes.first { $0.key == object.objectKey }
      }
      #expect(told(oak)?.kind == .update)
      #expect(told(oak)?.properties?["name"] == .init(old: .text("oak"), new: .text("elm")))
      #expect(told(red)?.kind == .delete)
      #expect(told(ann)?.kind == .delete)
      #expect(told(ann)?.properties?["name"]?.old == .text("ann"))
      #expect(told(eve)?.kind == .insert)
      #expect(told(eve)?.properties?["name"] == .init(old: nil, new: .text("eve")))
      #expect(told(eve)?.properties?.keys.sorted() == ["boss", "name", "salary"])
      #expect(try #require(told(eve)).key.primaryKey < 0)
      #expect(told(eve)?.key.entity == store.number(of: eve.entity))
      #expect(changes.changes.allSatisfy(\.isOwn) && changes.source == .save)
      #expect(try office.file.fingerprint() == before)
      try context.save()
      #expect(context.pendingStoreChanges().isEmpty)
    }
    #expect(try office.names("Person") == ["bob", "eve"])
  }
}
