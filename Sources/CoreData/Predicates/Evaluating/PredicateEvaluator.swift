/// Evaluates predicates on values in memory.
///
/// Two rules for nil (PREDICATES.md, rule 36): `.memory` is `evaluate(with:)` on Apple's platforms, where nil equals nil
/// and differs from everything else; `.fetch` is SQL, where a comparison with a missing value is neither true nor false.
package struct PredicateEvaluator {
  package enum Nulls: Sendable {
    case memory, fetch
  }

  let captures: Captures
  let nulls: Nulls
  private let bindings: [String: Any]

  package init(_ captures: Captures, bindings: [String: Any] = [:], nulls: Nulls) {
    self.captures = captures
    self.bindings = bindings
    self.nulls = nulls
  }

  /// The evaluated object and the variables of the subqueries around.
  struct Scope {
    let object: PredicateValue
    var iterators: [String: PredicateValue] = [:]
  }

  /// Whether the predicate holds; nil where a fetch would find it unknown, which a fetch takes for no.
  package func evaluate(_ tree: PredicateTree, _ object: PredicateValue) throws(PredicateError) -> Bool? {
    try evaluate(tree, in: Scope(object: object))
  }

  /// The value of an expression.
  package func value(
    of tree: ExpressionTree, _ object: PredicateValue
  ) throws(PredicateError) -> PredicateValue {
    try value(of: tree, in: Scope(object: object))
  }

  func evaluate(_ tree: PredicateTree, in scope: Scope) throws(PredicateError) -> Bool? {
    switch tree {
    case .value(let value): return value
    case .comparison(let comparison): return try evaluate(comparison, in: scope)
    case .not(let child): return try evaluate(child, in: scope).map { !$0 }
    case .and(let children):
      var result: Bool? = true
      for child in children {
        switch try evaluate(child, in: scope) {
        case false?: return false
        case nil: result = nil
        case true?: break
        }
      }
      return result
    case .or(let children):
      var result: Bool? = false
      for child in children {
        switch try evaluate(child, in: scope) {
        case true?: return true
        case nil: result = nil
        case false?: break
        }
      }
      return result
    case .block(let id):
      let predicate = captures.values[id] as? NSPredicate
      guard let predicate else { throw PredicateError("a block that the predicate no longer holds") }
      return predicate.evaluate(with: scope.object.anyValue(captures), substitutionVariables: allBindings(in: scope))
    }
  }

  private func evaluate(
    _ comparison: PredicateTree.Comparison, in scope: Scope
  ) throws(PredicateError) -> Bool? {
    let left = try value(of: comparison.left, in: scope)
    let right = try value(of: comparison.right, in: scope)
    let comparer = PredicateComparer(comparison, nulls: nulls, captures: captures)
    guard comparison.modifier != .direct else { return try comparer.compare(left, right) }
    let wanted = comparison.modifier == .any
    for element in try quantified(left) {
      // An unknown element is no match for ANY, and a failure for ALL, as it is for EXISTS in SQL.
      if (try comparer.compare(element, right) ?? false) == wanted { return wanted }
    }
    return !wanted
  }

  /// What ANY and ALL go through: the elements, also of collections within (two to-many relationships in a path).
  ///
  /// Nothing for nil, which is a path whose to-one is not set. A fetch takes a single value for a collection of one
  /// (rule 27).
  private func quantified(_ value: PredicateValue) throws(PredicateError) -> [PredicateValue] {
    if value.isNull || nulls == .fetch && value.isMissing { return [] }
    guard let elements = value.elements else {
      if nulls == .fetch { return [value] }
      throw PredicateError("The left hand side for an ALL or ANY operator must be either an NSArray or an NSSet.")
    }
    return elements.flatMap { $0.elements ?? [$0] }
  }

  // MARK: Variables

  func variable(_ name: String, in scope: Scope) throws(PredicateError) -> PredicateValue {
    if let value = scope.iterators[name] { return value }
    if let value = bindings[name] {
      if let expression = value as? NSExpression {
        let inner = PredicateEvaluator(expression.captures, bindings: bindings, nulls: nulls)
        return try inner.value(of: expression.tree, in: scope)
      }
      return PredicateValue(value)
    }
    throw PredicateError("Can't get value for '\(name)' in bindings \(bindings).")
  }

  func allBindings(in scope: Scope) -> [String: Any]? {
    bindings.merging(scope.iterators.compactMapValues { $0.anyValue(captures) }) { _, inner in inner }
  }
}
