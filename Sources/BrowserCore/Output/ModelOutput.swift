import CoreData
import Foundation

/// A model as JSON (CLI.md, `model --format json`): an object with source, identifiers, checksum and entities.
///
/// Entities and properties are in bytewise order of their names, keys in the order below; what a description does not
/// have is null, false or empty, so that every description of a kind has the same keys.
struct ModelOutput {
  private let model: NSManagedObjectModel
  private let source: String
  private let hasHashes: Bool

  /// A model and where it came from; an inferred one has hashes of its own, which are no store's.
  init(_ model: NSManagedObjectModel, source: String, hasHashes: Bool = true) {
    (self.model, self.source, self.hasHashes) = (model, source, hasHashes)
  }

  /// The JSON, an entity a line.
  var json: String {
    let entities = model.entities.sorted { Self.precedes($0.name ?? "", $1.name ?? "") }.map(object)
    let head = [
      ("source", Self.text(source)),
      ("versionIdentifiers", Self.texts(model.versionIdentifiers.map { "\($0)" }.sorted(by: Self.precedes))),
      ("checksum", hasHashes ? Self.text(model.versionChecksum) : "null"),
    ]
    let lines = head.map { "  \(JSONText.quoted($0.0)): \($0.1)" }
    let list = entities.isEmpty ? "[]" : "[\n    " + entities.joined(separator: ",\n    ") + "\n  ]"
    return "{\n" + (lines + ["  \"entities\": " + list]).joined(separator: ",\n") + "\n}\n"
  }

  private func object(of entity: NSEntityDescription) -> String {
    let own = entity.ownProperties
    return JSONText.object([
      ("name", Self.text(entity.name)),
      ("parent", Self.text(entity.superentity?.name)),
      ("abstract", Self.flag(entity.isAbstract)),
      ("className", Self.text(entity.managedObjectClassName)),
      ("versionHash", hash(entity.versionHash)),
      ("versionHashModifier", Self.text(entity.versionHashModifier)),
      ("renamingIdentifier", Self.text(entity.statedRenamingIdentifier)),
      ("attributes", JSONText.array(own.compactMap { $0 as? NSAttributeDescription }.map(attribute))),
      ("relationships", JSONText.array(own.compactMap { $0 as? NSRelationshipDescription }.map(relationship))),
      ("fetchedProperties", JSONText.array(own.compactMap { $0 as? NSFetchedPropertyDescription }.map(fetched))),
      ("uniquenessConstraints", JSONText.array(entity.uniquenessConstraintNames.map(Self.texts))),
      ("indexes", JSONText.array(Self.indexes(of: entity))),
      ("userInfo", Self.userInfo(entity.userInfo)),
    ])
  }

  // MARK: Properties

  private func attribute(_ attribute: NSAttributeDescription) -> String {
    var entries = common(attribute)
    entries.insert(("type", Self.text(attribute.attributeType.title)), at: 1)
    entries += [
      ("defaultValue", Self.defaultValue(of: attribute)),
      ("valueClassName", Self.text(attribute.attributeValueClassName)),
      ("valueTransformerName", Self.text(attribute.valueTransformerName)),
      ("allowsExternalBinaryDataStorage", Self.flag(attribute.allowsExternalBinaryDataStorage)),
      ("preservesValueInHistoryOnDeletion", Self.flag(attribute.preservesValueInHistoryOnDeletion)),
      ("allowsCloudEncryption", Self.flag(attribute.allowsCloudEncryption)),
    ]
    if let derived = attribute as? NSDerivedAttributeDescription {
      entries.append(("derivationExpression", Self.text(derived.derivationExpressionText)))
      entries.append(("filteringPredicate", Self.text(derived.filteringPredicateText)))
    }
    if let composite = attribute as? NSCompositeAttributeDescription {
      entries.append(("elements", JSONText.array(composite.elements.map(self.attribute))))
    }
    return JSONText.object(entries)
  }

  private func relationship(_ relationship: NSRelationshipDescription) -> String {
    JSONText.object(
      common(relationship) + [
        ("destination", Self.text(relationship.destinationEntity?.name)),
        ("inverse", Self.text(relationship.inverseRelationship?.name)),
        ("toMany", Self.flag(relationship.isToMany)), ("ordered", Self.flag(relationship.isOrdered)),
        ("minCount", String(relationship.minCount)), ("maxCount", String(relationship.maxCount)),
        ("deleteRule", Self.text(relationship.deleteRule.title)),
      ])
  }

  private func fetched(_ property: NSFetchedPropertyDescription) -> String {
    let sort = property.requestSort.map {
      JSONText.object([("key", JSONText.quoted($0.key)), ("ascending", Self.flag($0.isAscending))])
    }
    return JSONText.object(
      common(property) + [
        ("destination", Self.text(property.requestEntityName)),
        ("predicate", Self.text(property.requestPredicateText)), ("sort", JSONText.array(sort)),
      ])
  }

