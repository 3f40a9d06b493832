/// Applies one comparison's operator to two values (PREDICATES.md, rules 12 to 14 and 24 to 27).
struct PredicateComparer {
  private let op: PredicateTree.Operator
  private let options: PredicateTree.Options
  private let nulls: PredicateEvaluator.Nulls
  private let captures: Captures
  /// A side is written as nil: in a fetch, `== nil` asks whether there is a value.
  private let comparesWithNil: Bool

  init(_ comparison: PredicateTree.Comparison, nulls: PredicateEvaluator.Nulls, captures: Captures) {
    op = comparison.op
    options = comparison.options
    self.nulls = nulls
    self.captures = captures
    comparesWithNil =
      nulls == .fetch && (comparison.left.isNil || comparison.right.isNil)
  }

  /// Whether the operator holds; nil when a fetch would not know.
  func compare(_ left: PredicateValue, _ right: PredicateValue) throws(PredicateError) -> Bool? {
    if nulls == .fetch, left.isMissing || right.isMissing {
      // Whatever is missing, it is not in an empty collection.
      if op == .in && right.isEmpty || op == .contains && left.isEmpty { return false }
      guard comparesWithNil, op == .equalTo || op == .notEqualTo else { return nil }
      return (left.isMissing && right.isMissing) == (op == .equalTo)
    }
    switch op {
    case .equalTo: return Self.areEqual(left, right, options)
    case .notEqualTo: return !Self.areEqual(left, right, options)
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo: return try ordered(left, right)
    case .between: return try between(left, right)
    case .in: return try Self.contains(right, left, options, nulls)
    case .contains: return try Self.contains(left, right, options, nulls)
    case .beginsWith, .endsWith: return try affix(left, right)
    case .like, .matches: return try pattern(left, right)
    case .utiEquals, .utiConformsTo:
      // Off Apple's platforms there is no registry of types: a type conforms to itself only (section 6).
      return Self.areEqual(left, right, .caseInsensitive) && !left.isNull
    case .selector(let name):
      guard let holds = try PredicateEvaluator.comparison(left, name, right, captures) else {
        throw PredicateError("-[\(left.text) \(name)]: unrecognized selector")
      }
      return holds
    }
  }

  // MARK: Equality and order

  /// Whether two values are the same: numbers by amount, strings by `options`, objects by identity, lists by elements.
  static func areEqual(
    _ left: PredicateValue, _ right: PredicateValue, _ options: PredicateTree.Options?
  ) -> Bool {
    switch (left, right) {
    case (.constant(let left), .constant(let right)): return areEqual(left, right, options)
    case (.object(let left), .object(let right)):
      return left === right || left.predicateIdentity == right.predicateIdentity
    case (.object(let object), .constant(.identity(let id))), (.constant(.identity(let id)), .object(let object)):
      return object.predicateIdentity == id
    case (.other(let left), .other(let right)):
      if type(of: left) is AnyClass, type(of: right) is AnyClass {
        if let left = left as? NSObject, let right = right as? NSObject { return left.isEqual(right) }
        return (left as AnyObject) === (right as AnyObject)
      }
      if let left = left as? AnyHashable, let right = right as? AnyHashable { return left == right }
      return false
    case (.dictionary(let left), .dictionary(let right)):
      return left.count == right.count
        && left.allSatisfy { key, value in
          right[key].map { areEqual(PredicateValue(value), PredicateValue($0), options) } ?? false
        }
    default:
      guard let ours = left.elements, let others = right.elements, ours.count == others.count else { return false }
      if case .list(_, isOrdered: false) = left { return haveSameElements(ours, others, options) }
      if case .list(_, isOrdered: false) = right { return haveSameElements(ours, others, options) }
      return zip(ours, others).allSatisfy { areEqual($0, $1, options) }
    }
  }

  private static func haveSameElements(
    _ left: [PredicateValue], _ right: [PredicateValue], _ options: PredicateTree.Options?
  ) -> Bool {
    var rest = right
    return left.allSatisfy { element in
      guard let found = rest.firstIndex(where: { areEqual(element, $0, options) }) else { return false }
      rest.remove(at: found)
      return true
    }
  }

