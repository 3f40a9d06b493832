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
      let matcher = ConstantMatcher(comparison.op, constant, comparison.options)
    else { return nil }
    let key = keys[0]
    let comparer = PredicateComparer(comparison, nulls: evaluator.nulls, captures: evaluator.captures)
    return { (object) throws(PredicateError) in
      let value: PredicateValue
      if case .object(let object) = object, key != "self" {
        if let answer = try object.answer(to: matcher, forKey: key) { return answer }
        value = try object.predicateValue(forKey: key)
      } else {
        value = try evaluator.member(key, of: object)
        if case .constant(let own) = value, let answer = matcher.answer(own) { return answer }
      }
      return try comparer.compare(value, .constant(constant))
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
