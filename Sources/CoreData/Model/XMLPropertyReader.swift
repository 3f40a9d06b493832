import Foundation

/// Reads properties, indexes and fetch requests of a model's XML.
struct XMLPropertyReader {
  let entities: [String: NSEntityDescription]
  private let composites: [String: XMLElementNode]
  private let parts = PartBudget()

  init(entities: [String: NSEntityDescription], composites: [XMLElementNode]) {
    self.entities = entities
    self.composites = Dictionary(
      composites.compactMap { element in element["name"].map { ($0, element) } }, uniquingKeysWith: { $1 })
  }

  /// The property of a child of an entity; nil for other children.
  ///
  /// - Throws: `ArchiveError` when a composite contains itself.
  func property(_ element: XMLElementNode, depth: Int = 16) throws -> NSPropertyDescription? {
    let property: NSPropertyDescription
    switch element.name {
    case "attribute": property = try attribute(element, depth: depth)
    case "relationship": property = relationship(element)
    case "fetchedProperty":
      let fetched = NSFetchedPropertyDescription()
      fetched.template = element.first("fetchRequest").map(template) ?? FetchRequestTemplate()
      property = fetched
    default: return nil
    }
    property.name = element["name"] ?? ""
    property.isOptional = element.isYes("optional")
    if element.isYes("transient") { property.isTransient = true }
    property.isIndexed = element.isYes("indexed")
    property.isIndexedBySpotlight = element.isYes("spotlightIndexingEnabled")
    property.versionHashModifier = element["versionHashModifier"]
    property.renamingIdentifier = element["elementID"]
    property.userInfo = userInfo(element)
    return property
  }

  private func attribute(_ element: XMLElementNode, depth: Int) throws -> NSAttributeDescription {
    let type = Self.types[element["attributeType"] ?? ""] ?? .undefinedAttributeType
    let attribute: NSAttributeDescription
    if element.isYes("derived") {
      let derived = NSDerivedAttributeDescription()
      derived.derivation = element["derivationExpression"].map(ModelExpression.init(text:))
      attribute = derived
    } else if type == .compositeAttributeType {
      guard depth > 0 else { throw ArchiveError("a composite of the model contains itself") }
      let composite = NSCompositeAttributeDescription()
      composite.compositeName = element["composite"]
      let definition = element["composite"].flatMap { composites[$0] }?.children ?? []
      composite.elements = try definition.compactMap { part in
        guard parts.spend() else { throw ArchiveError("the composites of the model have too many parts") }
        return try property(part, depth: depth - 1) as? NSAttributeDescription
      }
      attribute = composite
    } else {
      attribute = NSAttributeDescription()
    }
    attribute.attributeType = type
    if let name = element["customClassName"] { attribute.attributeValueClassName = name }
    attribute.valueTransformerName = element["valueTransformerName"]
    attribute.allowsExternalBinaryDataStorage = element.isYes("allowsExternalBinaryDataStorage")
    attribute.preservesValueInHistoryOnDeletion = element.isYes("preserveAfterDeletion")
    attribute.allowsCloudEncryption = element.isYes("allowsCloudEncryption")
    attribute.defaultValue = XMLAttributeValues.defaultValue(element, type: type)
    let rules = XMLAttributeValues.validation(element, type: type)
    attribute.validationConditions = rules.map(\.condition)
    attribute.validationWarnings = rules.map { NSNumber(value: $0.warning) }
    return attribute
  }

  /// `attributeType` as Xcode writes it.
  private static let types: [String: NSAttributeType] = [
    "Integer 16": .integer16AttributeType, "Integer 32": .integer32AttributeType,
    "Integer 64": .integer64AttributeType, "Decimal": .decimalAttributeType, "Double": .doubleAttributeType,
    "Float": .floatAttributeType, "String": .stringAttributeType, "Boolean": .booleanAttributeType,
    "Date": .dateAttributeType, "Binary": .binaryDataAttributeType, "UUID": .UUIDAttributeType,
    "URI": .URIAttributeType, "Transformable": .transformableAttributeType, "ObjectID": .objectIDAttributeType,
    "Composite": .compositeAttributeType,
  ]

  /// How Xcode writes a type; nil for none.
  static func name(of type: NSAttributeType) -> String? { types.first { $0.value == type }?.key }

  /// How Xcode writes a delete rule.
  static func name(of rule: NSDeleteRule) -> String { deleteRules.first { $0.value == rule }?.key ?? "No Action" }

