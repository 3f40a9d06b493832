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
