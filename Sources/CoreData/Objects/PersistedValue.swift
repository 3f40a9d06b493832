import Foundation

/// A type that a managed property can have.
///
/// Numbers, `Bool`, `String`, `Date`, `Data`, `UUID`, `URL`, `Decimal`, managed objects, `NSSet`, `NSOrderedSet`, `Set` of
/// managed objects, optionals of these, and enumerations whose raw value is one of them.
public protocol PersistedValue {
  /// The value of a slot, read without boxing where the row is unchanged; `nil` when there is none.
  static func persisted(in object: NSManagedObject, slot: Int) -> Self?
  /// What a property of this type gives when there is no value: zero, empty, or the first instant of 2001.
  static var absent: Self { get }
  /// The value as key-value coding keeps it.
  var persistedObject: Any? { get }
}

extension PersistedValue where Self: FixedWidthInteger {
  /// The value of a slot.
  @inlinable
  public static func persisted(in object: NSManagedObject, slot: Int) -> Self? {
    object.persistedInteger(slot).map { Self(truncatingIfNeeded: $0) }
  }
  /// What a property gives when there is no value.
  @inlinable
  public static var absent: Self { 0 }
  /// The value as key-value coding keeps it.
  public var persistedObject: Any? { NSNumber(value: Int64(truncatingIfNeeded: self)) }
}

extension Int16: PersistedValue {}
extension Int32: PersistedValue {}
extension Int64: PersistedValue {}
extension Int: PersistedValue {}

extension Bool: PersistedValue {
  /// The value of a slot.
  @inlinable
  public static func persisted(in object: NSManagedObject, slot: Int) -> Bool? {
    object.persistedInteger(slot).map { $0 != 0 }
  }
  /// What a property gives when there is no value.
  @inlinable
  public static var absent: Bool { false }
  /// The value as key-value coding keeps it.
  public var persistedObject: Any? { NSNumber(value: self) }
}

extension Double: PersistedValue {
  /// The value of a slot.
  @inlinable
  public static func persisted(in object: NSManagedObject, slot: Int) -> Double? { object.persistedReal(slot) }
  /// What a property gives when there is no value.
  @inlinable
  public static var absent: Double { 0 }
  /// The value as key-value coding keeps it.
  public var persistedObject: Any? { NSNumber(value: self) }
}

extension Float: PersistedValue {
  /// The value of a slot.
  @inlinable
  public static func persisted(in object: NSManagedObject, slot: Int) -> Float? {
    object.persistedReal(slot).map { Float($0) }
  }
  /// What a property gives when there is no value.
  @inlinable
  public static var absent: Float { 0 }
  /// The value as key-value coding keeps it.
  public var persistedObject: Any? { NSNumber(value: self) }
}

extension Decimal: PersistedValue {
  /// The value of a slot.
  public static func persisted(in object: NSManagedObject, slot: Int) -> Decimal? {
    switch object.content(slot) {
    case .nothing: nil
    case .object(let value): (value as? NSDecimalNumber)?.decimalValue ?? value as? Decimal
    case .cell(let cell): cell.decimal?.decimalValue
    }
  }
  /// What a property gives when there is no value.
  public static var absent: Decimal { 0 }
  /// The value as key-value coding keeps it.
  public var persistedObject: Any? { NSDecimalNumber(decimal: self) }
}

extension String: PersistedValue {
  /// The value of a slot.
  @inlinable
  public static func persisted(in object: NSManagedObject, slot: Int) -> String? { object.persistedText(slot) }
  /// What a property gives when there is no value.
  @inlinable
  public static var absent: String { "" }
  /// The value as key-value coding keeps it.
  public var persistedObject: Any? { self }
}

extension Date: PersistedValue {
  /// The value of a slot.
  @inlinable
  public static func persisted(in object: NSManagedObject, slot: Int) -> Date? {
    object.persistedReal(slot).map { Date(timeIntervalSinceReferenceDate: $0) }
  }
  /// What a property gives when there is no value.
  @inlinable
  public static var absent: Date { Date(timeIntervalSinceReferenceDate: 0) }
  /// The value as key-value coding keeps it.
  public var persistedObject: Any? { self }
}

extension UUID: PersistedValue {
  /// The value of a slot.
  public static func persisted(in object: NSManagedObject, slot: Int) -> UUID? {
    switch object.content(slot) {
    case .nothing: nil
    case .object(let value): value as? UUID
    case .cell(let cell): cell.uuid
    }
  }
  /// What a property gives when there is no value.
  public static var absent: UUID { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
  /// The value as key-value coding keeps it.
  public var persistedObject: Any? { self }
}

/// Types whose values are read through key-value coding: boxing costs little beside what they hold.
public protocol BoxedPersistedValue: PersistedValue {}

extension BoxedPersistedValue {
  /// The value as key-value coding gives it.
  public static func persisted(in object: NSManagedObject, slot: Int) -> Self? {
    if object.needsRow { object.willRead(slot) }
    return object.value(inSlot: slot) as? Self
  }
  /// The value itself.
  public var persistedObject: Any? { self }
}

extension Data: BoxedPersistedValue {
  /// What a property gives when there is no value.
  public static var absent: Data { Data() }
}

extension URL: BoxedPersistedValue {
  /// What a property gives when there is no value.
  public static var absent: URL { URL(fileURLWithPath: "/") }
}

extension Set: PersistedValue, BoxedPersistedValue where Element: NSManagedObject {
  /// The value of a slot.
  public static func persisted(in object: NSManagedObject, slot: Int) -> Set? {
    NSSet.objects(in: object, slot: slot).map { Set($0.compactMap { $0 as? Element }) }
  }
  /// What a property gives when there is no value.
  public static var absent: Set { [] }
  /// The value as key-value coding keeps it.
  public var persistedObject: Any? { NSSet(set: self) }
}

extension NSSet {
  /// The objects of a to-many slot, in order where it has one.
  static func objects(in object: NSManagedObject, slot: Int) -> [Any]? {
    if object.needsRow { object.willRead(slot) }
    switch object.value(inSlot: slot) {
    case let set as NSSet: return set.allObjects
    case let set as NSOrderedSet: return set.array
    default: return nil
    }
  }
}

extension Optional: PersistedValue where Wrapped: PersistedValue {
  /// The value of a slot.
  @inlinable
  public static func persisted(in object: NSManagedObject, slot: Int) -> Wrapped?? {
    .some(Wrapped.persisted(in: object, slot: slot))
  }
  /// What a property gives when there is no value.
  @inlinable
  public static var absent: Wrapped? { nil }
  /// The value as key-value coding keeps it.
  public var persistedObject: Any? { flatMap(\.persistedObject) }
}

extension PersistedValue where Self: RawRepresentable, RawValue: PersistedValue {
  /// The case of the stored raw value; `nil` for a value that is no case.
  @inlinable
  public static func persisted(in object: NSManagedObject, slot: Int) -> Self? {
    RawValue.persisted(in: object, slot: slot).flatMap(Self.init(rawValue:))
  }
  /// The raw value as key-value coding keeps it.
  public var persistedObject: Any? { rawValue.persistedObject }
}

extension NSManagedObject: PersistedValue {
  /// The object at the other end of a to-one relationship.
  public static func persisted(in object: NSManagedObject, slot: Int) -> Self? {
    if object.needsRow { object.willRead(slot) }
    return object.value(inSlot: slot) as? Self
  }
  /// A relationship that can be empty must be declared optional.
  public static var absent: Self {
    preconditionFailure("@Persisted: a to-one relationship without an object was read as non-optional \(Self.self)")
  }
  /// The object itself.
  public final var persistedObject: Any? { self }
}