  private func relationship(_ element: XMLElementNode) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.destinationEntity = element["destinationEntity"].flatMap { entities[$0] }
    relationship.maxCount = element.integer("maxCount") ?? (element.isYes("toMany") ? 0 : 1)
    relationship.minCount = element.integer("minCount") ?? 0
    relationship.isOrdered = element.isYes("ordered")
    relationship.deleteRule = Self.deleteRules[element["deletionRule"] ?? ""] ?? .noActionDeleteRule
    return relationship
  }

  private static let deleteRules: [String: NSDeleteRule] = [
    "No Action": .noActionDeleteRule, "Nullify": .nullifyDeleteRule, "Cascade": .cascadeDeleteRule,
    "Deny": .denyDeleteRule,
  ]

  /// Finds inverses once all properties are there.
  func linkInverses(of entity: NSEntityDescription, in element: XMLElementNode) {
    for child in element.all("relationship") {
      guard let name = child["name"], let inverse = child["inverseName"],
        let relationship = entity.declaredProperties.first(where: { $0.name == name }) as? NSRelationshipDescription
      else { continue }
      relationship.inverseRelationship = relationship.destinationEntity?.relationship(named: inverse)
    }
  }

  /// Reads an entity's indexes once all properties are there.
  func readIndexes(of entity: NSEntityDescription, in element: XMLElementNode) {
    let indexes = element.all("fetchIndex")
    guard !indexes.isEmpty else { return }
    let unmarked = Set(element.children.filter { $0["indexed"] == "NO" }.compactMap { $0["name"] })
    entity.indexes = indexes.map { index in
      let elements = index.all("fetchIndexElement").compactMap { part -> NSFetchIndexElementDescription? in
        let type: NSFetchIndexElementType = part["type"] == "RTree" ? .rTree : .binary
        let description: NSFetchIndexElementDescription
        if let property = part["property"].flatMap({ entity.property(named: $0) }) {
          description = NSFetchIndexElementDescription(property: property, collationType: type)
        } else if let text = part["expression"] {
          let expression = NSExpressionDescription()
          expression.name = part["name"] ?? text
          expression.modelExpression = ModelExpression(text: text)
          expression.expressionResultType = Self.types[part["expressionType"] ?? ""] ?? .undefinedAttributeType
          description = NSFetchIndexElementDescription(property: expression, collationType: type)
        } else {
          return nil
        }
        description.isAscending = part["order"] != "descending"
        return description
      }
      let description = NSFetchIndexDescription(name: index["name"] ?? "", elements: elements)
      // The compiler marks a property with an index of its own as models did before 2017.
      if elements.count == 1, elements[0].collationType == .binary, !unmarked.contains(elements[0].propertyName) {
        elements[0].property.isIndexed = true
      }
      description.partialCondition = index["partialIndexPredicate"].map(ModelPredicate.init(format:))
      return description
    }
  }

  /// The texts under `userInfo`; nil when there are none.
  func userInfo(_ element: XMLElementNode) -> [AnyHashable: Any]? {
    let entries = (element.first("userInfo")?.all("entry") ?? []).compactMap { entry in
      entry["key"].map { (AnyHashable($0), (entry["value"] ?? "") as Any) }
    }
    return entries.isEmpty ? nil : Dictionary(entries, uniquingKeysWith: { $1 })
  }

  /// The data of a `fetchRequest` element.
  func template(_ element: XMLElementNode) -> FetchRequestTemplate {
    var template = FetchRequestTemplate()
    template.entityName = element["entity"]
    template.predicate = element["predicateString"].flatMap { $0.isEmpty ? nil : ModelPredicate(format: $0) }
    template.takeUsualFlags(ofResultType: element.integer("resultType") ?? 0)
    template.fetchLimit = element.integer("fetchLimit") ?? 0
    template.fetchBatchSize = element.integer("fetchBatchSize") ?? 0
    func read(_ attribute: String, _ flag: WritableKeyPath<FetchRequestTemplate, Bool>) {
      if let value = element[attribute] { template[keyPath: flag] = value == "YES" }
    }
    read("includeSubentities", \.includesSubentities)
    read("includePropertyValues", \.includesPropertyValues)
    read("includesPendingChanges", \.includesPendingChanges)
    read("returnObjectsAsFaults", \.returnsObjectsAsFaults)
    read("returnDistinctResults", \.returnsDistinctResults)
    return template
  }
}
