/// A comparison of two expressions.
///
/// Foundation's class of this name has no usable initialiser here, hence this one. A client that imports Foundation
/// beside CoreData writes `CoreData.NSComparisonPredicate` where it names the type. Source: Apple,
/// `NSComparisonPredicate`.
open class NSComparisonPredicate: NSPredicate, FormedPredicate {
  let comparison: PredicateTree.Comparison
  let captures: Captures
  var formed: PredicateForm { PredicateForm(.comparison(comparison), captures) }
  private(set) lazy var compiled = CompiledPredicate(formed, nulls: .memory)

  /// A comparison of `lhs` with `rhs`; with `.all` or `.any`, of each element of `lhs`.
  public init(
    leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, modifier: Modifier, type: Operator,
    options: Options = []
  ) {
    var captures = lhs.captures
    captures.merge(rhs.captures)
    self.captures = captures
    let treeModifier: PredicateTree.Modifier =
      switch modifier {
      case .direct: .direct
      case .all: .all
      case .any: .any
      }
    comparison = .init(
      lhs.tree, type.treeOperator, rhs.tree, modifier: treeModifier,
      options: .init(rawValue: UInt8(truncatingIfNeeded: options.rawValue)))
    super.init(value: false)
  }

  /// A comparison by a method of the left value that takes the right one, such as `isEqual:`.
  ///
  /// It works in memory only, for the selectors that Foundation's values answer.
  public init(leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, customSelector selector: String) {
    var captures = lhs.captures
    captures.merge(rhs.captures)
    self.captures = captures
    comparison = .init(lhs.tree, .selector(selector), rhs.tree)
    super.init(value: false)
  }

  init(_ comparison: PredicateTree.Comparison, _ captures: Captures) {
    self.comparison = comparison
    self.captures = captures
    super.init(value: false)
  }

  /// What stands on the left of the operator.
  open var leftExpression: NSExpression { NSExpression(comparison.left, captures) }
  /// What stands on the right of the operator.
  open var rightExpression: NSExpression { NSExpression(comparison.right, captures) }
  /// How string comparisons fold their sides.
  open var options: Options { Options(rawValue: UInt(comparison.options.rawValue)) }
  /// The operator; `.customSelector` for a selector.
  open var predicateOperatorType: Operator { Operator(comparison.op) }
  /// The name of the method that compares, for `.customSelector`.
  open var customSelector: String? {
    if case .selector(let name) = comparison.op { name } else { nil }
  }
  /// Whether one value is compared, or the elements of a collection.
  open var comparisonPredicateModifier: Modifier {
    switch comparison.modifier {
    case .direct: .direct
    case .all: .all
    case .any: .any
    }
  }

  open override var predicateFormat: String { formed.tree.format() }
  open override var description: String { formed.tree.format() }
  open override var hash: Int { formed.tree.compared.hashValue }
  open override func isEqual(_ object: Any?) -> Bool { isSame(as: object) }
  open override func copy(with zone: NSZone? = nil) -> Any { self }
  open override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
    holds(for: object, bindings)
  }
}

extension NSComparisonPredicate {
  /// Whether a comparison is of one value or of a collection's elements.
  public enum Modifier: UInt, Sendable {
    /// The two values.
    case direct
    /// Every element of the left collection.
    case all
    /// At least one element of the left collection.
    case any
  }

  /// Options of comparisons of strings, with Apple's raw values.
  public struct Options: OptionSet, Sendable {
    /// Apple's bits.
    public let rawValue: UInt
    /// Options of those bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Letters of either case are the same: `[c]`.
    public static let caseInsensitive = Options(rawValue: 0x01)
    /// Letters with and without marks are the same: `[d]`.
    public static let diacriticInsensitive = Options(rawValue: 0x02)
    /// Both sides are folded already: `[n]`.
    public static let normalized = Options(rawValue: 0x04)
  }

  /// The operators, with Apple's raw values.
  public enum Operator: UInt, Sendable {
    /// `<`
    case lessThan = 0
    /// `<=`
    case lessThanOrEqualTo
    /// `>`
    case greaterThan
    /// `>=`
    case greaterThanOrEqualTo
    /// `==`
    case equalTo
    /// `!=`
    case notEqualTo
    /// `MATCHES`: a regular expression over the whole string.
    case matches
    /// `LIKE`: `?` is one character, `*` any number.
    case like
    /// `BEGINSWITH`
    case beginsWith
    /// `ENDSWITH`
    case endsWith
    /// `IN`
    case `in`
    /// A method of the left value.
    case customSelector
    /// `CONTAINS`
    case contains = 99
    /// `BETWEEN`: both ends belong to the range.
    case between = 100
  }
}

extension NSComparisonPredicate.Operator {
  private static let treeOperators: [(Self, PredicateTree.Operator)] = [
    (.lessThan, .lessThan), (.lessThanOrEqualTo, .lessThanOrEqualTo), (.greaterThan, .greaterThan),
    (.greaterThanOrEqualTo, .greaterThanOrEqualTo), (.equalTo, .equalTo), (.notEqualTo, .notEqualTo),
    (.matches, .matches), (.like, .like), (.beginsWith, .beginsWith), (.endsWith, .endsWith), (.in, .in),
    (.contains, .contains), (.between, .between),
  ]

  fileprivate var treeOperator: PredicateTree.Operator {
    Self.treeOperators.first { $0.0 == self }?.1 ?? .selector("isEqual:")
  }

  fileprivate init(_ op: PredicateTree.Operator) {
    self = Self.treeOperators.first { $0.1 == op }?.0 ?? .customSelector
  }
}
