import Foundation

// What descriptions hold beyond Apple's interface, or hold only as text, for whoever tells of a model.

extension NSEntityDescription {
  /// The renaming identifier when the model states one; nil where it is the name.
  package var statedRenamingIdentifier: String? { explicitRenamingIdentifier }
  /// The combinations of attributes that no two objects may share, by name.
  package var uniquenessConstraintNames: [[String]] { uniqueAttributeNames }
  /// The properties that the entity itself declares, by name in bytewise order.
  package var ownProperties: [NSPropertyDescription] {
    declaredProperties.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}

extension NSPropertyDescription {
  /// The renaming identifier when the model states one; nil where it is the name.
  package var statedRenamingIdentifier: String? { explicitRenamingIdentifier }
  /// Whether the framework alone writes the property.
  package var isWrittenByFramework: Bool { isReadOnly }
  /// The validation predicates as text; one of a kind without text is nil.
  package var validationTexts: [String?] { validationConditions.map(\.canonicalFormat) }
}

extension NSAttributeDescription {
  /// The class of a default that is archived in a form which is not read here; nil for other defaults and for none.
  package var unreadDefaultClass: String? { defaultValue == nil ? archivedDefaultValue?.className : nil }
}

extension NSDerivedAttributeDescription {
  /// Which related objects take part, as text.
  package var filteringPredicateText: String? { filter?.canonicalFormat }
}

extension NSFetchedPropertyDescription {
  /// The request's entity.
  package var requestEntityName: String? { template?.entityName }
  /// The request's predicate as text; nil for all objects.
  package var requestPredicateText: String? { template?.predicate?.canonicalFormat }
  /// The request's order: keys, and whether they ascend.
  package var requestSort: [(key: String, isAscending: Bool)] { template?.sorts.map { ($0.key, $0.isAscending) } ?? [] }
}

extension NSFetchIndexDescription {
  /// Which objects the index covers, as text; nil for all.
  package var partialPredicateText: String? { partialCondition?.canonicalFormat }
}

extension NSFetchIndexElementDescription {
  /// The expression that is indexed, as text; nil for a property.
  package var expressionText: String? { (property as? NSExpressionDescription)?.modelExpression?.text }
}

extension NSManagedObjectModel {
  /// Version hashes that no known file confirms, one line each (reference HASHES, "Not settled").
  package var doubtfulHashes: [String] { versionHashDoubts.map(\.description) }

  /// Attributes that no known store has a column for, as `Entity.attribute`: composites.
  ///
  /// Their layout is not known, so no store can be made of such a model.
  package var attributesWithoutColumn: [String] {
    entities.flatMap { entity in
      entity.ownProperties.filter { $0 is NSCompositeAttributeDescription && !$0.isTransient }
        .map { "\(entity.name ?? "").\($0.name)" }
    }
    .sorted()
  }
}
