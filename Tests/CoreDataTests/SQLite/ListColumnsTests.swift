import Foundation
import TestSupport
import Testing

@testable import CoreData

/// What a cell of a list shows for each type and storage class (reference/FORMAT.md "Values", ODDITIES.md 12 to 14).
@Suite struct ListColumnsTests {
  /// The cell of one column of an item, and what a close look gives, when the column holds an SQL expression's value.
  private func cells(_ key: String, _ column: String, _ expression: String) throws -> (
    grid: CellValue, record: CellValue
  ) {
    let sketch = ShapesModel()
    let file = try TemporaryStore(model: sketch.model)
    try file.write("INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, \(column)) VALUES (1, 3, 1, \(expression));")
    let store = try NSPersistentStoreCoordinator(managedObjectModel: sketch.model)
      .openSQLiteStore(at: file.url, isReadOnly: true)
    let window = try store.window(
      ListQuery(entity: "Item"), columns: [key], at: .start, limit: 1, cancellation: nil)
    let record = try #require(try store.record(ObjectKey(entity: 3, primaryKey: 1), cancellation: nil))
    let place = try #require(record.names.firstIndex(of: key))
    return (try #require(window.rows.first?.cells.first), record.row.cells[place])
  }

  @Test(
    arguments: [
      ("int16", "ZINT16", "-32768", CellValue.integer(-32_768)), ("int32", "ZINT32", "7", .integer(7)),
      ("int64", "ZINT64", "9223372036854775807", .integer(.max)), ("int64", "ZINT64", "1.5", .real(1.5)),
      ("int64", "ZINT64", "'many'", .odd("many")), ("boolean", "ZBOOLEAN", "0", .boolean(false)),
      ("boolean", "ZBOOLEAN", "2", .boolean(true)), ("boolean", "ZBOOLEAN", "'yes'", .odd("yes")),
      ("double", "ZDOUBLE", "2", .real(2)), ("double", "ZDOUBLE", "9e999", .real(.infinity)),
      ("double", "ZDOUBLE", "'nan'", .odd("nan")), ("float", "ZFLOAT", "0.1", .real(0.1)),
      ("decimal", "ZDECIMAL", "3.3333333332999993", .decimal("3.3333333332999993")),
      ("decimal", "ZDECIMAL", "12", .decimal("12")), ("decimal", "ZDECIMAL", "1e20", .decimal("100000000000000000000")),
      ("decimal", "ZDECIMAL", "'a lot'", .odd("a lot")), ("string", "ZSTRING", "''", .text("", length: 0)),
      ("string", "ZSTRING", "'é日'", .text("é日", length: 2)), ("string", "ZSTRING", "12", .text("12", length: 2)),
      ("string", "ZSTRING", "x'0102'", .bytes(head: [1, 2], count: 2)),
      ("uri", "ZURI", "'https://a.b/c'", .text("https://a.b/c", length: 13)),
      ("date", "ZDATE", "0", .date(Date(timeIntervalSinceReferenceDate: 0))),
      ("date", "ZDATE", "1.25", .date(Date(timeIntervalSinceReferenceDate: 1.25))),
      ("date", "ZDATE", "123456789012345", .date(Date(timeIntervalSinceReferenceDate: 123_456_789_012_345))),
      ("date", "ZDATE", "'soon'", .odd("soon")), ("uuid", "ZUUID", "'text'", .odd("text")),
      ("uuid", "ZUUID", "x'00'", .bytes(head: [0], count: 1)),
    ] as [(String, String, String, CellValue)])
  func `a value of any storage class has its cell`(key: String, column: String, sql: String, cell: CellValue) throws {
    let cells = try cells(key, column, sql)
    #expect(cells.grid == cell)
    #expect(cells.record == cell)
  }

  @Test(arguments: [
    "int64", "boolean", "double", "decimal", "string", "date", "uuid", "uri", "data", "external", "coded",
  ])
  func `no value is no value in every type`(key: String) throws {
    let cells = try cells(key, "Z" + key.uppercased(), "NULL")
    #expect(cells.grid == .null)
    #expect(cells.record == .null)
  }

  @Test func `a UUID is its sixteen bytes`() throws {
    let uuid = try #require(UUID(uuidString: "12345678-9ABC-DEF0-1234-56789ABCDEF0"))
    #expect(try cells("uuid", "ZUUID", "x'123456789ABCDEF0123456789ABCDEF0'").grid == .uuid(uuid))
  }

  @Test func `a long text shows its head and its length`() throws {
    let cells = try cells("string", "ZSTRING", "replace(hex(zeroblob(100000)), '00', 'é')")
    #expect(cells.grid == .text(String(repeating: "é", count: 256), length: 100_000))
    #expect(cells.record == .text(String(repeating: "é", count: 65_536), length: 100_000))
  }

  @Test(arguments: [
    ("x''", 0), ("x'00'", 1), ("zeroblob(1000000)", 1_000_000), ("'éa'", 3), ("'0123456789'", 10),
  ]) func `binary data shows its length in bytes`(sql: String, count: Int) throws {
    for (key, column) in [("data", "ZDATA"), ("coded", "ZCODED")] {
      let cells = try cells(key, column, sql)
      #expect(cells.grid == .bytes(head: [], count: count))
      guard case .bytes(let head, let whole) = cells.record else {
        Issue.record("\(cells.record)")
        continue
      }
      #expect(whole == count)
      #expect(head.count == min(count, 64))
    }
  }

  @Test func `a number where bytes belong is odd`() throws {
    #expect(try cells("data", "ZDATA", "12").grid == .odd("12"))
    #expect(try cells("data", "ZDATA", "1.5").record == .odd("1.5"))
  }

  @Test func `the tag of external storage is no part of the value`() throws {
    #expect(try cells("external", "ZEXTERNAL", "x'01AABBCC'").grid == .bytes(head: [], count: 3))
    #expect(try cells("external", "ZEXTERNAL", "x'01AABBCC'").record == .bytes(head: [0xaa, 0xbb, 0xcc], count: 3))
    #expect(try cells("external", "ZEXTERNAL", "x'01'").grid == .bytes(head: [], count: 0))
    let name = "0F8FAD5B-D9CB-469F-A165-70867728950E"
    let reference = try cells("external", "ZEXTERNAL", "CAST(x'02' || '\(name)' || x'00' AS BLOB)")
    #expect(reference.grid == .odd("in file \(name)"))
    #expect(reference.record == .odd("in file \(name)"))
    // 38 bytes are not always a name.
    #expect(
      try cells("external", "ZEXTERNAL", "CAST(x'01' || zeroblob(37) AS BLOB)").grid == .bytes(head: [], count: 37))
  }

