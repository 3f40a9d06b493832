import Foundation

extension ModelArchiveWriter {
  /// Writes a property as an entity lists it.
  mutating func write(_ property: NSPropertyDescription, in entity: NSEntityDescription) throws {
    try fill(reference(to: property, in: entity), with: property, in: entity)
  }

  private mutating func fill(
    _ target: Reference, with property: NSPropertyDescription, in entity: NSEntityDescription
  ) throws {
    var entries = try common(property) + [Entry("NSEntity", reference(to: entity).value)]
    switch property {
    case let attribute as NSAttributeDescription: entries += try facts(of: attribute, in: entity)
    case let relationship as NSRelationshipDescription: entries += facts(of: relationship)
    case let fetched as NSFetchedPropertyDescription:
      let template = fetched.template ?? FetchRequestTemplate()
      entries.append(Entry("NSFetchRequest", try write(template).value))
      entries.append(Entry("_NSFetchRequestEntityName", archive.add(template.entityName).value))
    case let expression as NSExpressionDescription:
      entries.append(Entry("NSExpression", try expression.modelExpression.map { try write($0).value } ?? .uid(0)))
      entries.append(Entry("NSExpressionResultType", .integer(Int64(expression.expressionResultType.rawValue))))
    default: break
    }
    archive.fill(target, class: Self.classChain(of: property), entries)
  }

  private static func classChain(of property: NSPropertyDescription) -> [String] {
    let attribute = ["NSAttributeDescription", "NSPropertyDescription", "NSObject"]
    switch property {
    case is NSDerivedAttributeDescription: return ["NSDerivedAttributeDescription"] + attribute
    case is NSCompositeAttributeDescription: return ["NSCompositeAttributeDescription"] + attribute
    case is NSAttributeDescription: return attribute
    case is NSRelationshipDescription: return ["NSRelationshipDescription", "NSPropertyDescription", "NSObject"]
    case is NSFetchedPropertyDescription: return ["NSFetchedPropertyDescription", "NSPropertyDescription", "NSObject"]
    case is NSExpressionDescription: return ["NSExpressionDescription", "NSPropertyDescription", "NSObject"]
    default: return ["NSPropertyDescription", "NSObject"]
    }
  }

  private mutating func common(_ property: NSPropertyDescription) throws -> [Entry] {
    var entries = [
      Entry("NSPropertyName", archive.add(property.name).value),
      Entry("NSRenamingIdentifier", archive.add(property.renamingIdentifier).value),
      Entry("_P", .integer(Self.summary(of: property))),
    ]
    let flags = [
      ("NSIsOptional", property.isOptional), ("NSIsTransient", property.isTransient),
      ("NSIsReadOnly", property.isReadOnly), ("NSIsIndexed", property.isIndexed),
      ("NSIndexedBySpotlight", property.isIndexedBySpotlight),
    ]
    for (name, flag) in flags where flag { entries.append(Entry(name, .bool(true))) }
    if let modifier = property.versionHashModifier {
      entries.append(Entry("NSVersionHashModifier", archive.add(modifier).value))
    }
    if let info = property.userInfo, !info.isEmpty {
      entries.append(Entry("NSUserInfo", archive.add(value: info).value))
    }
    if !property.validationConditions.isEmpty {
      let predicates = try property.validationConditions.map { try write($0) }
      let warnings = property.validationWarnings.map { archive.add(value: $0) }
      let array = KeyedArchiveWriter.Class.array
      entries.append(Entry("NSValidationPredicates", archive.collection(class: array, predicates).value))
      entries.append(Entry("NSValidationWarnings", archive.collection(class: array, warnings).value))
    }
    return entries
  }

  /// `_P`, the flags in one number; the formula holds for all 1,631 properties of the known archives.
  private static func summary(of property: NSPropertyDescription) -> Int64 {
    let isOrdered = (property as? NSRelationshipDescription)?.isOrdered ?? false
    let isEncrypted = (property as? NSAttributeDescription)?.allowsCloudEncryption ?? false
    let bits: [(Int64, Bool)] = [
      (0x1, true), (0x2, property.isOptional), (0x4, property.isReadOnly), (0x8, property.isTransient),
      (0x30, property.validationConditions.isEmpty), (0x40, property.userInfo?.isEmpty ?? true),
      (0x80, property.versionHashModifier == nil), (0x100, property.isIndexedBySpotlight), (0x400, isOrdered),
      (0x800, isEncrypted),
    ]
    return bits.reduce(0) { $0 | ($1.1 ? $1.0 : 0) }
  }

