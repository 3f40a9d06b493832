import Foundation

/// The stand-in entity of a class's objects that note which of their properties are read.
///
/// It has what the class declares and is made for one reading of one key path. Sendable unchecked: it is never frozen, and
/// as any unfrozen description belongs to whoever made it.
final class RecordedEntity: NSEntityDescription, @unchecked Sendable {
  /// The properties read so far, and of which objects.
  struct Read: Equatable {
    let object: ObjectIdentifier
    let key: String
  }

  /// What the stand-ins of one reading share.
  final class Log {
    var reads: [Read] = []
    /// Whether the to-one relationships read lead somewhere.
    var leadsOn = true
    /// The value of a property that no managed property declares, which a class reads by its key.
    let undeclared: Any?

    init(undeclared: Any?) { self.undeclared = undeclared }
  }

  /// Under this name stand the properties that are read by key and not declared.
  static let undeclaredName = "\u{0}"

  private let log: Log
  private let valueTypes: [String: any PersistedValue.Type]

  required init() {
    log = Log(undeclared: nil)
    valueTypes = [:]
    super.init()
  }

  init(of type: NSManagedObject.Type, _ log: Log) {
    self.log = log
    let fields = ManagedField.all(of: type)
    valueTypes = Dictionary(fields.map { ($0.name, $0.valueType) }, uniquingKeysWith: { first, _ in first })
    super.init()
    name = String(describing: type)
    properties =
      fields.map { Self.property(named: $0.name, $0.valueType) }
      + [Self.property(named: Self.undeclaredName, String.self)]
  }

  private static func property(named name: String, _ type: any PersistedValue.Type) -> NSPropertyDescription {
    let property = type.relation == nil ? NSAttributeDescription() : NSRelationshipDescription()
    property.name = name
    if case .toOne = type.relation { (property as? NSRelationshipDescription)?.maxCount = 1 }
    return property
  }

  /// The type of a declared property's value.
  func valueType(forKey key: String) -> (any PersistedValue.Type)? { valueTypes[key] }

  /// A stand-in object whose properties note that they are read.
  static func object(of type: NSManagedObject.Type, _ log: Log) -> NSManagedObject {
    let entity = RecordedEntity(of: type, log)
    let object = type.init(entity: entity, insertInto: nil)
    // As if it were a fault: every read takes the way that notes it.
    object.state = []
    if let slot = object.objectClass.slot(named: undeclaredName) { object.change(slot, to: log.undeclared) }
    return object
  }

  /// A managed property in a slot of an object is about to be read.
  func note(_ slot: Int, of object: NSManagedObject) { note(object.objectClass.properties[slot].name, slot, object) }

  /// The slot of a property that is about to be read by its key.
  func slot(forKey key: String, of object: NSManagedObject) -> Int {
    let slot = object.objectClass.slot(named: key) ?? object.objectClass.slot(named: Self.undeclaredName) ?? 0
    note(key, slot, object)
    return slot
  }

  private func note(_ key: String, _ slot: Int, _ object: NSManagedObject) {
    let read = Read(object: ObjectIdentifier(object), key: key)
    // A property may look at its value twice.
    if log.reads.last != read { log.reads.append(read) }
    guard let type = valueTypes[key], object.changed(slot) == nil else { return }
    // Every property has a value to begin with.
    switch type.relation {
    case nil: object.change(slot, to: type.typicalValues(in: object, slot).first)
    case .toOne(let type) where log.leadsOn: object.change(slot, to: Self.object(of: type, log))
    case .toOne, .toMany: break
    }
  }
}

/// What a type of managed properties says about relationships.
enum Relation {
  case toOne(NSManagedObject.Type)
  case toMany(NSManagedObject.Type)
}

extension PersistedValue {
  /// The relationship that a property of this type is; `nil` for an attribute.
  static var relation: Relation? {
    switch self {
    case let type as NSManagedObject.Type: .toOne(type)
    case let type as any RelatedSetType.Type: .toMany(type.member)
    case let type as any OptionalValue.Type: (type.wrapped as? any PersistedValue.Type)?.relation
    default: nil
    }
  }
}

/// A set of managed objects.
private protocol RelatedSetType {
  static var member: NSManagedObject.Type { get }
}

extension Set: RelatedSetType where Element: NSManagedObject {
  static var member: NSManagedObject.Type { Element.self }
}

/// An optional, whatever it wraps.
protocol OptionalValue {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalValue {
  static var wrapped: Any.Type { Wrapped.self }
}
