import Foundation

/// What a Core Data store shows of its model without one: `Z_PRIMARYKEY`, tables, columns and indexes.
struct StoreShape: Sendable {
  /// A column as its table declares it.
  struct Column: Sendable, Hashable {
    let name: String
    /// The declared type, such as `VARCHAR`; empty for none.
    let type: String
  }

  /// The columns of each ordinary table, in their order.
  var tables: [String: [Column]]
  /// The names of all indexes.
  var indexes: Set<String>
  /// The rows of `Z_PRIMARYKEY`.
  var entities: [EntityNumbers.Row]
  /// The entities of which the metadata states hashes.
  ///
  /// Their names are newer than those of `Z_PRIMARYKEY` after a migration that renamed some.
  var hashedNames: Set<String>
}

/// Makes a model of what a store shows, for a store without a model.
///
/// Names are those of columns without the Z, in lower case; types follow the declared ones (CLI.md, "Values in JSON").
/// Everything that a table has becomes a property of the tree's root, since nothing tells which subentity declares it.
/// A key leads to the entity that its companion column or its name gives, or the one of a like name in which all its
/// values are found; an index alone does not tell, and then the number is shown. Nothing but what is sure becomes a
/// relationship, for a wrong one would show wrong objects.
struct ModelInference {
  /// The model; its hashes are none that a store has.
  let model: NSManagedObjectModel
  /// What the tables hold and the model cannot say, one line each.
  private(set) var remarks: [String] = []

  private let shape: StoreShape
  private var entities: [Int32: NSEntityDescription] = [:]

  /// A question about values: whether a column has some, and each is the key of an entity's object.
  struct KeyQuestion: Hashable {
    let table: String
    let column: String
    /// The table of the entity's tree.
    let targetTable: String
    /// The entity's number.
    let target: Int32
  }

  /// Infers a model; numbers and parents that make no tree count as roots.
  ///
  /// `leads` answers questions about values; without it only names count.
  init(_ shape: StoreShape, leads: (KeyQuestion) -> Bool = { _ in false }) {
    self.shape = shape
    model = NSManagedObjectModel()
    model.isInferred = true
    makeEntities()
    for number in entities.keys.sorted() {
      guard let entity = entities[number], entity.superentity == nil else { continue }
      addColumns(to: entity, leads)
    }
    for table in shape.tables.keys.sorted() { addJoin(table) }
  }

  // MARK: Entities

  /// Numbers from 16000 on are the framework's own entities, whose tables begin with an A.
  static let firstOwnNumber: Int32 = 16_000

  private mutating func makeEntities() {
    let rows = shape.entities.filter { $0.number > 0 && $0.number < Self.firstOwnNumber }
    let renamed = renaming(rows)
    var names: Set<String> = []
    var pairs: [(entity: NSEntityDescription, row: EntityNumbers.Row)] = []
    for row in rows where entities[row.number] == nil && names.insert(renamed[row.name] ?? row.name).inserted {
      let entity = NSEntityDescription()
      entity.name = renamed[row.name] ?? row.name
      entity.renamingIdentifier = row.name
      entities[row.number] = entity
      pairs.append((entity, row))
    }
    let parents = pairs.map { (entity: $0.entity, parent: entities[$0.row.parent]) }
    do {
      try InheritanceBuilder.link(parents)
    } catch {
      remarks.append("the parents in Z_PRIMARYKEY make no tree")
    }
    model.entities = pairs.map(\.entity)
  }

  /// The new name of the one entity that the metadata knows under another name than `Z_PRIMARYKEY`.
  private func renaming(_ rows: [EntityNumbers.Row]) -> [String: String] {
    let stored = Set(rows.map(\.name))
    let old = stored.subtracting(shape.hashedNames)
    let new = shape.hashedNames.subtracting(stored)
    guard old.count == 1, new.count == 1, let from = old.first, let to = new.first else { return [:] }
    return [from: to]
  }

  private func tree(_ entity: NSEntityDescription) -> [NSEntityDescription] {
    [entity] + entity.subentities.flatMap(tree)
  }

  // MARK: Columns

