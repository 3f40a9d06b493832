import Foundation

extension PropertyValue {
  /// A property of an object as it is now, with what waits to be saved.
  ///
  /// Fires a fault; a to-many relationship is read. A name that is no property stops the program.
  public init(_ object: NSManagedObject, property: String) {
    if object.needsRow { object.willAccessValue(forKey: nil) }
    let slot = object.slot(forKey: property)
    switch object.objectClass.kinds[slot] {
    case .attribute(let attribute, _): self.init(object.value(inSlot: slot), of: attribute)
    case .toOne: self = object.destinations(slot).first.flatMap(\.objectKey).map(PropertyValue.object) ?? .null
    case .toMany: self = .objects(object.destinations(slot).compactMap(\.objectKey))
    case .other: self = .null
    }
  }

  /// A property of an object as it was when it was last read or saved; null for one that was never saved.
  public init(committed object: NSManagedObject, property: String) {
    if object.needsRow { object.willAccessValue(forKey: nil) }
    let slot = object.slot(forKey: property)
    let context = object.managedObjectContext
    switch object.objectClass.kinds[slot] {
    case .attribute(let attribute, _): self.init(object.committedValue(slot), of: attribute)
    case .toOne(let relationship):
      self =
        object.committedID(slot, relationship).flatMap { context?.objectKey(of: $0) }.map(PropertyValue.object)
        ?? .null
    case .toMany(let relationship):
      self = .objects(object.committedIDs(slot, relationship).compactMap { context?.objectKey(of: $0) })
    case .other: self = .null
    }
  }

  /// An attribute's value as key-value coding gives it.
  public init(_ value: Any?, of attribute: NSAttributeDescription) {
    guard let value, !(value is NSNull) else {
      self = .null
      return
    }
    if attribute.holdsAnyClass {
      self.init(ofAnyClass: value, type: attribute.attributeType)
      return
    }
    self =
      switch (attribute.attributeType, value) {
      case (.integer16AttributeType, let number as NSNumber), (.integer32AttributeType, let number as NSNumber),
        (.integer64AttributeType, let number as NSNumber):
        .integer(number.int64Value)
      case (.booleanAttributeType, let number as NSNumber): .boolean(number.boolValue)
      case (.decimalAttributeType, let number as NSDecimalNumber): .decimal(number.description(withLocale: nil))
      case (.decimalAttributeType, let number as NSNumber): .decimal(number.decimalValue.description)
      case (.doubleAttributeType, let number as NSNumber), (.floatAttributeType, let number as NSNumber):
        .real(number.doubleValue)
      case (.dateAttributeType, let date as Date): .date(date)
      case (.UUIDAttributeType, let uuid as UUID): .uuid(uuid)
      case (.URIAttributeType, let url as URL): .text(url.absoluteString)
      case (_, let text as String): .text(text)
      case (_, let data as Data): .data(data)
      default: .odd(String(describing: value))
      }
  }

  /// The attribute value as key-value coding takes it.
  ///
  /// Throws when it is a relationship's, or is none that the attribute's type can hold.
  public func attributeValue(for attribute: NSAttributeDescription) throws -> Any? {
    if attribute.holdsAnyClass, let value = valueOfAnyClass { return value }
    switch (attribute.attributeType, self) {
    case (_, .null): return nil
    case (.integer16AttributeType, .integer(let value)), (.integer32AttributeType, .integer(let value)),
      (.integer64AttributeType, .integer(let value)):
      return NSNumber(value: value)
    case (.booleanAttributeType, .boolean(let value)): return NSNumber(value: value)
    case (.booleanAttributeType, .integer(let value)): return NSNumber(value: value != 0)
    case (.doubleAttributeType, .real(let value)): return NSNumber(value: value)
    case (.floatAttributeType, .real(let value)): return NSNumber(value: Float(value))
    case (.doubleAttributeType, .integer(let value)), (.floatAttributeType, .integer(let value)):
      return NSNumber(value: Double(value))
    case (.decimalAttributeType, .decimal(let text)):
      let number = NSDecimalNumber(string: text)
      if number != NSDecimalNumber.notANumber { return number }
    case (.decimalAttributeType, .integer(let value)): return NSDecimalNumber(value: value)
    case (.decimalAttributeType, .real(let value)): return NSDecimalNumber(string: String(value))
    case (.dateAttributeType, .date(let date)): return date
    case (.UUIDAttributeType, .uuid(let uuid)): return uuid
    case (.stringAttributeType, .text(let text)): return text
    case (.URIAttributeType, .text(let text)): if let url = URL(string: text) { return url }
    case (.binaryDataAttributeType, .data(let data)), (.transformableAttributeType, .data(let data)): return data
    default: break
    }
    throw NSError.coreData(
      NSCoreDataError, "Unacceptable type of value for attribute: property = \"\(attribute.name)\".")
  }
}

