import Foundation

/// A model made of what an XML store shows, for a store whose model nobody has: names as they are written.
struct XMLStoreModel {
  /// The objects' numbers that each relationship leads to, by the owner's.
  private typealias Ends = [Int64: [Int64]]

  private struct Sketch {
    var attributes: [String: NSAttributeType] = [:]
    var relationships: [String: XMLStoreDocument.Relationship] = [:]
    var ends: [String: Ends] = [:]
  }

  private var sketches: [String: Sketch] = [:]
  private var entities: [String: NSEntityDescription] = [:]

  /// The model of a store's objects.
  ///
  /// Two relationships are taken for inverses of each other when their objects say so, each of each; a to-many
  /// relationship for which there is none gets one, named after it with an `Of`, since a model has to say where it is kept.
  static func model(of document: XMLStoreDocument) -> NSManagedObjectModel {
    var maker = XMLStoreModel(document)
    return maker.model()
  }

  private init(_ document: XMLStoreDocument) {
    for object in document.objects {
      var sketch = sketches[object.entity] ?? Sketch()
      for attribute in object.attributes {
        let type = Self.type(attribute.type)
        let known = sketch.attributes[attribute.name]
        sketch.attributes[attribute.name] = known == nil || known == type ? type : .stringAttributeType
      }
      for relationship in object.relationships {
        if sketch.relationships[relationship.name].map({ $0.maxCount == 1 }) != false {
          sketch.relationships[relationship.name] = relationship
        }
        sketch.ends[relationship.name, default: [:]][object.key] = relationship.keys
        if sketches[relationship.destination] == nil, relationship.destination != object.entity {
          sketches[relationship.destination] = Sketch()
        }
      }
      sketches[object.entity] = sketch
    }
  }

  private mutating func model() -> NSManagedObjectModel {
    for name in sketches.keys.sorted() {
      let entity = NSEntityDescription()
      entity.name = name
      entity.managedObjectClassName = "NSManagedObject"
      entities[name] = entity
    }
    var properties: [String: [NSPropertyDescription]] = [:]
    var relationships: [(owner: String, description: NSRelationshipDescription)] = []
    for (name, sketch) in sketches.sorted(by: { $0.key < $1.key }) {
      properties[name] = sketch.attributes.sorted { $0.key < $1.key }.map { key, type in
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (key, type, true)
        return attribute
      }
      for (key, sample) in sketch.relationships.sorted(by: { $0.key < $1.key })
      where sketch.attributes[key] == nil {
        relationships.append((name, relationship(key, to: sample.destination, maxCount: sample.maxCount == 1 ? 1 : 0)))
      }
    }
    for index in relationships.indices where relationships[index].description.inverseRelationship == nil {
      let (owner, forth) = relationships[index]
      let back = relationships.first { isInverse($0, of: (owner, forth)) }
      if let back {
        (forth.inverseRelationship, back.description.inverseRelationship) = (back.description, forth)
      } else if forth.isToMany, let destination = forth.destinationEntity?.name {
        let back = relationship(forth.name + "Of", to: owner, maxCount: 0)
        (forth.inverseRelationship, back.inverseRelationship) = (back, forth)
        relationships.append((destination, back))
      }
    }
    for (owner, relationship) in relationships { properties[owner, default: []].append(relationship) }
    for (name, entity) in entities { entity.properties = properties[name] ?? [] }
    let model = NSManagedObjectModel()
    model.isInferred = true
    model.entities = entities.sorted { $0.key < $1.key }.map(\.value)
    return model
  }

  private func relationship(_ name: String, to destination: String, maxCount: Int) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    (relationship.name, relationship.maxCount, relationship.isOptional) = (name, maxCount, true)
    relationship.destinationEntity = entities[destination]
    return relationship
  }

  private typealias Owned = (owner: String, description: NSRelationshipDescription)

  /// Whether two relationships lead to each other's owners, and every object says of every other what that says of it.
  private func isInverse(_ back: Owned, of forth: Owned) -> Bool {
    guard back.description !== forth.description, back.description.inverseRelationship == nil,
      back.description.destinationEntity?.name == forth.owner, forth.description.destinationEntity?.name == back.owner
    else { return false }
    let (ours, theirs) = (ends(of: forth), ends(of: back))
    let pairs = Self.pairs(ours)
    return !pairs.isEmpty && pairs == Set(Self.pairs(theirs).map { [$0[1], $0[0]] })
  }

  private func ends(of relationship: Owned) -> Ends {
    sketches[relationship.owner]?.ends[relationship.description.name] ?? [:]
  }

  private static func pairs(_ ends: Ends) -> Set<[Int64]> {
    Set(ends.flatMap { owner, keys in keys.map { [owner, $0] } })
  }

  /// The type that the letters after an attribute's name stand for.
  private static func type(_ name: String) -> NSAttributeType {
    switch name {
    case "int16": .integer16AttributeType
    case "int32": .integer32AttributeType
    case "int64": .integer64AttributeType
    case "decimal": .decimalAttributeType
    case "double": .doubleAttributeType
    case "float": .floatAttributeType
    case "bool": .booleanAttributeType
    case "date": .dateAttributeType
    case "binary", "transformable": .binaryDataAttributeType
    case "uuid": .UUIDAttributeType
    case "uri": .URIAttributeType
    default: .stringAttributeType
    }
  }
}
