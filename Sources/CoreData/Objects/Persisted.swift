import Foundation

/// A managed property: `@Persisted var name: String?` in a subclass of `NSManagedObject`.
///
/// The property's own name is the key. It stands for Apple's `@NSManaged`, which the Linux compiler gives no accessors
/// (reference/PLATFORM.md 1 and 2). Reading one fires a fault; setting one tells the context. A property whose name the
/// entity does not have stops the program when it is first used.
///
/// The key paths are there because the language asks for them. They are only read through, never kept or compared: so the
/// compiler makes a plain load of them in the client's own code, and no key path exists when the program runs.
@propertyWrapper
public struct Persisted<Value: PersistedValue>: ManagedProperty {
  /// The property's slot in the entity's layout; `NSManagedObject` sets it in each new object.
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
      let slot = Int(object[keyPath: storage].slot)
      if slot < 0 { object.lacksManagedProperty() }
      return Value.persisted(in: object, slot: slot) ?? Value.absent
    }
    set {
      let slot = Int(object[keyPath: storage].slot)
      if slot < 0 { object.lacksManagedProperty() }
      object.setPersisted(newValue.persistedObject, slot: slot)
    }
  }
}

/// Any `Persisted`, whatever its value's type.
protocol ManagedProperty {
  /// The type of the property's value.
  static var valueType: any PersistedValue.Type { get }
}

extension Persisted {
  static var valueType: any PersistedValue.Type { Value.self }
}