extension NSManagedObject {
  /// Sets a property as `setValue(_:forKey:)` does.
  ///
  /// Throws when the value is none that the property can hold, or names an object that the context does not know.
  public final func setPropertyValue(_ value: PropertyValue, forKey key: String) throws {
    guard let slot = objectClass.slot(named: key) else {
      throw NSError.coreData(NSCoreDataError, "the entity \(entity.name ?? "?") has no property \(key)")
    }
    switch (objectClass.kinds[slot], value) {
    case (.attribute(let attribute, _), _): setValue(try value.attributeValue(for: attribute), forKey: key)
    case (.toOne, .null): setValue(nil, forKey: key)
    case (.toOne(let relationship), .object(let target)):
      setValue(try destination(target, of: relationship), forKey: key)
    case (.toMany(let relationship), .objects(let targets)):
      let objects = try targets.map { try destination($0, of: relationship) }
      setValue(relationship.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects), forKey: key)
    case (.toMany(let relationship), .null):
      setValue(relationship.isOrdered ? NSOrderedSet() : NSSet(), forKey: key)
    default:
      throw NSError.coreData(NSCoreDataError, "Unacceptable type of value for relationship: property = \"\(key)\".")
    }
  }

  private final func destination(
    _ key: ObjectKey, of relationship: NSRelationshipDescription
  ) throws -> NSManagedObject {
    guard let object = try managedObjectContext?.object(for: key), !object.isDeleted else {
      throw NSError.coreData(
        NSManagedObjectReferentialIntegrityError,
        "there is no object with the key \(key.primaryKey) for \(relationship.name)")
    }
    if let wanted = relationship.destinationEntity, !object.entity.isKindOf(entity: wanted) {
      throw NSError.coreData(
        NSCoreDataError,
        "Unacceptable type of value for to-one relationship: property = \"\(relationship.name)\"; "
          + "desired type = \(wanted.name ?? "?"); given type = \(object.entity.name ?? "?").")
    }
    return object
  }

  /// The object's key in its store; below zero until it is saved; `nil` outside a context with a store.
  public final var objectKey: ObjectKey? { managedObjectContext?.objectKey(of: objectID) }
}

extension NSManagedObjectContext {
  /// The key of an id: the entity's number in the store and the primary key, which is below zero for a temporary id.
  public func objectKey(of id: NSManagedObjectID) -> ObjectKey? {
    guard let store = id.objectStore ?? (try? stores())?.first, let number = store.number(of: id.entity) else {
      return nil
    }
    return ObjectKey(
      entity: number, primaryKey: id.isTemporaryID ? temporaryKeys.key(of: id) : id.primaryKey)
  }

  /// The object that a key means, its row read; `nil` when there is none.
  ///
  /// Keys below zero are those that `objectKey(of:)` gave to objects that were not saved since.
  public func object(for key: ObjectKey) throws -> NSManagedObject? {
    assertQueue()
    if key.primaryKey < 0 { return temporaryKeys.id(of: key.primaryKey).flatMap(registeredObject(for:)) }
    for store in try stores() {
      guard let id = store.objectID(entity: key.entity, primaryKey: key.primaryKey) else { continue }
      if let known = registeredObject(for: id), !known.needsRow { return known }
      if let row = try store.row(of: id) {
        let object = object(with: id)
        if object.needsRow { object.take(row) }
        return object
      }
    }
    return nil
  }
}
