import Foundation

extension NSManagedObjectID: PredicateIdentifying {
  /// Whether both name the same row.
  package func isSamePredicateIdentity(as other: any PredicateIdentifying) -> Bool {
    (other as? NSManagedObjectID).map(isEqual) ?? false
  }

  /// A hash by row.
  package var predicateIdentityHash: Int { hash }

  /// The id as predicates print it.
  package var predicateIdentityText: String { description }
}

extension PredicateValue {
  /// What a cell holds, for the types that are read at once; nil for any other, and where the cell does not fit its type.
  fileprivate init?(_ cell: StoredValue, of type: NSAttributeType) {
    let constant: Constant? =
      switch type {
      case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: cell.integer.map(Constant.integer)
      case .booleanAttributeType: cell.integer.map { .integer($0 != 0 ? 1 : 0) }
      case .doubleAttributeType: cell.real.map(Constant.double)
      case .floatAttributeType: cell.real.map { .double(Double(Float($0))) }
      case .dateAttributeType: cell.real.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
      case .stringAttributeType: cell.text.map(Constant.string)
      default: nil
      }
    guard let constant else { return nil }
    self = .constant(constant)
  }
}

extension StoredValue {
  /// What a comparison says of the cell as a value of this type, as it would of `PredicateValue(cell, of: type)`.
  fileprivate func answer(to matcher: ConstantMatcher, as type: NSAttributeType) -> Bool? {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: integer.flatMap(matcher.answer)
    case .booleanAttributeType: integer.flatMap { matcher.answer($0 != 0) }
    case .doubleAttributeType: real.flatMap(matcher.answer)
    case .floatAttributeType: real.flatMap { matcher.answer(Double(Float($0))) }
    case .dateAttributeType: real.flatMap { matcher.answer(Date(timeIntervalSinceReferenceDate: $0)) }
    case .stringAttributeType where slab.tag(row: row, column: column) == .text:
      slab.withBytes(row: row, column: column, matcher.answer)
    default: nil
    }
  }
}

extension NSManagedObject: PredicateObject {
  /// The value of a property; that of a stored attribute is read as managed properties read it, without boxing.
  package func predicateValue(forKey key: String) throws(PredicateError) -> PredicateValue {
    let slot = try predicateSlot(key)
    guard let (attribute, type) = storedAttribute(slot) else { return PredicateValue(value(forKey: key)) }
    switch content(slot) {
    case .nothing: return .null
    case .object(let value): return PredicateValue(value)
    case .cell(let cell):
      return PredicateValue(cell, of: type)
        ?? PredicateValue(cell.object(of: attribute, type: type, in: objectID.persistentStore))
    }
  }

  /// What a comparison says of a stored attribute's cell, which is not made a value for it; nil for anything else.
  package func answer(to matcher: ConstantMatcher, forKey key: String) throws(PredicateError) -> Bool? {
    let slot = try predicateSlot(key)
    guard let (_, type) = storedAttribute(slot) else { return nil }
    switch content(slot) {
    case .nothing: return matcher.answerForNothing
    case .object: return nil
    case .cell(let cell): return cell.answer(to: matcher, as: type)
    }
  }

  private func predicateSlot(_ key: String) throws(PredicateError) -> Int {
    guard let slot = objectClass.slot(named: key) else {
      throw PredicateError.unknownKey(key, of: "<\(Swift.type(of: self))>")
    }
    return slot
  }

  /// The attribute that keeps its values in the row's cell of that slot, all of one type.
  private func storedAttribute(_ slot: Int) -> (NSAttributeDescription, NSAttributeType)? {
    guard objectClass.recorder == nil, case .attribute(let attribute, let type) = objectClass.kinds[slot],
      !attribute.isTransient, !attribute.holdsAnyClass
    else { return nil }
    return (attribute, type)
  }

  /// The object's id.
  package var predicateIdentity: PredicateIdentity { PredicateIdentity(objectID) }
}
