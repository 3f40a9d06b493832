import CoreData
import Foundation
import TextCanvas

/// A model for reading: an entity a paragraph, a property a line.
struct ModelText {
  private let model: NSManagedObjectModel
  private let source: String
  private let hasHashes: Bool

  /// A model and where it came from; an inferred one has hashes of its own, which are no store's.
  init(_ model: NSManagedObjectModel, source: String, hasHashes: Bool = true) {
    (self.model, self.source, self.hasHashes) = (model, source, hasHashes)
  }

  /// The text; nothing in it can drive a terminal.
  var text: String {
    var lines = ["model: \(source)"]
    let identifiers = model.versionIdentifiers.map { "\($0)" }.filter { !$0.isEmpty }.sorted()
    if !identifiers.isEmpty { lines.append("version: " + identifiers.joined(separator: ", ")) }
    if hasHashes { lines.append("checksum: " + model.versionChecksum) }
    for name in model.configurations {
      let members = (model.entities(forConfigurationName: name) ?? []).compactMap(\.name).sorted()
      lines.append("configuration \(name): " + members.joined(separator: ", "))
    }
    lines += model.fetches.map { fetch in
      "fetch request \(fetch.name): \(fetch.entity)" + (fetch.format.map { " where " + $0 } ?? "")
    }
    if hasHashes { lines += model.doubtfulHashes.map { "the version hash is not certain: " + $0 } }
    for entity in model.entities.sorted(by: { ModelOutput.precedes($0.name ?? "", $1.name ?? "") }) {
      lines.append("")
      lines += Self.lines(of: entity)
    }
    return lines.map { SafeText.visible($0) + "\n" }.joined()
  }

  /// An entity alone.
  static func text(of entity: NSEntityDescription) -> String {
    lines(of: entity).map { SafeText.visible($0) + "\n" }.joined()
  }

  private static func lines(of entity: NSEntityDescription) -> [String] {
    let entity = EntityText(entity)
    let widths = [\EntityText.Row.name, \.type].map { column in
      entity.rows.map { CellWidth.width(of: $0[keyPath: column]) }.max() ?? 0
    }
    let rows = entity.rows.map { row in
      let cells = zip([row.name, row.type], widths).map {
        $0 + String(repeating: " ", count: $1 - CellWidth.width(of: $0))
      }
      var line = "  " + (cells + [row.notes]).joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
    return [entity.head] + rows + entity.rest.map { "  " + $0 }
  }
}

/// An entity in words: a head, a row for each property of its own, and what else is to be told.
struct EntityText {
  struct Row: Hashable {
    var name: String
    var type: String
    var notes: String
    /// The entity that a relationship or a fetched property leads to.
    var target: String?
  }

  var head: String
  var rows: [Row]
  var rest: [String]

  init(_ entity: NSEntityDescription) {
    var head = entity.name ?? ""
    if let parent = entity.superentity?.name { head += ": " + parent }
    var notes: [String] = []
    if entity.isAbstract { notes.append("abstract") }
    if entity.managedObjectClassName != "NSManagedObject" { notes.append("class " + entity.managedObjectClassName) }
    notes += Self.history(entity.statedRenamingIdentifier, entity.versionHashModifier)
    if !notes.isEmpty { head += " (" + notes.joined(separator: ", ") + ")" }
    self.head = head
    let own = entity.ownProperties
    rows =
      own.compactMap { $0 as? NSAttributeDescription }.flatMap { Self.rows(of: $0, name: $0.name) }
      + own.compactMap { $0 as? NSRelationshipDescription }.map(Self.row)
      + own.compactMap { $0 as? NSFetchedPropertyDescription }.map(Self.row)
    rest = entity.uniquenessConstraintNames.map { "unique: " + $0.joined(separator: ", ") }
    rest += entity.indexes.map { index in
      let elements = index.elements.map { $0.propertyName + ($0.isAscending ? "" : " descending") }
      let condition = index.partialPredicateText.map { " where " + $0 } ?? ""
      return "index \(index.name): " + elements.joined(separator: ", ") + condition
    }
    rest += entity.compoundIndexes.map { "index: " + $0.compactMap { $0 as? String }.joined(separator: ", ") }
    rest += Self.userInfo(entity.userInfo).map { "info " + $0 }
  }

