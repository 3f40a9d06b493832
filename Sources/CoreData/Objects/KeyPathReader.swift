import Foundation

/// The keys that a Swift key path names.
package struct NamedKeyPath: Hashable, Sendable {
  /// From the object on: `["owner", "name"]`.
  package let keys: [String]
  /// How the values are to be compared, for a key path that says so; see `ComparedValue`.
  package var comparison: SortKey.Comparison?

  init(keys: [String], comparison: SortKey.Comparison? = nil) {
    self.keys = keys
    self.comparison = comparison
  }
}

/// Finds the keys that Swift key paths name.
///
/// A key path carries no names (PLATFORM.md, 6). One of a managed object's class is read through an object that notes what
/// is read of it. That a property was read does not make the key path its name: a computed property reads others. So what
/// comes out must be what the property holds, whatever it holds. Nothing is read of a type that no property can have, nor
/// is a missing value tried before filled ones came through unchanged, for a computed property may not expect one.
///
/// Other classes have names for the stored properties of final classes only.
package enum KeyPathReader {
  /// The keys; `nil` for a key path that names no property.
  package static func keys(of keyPath: AnyKeyPath) -> NamedKeyPath? {
    let (root, value) = (type(of: keyPath).rootType, type(of: keyPath).valueType)
    guard let root = root as? NSManagedObject.Type else { return storedProperty(keyPath, of: root) }
    if value is any KeyPathComparison.Type {
      let object = RecordedEntity.object(of: root, RecordedEntity.Log(undeclared: nil))
      guard let compared = object[keyPath: keyPath] as? any KeyPathComparison else { return nil }
      var named = keys(of: compared.keyPath)
      named?.comparison = compared.comparison
      return named
    }
    guard let value = value as? any PersistedValue.Type else { return nil }
    return (root as any NSFetchRequestResult.Type).keys(of: keyPath, value).map { NamedKeyPath(keys: $0) }
  }

  /// The name of a stored property, which the runtime knows for final classes.
  private static func storedProperty(_ keyPath: AnyKeyPath, of root: Any.Type) -> NamedKeyPath? {
    let text = String(reflecting: keyPath)
    let prefix = "\\" + String(describing: root) + "."
    guard root is AnyClass, text.hasPrefix(prefix) else { return nil }
    let keys = text.dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let isNamed = keys.allSatisfy { key in
      key != "self" && !key.isEmpty && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
    return isNamed ? NamedKeyPath(keys: keys) : nil
  }
}

extension NSFetchRequestResult {
  /// The keys of a key path that starts at an object of this class.
  fileprivate static func keys<Value: PersistedValue>(of keyPath: AnyKeyPath, _ value: Value.Type) -> [String]? {
    guard let type = Self.self as? NSManagedObject.Type, let keyPath = keyPath as? KeyPath<Self, Value> else {
      return nil
    }
    let log = RecordedEntity.Log(undeclared: value.commonValue)
    let object = RecordedEntity.object(of: type, log)
    guard let root = object as? Self else { return nil }
    let first = root[keyPath: keyPath]
    guard let (last, keys) = chain(from: object, log.reads), let key = keys.last else { return nil }
    guard let slot = last.objectClass.slot(named: key) else {
      return same(first.persistedObject, log.undeclared) ? keys : nil
    }
    guard let declared = last.objectClass.recorder?.valueType(forKey: key),
      declared == value || (keys.count > 1 && (value as? any OptionalValue.Type)?.wrapped == declared)
    else { return nil }
    func passes(_ content: Any?) -> Bool {
      last.change(slot, to: content)
      log.reads = []
      let result = root[keyPath: keyPath].persistedObject
      return chain(from: object, log.reads)?.keys == keys && same(result, declared.held(in: last, slot))
    }
    if case .toMany = declared.relation {
      return same(first.persistedObject, declared.held(in: last, slot)) ? keys : nil
    }
    if case .toOne = declared.relation {
      guard let held = last.changed(slot), same(first.persistedObject, held) else { return nil }
      log.leadsOn = false
      return declared is any OptionalValue.Type && !passes(nil) ? nil : keys
    }
    guard same(first.persistedObject, declared.held(in: last, slot)) else { return nil }
    return declared.typicalValues(in: last, slot).allSatisfy(passes) && passes(nil) ? keys : nil
  }
}

/// The objects and keys that were read, if each object was reached by the read before it.
private func chain(
  from object: NSManagedObject, _ reads: [RecordedEntity.Read]
) -> (last: NSManagedObject, keys: [String])? {
  var current = object
  for (place, read) in reads.enumerated() {
    guard read.object == ObjectIdentifier(current) else { return nil }
    if place == reads.count - 1 { return (current, reads.map(\.key)) }
    guard let slot = current.objectClass.slot(named: read.key), let next = current.changed(slot) as? NSManagedObject
    else { return nil }
    current = next
  }
  return nil
}

extension PersistedValue {
  /// Values, as objects keep them, that a property of this type can hold, tried in a slot.
  static func typicalValues(in object: NSManagedObject, _ slot: Int) -> [Any] {
    if let cases = allValues { return cases.compactMap(\.persistedObject) }
    let before = object.changed(slot)
    defer { object.change(slot, to: before ?? nil) }
    return commonValues.filter { candidate in
      object.change(slot, to: candidate)
      return holds(object, slot)
    }
  }

  /// A value that key-value coding may give for a property of this type.
  fileprivate static var commonValue: Any? {
    guard let type = unwrappedType as? any PersistedValue.Type else { return nil }
    return commonValues.first { type.accepts($0) }
  }

  private static var commonValues: [Any] {
    [
      NSNumber(value: 2), NSNumber(value: 0), NSNumber(value: -3), NSNumber(value: 1.5), NSDecimalNumber(value: 7.25),
      "ab", "Zé", "", Date(timeIntervalSinceReferenceDate: 1_000), UUID(), Data([1, 2]), URL(fileURLWithPath: "/a"),
    ]
  }

  /// The type without its optional.
  fileprivate static var unwrappedType: Any.Type { (self as? any OptionalValue.Type)?.wrapped ?? self }

  /// Whether a value is of this type, or of the one that it is kept as.
  fileprivate static func accepts(_ value: Any) -> Bool { value is Self }

  /// What a slot gives to a property of this type, as objects keep it.
  fileprivate static func held(in object: NSManagedObject, _ slot: Int) -> Any? {
    let state = object.state
    // Read as of a new object: without notes.
    object.state = .new
    defer { object.state = state }
    return (persisted(in: object, slot: slot) ?? absent).persistedObject
  }

  /// Whether a slot gives a property of this type a value.
  fileprivate static func holds(_ object: NSManagedObject, _ slot: Int) -> Bool {
    let state = object.state
    object.state = .new
    defer { object.state = state }
    guard let value = persisted(in: object, slot: slot) else { return false }
    return value.persistedObject != nil
  }

  /// All values of an enumeration that tells them.
  fileprivate static var allValues: [any PersistedValue]? {
    guard let type = unwrappedType as? any CaseIterable.Type else { return nil }
    return type.everyCase.compactMap { $0 as? any PersistedValue }
  }
}

extension CaseIterable {
  fileprivate static var everyCase: [Any] { Array(allCases) }
}

/// Whether two values, as objects keep them, are the same.
private func same(_ left: Any?, _ right: Any?) -> Bool {
  switch (unwrapped(left), unwrapped(right)) {
  case (nil, nil): true
  case (let left as NSObject, let right as NSObject): left.isEqual(right)
  case (let left as AnyHashable, let right as AnyHashable): left == right
  default: false
  }
}
