/// Gives `NSPredicate` initialisers that return one of its subclasses; a class's own initialisers cannot.
public protocol PredicateFormatInitializing {}

extension NSPredicate: PredicateFormatInitializing {}

extension PredicateFormatInitializing where Self: NSPredicate {
  /// A predicate parsed from a format string, with `%@`, `%K`, `%d` and their kin taken from `args` in order.
  ///
  /// A string that is no predicate is a programming error and stops the process, as Apple's exception does. The
  /// result is an `NSComparisonPredicate`, an `NSCompoundPredicate`, or a plain predicate, by the outermost operator.
  /// Source: Apple, "Predicate Format String Syntax".
  public init(format predicateFormat: String, _ args: any CVarArg...) {
    self = Self.parsed(predicateFormat, args)
  }

  /// A predicate parsed from a format string, with its arguments in an array.
  ///
  /// `NSNull` and an empty optional stand for nil. Stops the process for a string that is no predicate.
  public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
    self = Self.parsed(predicateFormat, arguments ?? [])
  }

  private static func parsed(_ format: String, _ arguments: [Any]) -> Self {
    do {
      let form = try PredicateForm(format: format, arguments: arguments)
      guard let predicate = form.predicate as? Self else {
        fatalError("'\(format)' is no \(Self.self)")
      }
      return predicate
    } catch {
      fatalError(
        "*** Terminating app due to uncaught exception 'NSInvalidArgumentException', reason: '\(error.reason)' "
          + "(at \(error.column + 1): \(error.hint))")
    }
  }
}

extension NSPredicate {
  /// What the predicate says, as a value; for translation and inspection.
  package var tree: PredicateTree { form.tree }

  /// What the predicate says, with the values that its tree cannot hold.
  package var form: PredicateForm { PredicateForm(self) }

  /// A copy with the `$variables` named in `variables` replaced by constants, or by the expressions given for them.
  ///
  /// Variables that are not named stay. Source: Apple, `withSubstitutionVariables(_:)`; rule 7.
  public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
    let form = self.form
    return form.substituting(variables).predicate as? Self ?? self
  }
}

extension PredicateForm {
  /// The same predicate with variables replaced by values, or by expressions.
  package func substituting(_ variables: [String: Any]) -> PredicateForm {
    var captures = captures
    let replacements = variables.mapValues { ExpressionTree($0, captures: &captures) }
    let tree = tree.mapExpressions {
      if case .variable(let name) = $0 { replacements[name] ?? $0 } else { $0 }
    }
    return PredicateForm(tree, captures)
  }
}

extension ExpressionTree {
  /// An expression as it is, anything else as a constant.
  init(_ value: Any?, captures: inout Captures) {
    if let expression = value as? NSExpression {
      captures.merge(expression.captures)
      self = expression.tree
    } else {
      self = .constant(Constant(value, captures: &captures))
    }
  }
}

/// `TRUEPREDICATE`, `FALSEPREDICATE`, or a block, parsed or substituted.
final class PlainPredicate: NSPredicate, FormedPredicate {
  let formed: PredicateForm
  private(set) lazy var compiled = CompiledPredicate(formed, nulls: .memory)

  init(_ form: PredicateForm) {
    formed = form
    super.init(value: form.tree == .value(true))
  }

  override var predicateFormat: String { formed.tree.format() }
  override var description: String { formed.tree.format() }
  override var hash: Int { formed.tree.compared.hashValue }
  override func isEqual(_ object: Any?) -> Bool { isSame(as: object) }
  override func copy(with zone: NSZone? = nil) -> Any { self }
  override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    holds(for: object, bindings)
  }
}
