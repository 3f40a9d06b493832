import Foundation

/// What managed properties read: the way to a value of an unchanged row is short, and everything else stands behind it.
///
/// These are called from other modules, so none is generic and none boxes (reference/SQLITE.md 12).
extension NSManagedObject {
  /// The integer in a slot; fires a fault.
  @usableFromInline
  final func persistedInteger(_ slot: Int) -> Int64? {
    if let word = unchangedWord(slot, .integer) { return Int64(bitPattern: word) }
    return convertedInteger(slot)
  }

  @inline(never)
  private final func convertedInteger(_ slot: Int) -> Int64? {
    switch content(slot) {
    case .nothing: return nil
    case .object(let value): return (value as? NSNumber)?.int64Value
    case .cell(let cell): return cell.integer
    }
  }

  /// The number in a slot, or a date's seconds since the first instant of 2001; fires a fault.
  @usableFromInline
  final func persistedReal(_ slot: Int) -> Double? {
    if let word = unchangedWord(slot, .real) { return Double(bitPattern: word) }
    return convertedReal(slot)
  }

  @inline(never)
  private final func convertedReal(_ slot: Int) -> Double? {
    switch content(slot) {
    case .nothing: return nil
    case .object(let value):
      return (value as? Date)?.timeIntervalSinceReferenceDate ?? (value as? NSNumber)?.doubleValue
    case .cell(let cell): return cell.real
    }
  }

  /// The text in a slot; fires a fault.
  @usableFromInline
  final func persistedText(_ slot: Int) -> String? {
    switch content(slot) {
    case .nothing: return nil
    case .object(let value): return value as? String
    case .cell(let cell): return cell.text
    }
  }
}

/// What a slot holds.
enum SlotContent {
  case nothing
  /// A value that was set.
  case object(Any)
  /// A cell of the row.
  case cell(StoredValue)
}

extension NSManagedObject {
  /// What a slot holds; fires a fault.
  @inline(never)
  final func content(_ slot: Int) -> SlotContent {
    if needsRow { willRead(slot) }
    if let changed = changed(slot) { return changed.map(SlotContent.object) ?? .nothing }
    guard let stored = stored(slot), !stored.isNull else { return .nothing }
    return .cell(stored)
  }

  /// Reads the row of a fault whose managed property is read; an object that stands for its class notes the property.
  @inline(never)
  final func willRead(_ slot: Int) {
    if let recorder = objectClass.recorder { recorder.note(slot, of: self) } else { willAccessValue(forKey: nil) }
  }

  /// Sets a slot's value as a managed property does: the object and its context take notice.
  @usableFromInline
  final func setPersisted(_ value: Any?, slot: Int) {
    let key = objectClass.properties[slot].name
    willChangeValue(forKey: key)
    setPrimitive(value, slot: slot)
    didChangeValue(forKey: key)
  }

  /// Stops the program: a managed property was used that the entity does not have.
  @usableFromInline
  final func lacksManagedProperty() -> Never {
    preconditionFailure(
      "@Persisted: the entity \(entity.name ?? "?") has no property \(objectClass.unknownProperties.joined(separator: ", "))"
        + " as \(Self.self) has")
  }
}
