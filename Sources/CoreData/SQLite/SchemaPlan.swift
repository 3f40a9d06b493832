import Foundation

/// The statements that make a model's tables and indexes, and the entities' numbers.
struct SchemaPlan {
  private(set) var statements: [String] = []
  private(set) var entities: [EntityNumbers.Row] = []
  private var numbers: [ObjectIdentifier: Int32] = [:]
  private var indexes: [String] = []

  private let enforcesUniqueness: Bool

  /// What it takes to store a model, or the entities of one of its configurations.
  init(model: NSManagedObjectModel, configuration: String? = nil, enforcesUniqueness: Bool = true) {
    self.enforcesUniqueness = enforcesUniqueness
    let roots = Self.sorted(
      model.entities.filter { $0.superentity == nil && model.holds($0.name ?? "", in: configuration) })
    for root in roots { number(root, parent: 0) }
    for root in roots {
      table(of: root)
      for entity in Self.tree(root) { joins(of: entity) }
    }
    statements += indexes
    statements += [
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
      "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
    ]
  }

  /// Depth-first, siblings alphabetically whatever their case (reference/ODDITIES.md 4).
  private mutating func number(_ entity: NSEntityDescription, parent: Int32) {
    let number = Int32(entities.count + 1)
    numbers[ObjectIdentifier(entity)] = number
    entities.append(.init(number: number, name: entity.name ?? "", parent: parent, highestKey: 0))
    for child in Self.sorted(entity.subentities) { self.number(child, parent: number) }
  }

  private func number(of entity: NSEntityDescription) -> Int32 { numbers[ObjectIdentifier(entity)] ?? 0 }

  // MARK: Tables

  private struct Column {
    var name: String
    var type: String
    /// The type's group; within it columns of parents come first, then each entity's own in the order of `rank`.
    var group: Int
    var entity: Int
    var rank: Rank
  }

  /// The order of an entity's columns within a group.
  private enum Rank: Int {
    case attribute, key, entityOfKey, place, keyWithoutInverse
  }

  private mutating func table(of root: NSEntityDescription) {
    let table = "Z" + (root.name ?? "").uppercased()
    var used: Set<String> = []
    var names: [ObjectIdentifier: String] = [:]
    var columns: [Column] = []
    let tree = Self.tree(root)
    for (place, entity) in tree.enumerated() {
      for property in entity.declaredProperties.sorted(by: { $0.name < $1.name }) where !property.isTransient {
        guard let type = Self.columnType(of: property) else { continue }
        let name = Self.unused("Z" + property.name.uppercased(), &used)
        names[ObjectIdentifier(property)] = name
        let relationship = property as? NSRelationshipDescription
        columns.append(
          Column(
            name: name, type: type.name, group: type.group, entity: place,
            rank: relationship == nil ? .attribute : .key))
        if let relationship {
          columns += companions(of: relationship, column: name, entity: place)
          index("\(table)_\(name)_INDEX", on: table, [name])
        }
      }
    }
    for relationship in keysWithoutInverse(to: root) {
      let source = relationship.entity.map(number(of:)) ?? 0
      let place = tree.firstIndex { $0 === relationship.destinationEntity } ?? 0
      let name = Self.unused("Z\(source)\(relationship.name.uppercased())", &used)
      columns.append(Column(name: name, type: "INTEGER", group: 0, entity: place, rank: .keyWithoutInverse))
      if relationship.isOrdered {
        columns.append(
          Column(name: "Z_FOK_" + name.dropFirst(), type: "INTEGER", group: 0, entity: place, rank: .keyWithoutInverse))
      }
      index("\(table)_\(name)_INDEX", on: table, [name])
    }
    let ordered = columns.enumerated().sorted { left, right in
      let (one, other) = (left.element, right.element)
      return (one.group, one.entity, one.rank.rawValue, left.offset)
        < (other.group, other.entity, other.rank.rawValue, right.offset)
    }
    let list = ordered.map { ", \($0.element.name) \($0.element.type)" }.joined()
    statements.append("CREATE TABLE \(table) ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER\(list) )")
    if !root.subentities.isEmpty { index("\(table)_Z_ENT_INDEX", on: table, ["Z_ENT"]) }
    for entity in tree { declaredIndexes(of: entity, table: table, columns: names) }
  }

  /// The columns beside a to-one relationship's key: the entity of the other end, and the place in its ordered set.
  private func companions(of relationship: NSRelationshipDescription, column: String, entity: Int) -> [Column] {
    var columns: [Column] = []
    if let destination = relationship.destinationEntity, !destination.subentities.isEmpty {
      let name = "Z\(number(of: destination))_\(column.dropFirst())"
      columns.append(Column(name: name, type: "INTEGER", group: 0, entity: entity, rank: .entityOfKey))
    }
    if relationship.inverseRelationship?.isOrdered ?? false {
      let name = "Z_FOK_\(column.dropFirst())"
      columns.append(Column(name: name, type: "INTEGER", group: 0, entity: entity, rank: .place))
    }
    return columns
  }

  private func keysWithoutInverse(to root: NSEntityDescription) -> [NSRelationshipDescription] {
    let tree = Set(Self.tree(root).map(ObjectIdentifier.init))
    let declared = (root.managedObjectModel?.entities ?? []).sorted { number(of: $0) < number(of: $1) }
      .flatMap(\.declaredProperties)
    return declared.compactMap { $0 as? NSRelationshipDescription }.filter { relationship in
      relationship.isToMany && relationship.inverseRelationship == nil && !relationship.isTransient
        && (relationship.destinationEntity.map { tree.contains(ObjectIdentifier($0)) } ?? false)
    }
  }

