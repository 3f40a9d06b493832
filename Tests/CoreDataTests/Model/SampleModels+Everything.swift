import Foundation

@testable import CoreData

extension SampleModels {
  /// A model with one of everything that the XML of a model can say.
  static func everything() -> NSManagedObjectModel {
    let root = NSEntityDescription()
    root.name = "Root"
    root.isAbstract = true
    root.renamingIdentifier = "OldRoot"
    root.userInfo = ["a \"quoted\" <key>": "line\nbreak & tab\t", "empty": ""]
    root.properties = attributes()
    let leaf = NSEntityDescription()
    leaf.name = "Leaf"
    leaf.managedObjectClassName = "LeafObject"
    leaf.versionHashModifier = "3"
    root.subentities = [leaf]
    let links = NSRelationshipDescription()
    links.name = "links"
    links.isOrdered = true
    links.minCount = 2
    links.maxCount = 10
    links.deleteRule = .denyDeleteRule
    let link = NSRelationshipDescription()
    link.name = "link"
    link.maxCount = 1
    link.deleteRule = .cascadeDeleteRule
    (links.destinationEntity, link.destinationEntity) = (root, leaf)
    (links.inverseRelationship, link.inverseRelationship) = (link, links)
    root.properties += [link]
    let lonely = NSRelationshipDescription()
    lonely.name = "lonely"
    lonely.destinationEntity = leaf
    lonely.deleteRule = .noActionDeleteRule
    let found = NSFetchedPropertyDescription()
    found.name = "found"
    var request = FetchRequestTemplate()
    request.entityName = "Leaf"
    request.predicate = ModelPredicate(format: "string == $FETCH_SOURCE.string")
    found.template = request
    leaf.properties = [links, lonely, found]
    if let string = root.attributesByName["string"], let integer = root.attributesByName["integer"] {
      let elements = [string, integer].map { NSFetchIndexElementDescription(property: $0, collationType: .binary) }
      elements[1].isAscending = false
      let index = NSFetchIndexDescription(name: "byBoth", elements: elements)
      index.partialIndexPredicate = NSPredicate(format: "integer > 3")
      root.indexes = [index]
    }
    root.uniquenessConstraints = [["string", "integer"], ["uuid"]]
    leaf.compoundIndexes = [["string", "date"]]

    let model = NSManagedObjectModel()
    model.entities = [root, leaf]
    model.versionIdentifiers = ["1.0 ü"]
    model.setEntities([leaf], forConfigurationName: "Leaves")
    var template = FetchRequestTemplate()
    template.takeUsualFlags(ofResultType: 2)
    template.entityName = "Root"
    template.predicate = ModelPredicate(format: "string BEGINSWITH $START AND integer > 3")
    template.fetchLimit = 7
    template.fetchBatchSize = 20
    template.returnsDistinctResults = true
    template.includesPropertyValues = false
    model.fetchRequestTemplates = ["starting": template]
    return model
  }

  private static func attributes() -> [NSPropertyDescription] {
    func attribute(_ name: String, _ type: NSAttributeType, default value: Any? = nil) -> NSAttributeDescription {
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.defaultValue = value
      return attribute
    }
    func bound(_ attribute: NSAttributeDescription, _ rules: [(String, Int)]) -> NSAttributeDescription {
      attribute.setValidationPredicates(
        rules.map { NSPredicate(format: $0.0, argumentArray: []) }, withValidationWarnings: rules.map(\.1))
      return attribute
    }
    let string = bound(
      attribute("string", .stringAttributeType, default: "a\"b<c>&\n"),
      [("length >= 1", 1_670), ("length <= 20", 1_660), ("SELF MATCHES \"\\\\w+\\\"?\"", 1_680)])
    string.isIndexed = true
    string.isIndexedBySpotlight = true
    let integer = bound(
      attribute("integer", .integer32AttributeType, default: NSNumber(value: -5)),
      [("SELF >= -10", 1_620), ("SELF <= 10", 1_610)])
    integer.isOptional = false
    let date = bound(
      attribute("date", .dateAttributeType, default: Date(timeIntervalSinceReferenceDate: 0.25)),
      [("SELF >= CAST(60, \"NSDate\")", 1_640)])
    date.renamingIdentifier = "day"
    date.preservesValueInHistoryOnDeletion = true
    let data = attribute("data", .binaryDataAttributeType)
    data.allowsExternalBinaryDataStorage = true
    data.allowsCloudEncryption = true
    let thing = attribute("thing", .transformableAttributeType)
    thing.valueTransformerName = "NSSecureUnarchiveFromData"
    thing.attributeValueClassName = "NSArray"
    let passing = attribute("passing", .undefinedAttributeType)
    passing.isTransient = true
    let derived = NSDerivedAttributeDescription()
    derived.name = "derived"
    derived.attributeType = .dateAttributeType
    derived.derivationExpression = NSExpression(format: "now()")
    let inner = NSCompositeAttributeDescription()
    inner.name = "inner"
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    place.elements = [attribute("x", .doubleAttributeType, default: NSNumber(value: 1.5)), inner]
    let large = NSNumber(value: Int64.max)
    return [
      string, integer, date, data, thing, passing, derived, place,
      attribute("big", .integer64AttributeType, default: large),
      attribute("small", .integer16AttributeType), attribute("flag", .booleanAttributeType, default: true as NSNumber),
      attribute("float", .floatAttributeType, default: NSNumber(value: Float(0.1))),
      attribute("decimal", .decimalAttributeType, default: NSDecimalNumber(string: "12345678901234567890.5")),
      attribute(
        "uuid", .UUIDAttributeType, default: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
      attribute("uri", .URIAttributeType, default: URL(string: "https://example.org/a?b=c&d=%20")),
    ]
  }
}
