import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Values as key-value coding and managed properties give them, whatever the cell holds.
@Suite struct ValueDecodingTests {
  /// A model whose items are `ShapeItem`s, and a store with one item in it.
  private func withItem(_ columns: String, _ values: String, _ body: (ShapeItem) throws -> Void) throws {
    let sketch = ShapesModel()
    for entity in sketch.model.entities where entity.name == "Item" {
      entity.managedObjectClassName = String(reflecting: ShapeItem.self)
    }
    let file = try TemporaryStore(model: sketch.model)
    try file.write("INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, \(columns)) VALUES (1, 3, 1, \(values));")
    let context = try file.context(of: sketch.model)
    try context.performAndWait {
      let item = try #require(try context.fetch(NSFetchRequest<ShapeItem>(entityName: "Item")).first)
      try body(item)
    }
  }

  @Test func `every type reads as what it is`() throws {
    let columns =
      "ZNAME, ZINT16, ZINT32, ZINT64, ZBOOLEAN, ZDOUBLE, ZFLOAT, ZDECIMAL, ZSTRING, ZDATE, ZUUID, ZURI, ZDATA, ZEXTERNAL, ZCODED"
    let values =
      "'é', -5, 70000, 9223372036854775807, 1, 0.1, 0.5, 12.25, '', 86400.5, x'123456789ABCDEF0123456789ABCDEF0', 'https://a.b/c', x'0102', x'01FF', x'62'"
    try withItem(columns, values) { item in
      #expect(item.name == "é")
      #expect(item.int16 == -5)
      #expect(item.int32 == 70_000)
      #expect(item.int64 == .max)
      #expect(item.boolean)
      #expect(item.double == 0.1)
      #expect(item.float == 0.5)
      #expect(item.decimal == Decimal(string: "12.25"))
      #expect(item.string == "")
      #expect(item.date == Date(timeIntervalSinceReferenceDate: 86_400.5))
      #expect(item.uuid?.uuidString == "12345678-9ABC-DEF0-1234-56789ABCDEF0")
      #expect(item.uri?.absoluteString == "https://a.b/c")
      #expect(item.data == Data([1, 2]))
      #expect(item.external == Data([0xff]))
      #expect(item.external?.startIndex == 0)
      #expect(item.value(forKey: "name") as? String == "é")
      #expect(item.value(forKey: "int64") as? NSNumber == NSNumber(value: Int64.max))
      #expect(item.value(forKey: "boolean") as? NSNumber == NSNumber(value: true))
      #expect(item.value(forKey: "decimal") as? NSDecimalNumber == NSDecimalNumber(string: "12.25"))
      #expect(item.value(forKey: "date") as? Date == Date(timeIntervalSinceReferenceDate: 86_400.5))
      #expect(item.value(forKey: "coded") as? Data == Data([0x62]))
      #expect(item.storedText(forKey: "decimal") == "12.25")
      #expect(item.storedText(forKey: "uri") == "https://a.b/c")
    }
  }

  @Test func `nothing reads as nothing, or as the type's absent value`() throws {
    try withItem("ZNAME", "NULL") { item in
      #expect(item.name == nil)
      #expect(item.int16 == 0 && item.int32 == 0 && item.int64 == 0 && item.double == 0 && item.float == 0)
      #expect(!item.boolean)
      #expect(item.decimal == nil && item.string == nil && item.date == nil && item.uuid == nil)
      #expect(item.uri == nil && item.data == nil && item.external == nil && item.box == nil)
      #expect(item.tags.isEmpty)
      for name in item.entity.attributesByName.keys { #expect(item.value(forKey: name) == nil, "\(name)") }
    }
  }

  @Test func `cells of the wrong storage class are read as far as they can be`() throws {
    let columns = "ZNAME, ZINT64, ZBOOLEAN, ZDOUBLE, ZFLOAT, ZDECIMAL, ZDATE, ZUUID, ZDATA, ZURI"
    try withItem(columns, "x'C3A9FF', 2.9, 2, 'nan', '-inf', 'x', 'soon', x'00', 'text', ''") { item in
      #expect(item.name == "é\u{fffd}")
      #expect(item.int64 == 2)
      #expect(item.boolean)
      #expect(item.double.isNaN)
      #expect(item.float == -.infinity)
      #expect(item.date == nil)
      #expect(item.uuid == nil)
      #expect(item.data == Data("text".utf8))
      #expect(item.uri == nil)
      #expect(item.storedText(forKey: "uri") == "")
      #expect(item.storedText(forKey: "decimal") == "x")
    }
    try withItem("ZINT64, ZDATE, ZSTRING, ZUUID, ZINT16", "'12', 7, 5, '12345678-9abc-def0-1234-56789abcdef0', 70000") {
      #expect($0.int64 == 12)
      #expect($0.date == Date(timeIntervalSinceReferenceDate: 7))
      #expect($0.string == "5")
      #expect($0.uuid?.uuidString == "12345678-9ABC-DEF0-1234-56789ABCDEF0")
      #expect($0.int16 == Int16(truncatingIfNeeded: 70_000))
    }
    try withItem("ZUUID", "CAST(x'123456789ABCDEF0123456789ABCDEF0' AS TEXT)") {
      #expect($0.uuid?.uuidString == "12345678-9ABC-DEF0-1234-56789ABCDEF0")
    }
  }

  @Test func `external data is read from its file, and is nothing where that is missing`() throws {
    let sketch = ShapesModel()
    let file = try TemporaryStore(model: sketch.model)
    let (here, gone) = (UUID(), UUID())
    let folder = file.directory.url.appending(path: ".Test_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data([9, 8, 7]).write(to: folder.appending(path: here.uuidString))
    try file.write(
      """
      INSERT INTO ZITEM (Z_PK, Z_ENT, ZEXTERNAL) VALUES
      (1, 3, CAST(x'02' || '\(here.uuidString)' || x'00' AS BLOB)),
      (2, 3, CAST(x'02' || '\(gone.uuidString)' || x'00' AS BLOB)),
      (3, 3, CAST(x'02' || '../../../../../../../../../etc/passw' || x'00' AS BLOB));
      """)
    let context = try file.context(of: sketch.model)
    try context.performAndWait {
      let items = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
      #expect(items[0].value(forKey: "external") as? Data == Data([9, 8, 7]))
      #expect(items[1].value(forKey: "external") == nil)
      // What is no UUID names no file.
      #expect((items[2].value(forKey: "external") as? Data)?.count == 38)
    }
  }
}
