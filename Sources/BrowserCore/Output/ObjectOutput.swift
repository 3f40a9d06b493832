import CoreData
import Foundation

/// A managed object as an output row, each value as CLI.md's "Values in JSON" states it.
struct ObjectOutput {
  /// Whether to-many relationships give their objects, or their count.
  var showsRelationships = false

  /// The identity of an object: its URI and the name of its own entity.
  func identity(of object: NSManagedObject) -> OutputRow {
    [
      ("objectID", .string(object.objectID.uriRepresentation().absoluteString)),
      ("entity", .string(object.entity.name ?? "")),
    ]
  }

  /// Every stored property of the object's own entity, by name in bytewise order.
  func properties(of object: NSManagedObject) -> OutputRow {
    object.entity.listedPropertyNames.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .map { ($0, value(of: $0, in: object)) }
  }

  /// The value at a key path: a property, or one of the object at the end of to-one relationships.
  func value(at path: String, in object: NSManagedObject) -> OutputValue {
    var object = object
    let keys = path.split(separator: ".").map(String.init)
    for key in keys.dropLast() {
      guard object.entity.relationshipsByName[key]?.isToMany == false,
        let next = object.value(forKey: key) as? NSManagedObject
      else { return .null }
      object = next
    }
    return value(of: keys.last ?? "", in: object)
  }

  /// A property's value as text, or without a property the object as JSON, as `get --format json` writes it.
  func text(of property: String?, in object: NSManagedObject) -> String {
    if let property { return value(of: property, in: object).text ?? "" }
    return JSONText.object((identity(of: object) + properties(of: object)).map { ($0.name, $0.value.json) })
  }

  private func value(of name: String, in object: NSManagedObject) -> OutputValue {
    if let attribute = object.entity.attributesByName[name] { return value(of: attribute, in: object) }
    guard let relationship = object.entity.relationshipsByName[name] else { return .null }
    let target = object.value(forKey: name)
    if !relationship.isToMany {
      return (target as? NSManagedObject).map { .string($0.objectID.uriRepresentation().absoluteString) } ?? .null
    }
    let objects = (target as? NSOrderedSet)?.array ?? (target as? NSSet)?.allObjects ?? []
    guard showsRelationships else { return .number(String(objects.count)) }
    var uris = objects.compactMap { ($0 as? NSManagedObject)?.objectID.uriRepresentation().absoluteString }
    if !relationship.isOrdered { uris.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
    return OutputValue(json: JSONText.array(uris.map(JSONText.quoted)), text: uris.joined(separator: " "))
  }

  private func value(of attribute: NSAttributeDescription, in object: NSManagedObject) -> OutputValue {
    // A text that is no URL is still what the store holds.
    if attribute.attributeType == .URIAttributeType, let text = object.storedText(forKey: attribute.name) {
      return .string(text)
    }
    guard let value = object.value(forKey: attribute.name) else { return .null }
    if attribute.holdsAnyClass { return Self.value(ofAnyClass: value, type: attribute.attributeType) }
    switch (attribute.attributeType, value) {
    case (.decimalAttributeType, let number as NSDecimalNumber):
      return .string(object.storedText(forKey: attribute.name) ?? number.stringValue)
    case (.booleanAttributeType, let number as NSNumber): return .bool(number.boolValue)
    case (.floatAttributeType, let number as NSNumber): return .number(JSONText.number(number.floatValue))
    case (.doubleAttributeType, let number as NSNumber): return .number(JSONText.number(number.doubleValue))
    case (_, let number as NSNumber): return .number(String(number.int64Value))
    case (_, let date as Date):
      return ISODate.text(date).map { .string($0) } ?? .number(JSONText.number(date.timeIntervalSinceReferenceDate))
    case (_, let uuid as UUID): return .string(uuid.uuidString)
    case (_, let url as URL): return .string(url.absoluteString)
    case (_, let text as String): return .string(text)
    case (_, let data as Data): return .data(data)
    default: return .string(String(describing: value))
    }
  }

  /// A value of a plain database's column, as what it is.
  private static func value(ofAnyClass value: Any, type: NSAttributeType) -> OutputValue {
    switch value {
    case let text as String: return .string(text)
    case let data as Data: return .data(data)
    case let number as NSNumber:
      switch number.propertyValue(as: type) {
      case .boolean(let isTrue): return .bool(isTrue)
      case .decimal(let text): return .string(text)
      case .real(let number): return .number(JSONText.number(number))
      default: return .number(String(number.int64Value))
      }
    default: return .string(String(describing: value))
    }
  }
}
