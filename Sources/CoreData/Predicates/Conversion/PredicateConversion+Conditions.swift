// How the parts of Swift predicates that are conditions become predicates.

extension PredicateConversion {
  /// A comparison; of two texts that are made alike first, with the options that do so.
  fileprivate mutating func comparison(
    _ left: some PredicateExpression, _ op: PredicateTree.Operator, _ right: some PredicateExpression
  ) throws -> Part {
    if let left = left as? any ComparedTextExpression, let right = right as? any ComparedTextExpression,
      let options = left.options, options == right.options
    {
      let sides = (try left.text(&self), try right.text(&self))
      return .predicate(.comparison(.init(sides.0, op, sides.1, options: options)))
    }
    return .predicate(.comparison(.init(try expression(left), op, try expression(right))))
  }
}

extension PredicateExpressions.Equal: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    try conversion.comparison(lhs, .equalTo, rhs)
  }
}

extension PredicateExpressions.NotEqual: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    try conversion.comparison(lhs, .notEqualTo, rhs)
  }
}

extension PredicateExpressions.Comparison: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    let op: PredicateTree.Operator =
      switch op {
      case .lessThan: .lessThan
      case .lessThanOrEqual: .lessThanOrEqualTo
      case .greaterThan: .greaterThan
      case .greaterThanOrEqual: .greaterThanOrEqualTo
      }
    return try conversion.comparison(lhs, op, rhs)
  }
}

extension PredicateExpressions.Conjunction: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    .predicate(.and([try conversion.predicate(lhs), try conversion.predicate(rhs)]))
  }
}

extension PredicateExpressions.Disjunction: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    .predicate(.or([try conversion.predicate(lhs), try conversion.predicate(rhs)]))
  }
}

extension PredicateExpressions.Negation: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    .predicate(.not(try conversion.predicate(wrapped)))
  }
}

extension PredicateExpressions.CollectionContainsCollection: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    guard Base.Output.self is any StringProtocol.Type, Other.Output.self is any StringProtocol.Type else {
      throw PredicateConversionError("a collection within a collection")
    }
    return try conversion.comparison(base, .contains, other)
  }
}

extension PredicateExpressions.SequenceStartsWith: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    guard Base.Output.self is any StringProtocol.Type, Prefix.Output.self is any StringProtocol.Type else {
      throw PredicateConversionError("the first elements of a collection")
    }
    return try conversion.comparison(base, .beginsWith, prefix)
  }
}

extension PredicateExpressions.StringContainsRegex: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    guard let value = try? regex.evaluate(PredicateBindings()),
      let pattern = PredicateExpressions.PredicateRegex(value)?.stringRepresentation
    else { throw PredicateConversionError("a regular expression that is computed") }
    // Alternatives would take what stands around the pattern for their own.
    let whole = pattern.contains("|") ? "(?:\(pattern))" : pattern
    return .predicate(
      .comparison(.init(try conversion.expression(subject), .matches, .constant(.string(".*\(whole).*")))))
  }
}

extension PredicateExpressions.SequenceContains: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    let element = try conversion.expression(element)
    return .predicate(.comparison(.init(element, .in, try conversion.expression(sequence))))
  }
}

extension PredicateExpressions.SequenceContainsWhere: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    let collection = try conversion.expression(sequence)
    let name = conversion.local(for: variable.key)
    let found = ExpressionTree.subquery(collection, variable: name, try conversion.predicate(test))
    return .predicate(.comparison(.init(found.member(["@count"]), .notEqualTo, .constant(.integer(0)))))
  }
}

extension PredicateExpressions.SequenceAllSatisfy: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    let collection = try conversion.expression(sequence)
    let name = conversion.local(for: variable.key)
    let others = ExpressionTree.subquery(collection, variable: name, .not(try conversion.predicate(test)))
    return .predicate(.comparison(.init(others.member(["@count"]), .equalTo, .constant(.integer(0)))))
  }
}

extension PredicateExpressions.RangeExpressionContains: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    let element = try conversion.expression(element)
    func compared(_ op: PredicateTree.Operator, _ bound: ExpressionTree) -> PredicateTree {
      .comparison(.init(element, op, bound))
    }
    if let range = range as? any HalfOpenRangeExpression {
      let (lower, upper) = try range.bounds(&conversion)
      return .predicate(.and([compared(.greaterThanOrEqualTo, lower), compared(.lessThan, upper)]))
    }
    if let limits = (try? range.evaluate(PredicateBindings()) as? any LimitedRange)?.limits {
      let conditions = try limits.map { op, bound in
        guard let constant = PredicateConversion.constant(bound) else {
          throw PredicateConversionError("a range of \(Element.Output.self)")
        }
        return compared(op, .constant(constant))
      }
      return .predicate(conditions.count == 1 ? conditions[0] : .and(conditions))
    }
    return .predicate(compared(.between, try conversion.expression(range)))
  }
}

/// `lower..<upper` of computed bounds.
private protocol HalfOpenRangeExpression {
  func bounds(_ conversion: inout PredicateConversion) throws -> (ExpressionTree, ExpressionTree)
}

extension PredicateExpressions.Range: HalfOpenRangeExpression {
  fileprivate func bounds(_ conversion: inout PredicateConversion) throws -> (ExpressionTree, ExpressionTree) {
    (try conversion.expression(lower), try conversion.expression(upper))
  }
}

/// A range that excludes its end, or lacks one.
private protocol LimitedRange {
  var limits: [(PredicateTree.Operator, Any)] { get }
}

extension Range: LimitedRange {
  fileprivate var limits: [(PredicateTree.Operator, Any)] {
    [(.greaterThanOrEqualTo, lowerBound), (.lessThan, upperBound)]
  }
}

extension PartialRangeFrom: LimitedRange {
  fileprivate var limits: [(PredicateTree.Operator, Any)] { [(.greaterThanOrEqualTo, lowerBound)] }
}

extension PartialRangeThrough: LimitedRange {
  fileprivate var limits: [(PredicateTree.Operator, Any)] { [(.lessThanOrEqualTo, upperBound)] }
}

extension PartialRangeUpTo: LimitedRange {
  fileprivate var limits: [(PredicateTree.Operator, Any)] { [(.lessThan, upperBound)] }
}

extension PredicateExpressions.ExpressionEvaluate: ConvertibleExpression {
  /// An expression within a predicate says what it says of the given values.
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    guard let inner = try? expression.evaluate(PredicateBindings()) else {
      throw PredicateConversionError("an expression that is computed")
    }
    repeat conversion.bind((each inner.variable).key, to: try conversion.expression(each input))
    return try conversion.convert(inner.expression)
  }
}
