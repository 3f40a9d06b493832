import Foundation
import Testing

@testable import CoreData

/// Which changes make two versions of a model incompatible (reference HASHES, dependency table), row by row.
@Suite struct HashDependencyTests {
  /// A change of the model in `SampleModels.everything()`.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The entities whose hashes it changes.
    let changed: Set<String>
    let apply: @Sendable (NSManagedObjectModel) throws -> Void

    init(
      _ name: String, changes changed: Set<String>, _ apply: @escaping @Sendable (NSManagedObjectModel) throws -> Void
    ) {
      (testDescription, self.changed, self.apply) = (name, changed, apply)
    }
  }

  private static let both: Set = ["Root", "Leaf"]

  private static func property<Property: NSPropertyDescription>(
    _ model: NSManagedObjectModel, _ entity: String, _ name: String, as type: Property.Type = Property.self
  ) throws -> Property {
    try #require(model.entitiesByName[entity]?.propertiesByName[name] as? Property)
  }

  private static func attribute(
    _ name: String, changes changed: Set<String>, of key: String = "small",
    _ change: @escaping @Sendable (NSAttributeDescription) -> Void
  ) -> Change {
    Change(name, changes: changed) { change(try property($0, "Root", key)) }
  }

  private static func relationship(
    _ name: String, changes changed: Set<String>, _ change: @escaping @Sendable (NSRelationshipDescription) -> Void
  ) -> Change {
    Change(name, changes: changed) { change(try property($0, "Leaf", "links")) }
  }

  private static func entity(
    _ name: String, changes changed: Set<String>, of entity: String = "Root",
    _ change: @escaping @Sendable (NSEntityDescription) -> Void
  ) -> Change {
    Change(name, changes: changed) { change(try #require($0.entitiesByName[entity])) }
  }

  /// A change of a parent changes its subentities, too; a change in a destination does not touch the source.
  static let counting: [Change] = [
    attribute("an attribute's name", changes: both) { $0.name = "tiny" },
    attribute("an attribute's type", changes: both) { $0.attributeType = .integer32AttributeType },
    attribute("optional", changes: both) { $0.isOptional = false },
    attribute("read-only", changes: both) { $0.isReadOnly = true },
    attribute("transient: the property drops out", changes: both) { $0.isTransient = true },
    attribute("a property's hash modifier", changes: both) { $0.versionHashModifier = "1" },
    attribute("external storage", changes: both, of: "string") { $0.allowsExternalBinaryDataStorage = true },
    attribute("kept in history", changes: both) { $0.preservesValueInHistoryOnDeletion = true },
    attribute("a derivation", changes: both, of: "derived") {
      ($0 as? NSDerivedAttributeDescription)?.derivationExpressionText = "string"
    },
    relationship("an inverse", changes: ["Leaf"]) { $0.inverseRelationship = nil },
    relationship("a highest count", changes: ["Leaf"]) { $0.maxCount = 11 },
    relationship("a lowest count", changes: ["Leaf"]) { $0.minCount = 1 },
    relationship("ordered", changes: ["Leaf"]) { $0.isOrdered = false },
    Change("a destination", changes: ["Leaf"]) {
      try property($0, "Leaf", "lonely", as: NSRelationshipDescription.self).destinationEntity =
        $0.entitiesByName["Root"]
    },
    entity("an entity's hash modifier", changes: ["Leaf"], of: "Leaf") { $0.versionHashModifier = "4" },
    entity("abstract", changes: both) { $0.isAbstract = false },
    entity("a parent", changes: ["Leaf"]) { $0.subentities = [] },
    entity("a uniqueness constraint", changes: both) { $0.uniquenessConstraints.removeLast() },
    entity("the order within a constraint", changes: both) {
      $0.uniquenessConstraints[0] = $0.uniquenessConstraints[0].reversed()
    },
  ]

  static let notCounting: [Change] = [
    attribute("a default", changes: []) { $0.defaultValue = NSNumber(value: 7) },
    attribute("validation", changes: []) {
      $0.setValidationPredicates([NSPredicate(format: "SELF > 3", argumentArray: [])], withValidationWarnings: [1_620])
    },
    attribute("a property's user info", changes: []) { $0.userInfo = ["a": "b"] },
    attribute("a property's renaming identifier", changes: []) { $0.renamingIdentifier = "old" },
    attribute("indexed", changes: []) { $0.isIndexed = true },
    attribute("Spotlight", changes: []) { $0.isIndexedBySpotlight = true },
    attribute("a value transformer", changes: [], of: "thing") { $0.valueTransformerName = "Other" },
    attribute("a value class", changes: [], of: "thing") { $0.attributeValueClassName = "Other" },
    attribute("cloud encryption", changes: []) { $0.allowsCloudEncryption = true },
    attribute("the name of a derived attribute's type", changes: [], of: "derived") {
      $0.attributeType = .stringAttributeType
    },
    attribute("a transient attribute", changes: [], of: "passing") { $0.attributeType = .stringAttributeType },
    attribute("a derived attribute's optionality", changes: [], of: "derived") { $0.isOptional = false },
    relationship("a delete rule", changes: []) { $0.deleteRule = .cascadeDeleteRule },
    entity("a fetched property", changes: [], of: "Leaf") { leaf in
      leaf.properties = leaf.properties.filter { $0.name != "found" }
    },
    entity("a class name", changes: []) { $0.managedObjectClassName = "Other" },
    entity("an entity's user info", changes: []) { $0.userInfo = nil },
    entity("an entity's renaming identifier", changes: []) { $0.renamingIdentifier = "Older" },
    entity("a fetch index", changes: []) { $0.indexes = [] },
    entity("a compound index", changes: [], of: "Leaf") { $0.compoundIndexes = [] },
    Change("a fetch request template", changes: []) { $0.fetchRequestTemplates = [:] },
    Change("a configuration", changes: []) { $0.setEntities([], forConfigurationName: "Leaves") },
    Change("version identifiers", changes: []) { $0.versionIdentifiers = ["2"] },
  ]

  @Test(arguments: counting + notCounting)
  func `CONTEXT 112: a change counts or does not`(change: Change) throws {
    let model = SampleModels.everything()
    let before = model.entityVersionHashesByName
    let checksum = model.versionChecksum
    let digest = model.versionHashesDigest
    try change.apply(model)
    let after = model.entityVersionHashesByName
    #expect(Set(before.keys.filter { before[$0] != after[$0] }) == change.changed)
    #expect((model.versionChecksum != checksum) == !change.changed.isEmpty)
    #expect((model.versionHashesDigest != digest) == !change.changed.isEmpty)
  }

  @Test func `CONTEXT 112: a renamed entity changes its own hash and those that lead to it`() throws {
    let model = SampleModels.everything()
    let before = model.entityVersionHashesByName
    let leaf = try #require(model.entitiesByName["Leaf"])
    leaf.name = "Foliage"
    let after = model.entityVersionHashesByName
    // Root holds a relationship to it, whose destination is part of the hash.
    #expect(after["Root"] != before["Root"])
    #expect(after["Foliage"] != before["Leaf"])
  }

  @Test func `a relationship that is its own inverse is hashed without it`() throws {
    let entity = NSEntityDescription()
    entity.name = "Person"
    let friends = NSRelationshipDescription()
    friends.name = "friends"
    friends.destinationEntity = entity
    entity.properties = [friends]
    let alone = friends.versionHash
    friends.inverseRelationship = friends
    #expect(friends.versionHash == alone)
  }
}
