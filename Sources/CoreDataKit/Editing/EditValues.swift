#if os(Linux)
  import CoreData
  import Foundation

  /// Why an operation is not carried out, in one line.
  struct EditRefusal: Error {
    var reason: String

    init(_ reason: String) { self.reason = reason }
  }

  // Values between objects and those who edit them.

  extension Edits {
    /// A property's value now, with the edits.
    func value(of object: NSManagedObject, _ name: String) -> PropertyValue {
      ours(PropertyValue(object, property: name), object, name)
    }

    /// The value of a property that the edits are based on.
    func base(of object: NSManagedObject, _ name: String) -> PropertyValue {
      ours(PropertyValue(committed: object, property: name), object, name)
    }

    /// New objects under the keys that this session gave them, unordered ones by key, so that equal sets are equal values.
    private func ours(_ value: PropertyValue, _ object: NSManagedObject, _ name: String) -> PropertyValue {
      switch value {
      case .object(let key): return .object(ownKey(key))
      case .objects(let keys): return PropertyValue.objects(keys.map(ownKey)).ordered(by: object.entity, name)
      default: return value
      }
    }

    /// A travelling value as key-value coding takes it for a property.
    func stored(_ value: PropertyValue, in property: NSPropertyDescription) throws -> Any? {
      guard let relationship = property as? NSRelationshipDescription else {
        guard let attribute = property as? NSAttributeDescription else {
          throw EditRefusal("\(property.name) cannot be edited")
        }
        do {
          return try value.attributeValue(for: attribute)
        } catch {
          throw EditRefusal("\(attribute.name) takes \(Self.words(for: attribute.attributeType))")
        }
      }
      switch value {
      case .null where !relationship.isToMany: return nil
      case .object(let key) where !relationship.isToMany: return try related(key, by: relationship)
      case .objects(let keys) where relationship.isToMany:
        let objects = try keys.map { try related($0, by: relationship) }
        let stored: Any = relationship.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
        return stored
      default: throw EditRefusal("\(relationship.name) takes \(relationship.isToMany ? "objects" : "an object")")
      }
    }

    private func related(_ key: ObjectKey, by relationship: NSRelationshipDescription) throws -> NSManagedObject {
      let object = try object(key)
      if object.isDeleted { throw EditRefusal("\(relationship.name): the object will be deleted") }
      guard let destination = relationship.destinationEntity, object.entity.isKindOf(entity: destination) else {
        throw EditRefusal(
          "\(relationship.name) takes objects of \(relationship.destinationEntity?.name ?? "another entity")")
      }
      return object
    }

    private static func words(for type: NSAttributeType) -> String {
      switch type {
      case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: "a whole number"
      case .doubleAttributeType, .floatAttributeType, .decimalAttributeType: "a number"
      case .booleanAttributeType: "true or false"
      case .stringAttributeType: "text"
      case .dateAttributeType: "a date"
      case .UUIDAttributeType: "a UUID"
      case .URIAttributeType: "a URI"
      default: "data"
      }
    }

    /// An error in one line.
    static func words(_ error: any Error) -> String {
      if let refusal = error as? EditRefusal { return refusal.reason }
      return (error as NSError).userInfo[NSLocalizedDescriptionKey] as? String ?? error.localizedDescription
    }
  }

  extension PropertyValue {
    /// The objects of an unordered relationship by key; any other value as it is.
    func ordered(by entity: NSEntityDescription, _ name: String) -> PropertyValue {
      guard case .objects(let keys) = self, entity.relationshipsByName[name]?.isOrdered != true else { return self }
      return .objects(keys.sorted { ($0.entity, $0.primaryKey) < ($1.entity, $1.primaryKey) })
    }
  }
#endif
