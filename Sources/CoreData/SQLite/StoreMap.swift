import Foundation

/// How a model's entities and properties lie in one store's tables (reference/FORMAT.md, "Entity tables", "Many-to-many").
///
/// Entity numbers come from `Z_PRIMARYKEY`; column names follow the format's rules and are checked against the real
/// schema. What does not fit is left out and told in `remarks`.
struct StoreMap: Sendable {
  /// In the order of their numbers.
  let entities: [EntityMap]
  /// What does not fit, one line each.
  let remarks: [String]
  private let byNumber: [Int32: Int]
  private let byName: [String: Int]

  subscript(number: Int32) -> EntityMap? { byNumber[number].map { entities[$0] } }
  subscript(name: String) -> EntityMap? { byName[name].map { entities[$0] } }

  init(model: NSManagedObjectModel, numbers rows: [EntityNumbers.Row], schema: StoreSchema) {
    let numbers = EntityNumbers(model: model, rows: rows)
    var builder = StoreMapBuilder(schema: schema, numbers: numbers)
    let all = model.entities.filter { numbers.number(of: $0) != nil }
    for root in all where root.superentity == nil { builder.nameColumns(ofTree: root) }
    let maps = all.compactMap { builder.map(of: $0) }.sorted { $0.number < $1.number }
    for entity in model.entities where numbers.number(of: entity) == nil && !entity.isAbstract {
      builder.remarks.append("entity \(entity.name ?? "?") of the model is not in this store")
    }
    self.init(entities: maps, remarks: builder.remarks)
  }