  private func common(_ property: NSPropertyDescription) -> [(name: String, json: String)] {
    let warnings = property.validationWarnings.map { warning in
      (warning as? NSNumber).map { String($0.int64Value) } ?? JSONText.quoted("\(warning)")
    }
    return [
      ("name", JSONText.quoted(property.name)),
      ("optional", Self.flag(property.isOptional)), ("transient", Self.flag(property.isTransient)),
      ("readOnly", Self.flag(property.isWrittenByFramework)), ("indexed", Self.flag(property.isIndexed)),
      ("indexedBySpotlight", Self.flag(property.isIndexedBySpotlight)),
      ("validationPredicates", JSONText.array(property.validationTexts.map(Self.text))),
      ("validationWarnings", JSONText.array(warnings)),
      ("renamingIdentifier", Self.text(property.statedRenamingIdentifier)),
      ("versionHash", hash(property.versionHash)),
      ("versionHashModifier", Self.text(property.versionHashModifier)),
      ("userInfo", Self.userInfo(property.userInfo)),
    ]
  }

  private static func indexes(of entity: NSEntityDescription) -> [String] {
    let indexes = entity.indexes.map { index in
      let elements = index.elements.map { element in
        JSONText.object([
          ("property", JSONText.quoted(element.propertyName)), ("expression", text(element.expressionText)),
          ("type", JSONText.quoted(element.collationType == .rTree ? "R-tree" : "binary")),
          ("ascending", flag(element.isAscending)),
        ])
      }
      return JSONText.object([
        ("name", JSONText.quoted(index.name)), ("elements", JSONText.array(elements)),
        ("partialIndexPredicate", text(index.partialPredicateText)),
      ])
    }
    // Indexes of the old form have no name.
    let compound = entity.compoundIndexes.map { index in
      let elements = index.compactMap { $0 as? String }.map { name in
        JSONText.object([
          ("property", JSONText.quoted(name)), ("expression", "null"), ("type", "\"binary\""), ("ascending", "true"),
        ])
      }
      return JSONText.object([
        ("name", "null"), ("elements", JSONText.array(elements)), ("partialIndexPredicate", "null"),
      ])
    }
    return indexes + compound
  }

  // MARK: Values

  /// A default as the value of an object would be written.
  private static func defaultValue(of attribute: NSAttributeDescription) -> String {
    if let name = attribute.unreadDefaultClass { return JSONText.object([("class", JSONText.quoted(name))]) }
    return attribute.defaultValue.map { OutputValue.of($0, type: attribute.attributeType).json } ?? "null"
  }

  private func hash(_ hash: @autoclosure () -> Data) -> String {
    hasHashes ? JSONText.quoted(hash().base64EncodedString()) : "null"
  }

  private static func text(_ text: String?) -> String { text.map(JSONText.quoted) ?? "null" }
  private static func texts(_ texts: [String]) -> String { JSONText.array(texts.map(JSONText.quoted)) }
  private static func flag(_ value: Bool) -> String { value ? "true" : "false" }

  private static func userInfo(_ info: [AnyHashable: Any]?) -> String {
    let entries = (info ?? [:]).map { (name: "\($0.key)", json: JSONText.quoted(UserInfoText.text(of: $0.value))) }
    return JSONText.object(entries.sorted { precedes($0.name, $1.name) })
  }

  static func precedes(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }
}

extension OutputValue {
  /// A value of an attribute's type.
  static func of(_ value: Any, type: NSAttributeType) -> OutputValue {
    switch (type, value) {
    case (.decimalAttributeType, let number as NSDecimalNumber): .string(number.stringValue)
    case (.booleanAttributeType, let number as NSNumber): .bool(number.boolValue)
    case (.floatAttributeType, let number as NSNumber): .number(JSONText.number(number.floatValue))
    case (.doubleAttributeType, let number as NSNumber): .number(JSONText.number(number.doubleValue))
    case (_, let number as NSNumber): .number(number.stringValue)
    case (_, let date as Date):
      ISODate.text(date).map { .string($0) } ?? .number(JSONText.number(date.timeIntervalSinceReferenceDate))
    case (_, let uuid as UUID): .string(uuid.uuidString)
    case (_, let url as URL): .string(url.absoluteString)
    case (_, let data as Data): .data(data)
    default: .string(UserInfoText.text(of: value))
    }
  }
}

extension NSAttributeType {
  /// The type as models spell it.
  var title: String {
    switch self {
    case .undefinedAttributeType: "Undefined"
    case .integer16AttributeType: "Integer 16"
    case .integer32AttributeType: "Integer 32"
    case .integer64AttributeType: "Integer 64"
    case .decimalAttributeType: "Decimal"
    case .doubleAttributeType: "Double"
    case .floatAttributeType: "Float"
    case .stringAttributeType: "String"
    case .booleanAttributeType: "Boolean"
    case .dateAttributeType: "Date"
    case .binaryDataAttributeType: "Binary Data"
    case .UUIDAttributeType: "UUID"
    case .URIAttributeType: "URI"
    case .transformableAttributeType: "Transformable"
    case .objectIDAttributeType: "Object ID"
    case .compositeAttributeType: "Composite"
    }
  }
}

extension NSDeleteRule {
  /// The rule as models spell it.
  var title: String {
    switch self {
    case .noActionDeleteRule: "No Action"
    case .nullifyDeleteRule: "Nullify"
    case .cascadeDeleteRule: "Cascade"
    case .denyDeleteRule: "Deny"
    }
  }
}
