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

extension NSManagedObject: PredicateObject {
  /// The value of a property.
  package func predicateValue(forKey key: String) throws(PredicateError) -> PredicateValue {
    guard entity.layout.slot(named: key) != nil else {
      throw PredicateError.unknownKey(key, of: "<\(type(of: self))>")
    }
    return PredicateValue(value(forKey: key))
  }

  /// The object's id.
  package var predicateIdentity: PredicateIdentity { PredicateIdentity(objectID) }
}
