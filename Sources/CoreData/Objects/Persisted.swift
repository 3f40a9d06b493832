import Foundation

/// A managed property: `@Persisted var name: String?` in a subclass of `NSManagedObject`.
///
/// The property's own name is the key. It stands for Apple's `@NSManaged`, which the Linux compiler gives no accessors
/// (reference/PLATFORM.md 1 and 2). Reading one fires a fault; setting one tells the context. A property whose name the
/// entity does not have stops the program when it is first used.
@propertyWrapper
public struct Persisted<Value: PersistedValue>: MarkedWrapper {
  /// The property's slot in the entity's layout, found on first use; negative until then.
  @usableFromInline var slot: Int32 = -1

  /// A managed property.
  @inlinable
  public init() {}

  /// Managed properties exist in subclasses of `NSManagedObject` only.
  @available(*, unavailable, message: "@Persisted can only be used in subclasses of NSManagedObject")
  public var wrappedValue: Value {
    get { fatalError("unavailable") }
    set { fatalError("unavailable") }
  }

  /// The value of the property in its object.
  @inlinable
  public static subscript<Object: NSManagedObject>(
    _enclosingInstance object: Object, wrapped wrapped: ReferenceWritableKeyPath<Object, Value>,
    storage storage: ReferenceWritableKeyPath<Object, Persisted<Value>>
  ) -> Value {
    get {
      var slot = object[keyPath: storage].slot
      if slot < 0 { slot = resolve(storage, in: object) }
      return Value.persisted(in: object, slot: Int(slot)) ?? Value.absent
    }
    set {
      var slot = object[keyPath: storage].slot
      if slot < 0 { slot = resolve(storage, in: object) }
      object.setPersisted(newValue.persistedObject, slot: Int(slot))
    }
  }

  @usableFromInline
  static func resolve<Object: NSManagedObject>(
    _ storage: ReferenceWritableKeyPath<Object, Persisted<Value>>, in object: Object
  ) -> Int32 {
    let slot = object.accessors.slot(of: storage) {
      object[keyPath: storage].slot = -2
      return object.nameOfProperty(marked: -2)
    }
    object[keyPath: storage].slot = slot
    return slot
  }
}

extension NSManagedObject {
  /// Sets a slot's value as a managed property does: the object and its context take notice.
  @usableFromInline
  final func setPersisted(_ value: Any?, slot: Int) {
    let key = entity.layout.properties[slot].name
    willChangeValue(forKey: key)
    setPrimitiveValue(value, forKey: key)
    didChangeValue(forKey: key)
  }
}