  private static func areEqual(_ left: Constant, _ right: Constant, _ options: PredicateTree.Options?) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): return left == right
    case (.string(let left), .string(let right)): return left.isEqual(to: right, options ?? [])
    case (.double(let left), .double(let right)): return left == right
    case (.collection(let left), .collection(let right)):
      return left.count == right.count && zip(left, right).allSatisfy { areEqual($0, $1, options) }
    case (.url(let left), .string(let right)), (.string(let right), .url(let left)):
      return left.absoluteString.isEqual(to: right, options ?? [])
    case (.uuid(let left), .string(let right)), (.string(let right), .uuid(let left)):
      return left.uuidString == right
    default:
      if let order = left.numericOrder(right) { return order == .orderedSame }
      return left == right
    }
  }

  private func ordered(_ left: PredicateValue, _ right: PredicateValue) throws(PredicateError) -> Bool {
    let allowsEqual = op == .lessThanOrEqualTo || op == .greaterThanOrEqualTo
    if left.isNull || right.isNull { return left.isNull && right.isNull && allowsEqual }
    guard let order = try Self.order(left, right, options) else { return false }
    return switch order {
    case .orderedSame: allowsEqual
    case .orderedAscending: op == .lessThan || op == .lessThanOrEqualTo
    case .orderedDescending: op == .greaterThan || op == .greaterThanOrEqualTo
    }
  }

  /// The order of two values that have one; nil when one is not a number.
  ///
  /// Raises for values of different kinds.
  static func order(
    _ left: PredicateValue, _ right: PredicateValue, _ options: PredicateTree.Options?
  ) throws(PredicateError) -> ComparisonResult? {
    if case (.constant(let ours), .constant(let others)) = (left, right) {
      switch (ours, others) {
      case (.string(let ours), .string(let others)): return ours.order(to: others, options ?? [])
      case (.date(let ours), .date(let others)): return ours.compare(others)
      case (.double(let ours), .double(let others)) where ours.isNaN || others.isNaN: return nil
      case (.uuid(let ours), .uuid(let others)): return ours.uuidString.order(to: others.uuidString, [])
      case (.url(let ours), .url(let others)): return ours.absoluteString.order(to: others.absoluteString, [])
      case (.data(let ours), .data(let others)):
        return ours == others
          ? .orderedSame : ours.lexicographicallyPrecedes(others) ? .orderedAscending : .orderedDescending
      default:
        if ours.doubleValue?.isNaN == true || others.doubleValue?.isNaN == true { return nil }
        if let order = ours.numericOrder(others) { return order }
      }
    }
    throw PredicateError("Can't compare \(left.text) with \(right.text)")
  }

  private func between(_ value: PredicateValue, _ range: PredicateValue) throws(PredicateError) -> Bool? {
    guard let bounds = range.elements, bounds.count == 2 else {
      throw PredicateError("BETWEEN needs an array of two values, not \(range.text)")
    }
    if nulls == .fetch {
      // A missing bound leaves the whole unknown, also where the other one would decide.
      if bounds.contains(where: \.isMissing) { return nil }
    } else if value.isNull || bounds.contains(where: \.isNull) {
      return false
    }
    guard let low = try Self.order(bounds[0], value, options), let high = try Self.order(value, bounds[1], options)
    else { return nulls == .fetch ? nil : false }
    return low != .orderedDescending && high != .orderedDescending
  }

  // MARK: Collections

  private static func contains(
    _ container: PredicateValue, _ element: PredicateValue, _ options: PredicateTree.Options,
    _ nulls: PredicateEvaluator.Nulls
  ) throws(PredicateError) -> Bool? {
    switch container {
    case .constant(.null): return false
    case .constant(.string(let text)):
      if element.isNull { return false }
      guard case .constant(.string(let part)) = element else { throw notString(container, element) }
      return text.contains(part, options)
    case .dictionary(let entries): return entries.values.contains { areEqual(PredicateValue($0), element, options) }
    case .constant(.dictionary(let entries)):
      return entries.values.contains { areEqual(.constant($0), element, options) }
    case .constant(.collection(let constants)):
      if constants.contains(where: { areEqual(.constant($0), element, options) }) { return true }
      return nulls == .fetch && constants.contains(where: { PredicateValue.constant($0).isMissing }) ? nil : false
    case .list(let elements, _):
      if elements.contains(where: { areEqual($0, element, options) }) { return true }
      return nulls == .fetch && elements.contains(where: \.isMissing) ? nil : false
    default:
      throw PredicateError("Can't use in/contains operator with collection \(container.text) (not a collection)")
    }
  }

  // MARK: Strings

  private static func notString(_ left: PredicateValue, _ right: PredicateValue) -> PredicateError {
    PredicateError(
      "Can't do a substring operation with something that isn't a string (lhs = \(left.text) rhs = \(right.text))")
  }

  private func affix(_ left: PredicateValue, _ right: PredicateValue) throws(PredicateError) -> Bool {
    if left.isNull || right.isNull { return false }
    guard case (.constant(.string(let text)), .constant(.string(let part))) = (left, right) else {
      throw Self.notString(left, right)
    }
    return op == .beginsWith ? text.begins(with: part, options) : text.ends(with: part, options)
  }

  private func pattern(_ left: PredicateValue, _ right: PredicateValue) throws(PredicateError) -> Bool {
    if left.isNull || right.isNull { return false }
    guard case (.constant(.string(let text)), .constant(.string(let pattern))) = (left, right) else {
      throw PredicateError("Can't do regex matching on object \(left.text).")
    }
    if op == .like { return text.isLike(pattern, options) }
    return try RegularExpressions.matches(text, pattern, options)
  }
}

extension Constant {
  /// The order of two numbers; nil when one of the two is none, or is not-a-number, which is equal to nothing.
  fileprivate func numericOrder(_ other: Constant) -> ComparisonResult? {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): return Self.order(left, right)
    case (.decimal(let left), .decimal(let right)): return Self.order(left, right)
    case (.decimal(let left), .integer(let right)): return Self.order(left, Decimal(right))
    case (.integer(let left), .decimal(let right)): return Self.order(Decimal(left), right)
    case (.integer(let left), .double(let right)): return Self.order(left, right)
    case (.double(let left), .integer(let right)):
      return Self.order(right, left).map { ComparisonResult(rawValue: -$0.rawValue) ?? .orderedSame }
    default:
      guard let left = doubleValue, let right = other.doubleValue, !left.isNaN, !right.isNaN else { return nil }
      return Self.order(left, right)
    }
  }

  private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> ComparisonResult {
    left < right ? .orderedAscending : right < left ? .orderedDescending : .orderedSame
  }

  /// Compares without rounding the whole number; nil for not-a-number.
  private static func order(_ left: Int64, _ right: Double) -> ComparisonResult? {
    if right.isNaN { return nil }
    guard let floor = Int64(exactly: right.rounded(.down)) else {
      return right > 0 ? .orderedAscending : .orderedDescending
    }
    if left == floor { return Double(floor) == right ? .orderedSame : .orderedAscending }
    return order(left, floor)
  }
}

extension ExpressionTree {
  fileprivate var isNil: Bool { self == .constant(.null) }
}
