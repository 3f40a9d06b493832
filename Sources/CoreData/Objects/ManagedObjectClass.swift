import Foundation
@_spi(Reflection) import Swift
import Synchronization

/// A Swift class as the class of an entity's objects: what every object of the two has in common.
final class ManagedObjectClass: Sendable {
  /// What a slot holds, told from its property once.
  enum SlotKind: Sendable {
    case attribute(NSAttributeDescription, NSAttributeType)
    case toOne(NSRelationshipDescription)
    case toMany(NSRelationshipDescription)
    /// A fetched property.
    case other
  }

  let type: NSManagedObject.Type
  /// The entity's properties in slot order.
  let properties: [NSPropertyDescription]
  /// What each slot holds.
  let kinds: [SlotKind]
  private let slots: [String: Int]
  /// Where the managed properties lie in every object of the class, in bytes, and their slots.
  private let places: [(offset: Int, slot: Int32)]
  /// Notes what is read of the objects, when they only stand for their class.
  let recorder: RecordedEntity?
  /// Managed properties that the entity does not have.
  let unknownProperties: [String]

  init(_ type: NSManagedObject.Type, of entity: NSEntityDescription) {
    self.type = type
    recorder = entity as? RecordedEntity
    properties = entity.layout.properties
    let slots = Dictionary(properties.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.slots = slots
    let found = ManagedField.all(of: type)
    places = found.compactMap { found in slots[found.name].map { (found.offset, Int32($0)) } }
    unknownProperties = found.map(\.name).filter { slots[$0] == nil }
    kinds = properties.map { property in
      switch property {
      case let attribute as NSAttributeDescription: .attribute(attribute, attribute.attributeType)
      case let relationship as NSRelationshipDescription:
        relationship.isToMany ? .toMany(relationship) : .toOne(relationship)
      default: .other
      }
    }
  }

  /// The slot of a property, `nil` when the entity has none of that name.
  func slot(named name: String) -> Int? { slots[name] }

  /// Tells a new object's managed properties their slots.
  func prepare(_ object: NSManagedObject) {
    // The places are those of stored properties of type `Persisted`, whose one field is the slot.
    let start = Unmanaged.passUnretained(object).toOpaque()
    for (offset, slot) in places { start.storeBytes(of: slot, toByteOffset: offset, as: Int32.self) }
  }
}

/// A managed property as the runtime knows it.
struct ManagedField {
  let name: String
  /// Where it lies in an object, in bytes.
  let offset: Int
  /// The type of its value.
  let valueType: any PersistedValue.Type

  /// The managed properties of a class and its superclasses.
  ///
  /// What the runtime knows for `Mirror`, which keeps the places to itself.
  static func all(of type: NSManagedObject.Type) -> [ManagedField] {
    let ofClass = _EachFieldOptions(rawValue: 1)
    var found: [ManagedField] = []
    _ = _forEachField(of: type, options: ofClass) { name, offset, type, _ in
      // The wrapper of `name` is stored as `_name`.
      if let property = type as? any ManagedProperty.Type {
        let name = String(String(cString: name).dropFirst())
        found.append(ManagedField(name: name, offset: offset, valueType: property.valueType))
      }
      return true
    }
    return found
  }
}

/// What the object layer finds out about an entity once; it lives as long as the entity.
final class EntityRuntime: Sendable {
  /// The class that the model states.
  private let stated = AtomicLazyReference<ManagedObjectClass>()
  /// Other classes that objects of the entity were made of.
  private let others = Mutex<[ObjectIdentifier: ManagedObjectClass]>([:])

  fileprivate func objectClass(of entity: NSEntityDescription) -> ManagedObjectClass {
    if let known = stated.load() { return known }
    let type = ManagedObjectClass.find(entity.managedObjectClassName) ?? NSManagedObject.self
    let made = ManagedObjectClass(type, of: entity)
    // An entity that can still change keeps nothing.
    return entity.isFrozen ? stated.storeIfNil(made) : made
  }

  fileprivate func objectClass(_ type: NSManagedObject.Type, of entity: NSEntityDescription) -> ManagedObjectClass {
    let stated = objectClass(of: entity)
    if stated.type == type { return stated }
    return others.withLock { others in
      if let known = others[ObjectIdentifier(type)] { return known }
      let made = ManagedObjectClass(type, of: entity)
      if entity.isFrozen { others[ObjectIdentifier(type)] = made }
      return made
    }
  }
}

extension NSEntityDescription {
  /// The Swift class that the entity's objects have: the one the model names, or `NSManagedObject` where the program does
  /// not have it.
  var objectClass: ManagedObjectClass { runtime.objectClass(of: self) }

  /// A Swift class as the class of an object of this entity.
  func objectClass(_ type: NSManagedObject.Type) -> ManagedObjectClass { runtime.objectClass(type, of: self) }
}

extension ManagedObjectClass {
  /// The class with a name: `Module.Class`, or a plain name of a class in the main program.
  fileprivate static func find(_ name: String) -> NSManagedObject.Type? {
    guard name != "NSManagedObject", !name.isEmpty else { return nil }
    let main = ProcessInfo.processInfo.processName
    return [name, main + "." + name].lazy.compactMap { _typeByName(mangled($0)) as? NSManagedObject.Type }.first
      ?? NSClassFromString(name) as? NSManagedObject.Type
  }

  /// `Module.Class` as the runtime spells it.
  private static func mangled(_ name: String) -> String {
    name.split(separator: ".").map { "\($0.utf8.count)\($0)" }.joined() + "C"
  }
}