  /// Name, type, notes; the parts of a composite follow it.
  private static func rows(of attribute: NSAttributeDescription, name: String) -> [Row] {
    var notes: [String] = []
    if !attribute.isOptional { notes.append("required") }
    if attribute.isTransient { notes.append("transient") }
    if let value = attribute.defaultValue {
      notes.append("default " + OutputValue.of(value, type: attribute.attributeType).json)
    } else if let name = attribute.unreadDefaultClass {
      notes.append("default of class " + name)
    }
    if let derived = attribute as? NSDerivedAttributeDescription {
      notes.append("derived from " + (derived.derivationExpressionText ?? "an expression without text"))
      if let filter = derived.filteringPredicateText { notes.append("where " + filter) }
    }
    if attribute.allowsExternalBinaryDataStorage { notes.append("external storage") }
    if attribute.preservesValueInHistoryOnDeletion { notes.append("kept in history") }
    if attribute.allowsCloudEncryption { notes.append("encrypted in the cloud") }
    if let transformer = attribute.valueTransformerName { notes.append("transformer " + transformer) }
    if attribute.attributeType == .transformableAttributeType, let name = attribute.attributeValueClassName {
      notes.append("class " + name)
    }
    notes += common(attribute)
    let parts = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
    return [Row(name: name, type: attribute.attributeType.title, notes: notes.joined(separator: ", "))]
      + parts.flatMap { rows(of: $0, name: "\(name).\($0.name)") }
  }

  private static func row(of relationship: NSRelationshipDescription) -> Row {
    var notes: [String] = []
    if !relationship.isOptional { notes.append("required") }
    if relationship.isTransient { notes.append("transient") }
    if relationship.isToMany {
      notes.append(relationship.isOrdered ? "ordered" : "to-many")
      if relationship.minCount > 0 { notes.append("at least \(relationship.minCount)") }
      if relationship.maxCount > 1 { notes.append("at most \(relationship.maxCount)") }
    }
    if let inverse = relationship.inverseRelationship { notes.append("inverse " + inverse.name) }
    notes.append("delete: " + relationship.deleteRule.title)
    notes += common(relationship)
    let arrow = (relationship.isToMany ? "↠ " : "→ ") + (relationship.destinationEntity?.name ?? "?")
    return Row(
      name: relationship.name, type: arrow, notes: notes.joined(separator: ", "),
      target: relationship.destinationEntity?.name)
  }

  private static func row(of fetched: NSFetchedPropertyDescription) -> Row {
    let condition = fetched.requestPredicateText.map { ["where " + $0] } ?? []
    let order = fetched.requestSort.map { "by " + $0.key + ($0.isAscending ? "" : " descending") }
    return Row(
      name: fetched.name, type: "⇉ " + (fetched.requestEntityName ?? "?"),
      notes: (["fetched"] + condition + order + common(fetched)).joined(separator: ", "),
      target: fetched.requestEntityName)
  }

  private static func common(_ property: NSPropertyDescription) -> [String] {
    var notes: [String] = property.validationTexts.map { "valid: " + ($0 ?? "a predicate without text") }
    if property.isIndexed { notes.append("indexed") }
    if property.isIndexedBySpotlight { notes.append("in Spotlight") }
    notes += history(property.statedRenamingIdentifier, property.versionHashModifier)
    return notes + userInfo(property.userInfo).map { "info " + $0 }
  }

  private static func history(_ renaming: String?, _ modifier: String?) -> [String] {
    (renaming.map { ["renamed from " + $0] } ?? []) + (modifier.map { ["hash modifier " + $0] } ?? [])
  }

  private static func userInfo(_ info: [AnyHashable: Any]?) -> [String] {
    (info ?? [:]).map { (key: "\($0.key)", text: UserInfoText.text(of: $0.value)) }
      .sorted { ModelOutput.precedes($0.key, $1.key) }
      .map { "\($0.key) = \($0.text)" }
  }
}
