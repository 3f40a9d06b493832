import Foundation

/// The dictionaries that an entity answers from once it cannot change.
struct EntityLookups: Sendable {
  /// Inherited ones first.
  let properties: [NSPropertyDescription]
  let propertiesByName: [String: NSPropertyDescription]
  let attributesByName: [String: NSAttributeDescription]
  let relationshipsByName: [String: NSRelationshipDescription]
  let layout: EntityLayout

  init(properties: [NSPropertyDescription]) {
    self.properties = properties
    propertiesByName = Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    attributesByName = propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
    relationshipsByName = propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
    layout = EntityLayout(properties: Array(propertiesByName.values))
  }
}

extension NSEntityDescription {
  private var currentLookups: EntityLookups { lookups ?? EntityLookups(properties: properties) }

  /// A property, inherited or not, without making the dictionaries of an entity that can still change.
  func property(named name: String) -> NSPropertyDescription? {
    if let lookups { return lookups.propertiesByName[name] }
    var current: NSEntityDescription? = self
    while let entity = current {
      if let property = entity.declaredProperties.first(where: { $0.name == name }) { return property }
      current = entity.superentity
    }
    return nil
  }

  /// A relationship, inherited or not.
  func relationship(named name: String) -> NSRelationshipDescription? {
    property(named: name) as? NSRelationshipDescription
  }

  /// All properties, inherited ones included, by name.
  ///
  /// Fast once the model is in use.
  public var propertiesByName: [String: NSPropertyDescription] { currentLookups.propertiesByName }

  /// All attributes, inherited ones included, by name.
  public var attributesByName: [String: NSAttributeDescription] { currentLookups.attributesByName }

  /// All relationships, inherited ones included, by name.
  public var relationshipsByName: [String: NSRelationshipDescription] { currentLookups.relationshipsByName }

  /// The direct children by name.
  public var subentitiesByName: [String: NSEntityDescription] {
    Dictionary(subentities.compactMap { entity in entity.name.map { ($0, entity) } }, uniquingKeysWith: { $1 })
  }

  /// The relationships, inherited ones included, that lead to an entity or one of its ancestors, sorted by name.
  public func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
    relationshipsByName.values
      .filter { $0.destinationEntity.map { entity.isKindOf(entity: $0) } ?? false }
      .sorted { $0.name < $1.name }
  }

  /// Whether the entity is the given one or inherits from it.
  public func isKindOf(entity: NSEntityDescription) -> Bool {
    var current: NSEntityDescription? = self
    while let ancestor = current {
      if ancestor === entity { return true }
      current = ancestor.superentity
    }
    return false
  }

  /// The order in which the object layer keeps the entity's values; stable once the model is in use.
  var layout: EntityLayout { currentLookups.layout }

  /// The topmost ancestor, whose table holds the objects.
  var rootEntity: NSEntityDescription {
    var root = self
    while let parent = root.superentity { root = parent }
    return root
  }
}
