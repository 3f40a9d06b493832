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

  /// Whether rows of the entity's list can be of more than one entity.
  var hasSubentities: Bool { numbers.count > 1 }
}
