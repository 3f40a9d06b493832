/// One side of a comparison, or a value to compute: a constant, a key path, a function of others.
///
/// Foundation's class of this name cannot be made here, hence this one. A client that imports Foundation beside CoreData
/// writes `CoreData.NSExpression` where it names the type. Source: Apple, `NSExpression`.
open class NSExpression: NSObject, NSCopying, NSSecureCoding {
  package let tree: ExpressionTree
  package let captures: Captures

  package init(_ tree: ExpressionTree, _ captures: Captures = Captures()) {
    self.tree = tree
    self.captures = captures
  }

  /// An expression parsed from a format string; stops the process for a string that is none.
  public convenience init(format expressionFormat: String, _ args: any CVarArg...) {
    self.init(format: expressionFormat, argumentArray: args)
  }

  /// An expression parsed from a format string, with its arguments in an array.
  public convenience init(format expressionFormat: String, argumentArray arguments: [Any]) {
    do {
      try self.init(parsing: expressionFormat, arguments)
    } catch {
      fatalError(
        "*** Terminating app due to uncaught exception 'NSInvalidArgumentException', reason: '\(error.reason)' "
          + "(at \(error.column + 1): \(error.hint))")
    }
  }

  package convenience init(parsing format: String, _ arguments: [Any] = []) throws(PredicateParseError) {
    var parser = try PredicateParser(format, FormatArguments(arguments))
    let tree = try parser.wholeExpression()
    self.init(tree, parser.arguments.captures)
  }

  /// A constant.
  ///
  /// A managed object stands for its id.
  public convenience init(forConstantValue obj: Any?) {
    var captures = Captures()
    let constant = Constant(obj, captures: &captures)
    self.init(.constant(constant), captures)
  }

  /// The evaluated object, `SELF`.
  open class func expressionForEvaluatedObject() -> NSExpression { NSExpression(.selfObject) }

  /// Any key, `ANYKEY`.
  open class func expressionForAnyKey() -> NSExpression { NSExpression(.anyKey) }

  /// The value of a `$variable`, named without the dollar sign.
  public convenience init(forVariable string: String) { self.init(.variable(string)) }

  /// The value at a key path of the evaluated object.
  public convenience init(forKeyPath keyPath: String) {
    self.init(.keyPath(keyPath.split(separator: ".").map(String.init)))
  }

  /// A predefined function of values; an unknown name stops the process, as Apple's exception does.
  public convenience init(forFunction name: String, arguments parameters: [Any]) {
    var captures = Captures()
    let arguments = parameters.map { ExpressionTree($0, captures: &captures) }
    if name == "castObject:toType:", arguments.count == 2, case .constant(.string(let type)) = arguments[1] {
      self.init(.cast(arguments[0], type: type), captures)
    } else if name == "objectFrom:withIndex:", arguments.count == 2 {
      self.init(.index(arguments[0], .at(arguments[1])), captures)
    } else if let function = PredicateFunction(name: name, argumentCount: arguments.count) {
      self.init(.function(function, arguments), captures)
    } else {
      fatalError("'\(name)' is not a supported method of \(arguments.count) arguments.")
    }
  }

  /// A collection of the values of other expressions.
  public convenience init(forAggregate subexpressions: [Any]) {
    var captures = Captures()
    let elements = subexpressions.map { ExpressionTree($0, captures: &captures) }
    self.init(.aggregate(elements), captures)
  }

  /// The elements of either collection.
  public convenience init(forUnionSet left: NSExpression, with right: NSExpression) {
    self.init(set: .union, left, right)
  }

  /// The elements that both collections have.
  public convenience init(forIntersectSet left: NSExpression, with right: NSExpression) {
    self.init(set: .intersect, left, right)
  }

  /// The elements of the left collection that the right one has not.
  public convenience init(forMinusSet left: NSExpression, with right: NSExpression) {
    self.init(set: .minus, left, right)
  }

  private convenience init(set operation: ExpressionTree.SetOperation, _ left: NSExpression, _ right: NSExpression) {
    var captures = left.captures
    captures.merge(right.captures)
    self.init(.set(operation, left.tree, right.tree), captures)
  }

  /// The elements of a collection for which the predicate holds, each bound to `$variable`.
  public convenience init(
    forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: NSPredicate
  ) {
    let form = predicate.form
    var captures = expression.captures
    captures.merge(form.captures)
    self.init(.subquery(expression.tree, variable: variable, form.tree), captures)
  }

  /// The answer of a method of the target's value.
  ///
  /// Only the selectors that Foundation's values answer are known.
  public convenience init(
    forFunction target: NSExpression, selectorName name: String, arguments parameters: [Any]?
  ) {
    var captures = target.captures
    let arguments = (parameters ?? []).map { ExpressionTree($0, captures: &captures) }
    self.init(.call(target.tree, selector: name, arguments), captures)
  }

  /// The answer of a closure that gets the evaluated object, the arguments' values, and a context.
  public convenience init(
    block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [NSExpression]?
  ) {
    var captures = Captures()
    for argument in arguments ?? [] { captures.merge(argument.captures) }
    let id = captures.hold(block, text: "block")
    self.init(.block(id, (arguments ?? []).map(\.tree)), captures)
  }

  /// One expression where the predicate holds, another where it does not.
  public convenience init(
    forConditional predicate: NSPredicate, trueExpression: NSExpression, falseExpression: NSExpression
  ) {
    let form = predicate.form
    var captures = form.captures
    captures.merge(trueExpression.captures)
    captures.merge(falseExpression.captures)
    self.init(.conditional(form.tree, trueExpression.tree, falseExpression.tree), captures)
  }

  /// The value for an object, with `$variables` taken from `context`.
  ///
  /// Stops the process where Apple's raises.
  open func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
    var bindings: [String: Any] = [:]
    for (key, value) in context ?? [:] {
      if let name = key as? String { bindings[name] = value }
    }
    do {
      return try value(with: object, variables: bindings)
    } catch {
      fatalError("*** Terminating app due to uncaught exception '\(error.name)', reason: '\(error.reason)'")
    }
  }

  /// The value for an object, as a Swift value.
  package func value(with object: Any?, variables: [String: Any] = [:]) throws(PredicateError) -> Any? {
    let evaluator = PredicateEvaluator(captures, bindings: variables, nulls: .memory)
    return try evaluator.value(of: tree, PredicateValue(object)).anyValue(captures)
  }

  open override var description: String { tree.format() }
  open override var hash: Int { tree.compared.hashValue }
  open override func isEqual(_ object: Any?) -> Bool { (object as? NSExpression)?.tree.compared == tree.compared }
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Does nothing: a decoded expression holds no code.
  open func allowEvaluation() {}

  // MARK: Coding

  /// True.
  open class var supportsSecureCoding: Bool { true }

  /// An expression that `encode(with:)` wrote; nil for anything else.
  public required init?(coder: NSCoder) {
    guard let tree = coder.decodeTree(ExpressionTree.self) else { return nil }
    self.tree = tree
    captures = Captures()
  }

  /// Writes the expression; stops the process for one with a closure or a managed object.
  open func encode(with coder: NSCoder) { coder.encodeTree(tree) }
}
