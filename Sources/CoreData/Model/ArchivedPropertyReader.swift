import Foundation

/// Reads properties, indexes and fetch requests of an archived model.
struct ArchivedPropertyReader {
  /// The entity made for an archived entity.
  let entity: (KeyedArchive.Node) -> NSEntityDescription?
  let byName: [String: NSEntityDescription]
  private let parts = PartBudget()

  /// A property's own name, else the key it stands under.
  func name(of node: KeyedArchive.Node, key: String) -> String {
    (node["NSUnderlyingProperty"] ?? node)["NSPropertyName"]?.string ?? key
  }

  /// The property of an archived description; nil for a class that is none.
  func property(_ archived: KeyedArchive.Node, key: String, depth: Int = 16) -> NSPropertyDescription? {
    let node = archived["NSUnderlyingProperty"] ?? archived
    guard let property = instance(of: node) else { return nil }
    property.name = name(of: node, key: key)
    property.isOptional = node["NSIsOptional"]?.bool ?? false
    property.isTransient = node["NSIsTransient"]?.bool ?? false
    property.isReadOnly = node["NSIsReadOnly"]?.bool ?? false
    property.isIndexed = node["NSIsIndexed"]?.bool ?? false
    property.isIndexedBySpotlight = node["NSIndexedBySpotlight"]?.bool ?? false
    property.versionHashModifier = node["NSVersionHashModifier"]?.string
    property.renamingIdentifier = node["NSRenamingIdentifier"]?.string
    property.userInfo = userInfo(node)
    property.validationConditions = (node["NSValidationPredicates"]?.array ?? []).map(ModelPredicate.init(archived:))
    property.validationWarnings = (node["NSValidationWarnings"]?.array ?? []).compactMap { $0.foundationValue() }
    switch property {
    case let attribute as NSAttributeDescription: fill(attribute, from: node, depth: depth)
    case let relationship as NSRelationshipDescription: fill(relationship, from: node)
    case let fetched as NSFetchedPropertyDescription:
      fetched.template = node["NSFetchRequest"].map(template) ?? FetchRequestTemplate()
      if let name = node["_NSFetchRequestEntityName"]?.string { fetched.template?.entityName = name }
    case let expression as NSExpressionDescription:
      expression.modelExpression = node["NSExpression"].map(ModelExpression.init(archived:))
      expression.expressionResultType = type(node["NSExpressionResultType"])
    default: break
    }
    return property
  }

  private func instance(of node: KeyedArchive.Node) -> NSPropertyDescription? {
    if node.isKind(of: "NSDerivedAttributeDescription") { return NSDerivedAttributeDescription() }
    if node.isKind(of: "NSCompositeAttributeDescription") { return NSCompositeAttributeDescription() }
    if node.isKind(of: "NSAttributeDescription") { return NSAttributeDescription() }
    if node.isKind(of: "NSRelationshipDescription") { return NSRelationshipDescription() }
    if node.isKind(of: "NSFetchedPropertyDescription") { return NSFetchedPropertyDescription() }
    if node.isKind(of: "NSExpressionDescription") { return NSExpressionDescription() }
    return nil
  }

  private func type(_ node: KeyedArchive.Node?) -> NSAttributeType {
    node?.integer.flatMap { UInt(exactly: $0) }.flatMap(NSAttributeType.init(rawValue:)) ?? .undefinedAttributeType
  }

  private func fill(_ attribute: NSAttributeDescription, from node: KeyedArchive.Node, depth: Int) {
    attribute.attributeType = type(node["NSAttributeType"])
    attribute.attributeValueClassName = node["NSAttributeValueClassName"]?.string
    attribute.valueTransformerName = node["NSValueTransformerName"]?.string
    attribute.allowsCloudEncryption = node["NSAllowsCloudEncryption"]?.bool ?? false
    let flags = node["NSFlagsKey"]?.integer ?? 0
    attribute.allowsExternalBinaryDataStorage = flags & ArchivedAttributeFlags.externalStorage != 0
    attribute.preservesValueInHistoryOnDeletion = flags & ArchivedAttributeFlags.preservedInHistory != 0
    if let value = node["NSDefaultValue"] {
      attribute.defaultValue = value.foundationValue()
      if attribute.defaultValue == nil { attribute.archivedDefaultValue = value }
    }
    if let derived = attribute as? NSDerivedAttributeDescription {
      derived.derivation = node["NSDerivationExpression"].map(ModelExpression.init(archived:))
      derived.filter = node["NSFilteringPredicate"].map(ModelPredicate.init(archived:))
    }
    if let composite = attribute as? NSCompositeAttributeDescription {
      composite.elements = elements(of: node, depth: depth - 1)
    }
  }

  /// The parts of a composite; none beyond 16 levels, or when parts that share parts make too many.
  ///
  /// No archive with one is known; they are looked for under the property's name.
  private func elements(of node: KeyedArchive.Node, depth: Int) -> [NSAttributeDescription] {
    guard depth > 0 else { return [] }
    return (node["NSElements"]?.array ?? []).compactMap { element in
      parts.spend() ? property(element, key: "", depth: depth) as? NSAttributeDescription : nil
    }
  }