  private mutating func joins(of entity: NSEntityDescription) {
    for relationship in entity.declaredProperties.compactMap({ $0 as? NSRelationshipDescription })
      .sorted(by: { $0.name < $1.name })
    {
      guard let join = JoinTable(relationship, number: number(of:)) else { continue }
      statements.append(join.statement)
      index("\(join.table)_\(join.target)_INDEX", on: join.table, [join.target, join.source])
    }
  }

  // MARK: Indexes

  private mutating func index(_ name: String, on table: String, _ columns: [String]) {
    indexes.append("CREATE INDEX \(name) ON \(table) (\(columns.joined(separator: ", ")))")
  }

  private mutating func declaredIndexes(
    of entity: NSEntityDescription, table: String, columns: [ObjectIdentifier: String]
  ) {
    func column(_ name: String) -> String? { entity.propertiesByName[name].flatMap { columns[ObjectIdentifier($0)] } }
    for fetchIndex in entity.indexes {
      let elements = fetchIndex.elements.compactMap { element in
        columns[ObjectIdentifier(element.property)]
          .map { "\($0) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")" }
      }
      guard elements.count == fetchIndex.elements.count, !elements.isEmpty else { continue }
      indexes.append(
        "CREATE INDEX Z_\(entity.name ?? "")_\(fetchIndex.name) ON \(table) (\(elements.joined(separator: ", ")))")
    }
    for constraint in enforcesUniqueness ? entity.uniqueAttributeNames : [] {
      let names = constraint.compactMap(column)
      guard names.count == constraint.count, !names.isEmpty else { continue }
      let list = names.map { $0 + " COLLATE BINARY ASC" }.joined(separator: ", ")
      indexes.append(
        "CREATE UNIQUE INDEX Z_\(entity.name ?? "")_UNIQUE_\(constraint.joined(separator: "_")) ON \(table) (\(list))")
    }
  }

  // MARK: Rules of naming

  /// The declared type of a column and the group in which the format puts it; `nil` for what has no column.
  private static func columnType(of property: NSPropertyDescription) -> (name: String, group: Int)? {
    if let relationship = property as? NSRelationshipDescription {
      return relationship.isToMany ? nil : ("INTEGER", 0)
    }
    switch (property as? NSAttributeDescription)?.attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
      return ("INTEGER", 0)
    case .dateAttributeType: return ("TIMESTAMP", 2)
    case .doubleAttributeType, .floatAttributeType: return ("FLOAT", 2)
    case .decimalAttributeType: return ("DECIMAL", 3)
    case .stringAttributeType, .URIAttributeType: return ("VARCHAR", 4)
    case .UUIDAttributeType: return ("BLOB", 5)
    case .transformableAttributeType: return ("BLOB", 6)
    case .binaryDataAttributeType: return ("BLOB", 7)
    default: return nil
    }
  }

  private static func unused(_ plain: String, _ used: inout Set<String>) -> String {
    var name = plain
    var suffix = 0
    while !used.insert(name).inserted {
      suffix += 1
      name = plain + String(suffix)
    }
    return name
  }

  private static func sorted(_ entities: [NSEntityDescription]) -> [NSEntityDescription] {
    entities.sorted {
      let (left, right) = (($0.name ?? "").lowercased(), ($1.name ?? "").lowercased())
      return left == right ? ($0.name ?? "") < ($1.name ?? "") : left < right
    }
  }

  private static func tree(_ entity: NSEntityDescription) -> [NSEntityDescription] {
    [entity] + sorted(entity.subentities).flatMap(tree)
  }
}

/// The table of a many-to-many relationship, made once for both ends.
private struct JoinTable {
  let table: String
  let source: String
  let target: String
  private let orders: [String]

  /// `nil` unless `relationship` is the end that names the table: the one whose entity has subentities when only one has,
  /// else the one with the lower number; of a pair within one entity the alphabetically last, as most real stores have it
  /// (the rule is not settled, and readers try both).
  init?(_ relationship: NSRelationshipDescription, number: (NSEntityDescription) -> Int32) {
    guard relationship.isToMany, let inverse = relationship.inverseRelationship, inverse.isToMany,
      let from = relationship.entity, let to = inverse.entity
    else { return nil }
    let (name, inverseName) = (relationship.name.uppercased(), inverse.name.uppercased())
    if from === to {
      guard name >= inverseName else { return nil }
    } else if from.subentities.isEmpty != to.subentities.isEmpty {
      guard !from.subentities.isEmpty else { return nil }
    } else {
      guard number(from) < number(to) else { return nil }
    }
    table = "Z_\(number(from))\(name)"
    source = "Z_\(number(from))\(inverseName)"
    target = relationship === inverse ? "REFLEXIVE" : "Z_\(number(to))\(name)"
    orders =
      (inverse.isOrdered ? ["Z_FOK_\(number(from))\(inverseName)"] : [])
      + (relationship.isOrdered && relationship !== inverse ? ["Z_FOK_\(number(to))\(name)"] : [])
  }

  var statement: String {
    let columns = ([source, target] + orders).map { $0 + " INTEGER" }.joined(separator: ", ")
    return "CREATE TABLE \(table) ( \(columns), PRIMARY KEY (\(source), \(target)) )"
  }
}
