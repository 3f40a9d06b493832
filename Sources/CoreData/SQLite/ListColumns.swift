import CSQLite
import Foundation

/// How the cells of a list are read: for each column the expressions it needs and the way back to a `CellValue`.
///
/// Only the head of a text and the length of a blob are read (DESIGN.md, "Grid cells").
struct ListColumns {
  /// How much is read: a grid shows little of each value, the inspector much.
  struct Depth: Sendable {
    var textLimit: Int
    var blobHead: Int
    /// Counts of to-many relationships end here; `nil` counts to the end.
    var countLimit: Int?

    static let grid = Depth(textLimit: 256, blobHead: 0, countLimit: 1_000)
    static let inspector = Depth(textLimit: 65_536, blobHead: 64, countLimit: nil)
  }

  private enum Reader {
    case attribute(NSAttributeType)
    /// A value of any storage class: its head and its length.
    case anyClass(NSAttributeType)
    /// Binary data, behind the tag byte of external storage or not.
    case bytes(isTagged: Bool)
    case toOne(destination: EntityMap, hasEntity: Bool, hasTitle: Bool)
    case toMany
    case nothing
  }

  private(set) var expressions: [String] = []
  private var readers: [(reader: Reader, first: Int32)] = []
  let depth: Depth
  private let map: StoreMap

  init(_ names: [String], of entity: EntityMap, map: StoreMap, schema: StoreSchema, depth: Depth, firstColumn: Int32) {
    self.depth = depth
    self.map = map
    for name in names {
      let first = firstColumn + Int32(expressions.count)
      let (reader, added) = Self.plan(
        entity.properties[name], named: name, of: entity, map: map, schema: schema, depth: depth)
      readers.append((reader, first))
      expressions += added
    }
  }

  private static func plan(
    _ property: PropertyMap?, named name: String, of entity: EntityMap, map: StoreMap, schema: StoreSchema, depth: Depth
  ) -> (Reader, [String]) {
    switch property {
    case .attribute(let column):
      let type = entity.entity.attributesByName[name]?.attributeType ?? .undefinedAttributeType
      let value = "t." + quoted(column)
      if entity.entity.attributesByName[name]?.holdsAnyClass ?? false {
        return (.anyClass(type), anyClass(value, depth: depth))
      }
      switch type {
      case .stringAttributeType, .URIAttributeType:
        return (.attribute(type), ["substr(\(value), 1, \(depth.textLimit))", "length(\(value))"])
      case .binaryDataAttributeType, .transformableAttributeType:
        let isTagged = entity.entity.attributesByName[name]?.allowsExternalBinaryDataStorage ?? false
        return (.bytes(isTagged: isTagged), bytes(value, isTagged: isTagged, depth: depth))
      default: return (.attribute(type), [value])
      }
    case .toOne(let column, let entityColumn, let number):
      guard let destination = map[number] else { return (.nothing, []) }
      let key = "t." + quoted(column)
      var expressions = [key]
      if let entityColumn { expressions.append("t." + quoted(entityColumn)) }
      let title = destination.titleKey.flatMap { destination.column(of: $0) }
      if let title {
        expressions.append(
          "(SELECT substr(\(quoted(title)), 1, 80) FROM \(quoted(destination.table)) WHERE Z_PK = \(key))")
      }
      return (.toOne(destination: destination, hasEntity: entityColumn != nil, hasTitle: title != nil), expressions)
    case .inverse(let table, let column, _, _):
      return count(table: table, column: column, schema: schema, depth: depth)
    case .join(let table, let source, _, _, _):
      return count(table: table, column: source, schema: schema, depth: depth)
    case .reference(let link, let number):
      guard let destination = map[number] else { return (.nothing, []) }
      let rows = "FROM \(quoted(link.parent)) r WHERE \(link.holds(child: "t", parent: "r").text) LIMIT 1"
      var expressions = ["(SELECT \(destination.key(of: "r")) \(rows))"]
      let title = destination.titleKey.flatMap { destination.column(of: $0) }
      if let title { expressions.append("(SELECT substr(r.\(quoted(title)), 1, 80) \(rows))") }
      return (.toOne(destination: destination, hasEntity: false, hasTitle: title != nil), expressions)
    case .referrers(let link, let number):
      let isIndexed =
        schema.isIndexed(link.columns[0], in: link.child) || map[number]?.rowIDColumn == link.columns[0]
      return count(
        rows: "FROM \(quoted(link.child)) r WHERE \(link.holds(child: "r", parent: "t").text)", isIndexed: isIndexed,
        depth: depth)
    case nil: return (.nothing, [])
    }
  }

  /// The head and the length in bytes.
  ///
  /// Nothing of a long value is read for a grid. A number in the column comes whole, as does what may be the name of a file.
  private static func bytes(_ value: String, isTagged: Bool, depth: Depth) -> [String] {
    let short = "typeof(\(value)) IN ('integer', 'real')" + (isTagged ? " OR length(\(value)) = 38" : "")
    let limit = depth.blobHead + (isTagged ? 1 : 0)
    let head = depth.blobHead > 0 ? "substr(\(value), 1, \(limit))" : "NULL"
    return [
      "CASE WHEN \(short) THEN \(value) ELSE \(head) END",
      "CASE typeof(\(value)) WHEN 'text' THEN length(CAST(\(value) AS BLOB)) ELSE length(\(value)) END",
    ]
  }

