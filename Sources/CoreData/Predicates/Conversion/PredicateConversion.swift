/// Why a Swift predicate has no `NSPredicate` of the same meaning.
package struct PredicateConversionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What cannot be said, in Swift's terms.
  package let construct: String

  package init(_ construct: String) { self.construct = construct }

  package var description: String { "an NSPredicate cannot say \(construct)" }
}

/// Turns `#Predicate` and `#Expression` values into trees, in the forms that Apple's conversion gives.
///
/// Source: Apple, `NSPredicate.init(_:)`; PREDICATES.md, P110 to P119.
struct PredicateConversion {
  /// What a part of a Swift predicate becomes.
  enum Part {
    case expression(ExpressionTree)
    case predicate(PredicateTree)

    /// A condition as a value: true or false.
    var expression: ExpressionTree {
      switch self {
      case .expression(let tree): tree
      case .predicate(let tree): .conditional(tree, .constant(.bool(true)), .constant(.bool(false)))
      }
    }

    /// A value as a condition: it is true.
    var predicate: PredicateTree {
      switch self {
      case .expression(let tree): .comparison(.init(tree, .equalTo, .constant(.bool(true))))
      case .predicate(let tree): tree
      }
    }
  }

  private var variables: [PredicateExpressions.VariableID: ExpressionTree]
  private var locals = 0

  init(object: PredicateExpressions.VariableID) { variables = [object: .selfObject] }

  /// What a variable stands for.
  func value(of variable: PredicateExpressions.VariableID) throws -> ExpressionTree {
    guard let tree = variables[variable] else { throw PredicateConversionError("a second input") }
    return tree
  }

  /// Lets a variable stand for an expression.
  mutating func bind(_ variable: PredicateExpressions.VariableID, to tree: ExpressionTree) {
    variables[variable] = tree
  }

  /// A new name for the elements that a closure goes through.
  mutating func local(for variable: PredicateExpressions.VariableID) -> String {
    locals += 1
    let name = "_local_\(locals)"
    variables[variable] = .variable(name)
    return name
  }

  mutating func expression(_ part: some PredicateExpression) throws -> ExpressionTree {
    try convert(part).expression
  }

  mutating func predicate(_ part: some PredicateExpression) throws -> PredicateTree {
    try convert(part).predicate
  }

  mutating func convert(_ part: some PredicateExpression) throws -> Part {
    let before = self
    do {
      guard let convertible = part as? any ConvertibleExpression else {
        throw PredicateConversionError(Self.name(of: part))
      }
      return try convertible.converted(&self)
    } catch {
      // What holds no variable is a value that Swift can work out.
      guard let value = try? part.evaluate(PredicateBindings()), let constant = Self.constant(value) else {
        throw error
      }
      self = before
      return .expression(.constant(constant))
    }
  }

  /// The kind of an expression without its types: `TypeCheck`.
  private static func name(of part: some PredicateExpression) -> String {
    let name = String(describing: type(of: part)).prefix { $0 != "<" }
    return switch name {
    case "ConditionalCast": "as?"
    case "TypeCheck": "is"
    case "CollectionRangeSubscript": "a range of a collection's elements"
    default: String(name)
    }
  }

  /// A captured value as a constant; nil for one of a type that predicates do not know.
  static func constant(_ value: Any?) -> Constant? {
    guard let value = unwrapped(value) else { return .null }
    switch value {
    case let result as ComparisonResult: return .integer(Int64(result.rawValue))
    case let range as any BoundedRange:
      guard let lower = constant(range.bounds.lower), let upper = constant(range.bounds.upper) else { return nil }
      return .collection([lower, upper])
    case let value as any RawRepresentable: return constant(value.rawValue)
    default: break
    }
    var captures = Captures()
    if let constant = Constant(scalar: value) { return constant }
    if let elements = collectionElements(of: value) {
      let constants = elements.compactMap(constant)
      return constants.count == elements.count ? .collection(constants) : nil
    }
    let constant = Constant(value, captures: &captures)
    return captures.values.isEmpty ? constant : nil
  }
}

/// A range with both ends, `lower...upper`.
private protocol BoundedRange {
  var bounds: (lower: Any, upper: Any) { get }
}

extension ClosedRange: BoundedRange {
  fileprivate var bounds: (lower: Any, upper: Any) { (lowerBound, upperBound) }
}

/// A part of a Swift predicate that has a form in the language of `NSPredicate`.
protocol ConvertibleExpression: PredicateExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part
}

extension ExpressionTree {
  /// The value at a key of this one.
  func member(_ keys: [String]) -> ExpressionTree {
    switch self {
    case .selfObject: .keyPath(keys)
    // After a collection operator the rest of a path belongs to the elements.
    case .keyPath(let path) where !path.contains { $0.hasPrefix("@") }: .keyPath(path + keys)
    case .path(let operand, .keyPath(let path)) where !path.contains { $0.hasPrefix("@") }:
      .path(operand, .keyPath(path + keys))
    default: .path(self, .keyPath(keys))
    }
  }

  /// An element; a key path of the object is written from the object on (P111).
  func element(_ index: Index) -> ExpressionTree {
    if case .keyPath = self { .index(.path(.selfObject, self), index) } else { .index(self, index) }
  }

  /// This value where it is one, else another.
  func whenPresent(_ then: ExpressionTree, else otherwise: ExpressionTree) -> ExpressionTree {
    .conditional(.comparison(.init(self, .notEqualTo, .constant(.null))), then, otherwise)
  }
}

extension PredicateForm {
  /// The tree of a Swift predicate.
  ///
  /// - Throws: `PredicateConversionError` that names what cannot be said.
  package init<Input>(converting predicate: Foundation.Predicate<Input>) throws {
    var conversion = PredicateConversion(object: predicate.variable.key)
    self.init(try conversion.predicate(predicate.expression))
  }
}

extension PredicateFormatInitializing where Self: NSPredicate {
  /// The same condition as a Swift predicate's; nil for one that this language cannot say.
  ///
  /// Key paths must name managed properties of the class, or stored properties of a final class. Source: Apple,
  /// `NSPredicate.init(_:)`.
  public init?<Input: NSObject>(_ predicate: Foundation.Predicate<Input>) {
    guard let converted = try? PredicateForm(converting: predicate).predicate as? Self else { return nil }
    self = converted
  }
}

extension NSExpression {
  /// The same value as a Swift expression's; nil for one that this language cannot say.
  ///
  /// Source: Apple, `NSExpression.init(_:)`.
  public convenience init?<Input: NSObject, Output>(_ expression: Foundation.Expression<Input, Output>) {
    guard let tree = try? ExpressionTree(converting: expression) else { return nil }
    self.init(tree)
  }
}

extension ExpressionTree {
  /// The tree of a Swift expression.
  ///
  /// - Throws: `PredicateConversionError` that names what cannot be said.
  package init<Input, Output>(converting expression: Foundation.Expression<Input, Output>) throws {
    var conversion = PredicateConversion(object: expression.variable.key)
    self = try conversion.expression(expression.expression)
  }
}
