import Foundation

/// Makes the XML of properties, indexes and fetch requests; what `XMLPropertyReader` reads.
struct XMLPropertyWriter {
  /// Properties with an index of their own, which the reader marks as indexed.
  private let indexed: Set<ObjectIdentifier>
  /// The composites met so far, by name.
  private var parts: [String: XMLElementNode] = [:]

  init(_ model: NSManagedObjectModel) {
    indexed = Set(
      model.entities.flatMap(\.indexes).filter { $0.elements.count == 1 && $0.elements[0].collationType == .binary }
        .map { ObjectIdentifier($0.elements[0].property) })
  }

  /// The `composite` elements of all composites that were written, sorted by name.
  func composites() -> [XMLElementNode] { parts.sorted { $0.key < $1.key }.map(\.value) }

  /// The element of an attribute, relationship or fetched property.
  mutating func element(of property: NSPropertyDescription) -> XMLElementNode {
    let element: XMLElementNode
    switch property {
    case is NSRelationshipDescription: element = XMLElementNode("relationship")
    case is NSFetchedPropertyDescription: element = XMLElementNode("fetchedProperty")
    default: element = XMLElementNode("attribute")
    }
    element.set("name", property.name)
    element.set("optional", yes: property.isOptional)
    if !(property is NSFetchedPropertyDescription) { element.set("transient", yes: property.isTransient) }
    switch property {
    case let attribute as NSAttributeDescription: add(attribute, to: element)
    case let relationship as NSRelationshipDescription: Self.add(relationship, to: element)
    case let fetched as NSFetchedPropertyDescription:
      let request = fetched.template ?? FetchRequestTemplate()
      element.children = [Self.element(of: request, named: "fetchedPropertyFetchRequest")]
    default: break
    }
    let isImplied = indexed.contains(ObjectIdentifier(property))
    if property.isIndexed != isImplied { element.set("indexed", property.isIndexed ? "YES" : "NO") }
    element.set("spotlightIndexingEnabled", yes: property.isIndexedBySpotlight)
    element.set("elementID", property.explicitRenamingIdentifier)
    element.set("versionHashModifier", property.versionHashModifier)
    element.children += Self.userInfo(property.userInfo)
    return element
  }

  // MARK: Attributes

  private mutating func add(_ attribute: NSAttributeDescription, to element: XMLElementNode) {
    let type = attribute.attributeType
    element.set("attributeType", XMLPropertyReader.name(of: type))
    if let composite = attribute as? NSCompositeAttributeDescription { element.set("composite", name(of: composite)) }
    for rule in attribute.validationConditions {
      if let (key, value) = XMLAttributeValues.bound(rule, type: type) { element.set(key, value) }
    }
    if let value = attribute.defaultValue {
      element.set(
        type == .dateAttributeType ? "defaultDateTimeInterval" : "defaultValueString",
        XMLAttributeValues.text(ofDefault: value, type: type))
    }
    if let derived = attribute as? NSDerivedAttributeDescription {
      element.set("derived", yes: true)
      element.set("derivationExpression", derived.derivationExpressionText)
    }
    element.set("valueTransformerName", attribute.valueTransformerName)
    if attribute.attributeValueClassName != type.valueClassName {
      element.set("customClassName", attribute.attributeValueClassName)
    }
    element.set("preserveAfterDeletion", yes: attribute.preservesValueInHistoryOnDeletion)
    element.set("allowsExternalBinaryDataStorage", yes: attribute.allowsExternalBinaryDataStorage)
    element.set("allowsCloudEncryption", yes: attribute.allowsCloudEncryption)
  }