  private static func count(table: String, column: String, schema: StoreSchema, depth: Depth) -> (Reader, [String]) {
    count(
      rows: "FROM \(quoted(table)) r WHERE r.\(quoted(column)) = t.Z_PK",
      isIndexed: schema.isIndexed(column, in: table),
      depth: depth)
  }

  private static func count(rows: String, isIndexed: Bool, depth: Depth) -> (Reader, [String]) {
    guard let limit = depth.countLimit else { return (.toMany, ["(SELECT count(*) \(rows))"]) }
    // Without an index every row of the list would read the whole table.
    guard isIndexed else { return (.toMany, ["NULL"]) }
    return (
      .toMany, ["(SELECT nullif(count(*), \(limit + 1)) FROM (SELECT 1 \(rows) LIMIT \(limit + 1)))"]
    )
  }

  /// The cells of the row that the statement stands on.
  func cells(of statement: SQLiteStatement) -> [CellValue] {
    readers.map { cell($0.reader, at: $0.first, of: statement) }
  }

  private func cell(_ reader: Reader, at column: Int32, of statement: SQLiteStatement) -> CellValue {
    switch reader {
    case .nothing: return .null
    case .toMany: return .objects(count: statement.isNull(at: column) ? nil : Int(statement.integer(at: column)))
    case .toOne(let destination, let hasEntity, let hasTitle):
      guard !statement.isNull(at: column) else { return .null }
      var number = destination.number
      if hasEntity, !statement.isNull(at: column + 1) {
        number = Int32(truncatingIfNeeded: statement.integer(at: column + 1))
      }
      return .object(
        ObjectKey(entity: number, primaryKey: statement.integer(at: column)),
        title: hasTitle ? statement.text(at: column + (hasEntity ? 2 : 1)) : nil)
    case .attribute(let type): return attribute(type, at: column, of: statement)
    case .anyClass(let type): return anyClass(type, at: column, of: statement)
    case .bytes(let isTagged): return bytes(isTagged: isTagged, at: column, of: statement)
    }
  }

  private func bytes(isTagged: Bool, at column: Int32, of statement: SQLiteStatement) -> CellValue {
    guard !statement.isNull(at: column + 1) else { return .null }
    let stored = statement.type(at: column)
    if stored == SQLITE_INTEGER || stored == SQLITE_FLOAT { return odd(at: column, of: statement) }
    let count = Int(statement.integer(at: column + 1))
    let head = statement.withBlob(at: column) { Array($0) }
    guard isTagged else { return .bytes(head: head, count: count) }
    if let file = ExternalData.fileName(in: head) { return .odd("in file \(file)") }
    // The tag belongs to the format, not to the value; what is not read is taken to have one.
    let tag = head.first.map { $0 == 1 ? 1 : 0 } ?? min(count, 1)
    return .bytes(head: Array(head.dropFirst(tag).prefix(depth.blobHead)), count: count - tag)
  }

  private func attribute(_ type: NSAttributeType, at column: Int32, of statement: SQLiteStatement) -> CellValue {
    let stored = statement.type(at: column)
    switch type {
    case _ where stored == SQLITE_NULL: return .null
    case .stringAttributeType, .URIAttributeType:
      let length = Int(statement.integer(at: column + 1))
      if stored == SQLITE_BLOB {
        return .bytes(head: statement.withBlob(at: column) { Array($0.prefix(64)) }, count: length)
      }
      guard stored == SQLITE_TEXT else { return odd(at: column, of: statement) }
      return .text(statement.text(at: column) ?? "", length: length)
    case .UUIDAttributeType:
      return statement.withBlob(at: column) { bytes in
        // Also where an edit by hand gave the bytes the storage class of text.
        (stored == SQLITE_BLOB || stored == SQLITE_TEXT) && bytes.count == 16
          ? .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))) : nil
      } ?? odd(at: column, of: statement)
    case _ where stored != SQLITE_INTEGER && stored != SQLITE_FLOAT: return odd(at: column, of: statement)
    case .booleanAttributeType:
      return .boolean(statement.integer(at: column) != 0)
    case .dateAttributeType:
      return .date(Date(timeIntervalSinceReferenceDate: statement.real(at: column)))
    case .decimalAttributeType:
      return .decimal(decimalText(at: column, of: statement))
    case .doubleAttributeType, .floatAttributeType:
      return .real(statement.real(at: column))
    default:
      return stored == SQLITE_INTEGER ? .integer(statement.integer(at: column)) : .real(statement.real(at: column))
    }
  }

  private func decimalText(at column: Int32, of statement: SQLiteStatement) -> String {
    statement.type(at: column) == SQLITE_INTEGER
      ? String(statement.integer(at: column)) : plainDecimal(statement.real(at: column))
  }

  private func odd(at column: Int32, of statement: SQLiteStatement) -> CellValue {
    switch statement.value(at: column) {
    case .null, .test: .null
    case .integer(let value): .odd(String(value))
    case .real(let value): .odd(String(value))
    case .text(let text): .odd(text)
    case .blob(let bytes): .bytes(head: Array(bytes.prefix(64)), count: bytes.count)
    }
  }
}
