/// An object named by its URI in a text, before it is known which store it is of.
///
/// Stands in a tree where an object id will stand: a store puts the id in its place, or refuses the URI.
package final class ObjectReference: PredicateIdentifying, Sendable {
  /// `x-coredata://STORE/Entity/p42`.
  package let uri: URL

  /// A reference by a URI.
  package init(_ uri: URL) { self.uri = uri }

  package func isSamePredicateIdentity(as other: any PredicateIdentifying) -> Bool {
    predicateIdentityText == other.predicateIdentityText
  }

  package var predicateIdentityHash: Int { uri.hashValue }

  package var predicateIdentityText: String { "\"\(uri.absoluteString)\"" }
}

extension PredicateTree {
  /// The same tree, with object ids in the place of references.
  ///
  /// Throws the first error of `find`, which answers the id that a URI means.
  package func replacingReferences(
    _ find: (URL) throws -> any PredicateIdentifying
  ) throws -> PredicateTree {
    var failure: (any Error)?
    let tree = mapExpressions { expression in
      guard case .constant(.identity(let identity)) = expression, let reference = identity.id as? ObjectReference
      else { return expression }
      do {
        return .constant(.identity(PredicateIdentity(try find(reference.uri))))
      } catch let error {
        failure = failure ?? error
        return expression
      }
    }
    if let failure { throw failure }
    return tree
  }
}