  /// The name under which the parts of a composite are written; equal parts share it.
  private mutating func name(of composite: NSCompositeAttributeDescription) -> String {
    let definition = XMLElementNode("composite")
    for part in composite.elements { definition.children.append(element(of: part)) }
    let base = composite.compositeName ?? composite.name.prefix(1).uppercased() + composite.name.dropFirst()
    var name = base
    var count = 1
    while let known = parts[name], known.documentBody() != definition.documentBody() {
      count += 1
      name = "\(base)\(count)"
    }
    if parts[name] == nil {
      let named = XMLElementNode("composite")
      named.set("name", name)
      named.children = definition.children
      parts[name] = named
    }
    return name
  }

  // MARK: Relationships

  private static func add(_ relationship: NSRelationshipDescription, to element: XMLElementNode) {
    element.set("toMany", yes: relationship.isToMany)
    if relationship.minCount != 0 { element.set("minCount", String(relationship.minCount)) }
    if relationship.maxCount != 0 { element.set("maxCount", String(relationship.maxCount)) }
    element.set("ordered", yes: relationship.isOrdered)
    element.set("deletionRule", XMLPropertyReader.name(of: relationship.deleteRule))
    element.set("destinationEntity", relationship.destinationEntity?.name)
    if let inverse = relationship.inverseRelationship {
      element.set("inverseName", inverse.name)
      element.set("inverseEntity", relationship.destinationEntity?.name)
    }
  }

  // MARK: Indexes, requests, user info

  /// The element of an index.
  static func element(of index: NSFetchIndexDescription) -> XMLElementNode {
    let element = XMLElementNode("fetchIndex")
    element.set("name", index.name)
    element.set("partialIndexPredicate", index.partialCondition?.format)
    element.children = index.elements.map { part in
      let child = XMLElementNode("fetchIndexElement")
      if let expression = part.property as? NSExpressionDescription {
        child.set("name", expression.name)
        child.set("expression", expression.modelExpression?.text)
        child.set("expressionType", XMLPropertyReader.name(of: expression.expressionResultType))
      } else {
        child.set("property", part.propertyName)
      }
      child.set("type", part.collationType == .rTree ? "RTree" : "Binary")
      child.set("order", part.isAscending ? "ascending" : "descending")
      return child
    }
    return element
  }

  /// The element of a fetch request.
  static func element(of template: FetchRequestTemplate, named name: String) -> XMLElementNode {
    let element = XMLElementNode("fetchRequest")
    element.set("name", name)
    element.set("entity", template.entityName)
    element.set("predicateString", template.predicate?.format)
    if template.resultType != 0 { element.set("resultType", String(template.resultType)) }
    if template.fetchLimit != 0 { element.set("fetchLimit", String(template.fetchLimit)) }
    if template.fetchBatchSize != 0 { element.set("fetchBatchSize", String(template.fetchBatchSize)) }
    // Said only where it is not what the reader takes for granted.
    var usual = FetchRequestTemplate()
    usual.takeUsualFlags(ofResultType: template.resultType)
    func set(_ attribute: String, _ flag: KeyPath<FetchRequestTemplate, Bool>) {
      if template[keyPath: flag] != usual[keyPath: flag] {
        element.set(attribute, template[keyPath: flag] ? "YES" : "NO")
      }
    }
    set("includeSubentities", \.includesSubentities)
    set("includePropertyValues", \.includesPropertyValues)
    set("includesPendingChanges", \.includesPendingChanges)
    set("returnObjectsAsFaults", \.returnsObjectsAsFaults)
    set("returnDistinctResults", \.returnsDistinctResults)
    return element
  }

  /// The element of user info; none for none.
  static func userInfo(_ info: [AnyHashable: Any]?) -> [XMLElementNode] {
    guard let info, !info.isEmpty else { return [] }
    let element = XMLElementNode("userInfo")
    element.children = info.map { (key: "\($0.key)", value: $0.value) }.sorted { $0.key < $1.key }
      .map { key, value in
        let entry = XMLElementNode("entry")
        entry.set("key", key)
        entry.set("value", UserInfoText.text(of: value))
        return entry
      }
    return [element]
  }
}