  private mutating func addColumns(to root: NSEntityDescription, _ leads: (KeyQuestion) -> Bool) {
    guard let table = table(of: root), let columns = shape.tables[table] else { return }
    var rest = columns.filter { !["Z_PK", "Z_ENT", "Z_OPT"].contains($0.name) }
    let present = Set(rest.map(\.name))
    var explained: Set<String> = []
    // `Z<n>_REL` beside `ZREL` holds the number of the entity that the key leads to.
    var companions: [Substring: (column: String, entity: NSEntityDescription)] = [:]
    for name in present {
      let rest = name.dropFirst().drop { $0.isASCII && $0.isNumber }
      guard name.hasPrefix("Z"), rest.hasPrefix("_"), let number = Int32(name.dropFirst().prefix { $0 != "_" }),
        let entity = entities[number], present.contains("Z" + rest.dropFirst())
      else { continue }
      companions[rest.dropFirst()] = (name, entity)
    }
    let byName = Dictionary(grouping: entities.values) { $0.name?.uppercased() ?? "" }
    for column in rest where Self.propertyName(of: column.name) != nil && Self.isInteger(column.type) {
      let companion = companions[column.name.dropFirst()]
      if let companion { explained.insert(companion.column) }
      let isIndexed = shape.indexes.contains("\(table)_\(column.name)_INDEX")
      guard
        let target = companion?.entity
          ?? (isIndexed ? named(String(column.name.dropFirst()), byName, in: table, leads) : nil)
      else { continue }
      addToOne(column.name, of: root, to: target, isOrdered: present.contains("Z_FOK_" + column.name.dropFirst()))
      explained.formUnion([column.name, "Z_FOK_" + column.name.dropFirst()])
    }
    for column in rest where !explained.contains(column.name) && addKeyWithoutInverse(column, in: root, present) {
      explained.formUnion([column.name, "Z_FOK_" + column.name.dropFirst()])
    }
    rest.removeAll { explained.contains($0.name) }
    for column in rest {
      guard let name = Self.propertyName(of: column.name) else {
        remarks.append("column \(column.name) of table \(table) is none of Core Data's")
        continue
      }
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = Self.type(declared: column.type)
      add(attribute, to: root)
    }
  }

  /// The table of a tree, which is called like its root, or like the root before a migration renamed it.
  private func table(of root: NSEntityDescription) -> String? {
    [root.name, root.renamingIdentifier].compactMap { $0.map { "Z" + $0.uppercased() } }
      .first { shape.tables[$0] != nil }
  }

  /// The one entity that a key is called like, or in part like: then its values have to be found there.
  ///
  /// An entity with subentities would show in a companion column.
  private func named(
    _ key: String, _ byName: [String: [NSEntityDescription]], in table: String, _ leads: (KeyQuestion) -> Bool
  ) -> NSEntityDescription? {
    if let exact = byName[key] { return exact.count == 1 && exact[0].subentities.isEmpty ? exact[0] : nil }
    let alike = byName.filter { name, _ in
      min(name.count, key.count) >= 4 && (name.hasSuffix(key) || key.hasSuffix(name))
    }
    .flatMap(\.value)
    guard alike.count == 1, alike[0].subentities.isEmpty, let target = self.table(of: alike[0].rootEntity),
      let number = entities.first(where: { $0.value === alike[0] })?.key
    else { return nil }
    let question = KeyQuestion(table: table, column: "Z" + key, targetTable: target, target: number)
    return leads(question) ? alike[0] : nil
  }

  private mutating func addToOne(
    _ column: String, of root: NSEntityDescription, to target: NSEntityDescription, isOrdered: Bool
  ) {
    guard let name = Self.propertyName(of: column) else { return }
    let key = Self.relationship(name, to: target, maxCount: 1)
    add(key, to: root)
    // The other end exists in every model that Xcode accepts without a warning; its name is not stored anywhere.
    let back = Self.relationship("\((root.name ?? "").lowercased())_\(name)", to: root, maxCount: 0)
    back.isOrdered = isOrdered
    guard add(back, to: target) else { return }
    (key.inverseRelationship, back.inverseRelationship) = (back, key)
  }

  /// `Z<n>REL` on the destination's table: a to-many relationship of entity n that nothing leads back from.
  private mutating func addKeyWithoutInverse(
    _ column: StoreShape.Column, in root: NSEntityDescription, _ present: Set<String>
  ) -> Bool {
    guard Self.isInteger(column.type), let (number, name) = Self.numbered(column.name.dropFirst()),
      let source = entities[number]
    else { return false }
    let relationship = Self.relationship(name, to: root, maxCount: 0)
    relationship.isOrdered = present.contains("Z_FOK_" + column.name.dropFirst())
    return add(relationship, to: source)
  }

  // MARK: Many-to-many

