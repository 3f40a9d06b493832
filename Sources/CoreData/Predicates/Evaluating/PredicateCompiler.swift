/// A predicate made ready for many objects: constants are folded and classified once, not for each object.
///
/// It answers what `PredicateEvaluator` answers. Comparisons of one key with a constant have paths of their own; every
/// other comparison, and every value of an unexpected type, goes to the evaluator.
package struct CompiledPredicate {
  typealias Test = (PredicateValue) throws(PredicateError) -> Bool?
  private let test: Test

  package init(_ form: PredicateForm, bindings: [String: Any] = [:], nulls: PredicateEvaluator.Nulls) {
    let evaluator = PredicateEvaluator(form.captures, bindings: bindings, nulls: nulls)
    test = Self.compile(form.tree, evaluator)
  }

  /// Whether the predicate holds; nil where a fetch would find it unknown.
  package func evaluate(_ object: PredicateValue) throws(PredicateError) -> Bool? { try test(object) }

  private static func compile(_ tree: PredicateTree, _ evaluator: PredicateEvaluator) -> Test {
    switch tree {
    case .and(let children): return joined(children.map { compile($0, evaluator) }, until: false)
    case .or(let children): return joined(children.map { compile($0, evaluator) }, until: true)
    case .not(let child):
      let test = compile(child, evaluator)
      return { (object) throws(PredicateError) in try test(object).map { !$0 } }
    case .comparison(let comparison):
      if let test = keyed(comparison, evaluator) { return test }
    case .value, .block: break
    }
    return { (object) throws(PredicateError) in try evaluator.evaluate(tree, object) }
  }

  /// Asks each test until one answers `decisive`.
  private static func joined(_ tests: [Test], until decisive: Bool) -> Test {
    { (object) throws(PredicateError) in
      var result: Bool? = !decisive
      for test in tests {
        let answer = try test(object)
        if answer == decisive { return decisive }
        if answer == nil { result = nil }
      }
      return result
    }
  }

  // MARK: One key against a constant

  private static func keyed(_ comparison: PredicateTree.Comparison, _ evaluator: PredicateEvaluator) -> Test? {
    guard comparison.modifier == .direct, case .keyPath(let keys) = comparison.left, keys.count == 1,
      keys[0].utf8.first != UInt8(ascii: "@"), let constant = comparison.right.plainConstant,
      let matcher = Matcher(comparison.op, constant, comparison.options)
    else { return nil }
    let key = keys[0]
    let comparer = PredicateComparer(comparison, nulls: evaluator.nulls, captures: evaluator.captures)
    return { (object) throws(PredicateError) in
      let value =
        if case .object(let object) = object, key != "self" {
          try object.predicateValue(forKey: key)
        } else {
          try evaluator.member(key, of: object)
        }
      if case .constant(let own) = value, let answer = matcher.answer(own) { return answer }
      return try comparer.compare(value, .constant(constant))
    }
  }

  /// What a comparison with a constant asks of a value of the constant's own type.
  private enum Matcher {
    case integer(PredicateTree.Operator, Int64)
    case double(PredicateTree.Operator, Double)
    case string(PredicateTree.Operator, StringNeedle)
    case integers(Set<Int64>)
    case strings(Set<[UInt8]>)
    case date(PredicateTree.Operator, Date)
    /// `== nil` and `!= nil`.
    case missing(isWanted: Bool)
    case wholeRange(ClosedRange<Int64>)
    /// Both ends are numbers that a floating one holds exactly.
    case range(ClosedRange<Double>)

    init?(_ op: PredicateTree.Operator, _ constant: Constant, _ options: PredicateTree.Options) {
      switch (op, constant) {
      case (.equalTo, .null), (.notEqualTo, .null): self = .missing(isWanted: op == .equalTo)
      case (.between, .collection(let bounds)) where bounds.count == 2 && options.isEmpty:
        self.init(from: bounds[0], to: bounds[1])
      case (.equalTo, .date(let value)), (.notEqualTo, .date(let value)), (.lessThan, .date(let value)),
        (.lessThanOrEqualTo, .date(let value)), (.greaterThan, .date(let value)),
        (.greaterThanOrEqualTo, .date(let value)):
        self = .date(op, value)
      case (.in, .collection(let elements)) where options.isEmpty:
        let integers = elements.compactMap { if case .integer(let value) = $0 { value } else { nil } }
        let strings = elements.compactMap { if case .string(let value) = $0 { Array(value.utf8) } else { nil } }
        if integers.count == elements.count {
          self = .integers(Set(integers))
        } else if strings.count == elements.count {
          self = .strings(Set(strings))
        } else {
          return nil
        }
      case (.equalTo, .integer(let value)), (.notEqualTo, .integer(let value)), (.lessThan, .integer(let value)),
        (.lessThanOrEqualTo, .integer(let value)), (.greaterThan, .integer(let value)),
        (.greaterThanOrEqualTo, .integer(let value)):
        self = .integer(op, value)
      case (.equalTo, .bool(let value)), (.notEqualTo, .bool(let value)): self = .integer(op, value ? 1 : 0)
      case (.equalTo, .double(let value)), (.notEqualTo, .double(let value)), (.lessThan, .double(let value)),
        (.lessThanOrEqualTo, .double(let value)), (.greaterThan, .double(let value)),
        (.greaterThanOrEqualTo, .double(let value)):
        if value.isNaN { return nil }
        self = .double(op, value)
      case (.equalTo, .string(let text)), (.notEqualTo, .string(let text)), (.beginsWith, .string(let text)),
        (.endsWith, .string(let text)), (.contains, .string(let text)):
        guard !options.contains(.localeSensitive) else { return nil }
        self = .string(op, StringNeedle(text, options))
      default: return nil
      }
    }

    private init?(from low: Constant, to high: Constant) {
      if case (.integer(let low), .integer(let high)) = (low, high), low <= high {
        self = .wholeRange(low...high)
      } else if let low = Self.exact(low), let high = Self.exact(high), low <= high {
        self = .range(low...high)
      } else {
        return nil
      }
    }

    private static func exact(_ number: Constant) -> Double? {
      switch number {
      case .double(let value) where !value.isNaN: value
      case .integer(let value): Double(exactly: value)
      default: nil
      }
    }

    /// Nil for a value of another type, which the comparer knows how to treat.
    func answer(_ value: Constant) -> Bool? {
      switch (self, value) {
      case (.integer(let op, let wanted), .integer(let own)): Self.compare(op, own, wanted)
      case (.integer(let op, let wanted), .bool(let own)): Self.compare(op, own ? 1 : 0, wanted)
      case (.double(let op, let wanted), .double(let own)): own.isNaN ? nil : Self.compare(op, own, wanted)
      case (.date(let op, let wanted), .date(let own)): Self.compare(op, own, wanted)
      case (.missing(let isWanted), .null): isWanted
      case (.missing(let isWanted), .string), (.missing(let isWanted), .integer), (.missing(let isWanted), .date):
        !isWanted
      case (.wholeRange(let range), .integer(let own)): range.contains(own)
      case (.range(let range), .double(let own)): own.isNaN ? nil : range.contains(own)
      case (.integers(let wanted), .integer(let own)): wanted.contains(own)
      case (.strings(let wanted), .string(let own)): wanted.contains(Array(own.utf8))
      case (.string(let op, let needle), .string(let own)):
        switch op {
        case .equalTo: needle.equals(own)
        case .notEqualTo: !needle.equals(own)
        case .beginsWith: needle.begins(own)
        case .endsWith: needle.ends(own)
        default: needle.isContained(in: own)
        }
      default: nil
      }
    }

    private static func compare<Value: Comparable>(_ op: PredicateTree.Operator, _ left: Value, _ right: Value) -> Bool?
    {
      switch op {
      case .equalTo: left == right
      case .notEqualTo: left != right
      case .lessThan: left < right
      case .lessThanOrEqualTo: left <= right
      case .greaterThan: left > right
      case .greaterThanOrEqualTo: left >= right
      default: nil
      }
    }
  }
}

extension ExpressionTree {
  /// The constant that the expression is, or the collection of constants that it lists.
  fileprivate var plainConstant: Constant? {
    switch self {
    case .constant(let constant): return constant
    case .aggregate(let elements):
      let constants = elements.compactMap { if case .constant(let constant) = $0 { constant } else { nil } }
      return constants.count == elements.count ? .collection(constants) : nil
    default: return nil
    }
  }
}
