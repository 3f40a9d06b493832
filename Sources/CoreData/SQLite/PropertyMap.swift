import Foundation

/// Where a property of an entity lies in the store's tables.
enum PropertyMap: Sendable, Hashable {
  /// An attribute's column.
  case attribute(column: String)
  /// A to-one relationship: the column with the other end's primary key, and the one with its entity number where the
  /// destination has subentities.
  case toOne(column: String, entityColumn: String?, destination: Int32)
  /// A to-many relationship kept by the other end: a column of the destination's table holds this end's primary key.
  case inverse(table: String, column: String, orderColumn: String?, destination: Int32)
  /// A to-many relationship kept in a table of its own.
  case join(table: String, source: String, target: String, orderColumn: String?, destination: Int32)
  /// A to-one relationship by a foreign key of a plain table: the row there that the link's columns name, if there is one.
  case reference(KeyLink, destination: Int32)
  /// The way back: the rows of the destination's table that name this one.
  case referrers(KeyLink, destination: Int32)
}

/// An entity as a store keeps it.
struct EntityMap: Sendable {
  let entity: NSEntityDescription
  /// The entity's name in the model.
  let name: String
  /// Its number, `Z_ENT`.
  let number: Int32
  /// The table of the entity's tree.
  let table: String
  /// The numbers of the entity itself and of all its subentities, ascending.
  let numbers: [Int32]
  /// Whether every row of the table is an object of this entity or of a subentity.
  let ownsTable: Bool
  /// Where each property lies, inherited ones included; what the tables do not have is not in it.
  let properties: [String: PropertyMap]
  /// The attribute whose value names an object for people: name, title, label, the first string attribute.
  let titleKey: String?
  /// What tells the rows of the table apart.
  var key = RowKey.column("Z_PK")
  /// Whether the key is columns of which none is ever missing, as SQLite sees to it in tables without row ids.
  var isKeyedWithoutNull = false
  /// Whether the table is of a plain database: rows have neither entity numbers nor versions.
  var isPlain = false
  /// Whether it is a view of a plain database.
  var isView = false
  /// Whether changed rows are found by their ids, by pages or by comparing.
  var isFollowed = true
  /// The column that is the row id, in a plain table.
  var rowIDColumn: String?
  /// A name of the row id, in a plain table.
  var rowIDName: String?
  /// The columns whose values name a row in its URI, in a plain table whose key is not the row id.
  var namedBy: [String] = []

  /// Whether rows of the entity's list can be of more than one entity.
  var hasSubentities: Bool { numbers.count > 1 }
}