  private func fill(_ relationship: NSRelationshipDescription, from node: KeyedArchive.Node) {
    relationship.destinationEntity =
      node["NSDestinationEntity"].flatMap(entity) ?? node["_NSDestinationEntityName"]?.string.flatMap { byName[$0] }
    relationship.minCount = node["NSMinCount"]?.integer ?? 0
    relationship.maxCount = node["NSMaxCount"]?.integer ?? 0
    relationship.isOrdered = node["NSIsOrdered"]?.bool ?? false
    relationship.deleteRule =
      node["NSDeleteRule"]?.integer.flatMap { UInt(exactly: $0) }.flatMap(NSDeleteRule.init(rawValue:))
      ?? .noActionDeleteRule
  }

  /// Finds inverses by name in the destination: the archive's reference may lead to an inherited copy.
  func linkInverses(of entity: NSEntityDescription, in node: KeyedArchive.Node) {
    let declared = Dictionary(
      entity.declaredProperties.compactMap { ($0 as? NSRelationshipDescription).map { ($0.name, $0) } },
      uniquingKeysWith: { first, _ in first })
    guard !declared.isEmpty else { return }
    for (key, archived) in node["NSProperties"]?.dictionary ?? [] {
      let node = archived["NSUnderlyingProperty"] ?? archived
      let name = name(of: node, key: key)
      guard let relationship = declared[name],
        let inverse = node["_NSInverseRelationshipName"]?.string
          ?? node["NSInverseRelationship"]?["NSPropertyName"]?.string
      else { continue }
      relationship.inverseRelationship = relationship.destinationEntity?.relationship(named: inverse)
    }
  }

  /// Reads an entity's indexes once all properties are there.
  func readIndexes(of entity: NSEntityDescription, in node: KeyedArchive.Node) {
    guard let indexes = node["NSFetchIndexDescriptions"]?.array, !indexes.isEmpty else { return }
    entity.indexes = indexes.map { node in
      let elements = (node["NSIndexElements"]?.array ?? []).compactMap { element -> NSFetchIndexElementDescription? in
        guard let name = element["NSPropertyName"]?.string else { return nil }
        // An element over an expression brings its own description.
        let indexed = element["NSIndexedProperty"] ?? element["NSProperty"]
        guard let property = entity.property(named: name) ?? indexed.flatMap({ property($0, key: name) }) else {
          return nil
        }
        let isTree = element["NSFetchIndexElementType"]?.integer == 1
        let description = NSFetchIndexElementDescription(property: property, collationType: isTree ? .rTree : .binary)
        description.isAscending = element["NSAscending"]?.bool ?? false
        return description
      }
      let index = NSFetchIndexDescription(name: node["NSIndexName"]?.string ?? "", elements: elements)
      index.partialCondition = node["NSPartialIndexPredicate"].map(ModelPredicate.init(archived:))
      return index
    }
  }

  /// User info; nil when there is none.
  func userInfo(_ node: KeyedArchive.Node) -> [AnyHashable: Any]? {
    guard let info = node["NSUserInfo"]?.foundationValue() as? [String: Any], !info.isEmpty else { return nil }
    return info
  }

  /// The data of an archived `NSFetchRequest`.
  func template(_ node: KeyedArchive.Node) -> FetchRequestTemplate {
    var template = FetchRequestTemplate(archived: node)
    template.entityName = node["NSEntity"]?["NSEntityName"]?.string
    template.predicate = node["NSPredicate"].map(ModelPredicate.init(archived:))
    template.sorts = (node["NSSortDescriptors"]?.array ?? []).compactMap { sort in
      sort["NSKey"]?.string.map {
        FetchRequestTemplate.Sort(
          key: $0, isAscending: sort["NSAscending"]?.bool ?? false, selector: sort["NSSelector"]?.string)
      }
    }
    template.resultType = node["NSResultType"]?.integer ?? 0
    template.fetchLimit = node["NSFetchLimit"]?.integer ?? 0
    template.fetchOffset = node["NSFetchOffset"]?.integer ?? 0
    template.fetchBatchSize = node["NSBatchSize"]?.integer ?? 0
    if let flags = node["NSFetchRequestFlags"]?.integer {
      // Known from pairs of XML and .mom: 1 distinct, 4 property values, 16 pending changes; 2 and 8 are always set.
      template.returnsDistinctResults = flags & 1 != 0
      template.includesPropertyValues = flags & 4 != 0
      template.includesPendingChanges = flags & 16 != 0
    }
    return template
  }
}

/// Bits of `NSFlagsKey` (reference: MODELCACHE, codes).
enum ArchivedAttributeFlags {
  static let externalStorage = 4
  static let preservedInHistory = 16
}

/// How many parts of composites a reader makes before it takes a model for damaged.
final class PartBudget {
  private var left = 10_000

  /// Counts one part; false when there were too many.
  func spend() -> Bool {
    left -= 1
    return left >= 0
  }
}
