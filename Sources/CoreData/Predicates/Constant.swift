/// A value written in a predicate or given to it as an argument.
package enum Constant: Sendable, Codable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case decimal(Decimal)
  case string(String)
  case date(Date)
  case data(Data)
  case uuid(UUID)
  case url(URL)
  /// A managed object or its id: both name the same row (rule 31).
  case identity(PredicateIdentity)
  /// An array or a set, in the order met.
  case collection([Constant])
  case dictionary([String: Constant])
  /// A value of a type unknown here, held apart in `Captures`.
  case captured(CapturedID)
}

/// What names a managed object in a predicate.
///
/// The object layer's object id adopts `PredicateIdentifying`.
package protocol PredicateIdentifying: AnyObject, Sendable {
  /// Whether both name the same object.
  func isSamePredicateIdentity(as other: any PredicateIdentifying) -> Bool
  /// Equal for equal identities.
  var predicateIdentityHash: Int { get }
  /// The text in `predicateFormat`.
  var predicateIdentityText: String { get }
}

/// An object id as a hashable value.
package struct PredicateIdentity: Hashable, Sendable {
  package let id: any PredicateIdentifying

  package init(_ id: any PredicateIdentifying) { self.id = id }

  package static func == (left: Self, right: Self) -> Bool {
    left.id === right.id || left.id.isSamePredicateIdentity(as: right.id)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(id.predicateIdentityHash) }
}

/// An object that predicates look into: the object layer's managed object adopts it.
package protocol PredicateObject: AnyObject {
  /// The value under one key, `.null` when unset.
  ///
  /// Throws `PredicateError.unknownKey` for a key that the object does not have.
  func predicateValue(forKey key: String) throws(PredicateError) -> PredicateValue
  /// What a comparison with a constant says of the value under one key, told from the value as it is stored.
  ///
  /// Nil where that is not possible: the value is then asked for. Throws as `predicateValue(forKey:)` does.
  func answer(to matcher: ConstantMatcher, forKey key: String) throws(PredicateError) -> Bool?
  /// What the object is compared by (rule 31).
  var predicateIdentity: PredicateIdentity { get }
}

extension PredicateObject {
  /// What the matcher says of `predicateValue(forKey:)`, where that is a constant.
  package func answer(to matcher: ConstantMatcher, forKey key: String) throws(PredicateError) -> Bool? {
    guard case .constant(let own) = try predicateValue(forKey: key) else { return nil }
    return matcher.answer(own)
  }
}
