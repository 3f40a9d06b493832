import CoreData

/// The demo's model: parks with trails, the hikers who walk them, and what they saw on the way.
enum DemoModel {
  /// Raised whenever the model or the generated data changes: older demo stores are made anew.
  static let version = 1

  static func make() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    let park = entity(
      "Park",
      [
        attribute("area", .decimalAttributeType), attribute("founded", .dateAttributeType),
        attribute("isOpen", .booleanAttributeType), attribute("name", .stringAttributeType, optional: false),
        attribute("region", .stringAttributeType), attribute("website", .URIAttributeType),
      ])
    let trail = entity(
      "Trail",
      [
        attribute("ascent", .integer32AttributeType), attribute("difficulty", .integer16AttributeType),
        attribute("length", .doubleAttributeType), attribute("name", .stringAttributeType, optional: false),
        attribute("notes", .stringAttributeType), attribute("surveyed", .dateAttributeType),
      ])
    let waypoint = entity(
      "Waypoint",
      [
        attribute("elevation", .floatAttributeType), attribute("latitude", .doubleAttributeType),
        attribute("longitude", .doubleAttributeType), attribute("name", .stringAttributeType),
      ])
    let hiker = entity(
      "Hiker",
      [
        attribute("email", .stringAttributeType), attribute("id", .UUIDAttributeType, optional: false),
        attribute("joined", .dateAttributeType), attribute("name", .stringAttributeType, optional: false),
        attribute("steps", .integer64AttributeType),
      ])
    let sighting = entity(
      "Sighting",
      [
        attribute("count", .integer16AttributeType), attribute("note", .stringAttributeType),
        attribute("photo", .binaryDataAttributeType), attribute("seen", .dateAttributeType),
        attribute("species", .stringAttributeType, optional: false),
      ])
    let bird = entity(
      "BirdSighting", [attribute("isSinging", .booleanAttributeType), attribute("wingspan", .doubleAttributeType)])
    sighting.subentities = [bird]

    relate(park, "trails", to: trail, "park", deleting: .cascadeDeleteRule)
    relate(trail, "waypoints", to: waypoint, "trail", deleting: .cascadeDeleteRule, ordered: true)
    relate(trail, "sightings", to: sighting, "trail", deleting: .cascadeDeleteRule)
    relate(hiker, "sightings", to: sighting, "hiker", deleting: .nullifyDeleteRule)
    relate(hiker, "trails", to: trail, "hikers", deleting: .nullifyDeleteRule, isManyToMany: true)

    hiker.uniquenessConstraints = [["id"]]
    model.entities = [park, trail, waypoint, hiker, sighting, bird]
    return model
  }

  private static func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = name
    entity.properties = properties
    return entity
  }

  private static func attribute(_ name: String, _ type: NSAttributeType, optional: Bool = true)
    -> NSAttributeDescription
  {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = optional
    return attribute
  }

  /// Both ends of a relationship: to-many from `source`, and to-one, or to-many as well, back from `target`.
  private static func relate(
    _ source: NSEntityDescription, _ name: String, to target: NSEntityDescription, _ inverseName: String,
    deleting rule: NSDeleteRule, ordered: Bool = false, isManyToMany: Bool = false
  ) {
    let many = NSRelationshipDescription()
    (many.name, many.destinationEntity, many.deleteRule) = (name, target, rule)
    (many.minCount, many.maxCount, many.isOrdered) = (0, 0, ordered)
    let back = NSRelationshipDescription()
    (back.name, back.destinationEntity, back.deleteRule) = (inverseName, source, .nullifyDeleteRule)
    (back.minCount, back.maxCount) = (0, isManyToMany ? 0 : 1)
    many.inverseRelationship = back
    back.inverseRelationship = many
    source.properties = source.declared + [many]
    target.properties = target.declared + [back]
  }
}

extension NSEntityDescription {
  /// The properties given so far, without those of a parent.
  fileprivate var declared: [NSPropertyDescription] {
    let inherited = Set((superentity?.properties ?? []).map(ObjectIdentifier.init))
    return properties.filter { !inherited.contains(ObjectIdentifier($0)) }
  }
}
