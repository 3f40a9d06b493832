extension NSExpression {
  /// What an expression is made of, with Apple's raw values.
  public enum ExpressionType: UInt, Sendable {
    /// Always the same value.
    case constantValue = 0
    /// The evaluated object.
    case evaluatedObject
    /// A `$variable`.
    case variable
    /// A key path.
    case keyPath
    /// A predefined function, a method, an index, a cast.
    case function
    /// `UNION`
    case unionSet
    /// `INTERSECT`
    case intersectSet
    /// `MINUS`
    case minusSet
    /// `SUBQUERY`
    case subquery = 13
    /// A collection of expressions.
    case aggregate
    /// `ANYKEY`
    case anyKey
    /// A closure.
    case block = 19
    /// `TERNARY`
    case conditional
  }

  /// What the expression is made of.
  public var expressionType: ExpressionType {
    switch tree {
    case .constant: .constantValue
    case .selfObject: .evaluatedObject
    case .variable: .variable
    case .keyPath, .path: .keyPath
    case .index, .function, .call, .cast, .assignment, .fetch: .function
    case .subquery: .subquery
    case .aggregate: .aggregate
    case .set(.union, _, _): .unionSet
    case .set(.intersect, _, _): .intersectSet
    case .set(.minus, _, _): .minusSet
    case .conditional: .conditional
    case .anyKey: .anyKey
    case .block: .block
    }
  }

  private func part<Part>(_ name: String, _ part: Part?) -> Part {
    guard let part else { fatalError("\(name): an expression of type \(expressionType) has none") }
    return part
  }

  private func expression(_ tree: ExpressionTree) -> NSExpression { NSExpression(tree, captures) }

  /// The value of a constant; an object's id for an object.
  public var constantValue: Any? {
    guard case .constant(let constant) = tree else { return part("constantValue", Any??.none) }
    return PredicateValue.constant(constant).anyValue(captures)
  }

  /// The key path as text.
  public var keyPath: String {
    switch tree {
    case .keyPath(let keys): keys.joined(separator: ".")
    case .path: tree.format()
    default: part("keyPath", String?.none)
    }
  }

  /// The name of a variable, without its dollar sign; of a subquery, its iterator's.
  public var variable: String {
    switch tree {
    case .variable(let name), .subquery(_, let name, _): name
    default: part("variable", String?.none)
    }
  }

  /// The name of a function or of the method called.
  public var function: String {
    switch tree {
    case .function(let function, _): function.rawValue
    case .call(_, let selector, _): selector
    case .cast: "castObject:toType:"
    case .index: "objectFrom:withIndex:"
    default: part("function", String?.none)
    }
  }

  /// The target of a method, the object before a path.
  public var operand: NSExpression {
    switch tree {
    case .call(let target, _, _), .path(let target, _): expression(target)
    default: part("operand", NSExpression?.none)
    }
  }

  /// The arguments of a function, a method or a block.
  public var arguments: [NSExpression]? {
    switch tree {
    case .function(_, let trees), .call(_, _, let trees), .block(_, let trees): trees.map(expression)
    case .cast(let value, let type): [expression(value), expression(.constant(.string(type)))]
    default: nil
    }
  }

  /// The expressions of an aggregate as an array, the values of a constant collection, the source of a subquery.
  public var collection: Any {
    switch tree {
    case .aggregate(let elements): elements.map(expression)
    case .subquery(let source, _, _): expression(source)
    case .constant(.collection): part("collection", constantValue)
    default: part("collection", Any?.none)
    }
  }

  /// The condition of a subquery or of a conditional.
  public var predicate: NSPredicate {
    switch tree {
    case .subquery(_, _, let condition), .conditional(let condition, _, _): PredicateForm(condition, captures).predicate
    default: part("predicate", NSPredicate?.none)
    }
  }

  /// The left side of a set operation.
  public var left: NSExpression {
    if case .set(_, let left, _) = tree { expression(left) } else { part("left", NSExpression?.none) }
  }

  /// The right side of a set operation.
  public var right: NSExpression {
    if case .set(_, _, let right) = tree { expression(right) } else { part("right", NSExpression?.none) }
  }

  /// What a conditional yields where its condition holds.
  public var `true`: NSExpression {
    if case .conditional(_, let tree, _) = tree { expression(tree) } else { part("true", NSExpression?.none) }
  }

  /// What a conditional yields where its condition does not hold.
  public var `false`: NSExpression {
    if case .conditional(_, _, let tree) = tree { expression(tree) } else { part("false", NSExpression?.none) }
  }
}
