import Foundation

extension PlainLayout {
  /// The model of the database: one entity for each table and view.
  ///
  /// A column that is NOT NULL is not optional, unless the database fills it by itself. The columns of a foreign key and its
  /// relationship are two ways of saying the same, so neither is demanded by the model: SQLite does that when a save is
  /// written. The delete rule of the way back is the key's `ON DELETE`: CASCADE, SET NULL (nullify), and deny for the others
  /// but SET DEFAULT, which is left to SQLite.
  func makeModel() -> NSManagedObjectModel {
    let descriptions = entities.map { entity in
      let description = NSEntityDescription()
      description.name = entity.table.name
      description.editRefusal = entity.table.whyReadOnly.map { "\(entity.table.name) \($0) and cannot be edited" }
      return description
    }
    var properties = entities.map { entity -> [NSPropertyDescription] in
      let linked = Set(entity.references.flatMap(\.link.columns))
      return entity.table.columns.map { Self.attribute($0, in: entity.table, isLinked: linked.contains($0.name)) }
    }
    for (index, entity) in entities.enumerated() {
      let table = entity.table
      for reference in entity.references {
        let (own, back) = (NSRelationshipDescription(), NSRelationshipDescription())
        (own.name, own.maxCount) = (reference.name, 1)
        own.destinationEntity = descriptions[reference.destination]
        own.isReadOnly =
          table.isReadOnly || reference.link.columns.contains { table.column(named: $0)?.isGenerated ?? false }
        (back.name, back.maxCount) = (reference.inverse, 0)
        back.destinationEntity = descriptions[index]
        back.deleteRule = Self.deleteRule(reference.onDelete)
        (own.inverseRelationship, back.inverseRelationship) = (back, own)
        properties[index].append(own)
        properties[reference.destination].append(back)
      }
    }
    for (description, properties) in zip(descriptions, properties) { description.properties = properties }
    let model = NSManagedObjectModel()
    model.entities = descriptions
    return model
  }

  private static func attribute(_ column: PlainColumn, in table: PlainTable, isLinked: Bool) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = column.name
    // Virtual tables, of full-text search above all, often declare no types: what they hold are mostly texts.
    let isVirtual = table.kind == .virtual && column.type.isEmpty
    attribute.attributeType = isVirtual ? .stringAttributeType : PlainType.attributeType(declared: column.type)
    attribute.holdsAnyClass = true
    attribute.isReadOnly = column.isGenerated || table.isReadOnly
    let literal = PlainType.literal(column.defaultText)
    attribute.defaultValue = literal?.value(of: attribute.attributeType)
    let isFilled = column.name == table.rowIDColumn || column.isGenerated || column.defaultText != nil
    let isKey = table.primaryKey.contains(column.name)
    attribute.isOptional = isLinked || isFilled && attribute.defaultValue == nil || !(column.isNotNull || isKey)
    return attribute
  }

  private static func deleteRule(_ action: String) -> NSDeleteRule {
    switch action {
    case "CASCADE": .cascadeDeleteRule
    case "SET NULL": .nullifyDeleteRule
    case "SET DEFAULT": .noActionDeleteRule
    default: .denyDeleteRule
    }
  }
}

extension PlainTable {
  /// Why no row of it can be edited, in words that follow its name; `nil` where rows can.
  var whyReadOnly: String? {
    switch kind {
    case .view: "is a view"
    case .virtual where rowIDName == nil: "is a virtual table without row ids"
    case .table where rowIDName == nil && primaryKey.isEmpty: "has no key to tell its rows apart by"
    case .table, .virtual: nil
    }
  }

  var isReadOnly: Bool { whyReadOnly != nil }
}
