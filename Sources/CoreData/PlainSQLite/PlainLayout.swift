/// What the tables of a plain database are as entities: attributes for columns, relationships for foreign keys, both ways.
///
/// Everything has the name that it has in the file. A relationship is named after its column (`customer_id` leads to
/// `customer`), the way back after the table that the rows lie in.
struct PlainLayout: Sendable {
  /// A relationship for a foreign key.
  struct Reference: Sendable {
    /// The name of the to-one relationship, and that of the way back at the other entity.
    var name: String
    var inverse: String
    /// Which of the entities it leads to.
    var destination: Int
    var link: KeyLink
    /// `ON DELETE`, in capitals.
    var onDelete: String
  }
  struct Entity: Sendable {
    var table: PlainTable
    var references: [Reference] = []
  }

  private(set) var entities: [Entity]
  private(set) var remarks: [String]

  init(_ schema: PlainSchema) {
    entities = schema.tables.map { Entity(table: $0) }
    remarks = schema.remarks
    var names = PlainNames(schema.tables)
    let places = Dictionary(
      schema.tables.enumerated().map { ($1.name.asciiLowercased, $0) }, uniquingKeysWith: { first, _ in first })
    for (index, table) in schema.tables.enumerated() {
      for key in table.foreignKeys {
        let what = "\(table.name): the foreign key (\(key.columns.joined(separator: ", ")))"
        guard let destination = places[key.table.asciiLowercased] else {
          remarks.append("\(what) leads to \(key.table), which is not there")
          continue
        }
        guard let link = KeyLink(key, of: table, to: schema.tables[destination]) else {
          remarks.append("\(what) does not lead to a key of \(schema.tables[destination].name)")
          continue
        }
        // Two keys over the same columns to the same table are one.
        guard !entities[index].references.contains(where: { $0.link == link }) else { continue }
        let (name, inverse) = names.name(link, from: index, to: destination)
        entities[index].references.append(
          Reference(name: name, inverse: inverse, destination: destination, link: link, onDelete: key.onDelete))
      }
    }
  }
}

/// How rows of one table name a row of another: columns here, columns of a key there.
struct KeyLink: Hashable, Sendable {
  let child: String
  let columns: [String]
  let parent: String
  let parentColumns: [String]
  /// How each pair is compared: as the other table's key is.
  let collations: [String]

  /// The link that a foreign key means; `nil` where the other table has no such key, as SQLite demands one.
  init?(_ key: PlainForeignKey, of child: PlainTable, to parent: PlainTable) {
    let named = key.parentColumns.isEmpty ? parent.primaryKey : key.parentColumns
    let parentColumns = named.compactMap { parent.column(named: $0)?.name }
    let columns = key.columns.compactMap { child.column(named: $0)?.name }
    guard !columns.isEmpty, columns.count == key.columns.count, parentColumns.count == columns.count,
      named.count == columns.count
    else { return nil }
    if parentColumns == [parent.rowIDColumn] {
      collations = ["BINARY"]
    } else if let unique = parent.uniqueKeys.first(where: { Set($0.columns) == Set(parentColumns) }) {
      let known = Dictionary(zip(unique.columns, unique.collations), uniquingKeysWith: { first, _ in first })
      collations = parentColumns.map { known[$0] ?? "BINARY" }
    } else {
      return nil
    }
    (self.child, self.columns, self.parent, self.parentColumns) = (child.name, columns, parent.name, parentColumns)
  }
}
