import CoreData
import Foundation

/// Values that no program writes, in every column of a Core Data store.
public enum HostileValues {
  /// A model with an attribute of each type, relationships of each shape and a hierarchy.
  public static func model() -> NSManagedObjectModel {
    typealias Sketch = ModelSketch
    let types: [(String, NSAttributeType)] = [
      ("int16", .integer16AttributeType), ("int32", .integer32AttributeType), ("int64", .integer64AttributeType),
      ("flag", .booleanAttributeType), ("real", .doubleAttributeType), ("single", .floatAttributeType),
      ("decimal", .decimalAttributeType), ("text", .stringAttributeType), ("date", .dateAttributeType),
      ("uuid", .UUIDAttributeType), ("uri", .URIAttributeType), ("data", .binaryDataAttributeType),
      ("coded", .transformableAttributeType),
    ]
    let child = Sketch.entity("Child", [Sketch.attribute("extra", .stringAttributeType)])
    let item = Sketch.entity(
      "Item",
      types.map { Sketch.attribute($0.0, $0.1) } + [
        Sketch.attribute("outside", .binaryDataAttributeType, external: true)
      ],
      children: [child])
    let tag = Sketch.entity("Tag", [Sketch.attribute("name", .stringAttributeType)])
    Sketch.relate(tag, "items", .ordered, to: item, inverse: "tag", .one)
    Sketch.relate(item, "friends", .many, to: tag, inverse: "fans", .many)
    Sketch.relate(item, "ranked", .ordered, to: tag, inverse: "rankedBy", .ordered)
    return Sketch.model([item, child, tag])
  }

  /// Rows that are whole, to begin with.
  public static let rows = """
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT value, 3, 1, 'tag ' || value FROM generate_series(1, 3);
    INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZTAG) SELECT value, 1 + value % 2, 1, 'item ' || value, value % 4
      FROM generate_series(1, 6);
    UPDATE Z_PRIMARYKEY SET Z_MAX = 6;
    """

  /// A script that damages a store of the model; `columns` are those of each table.
  ///
  /// Statements that SQLite refuses are left out by it.
  public static func script(_ columns: [String: [String]], _ numbers: inout HostileBytes) -> String {
    var statements: [String] = []
    let tables = columns.keys.sorted()
    for _ in 0...numbers.next(below: 12) {
      // Mostly items, which have every type.
      let table = numbers.oneIn(3) ? numbers.pick(tables) : "ZITEM"
      guard let names = columns[table], !names.isEmpty else { continue }
      let (column, value) = (HostileSQL.quoted(numbers.pick(names)), value(&numbers))
      switch numbers.next(below: 6) {
      case 0: statements.append("UPDATE OR REPLACE \(table) SET \(column) = \(value)")
      case 1:
        let values = names.map { _ in numbers.oneIn(2) ? "\(numbers.next(below: 8))" : Self.value(&numbers) }
        statements.append("INSERT OR REPLACE INTO \(table) VALUES (\(values.joined(separator: ", ")))")
      case 2: statements.append("DELETE FROM \(table) WHERE rowid = \(numbers.next(below: 7))")
      default:
        statements.append(
          "UPDATE OR REPLACE \(table) SET \(column) = \(value) WHERE rowid = \(1 + numbers.next(below: 6))")
      }
    }
    if numbers.oneIn(20) { statements.append("DROP TABLE \(numbers.pick(tables))") }
    if numbers.oneIn(20) { statements.append("ALTER TABLE ZITEM DROP COLUMN ZTEXT") }
    return statements.map { $0 + ";\n" }.joined()
  }

  private static func value(_ numbers: inout HostileBytes) -> String {
    numbers.oneIn(6)
      ? numbers.pick(["63113904000", "-62135769600", "1e13", "-1e18", "9007199254740993", "253402300800", "1e308"])
      : HostileSQL.literal(&numbers)
  }
}