  /// A map of entities in the order of their numbers.
  init(entities maps: [EntityMap], remarks: [String]) {
    entities = maps
    self.remarks = remarks
    byNumber = Dictionary(maps.enumerated().map { ($1.number, $0) }, uniquingKeysWith: { first, _ in first })
    // A model that was read from a file can name two entities alike.
    byName = Dictionary(maps.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// Works out tables and columns, one entity after the other.
private struct StoreMapBuilder {
  let schema: StoreSchema
  let numbers: EntityNumbers
  var remarks: [String] = []
  /// The column of each declared attribute and to-one relationship: `Entity.property` to `ZCOLUMN`.
  private var columns: [String: String] = [:]

  init(schema: StoreSchema, numbers: EntityNumbers) {
    self.schema = schema
    self.numbers = numbers
  }

  /// Names the columns of one inheritance tree: a name used twice gets 1, 2, … by ascending number of the declaring entity.
  mutating func nameColumns(ofTree root: NSEntityDescription) {
    var used: Set<String> = []
    for entity in Self.tree(root).sorted(by: { number($0) < number($1) }) {
      for (name, property) in entity.propertiesByName.sorted(by: { $0.key < $1.key })
      where Self.declaring(name, in: entity) === entity && Self.hasColumn(property) {
        let plain = "Z" + name.uppercased()
        var column = plain
        var suffix = 0
        while !used.insert(column).inserted {
          suffix += 1
          column = plain + String(suffix)
        }
        columns[Self.key(entity, name)] = column
      }
    }
  }

  mutating func map(of entity: NSEntityDescription) -> EntityMap? {
    guard let number = numbers.number(of: entity), let name = entity.name else { return nil }
    let root = Self.root(of: entity)
    guard let table = tableName(of: root) else {
      let wanted = Self.tableName(root.name ?? "")
      let missing = schema.hasTable(wanted) ? " with " + Self.ownColumns.joined(separator: ", ") : ""
      remarks.append("entity \(name) has no table \(wanted)\(missing)")
      return nil
    }
    var properties: [String: PropertyMap] = [:]
    for (key, property) in entity.propertiesByName where !property.isTransient {
      if let map = map(of: property, named: key, in: entity, table: table) {
        properties[key] = map
      } else if !(property is NSFetchedPropertyDescription), Self.declaring(key, in: entity) === entity {
        remarks.append("\(name).\(key) has no column in table \(table)")
      }
    }
    return EntityMap(
      entity: entity, name: name, number: number, table: table,
      numbers: Self.tree(entity).compactMap(numbers.number(of:)).sorted(), ownsTable: entity === root,
      properties: properties, titleKey: StoreMap.titleKey(of: entity, in: properties))
  }

  private func map(
    of property: NSPropertyDescription, named name: String, in entity: NSEntityDescription, table: String
  ) -> PropertyMap? {
    guard let relationship = property as? NSRelationshipDescription else {
      return property is NSAttributeDescription
        ? existingColumn(of: name, in: entity, table: table).map(PropertyMap.attribute) : nil
    }
    guard let target = relationship.destinationEntity, let destination = numbers.number(of: target) else { return nil }
    if !relationship.isToMany {
      guard let column = existingColumn(of: name, in: entity, table: table) else { return nil }
      let entityColumn = "Z\(destination)_\(column.dropFirst())"
      return .toOne(
        column: column, entityColumn: schema.hasColumn(entityColumn, in: table) ? entityColumn : nil,
        destination: destination)
    }
    guard let targetTable = tableName(of: Self.root(of: target)) else { return nil }
    if let inverse = relationship.inverseRelationship, inverse.isToMany {
      return join(relationship, named: name, in: entity, inverse: inverse, target: target, destination: destination)
    }
    if let inverse = relationship.inverseRelationship {
      guard let column = existingColumn(of: inverse.name, in: target, table: targetTable) else { return nil }
      return .inverse(
        table: targetTable, column: column, orderColumn: orderColumn("Z_FOK_\(column.dropFirst())", in: targetTable),
        destination: destination)
    }
    // Without an inverse the key lies on the destination's table, named after the source's number.
    for source in Self.line(of: entity).compactMap(numbers.number(of:)) {
      let column = "Z\(source)\(name.uppercased())"
      if schema.hasColumn(column, in: targetTable) {
        return .inverse(
          table: targetTable, column: column,
          orderColumn: orderColumn("Z_FOK_\(source)\(name.uppercased())", in: targetTable), destination: destination)
      }
    }
    return nil
  }

  /// A many-to-many relationship: either side may have named the table, and a name taken already got a digit.
  private func join(
    _ relationship: NSRelationshipDescription, named name: String, in entity: NSEntityDescription,
    inverse: NSRelationshipDescription, target: NSEntityDescription, destination: Int32
  ) -> PropertyMap? {
    let sources = Self.line(of: entity).compactMap(numbers.number(of:))
    let targets = Self.line(of: target).compactMap(numbers.number(of:))
    let tables =
      sources.map { "Z_\($0)\(name.uppercased())" } + targets.map { "Z_\($0)\(inverse.name.uppercased())" }
    let isOwnInverse = inverse.name == name && target === entity
    for table in tables {
      guard let columns = schema.columns[table] else { continue }
      let source = Self.column(in: columns, numbers: sources, name: inverse.name, besides: nil)
      let target =
        isOwnInverse
        ? columns.first { $0 == "REFLEXIVE" }
        : Self.column(in: columns, numbers: targets, name: name, besides: source)
      guard let source, let target else { continue }
      return .join(
        table: table, source: source, target: target,
        orderColumn: orderColumn("Z_FOK_\(target.dropFirst(2))", in: table),
        destination: destination)
    }
    return nil
  }

  private static func column(in columns: [String], numbers: [Int32], name: String, besides other: String?) -> String? {
    for number in numbers {
      let plain = "Z_\(number)\(name.uppercased())"
      if let exact = columns.first(where: { $0 == plain && $0 != other }) { return exact }
      let suffixed = columns.first {
        $0 != other && $0.hasPrefix(plain) && $0.dropFirst(plain.count).allSatisfy(\.isNumber)
      }
      if let suffixed { return suffixed }
    }
    return nil
  }

  private func existingColumn(of name: String, in entity: NSEntityDescription, table: String) -> String? {
    guard let column = columns[Self.key(Self.declaring(name, in: entity), name)] else { return nil }
    return schema.hasColumn(column, in: table) ? column : nil
  }

  private func orderColumn(_ column: String, in table: String) -> String? {
    schema.hasColumn(column, in: table) ? column : nil
  }

  /// The table of a tree; a tree whose root was renamed by a migration may still have the old table.
  private func tableName(of root: NSEntityDescription) -> String? {
    [root.name, numbers.storedName(of: root)].compactMap { $0 }.map(Self.tableName).first { table in
      Self.ownColumns.allSatisfy { schema.hasColumn($0, in: table) }
    }
  }

  /// What every table of objects has.
  private static let ownColumns = ["Z_PK", "Z_ENT", "Z_OPT"]

  private func number(_ entity: NSEntityDescription) -> Int32 { numbers.number(of: entity) ?? .max }

  private static func tableName(_ entity: String) -> String { "Z" + entity.uppercased() }

  private static func hasColumn(_ property: NSPropertyDescription) -> Bool {
    if property.isTransient { return false }
    if let relationship = property as? NSRelationshipDescription { return !relationship.isToMany }
    return property is NSAttributeDescription
  }

  private static func key(_ entity: NSEntityDescription, _ property: String) -> String {
    (entity.name ?? "") + "." + property
  }

  private static func root(of entity: NSEntityDescription) -> NSEntityDescription { line(of: entity)[0] }

  /// The entity's ancestors from the root on, itself last.
  private static func line(of entity: NSEntityDescription) -> [NSEntityDescription] {
    (entity.superentity.map(line(of:)) ?? []) + [entity]
  }

  private static func tree(_ entity: NSEntityDescription) -> [NSEntityDescription] {
    [entity] + entity.subentities.flatMap(tree)
  }

  /// The topmost entity of the line that has the property.
  private static func declaring(_ property: String, in entity: NSEntityDescription) -> NSEntityDescription {
    line(of: entity).first { $0.propertiesByName[property] != nil } ?? entity
  }

}

extension StoreMap {
  /// The attribute whose value names an object for people, among those that the tables have.
  static func titleKey(of entity: NSEntityDescription, in properties: [String: PropertyMap]) -> String? {
    let strings = entity.attributesByName.filter { $0.value.attributeType == .stringAttributeType }.keys
      .filter { properties[$0] != nil }.sorted()
    return ["name", "title", "label"].first(where: strings.contains) ?? strings.first
  }
}
