/// One side of a comparison, as a value.
package indirect enum ExpressionTree: Hashable, Sendable, Codable {
  case constant(Constant)
  /// `SELF`: the evaluated object.
  case selfObject
  /// `$name`, without the dollar sign.
  case variable(String)
  /// `a.b.@sum.c`: the keys in order; collection operators keep their `@`.
  case keyPath([String])
  /// `operand.rest`, where the operand is no key path: `SELF.a`, `$x.a`, `SUBQUERY(…).@count`.
  ///
  /// A variable as `rest` names the key; an index as `rest` is `a.d[0]`, which binds to the last key only (rule 10).
  case path(ExpressionTree, ExpressionTree)
  /// `base[0]`, `base[FIRST]`.
  case index(ExpressionTree, Index)
  /// A predefined function; arithmetic is `add:to:` and its kin.
  case function(PredicateFunction, [ExpressionTree])
  /// `FUNCTION(target, "selector:", arguments…)`.
  case call(ExpressionTree, selector: String, [ExpressionTree])
  case cast(ExpressionTree, type: String)
  case subquery(ExpressionTree, variable: String, PredicateTree)
  /// `{a, b}`: a list of expressions.
  ///
  /// A collection given as argument is a constant instead.
  case aggregate([ExpressionTree])
  case set(SetOperation, ExpressionTree, ExpressionTree)
  /// `TERNARY(condition, then, else)`.
  case conditional(PredicateTree, ExpressionTree, ExpressionTree)
  /// `variable := value`.
  case assignment(ExpressionTree, ExpressionTree)
  case fetch(ExpressionTree, context: ExpressionTree, countOnly: ExpressionTree)
  case anyKey
  case block(CapturedID, [ExpressionTree])

  /// The element that an index asks for.
  package enum Index: Hashable, Sendable, Codable {
    case first, last, size
    case at(ExpressionTree)
  }

  /// `UNION`, `INTERSECT` and `MINUS`.
  package enum SetOperation: String, Hashable, Sendable, Codable {
    case union = "UNION"
    case intersect = "INTERSECT"
    case minus = "MINUS"
  }
}

extension ExpressionTree {
  /// The same expression, with each node replaced by what `change` makes of it, the leaves first.
  package func mapExpressions(_ change: (ExpressionTree) -> ExpressionTree) -> ExpressionTree {
    if case .subquery(let collection, let variable, let predicate) = self {
      // The subquery's own variable hides an outer one of the same name.
      return change(
        .subquery(
          collection.mapExpressions(change), variable: variable,
          predicate.mapExpressions { $0 == .variable(variable) ? $0 : change($0) }))
    }
    return change(mapChildren { $0.mapExpressions(change) })
  }

  /// The same expression, with each of its direct parts replaced by what `map` makes of it.
  package func mapChildren(_ map: (ExpressionTree) -> ExpressionTree) -> ExpressionTree {
    func inside(_ predicate: PredicateTree) -> PredicateTree { predicate.mapComparisons(map) }
    return switch self {
    case .constant, .selfObject, .variable, .keyPath, .anyKey: self
    case .path(let operand, let rest): .path(map(operand), map(rest))
    case .index(let base, .at(let position)): .index(map(base), .at(map(position)))
    case .index(let base, let index): .index(map(base), index)
    case .function(let function, let arguments): .function(function, arguments.map(map))
    case .call(let target, let selector, let arguments):
      .call(map(target), selector: selector, arguments.map(map))
    case .cast(let value, let type): .cast(map(value), type: type)
    case .subquery(let collection, let variable, let predicate):
      .subquery(map(collection), variable: variable, inside(predicate))
    case .aggregate(let elements): .aggregate(elements.map(map))
    case .set(let operation, let left, let right): .set(operation, map(left), map(right))
    case .conditional(let condition, let then, let otherwise):
      .conditional(inside(condition), map(then), map(otherwise))
    case .assignment(let variable, let value): .assignment(variable, map(value))
    case .fetch(let request, let context, let countOnly):
      .fetch(map(request), context: map(context), countOnly: map(countOnly))
    case .block(let block, let arguments): .block(block, arguments.map(map))
    }
  }
}
