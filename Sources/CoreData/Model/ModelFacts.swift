import Foundation

/// A model as a table: place (entity, property, index) → fact → text.
///
/// What is absent or usual is left out.
struct ModelFacts {
  private(set) var facts: [String: [String: String]] = [:]

  init(_ model: NSManagedObjectModel) {
    var own: [String: String] = [:]
    own["version identifiers"] = model.versionIdentifiers.map { "\($0)" }.sorted().joined(separator: ", ")
    for name in model.configurations {
      let members = model.entities(forConfigurationName: name) ?? []
      own["configuration \(name)"] = members.compactMap(\.name).sorted().joined(separator: ", ")
    }
    for (name, template) in model.fetchRequestTemplates { own["template \(name)"] = Self.text(template) }
    facts[""] = own
    for entity in model.entities { add(entity) }
  }

  private mutating func add(_ entity: NSEntityDescription) {
    let place = entity.name ?? ""
    var own: [String: String] = [:]
    own["class"] = entity.managedObjectClassName
    own["abstract"] = entity.isAbstract ? "yes" : nil
    own["parent"] = entity.superentity?.name
    own["modifier"] = entity.versionHashModifier
    own["renaming"] = entity.renamingIdentifier
    own["user info"] = Self.text(entity.userInfo)
    own["unique"] = Self.text(entity.uniqueAttributeNames)
    own["compound indexes"] = Self.text(entity.compoundIndexNames)
    facts[place] = own
    for property in entity.declaredProperties { facts["\(place).\(property.name)"] = Self.facts(of: property) }
    for index in entity.indexes {
      let elements = index.elements.map { element in
        let expression = (element.property as? NSExpressionDescription)?.modelExpression?.text
        return "\(element.propertyName)\(expression.map { " = " + $0 } ?? "") \(element.collationType)"
          + (element.isAscending ? "" : " descending")
      }
      facts["\(place) index \(index.name)"] = [
        "elements": elements.joined(separator: ", "), "partial": index.partialCondition?.canonicalFormat ?? "",
      ]
    }
  }

  private static func facts(of property: NSPropertyDescription) -> [String: String] {
    var facts: [String: String] = [:]
    facts["kind"] = "\(Swift.type(of: property))"
    facts["optional"] = property.isOptional ? "yes" : nil
    facts["transient"] = property.isTransient ? "yes" : nil
    facts["read-only"] = property.isReadOnly ? "yes" : nil
    facts["indexed"] = property.isIndexed ? "yes" : nil
    facts["Spotlight"] = property.isIndexedBySpotlight ? "yes" : nil
    facts["modifier"] = property.versionHashModifier
    facts["renaming"] = property.renamingIdentifier
    facts["user info"] = text(property.userInfo)
    if !property.validationConditions.isEmpty {
      facts["validation"] = property.validationConditions.map { $0.canonicalFormat ?? "?" }.joined(separator: "; ")
      facts["warnings"] = property.validationWarnings.map { "\($0)" }.joined(separator: "; ")
    }
    switch property {
    case let attribute as NSAttributeDescription: add(attribute, to: &facts)
    case let relationship as NSRelationshipDescription:
      facts["destination"] = relationship.destinationEntity?.name
      facts["inverse"] = relationship.inverseRelationship?.name
      facts["count"] = "\(relationship.minCount)…\(relationship.maxCount)"
      facts["ordered"] = relationship.isOrdered ? "yes" : nil
      facts["delete rule"] = "\(relationship.deleteRule)"
    case let fetched as NSFetchedPropertyDescription: facts["request"] = fetched.template.map(text)
    default: break
    }
    return facts
  }

  private static func add(_ attribute: NSAttributeDescription, to facts: inout [String: String]) {
    facts["type"] = "\(attribute.attributeType)"
    facts["value class"] = attribute.attributeValueClassName
    facts["transformer"] = attribute.valueTransformerName
    facts["default"] =
      attribute.defaultValue.map { text(ofDefault: $0, type: attribute.attributeType) }
      ?? attribute.archivedDefaultValue?.className
    facts["external"] = attribute.allowsExternalBinaryDataStorage ? "yes" : nil
    facts["kept in history"] = attribute.preservesValueInHistoryOnDeletion ? "yes" : nil
    facts["encrypted"] = attribute.allowsCloudEncryption ? "yes" : nil
    if let derived = attribute as? NSDerivedAttributeDescription {
      facts["derivation"] = derived.derivationExpressionText
      facts["filter"] = derived.filter?.canonicalFormat
    }
    if let composite = attribute as? NSCompositeAttributeDescription {
      let parts = composite.elements.map { element in
        let inner = Self.facts(of: element).sorted { $0.key < $1.key }.map { "\($0): \($1)" }
        return "\(element.name) (\(inner.joined(separator: ", ")))"
      }
      facts["parts"] = parts.joined(separator: ", ")
    }
  }

  /// Archives write a Boolean as a number or not; that makes no difference.
  private static func text(ofDefault value: Any, type: NSAttributeType) -> String {
    XMLAttributeValues.text(ofDefault: value, type: type) ?? "\(value)"
  }

  private static func text(_ info: [AnyHashable: Any]?) -> String? {
    guard let info, !info.isEmpty else { return nil }
    return info.map { "\($0): \(UserInfoText.text(of: $1))" }.sorted().joined(separator: ", ")
  }

  private static func text(_ names: [[String]]) -> String? {
    names.isEmpty ? nil : names.map { $0.joined(separator: ".") }.joined(separator: ", ")
  }

  private static func text(_ template: FetchRequestTemplate) -> String {
    let sorts = template.sorts.map { "\($0.key) \($0.isAscending ? "up" : "down") \($0.selector ?? "")" }
    return """
      \(template.entityName ?? "?") where \(template.predicate.map { $0.canonicalFormat ?? "?" } ?? "any") \
      by \(sorts.joined(separator: ", ")) result \(template.resultType) limit \(template.fetchLimit) \
      offset \(template.fetchOffset) batch \(template.fetchBatchSize) \
      \(template.includesSubentities) \(template.includesPropertyValues) \(template.includesPendingChanges) \
      \(template.returnsObjectsAsFaults) \(template.returnsDistinctResults)
      """
  }
}
