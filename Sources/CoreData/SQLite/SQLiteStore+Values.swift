import Foundation

extension SQLiteStore {
  /// Rows looked at from either end of the table, so that the cost does not depend on its size.
  private static let valueSample = 10_000
  /// Longer texts are nothing that a person picks from a list.
  private static let longestValue = 120

  /// Different values of an attribute, the most frequent of those looked at first.
  ///
  /// Strings and numbers begin with `prefix`, whatever its case (of ASCII letters).
  func values(
    of attribute: String, entity name: String, prefix: String, limit: Int, cancellation: FetchCancellation?
  ) throws -> [CellValue] {
    let entity = try map.require(entity: name)
    guard let column = entity.column(of: attribute), let description = entity.entity.attributesByName[attribute] else {
      return []
    }
    let value = "t." + quoted(column)
    var ends: [String] = []
    for ascending in [true, false] {
      var part = Select(entity)
      for expression in entity.keyOrder(of: "t") { part.sort(by: expression, ascending: ascending) }
      ends.append("SELECT * FROM (" + part.sql(columns: [value], limit: Self.valueSample) + ")")
    }
    // The alias and the column are those of the table, so that a list's cells can be read from the sample.
    let columns = ListColumns([attribute], of: entity, map: map, schema: schema, depth: .grid, firstColumn: 0)
    var conditions = ["\(value) IS NOT NULL"]
    var values: [SQLiteValue] = []
    switch description.attributeType {
    case .stringAttributeType, .URIAttributeType: conditions.append("length(\(value)) <= \(Self.longestValue)")
    default: break
    }
    switch description.attributeType {
    case .dateAttributeType, .UUIDAttributeType: break
    default:
      if !prefix.isEmpty {
        conditions.append("\(value) LIKE ? ESCAPE '\\'")
        let escaped = prefix.map { "%_\\".contains($0) ? "\\\($0)" : String($0) }.joined()
        values.append(.text(escaped + "%"))
      }
    }
    let sql =
      "SELECT \(columns.expressions.joined(separator: ", ")) FROM (\(ends.joined(separator: " UNION ALL "))) t"
      + " WHERE \(conditions.joined(separator: " AND ")) GROUP BY \(value) ORDER BY count(*) DESC, \(value) LIMIT \(limit)"
    return try withConnection(cancellation) { connection in
      try connection.withStatement(sql) { statement in
        try statement.bind(values)
        var found: [CellValue] = []
        while try statement.step() { found += columns.cells(of: statement) }
        return found
      }
    }
  }
}
