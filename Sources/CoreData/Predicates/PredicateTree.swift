/// What a predicate says, as a value: parsed once, then printed, evaluated in memory or translated to SQL.
///
/// Values that cannot live in a `Sendable` tree (blocks, foreign objects) are held apart, in `Captures`, under a
/// `CapturedID`. Source: PREDICATES.md, section 2.
package indirect enum PredicateTree: Hashable, Sendable, Codable {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case value(Bool)
  case comparison(Comparison)
  case not(PredicateTree)
  /// True without children (rule 23). `a AND b AND c` typed without parentheses is one case of three children.
  case and([PredicateTree])
  /// False without children (rule 23).
  case or([PredicateTree])
  /// A closure, or a predicate of a class that the tree does not know.
  case block(CapturedID)
}

extension PredicateTree {
  /// `[ANY|ALL] left operator[options] right`.
  package struct Comparison: Hashable, Sendable, Codable {
    package var left: ExpressionTree
    package var op: Operator
    package var right: ExpressionTree
    package var modifier: Modifier
    package var options: Options

    package init(
      _ left: ExpressionTree, _ op: Operator, _ right: ExpressionTree, modifier: Modifier = .direct,
      options: Options = []
    ) {
      self.left = left
      self.op = op
      self.right = right
      self.modifier = modifier
      self.options = options
    }
  }

  /// What a comparison does with its two values.
  ///
  /// `<>`, `=<`, `=>` and `=` are spellings of cases here (rule 17).
  package enum Operator: Hashable, Sendable, Codable {
    case lessThan, lessThanOrEqualTo, greaterThan, greaterThanOrEqualTo, equalTo, notEqualTo
    case matches, like, beginsWith, endsWith, `in`, contains, between
    case utiConformsTo, utiEquals
    /// `left selector: right`, in memory only (rule 15).
    ///
    /// The name carries its colon.
    case selector(String)
  }

  /// Whether the left side is one value or a to-many.
  ///
  /// `SOME` is `any`; `NONE` is the negation of `any` (rule 11).
  package enum Modifier: Hashable, Sendable, Codable {
    case direct, all, any
  }

  /// The letters in brackets after an operator (rule 26).
  package struct Options: OptionSet, Hashable, Sendable, Codable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let caseInsensitive = Options(rawValue: 1)
    package static let diacriticInsensitive = Options(rawValue: 2)
    package static let normalized = Options(rawValue: 4)
    package static let localeSensitive = Options(rawValue: 8)
  }
}

extension PredicateTree {
  /// The same tree, with every expression replaced by what `change` makes of it, the leaves first.
  package func mapExpressions(_ change: (ExpressionTree) -> ExpressionTree) -> PredicateTree {
    mapComparisons { $0.mapExpressions(change) }
  }

  /// The same tree, with both sides of every comparison replaced by what `map` makes of them.
  func mapComparisons(_ map: (ExpressionTree) -> ExpressionTree) -> PredicateTree {
    switch self {
    case .value, .block: return self
    case .not(let child): return .not(child.mapComparisons(map))
    case .and(let children): return .and(children.map { $0.mapComparisons(map) })
    case .or(let children): return .or(children.map { $0.mapComparisons(map) })
    case .comparison(var comparison):
      comparison.left = map(comparison.left)
      comparison.right = map(comparison.right)
      return .comparison(comparison)
    }
  }
}