  private mutating func facts(
    of attribute: NSAttributeDescription, in entity: NSEntityDescription
  ) throws -> [Entry] {
    let defaultReference =
      try attribute.archivedDefaultValue.map { try copy($0) } ?? archive.add(value: attribute.defaultValue)
    let flags =
      (attribute.allowsExternalBinaryDataStorage ? ArchivedAttributeFlags.externalStorage : 0)
      | (attribute.preservesValueInHistoryOnDeletion ? ArchivedAttributeFlags.preservedInHistory : 0)
    var entries = [
      Entry("NSAttributeType", .integer(Int64(attribute.attributeType.rawValue))),
      Entry("NSAttributeValueClassName", archive.add(attribute.attributeValueClassName).value),
      Entry("NSDefaultValue", defaultReference.value),
      Entry("NSValueTransformerName", archive.add(attribute.valueTransformerName).value),
      Entry("NSFlagsKey", .integer(Int64(flags))),
    ]
    if attribute.allowsCloudEncryption { entries.append(Entry("NSAllowsCloudEncryption", .bool(true))) }
    if let derived = attribute as? NSDerivedAttributeDescription {
      entries.append(Entry("NSDerivationExpression", try derived.derivation.map { try write($0).value } ?? .uid(0)))
      entries.append(Entry("NSFilteringPredicate", try derived.filter.map { try write($0).value } ?? .uid(0)))
    }
    if let composite = attribute as? NSCompositeAttributeDescription {
      var parts: [Reference] = []
      for element in composite.elements {
        let reference = archive.reserve()
        try fill(reference, with: element, in: entity)
        parts.append(reference)
      }
      entries.append(Entry("NSElements", archive.collection(class: KeyedArchiveWriter.Class.array, parts).value))
    }
    return entries
  }

  private mutating func facts(of relationship: NSRelationshipDescription) -> [Entry] {
    let destination = relationship.destinationEntity
    let inverse = relationship.inverseRelationship
    var entries = [
      Entry("NSDestinationEntity", (destination.map { reference(to: $0) } ?? .null).value),
      Entry("_NSDestinationEntityName", archive.add(destination?.name).value),
      Entry("NSInverseRelationship", (inverse.map { reference(to: $0) } ?? .null).value),
      Entry("_NSInverseRelationshipName", archive.add(inverse?.name).value),
      Entry("NSMinCount", .integer(Int64(relationship.minCount))),
      Entry("NSMaxCount", .integer(Int64(relationship.maxCount))),
      Entry("NSDeleteRule", .integer(Int64(relationship.deleteRule.rawValue))),
    ]
    if relationship.isOrdered { entries.append(Entry("NSIsOrdered", .bool(true))) }
    return entries
  }

  /// Writes an index of an entity.
  mutating func write(_ index: NSFetchIndexDescription, of entity: NSEntityDescription) throws -> Reference {
    let target = archive.reserve()
    var elements: [Reference] = []
    for element in index.elements {
      var entries = [
        Entry("NSPropertyName", archive.add(element.propertyName).value),
        Entry("NSFetchIndexElementType", .integer(Int64(element.collationType.rawValue))),
        Entry("NSFetchIndexDescription", target.value),
      ]
      if element.isAscending { entries.append(Entry("NSAscending", .bool(true))) }
      if element.property is NSExpressionDescription {
        let expression = archive.reserve()
        try fill(expression, with: element.property, in: entity)
        entries.append(Entry("NSIndexedProperty", expression.value))
      }
      elements.append(archive.object(class: ["NSFetchIndexElementDescription", "NSObject"], entries))
    }
    let list = archive.collection(class: KeyedArchiveWriter.Class.array, elements)
    archive.fill(
      target, class: ["NSFetchIndexDescription", "NSObject"],
      [
        Entry("NSIndexName", archive.add(index.name).value),
        Entry("NSIndexElements", list.value),
        Entry("NSPartialIndexPredicate", try index.partialCondition.map { try write($0).value } ?? .uid(0)),
        Entry("NSEntity", reference(to: entity).value),
      ])
    return target
  }
}