  /// `Z_<n>REL` with `Z_<n>INVERSE` and `Z_<m>REL`, or with `REFLEXIVE` for a relationship that is its own inverse.
  private mutating func addJoin(_ table: String) {
    guard table.hasPrefix("Z_"), let (number, name) = Self.numbered(table.dropFirst(2)), let source = entities[number]
    else { return }
    let columns = (shape.tables[table] ?? []).map(\.name)
    let keys = columns.filter { !$0.hasPrefix("Z_FOK_") }
    if keys.count == 2, let own = keys.firstIndex(of: "REFLEXIVE"), keys[1 - own] == "Z_\(number)\(name.uppercased())" {
      let relationship = Self.relationship(name, to: source, maxCount: 0)
      if add(relationship, to: source) { relationship.inverseRelationship = relationship }
      return
    }
    let ends = keys.compactMap { key in
      key.hasPrefix("Z_")
        ? Self.numbered(key.dropFirst(2)).map { (column: key, number: $0.number, name: $0.name) } : nil
    }
    // The column with the destination's keys is called like the table, sometimes with a digit more or less.
    guard keys.count == 2, ends.count == 2,
      let forth = ends.firstIndex(where: { $0.name == name })
        ?? ends.firstIndex(where: { Self.isAlike($0.name, name) }),
      let target = entities[ends[forth].number], ends[1 - forth].number == number
    else {
      remarks.append("table \(table) is no join table that can be read")
      return
    }
    let relationship = Self.relationship(name, to: target, maxCount: 0)
    let inverse = Self.relationship(ends[1 - forth].name, to: source, maxCount: 0)
    relationship.isOrdered = columns.contains("Z_FOK_" + ends[forth].column.dropFirst(2))
    inverse.isOrdered = columns.contains("Z_FOK_" + ends[1 - forth].column.dropFirst(2))
    guard add(relationship, to: source) else { return }
    guard add(inverse, to: target) else {
      source.properties = source.properties.filter { $0 !== relationship }
      return
    }
    (relationship.inverseRelationship, inverse.inverseRelationship) = (inverse, relationship)
  }

  private static func isAlike(_ name: String, _ other: String) -> Bool {
    func trimmed(_ text: String) -> Substring {
      var rest = text[...]
      while rest.last?.isNumber == true { rest.removeLast() }
      return rest
    }
    return trimmed(name) == trimmed(other)
  }

  // MARK: Names and types

  /// Adds a property unless its name is taken in the tree, and then says so.
  @discardableResult
  private mutating func add(_ property: NSPropertyDescription, to entity: NSEntityDescription) -> Bool {
    let tree = tree(entity.rootEntity)
    guard !tree.contains(where: { $0.declaredProperties.contains { $0.name == property.name } }) else {
      remarks.append("\(entity.name ?? "").\(property.name) is called like another property")
      return false
    }
    entity.properties += [property]
    return true
  }

  private static func relationship(
    _ name: String, to target: NSEntityDescription, maxCount: Int
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = target
    relationship.maxCount = maxCount
    relationship.deleteRule = .noActionDeleteRule
    return relationship
  }

  /// The name that gives the column again by the format's rule; nil for a column that no property has.
  private static func propertyName(of column: String) -> String? {
    guard column.hasPrefix("Z"), column.count > 1 else { return nil }
    let plain = String(column.dropFirst())
    let name = plain.lowercased()
    if name.uppercased() == plain { return name }
    return plain.uppercased() == plain ? plain : nil
  }

  /// A number and the name behind it.
  private static func numbered(_ text: Substring) -> (number: Int32, name: String)? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard let number = Int32(digits), digits.count < text.count else { return nil }
    let name = text.dropFirst(digits.count)
    guard name.first != "_" || !name.dropFirst().isEmpty else { return nil }
    return propertyName(of: "Z" + name).map { (number, $0) }
  }

  private static func isInteger(_ type: String) -> Bool { type.isEmpty || type.uppercased() == "INTEGER" }

  private static func type(declared type: String) -> NSAttributeType {
    switch type.uppercased() {
    case "INTEGER": .integer64AttributeType
    case "FLOAT": .doubleAttributeType
    case "TIMESTAMP": .dateAttributeType
    case "DECIMAL": .decimalAttributeType
    case "BLOB": .binaryDataAttributeType
    // A table that somebody made anew without types shows what it has as text.
    default: .stringAttributeType
    }
  }
}