  @Test func `relationships show the object with its title, and counts up to a limit`() throws {
    let sketch = ShapesModel()
    let file = try TemporaryStore(model: sketch.model)
    try file.write(
      """
      INSERT INTO ZBOX (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'Attic'), (2, 2, NULL), (3, 1, 'Full');
      INSERT INTO ZITEM (Z_PK, Z_ENT, ZBOX, Z1_BOX) VALUES (1, 3, 1, 1), (2, 3, 2, 2), (3, 3, NULL, NULL), (4, 3, 99, 1);
      WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO ZITEM (Z_PK, Z_ENT, ZBOX, Z1_BOX) SELECT i, 3, 3, 1 FROM n;
      INSERT INTO ZTAG (Z_PK, Z_ENT) VALUES (1, 6); INSERT INTO Z_3TAGS (Z_3ITEMS, Z_6TAGS) VALUES (1, 1);
      """)
    let store = try NSPersistentStoreCoordinator(managedObjectModel: sketch.model)
      .openSQLiteStore(at: file.url, isReadOnly: true)
    func cells(_ entity: String, _ columns: [String]) throws -> [[CellValue]] {
      try store.window(ListQuery(entity: entity), columns: columns, at: .start, limit: 4, cancellation: nil)
        .rows.map(\.cells)
    }
    #expect(
      try cells("Item", ["box", "tags", "nothing"]) == [
        [.object(ObjectKey(entity: 1, primaryKey: 1), title: "Attic"), .objects(count: 1), .null],
        [.object(ObjectKey(entity: 2, primaryKey: 2), title: nil), .objects(count: 0), .null],
        [.null, .objects(count: 0), .null],
        [.object(ObjectKey(entity: 1, primaryKey: 99), title: nil), .objects(count: 0), .null],
      ])
    // Over a thousand nobody counts for a grid; rows come by entity, so the crate is last.
    #expect(try cells("Box", ["items"]) == [[.objects(count: 1)], [.objects(count: nil)], [.objects(count: 1)]])
    let record = try store.record(ObjectKey(entity: 1, primaryKey: 3), cancellation: nil)
    let place = try #require(record?.names.firstIndex(of: "items"))
    #expect(record?.row.cells[place] == .objects(count: 1_991))
  }
}
