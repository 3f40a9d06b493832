import Foundation

extension PredicateSQL {
  /// A comparison as SQL; `nil` where it is to be asked of the evaluator.
  func native(_ comparison: PredicateTree.Comparison, _ variables: Variables) throws -> SQLFragment? {
    if comparison.modifier != .direct { return try quantified(comparison, variables) }
    let (left, right, options) = (comparison.left, comparison.right, comparison.options)
    switch comparison.op {
    case .in: return try membership(of: left, in: right, options, variables)
    case .contains: return try membership(of: right, in: left, options, variables)
    case .between:
      guard let term = try term(left, variables) else { return nil }
      return try between(term, right, options, variables)
    default: break
    }
    if let value = try term(left, variables), try constant(left, variables) == nil {
      return try compare(value, comparison.op, right, options, variables)
    }
    // A constant on the left: the mirror image says the same.
    guard let mirrored = comparison.op.mirrored, let value = try term(right, variables) else { return nil }
    return try compare(value, mirrored, left, options, variables)
  }

  /// `ANY` and `ALL` of a to-many relationship: an element that is unknown is no match, and a failure for `ALL`.
  private func quantified(_ comparison: PredicateTree.Comparison, _ variables: Variables) throws -> SQLFragment? {
    guard let collection = try collection(comparison.left, variables) else { return nil }
    let scope = open(collection)
    guard let element = try element(collection.rest, in: scope),
      let condition = try quantifiedCondition(element, comparison, variables)
    else { return nil }
    if comparison.modifier == .any { return "EXISTS \(scope.select("1", where: condition))" }
    return "NOT EXISTS \(scope.select("1", where: "NOT coalesce(\(condition), 0)"))"
  }

  private func quantifiedCondition(
    _ element: SQLTerm, _ comparison: PredicateTree.Comparison, _ variables: Variables
  ) throws -> SQLFragment? {
    switch comparison.op {
    case .in:
      guard let members = try constant(comparison.right, variables) else { return nil }
      return try contains(members, element, comparison.options)
    case .contains:
      guard case .string(let part)? = try constant(comparison.right, variables) else { return nil }
      return text(element, .contains, part, comparison.options)
    case .between: return try between(element, comparison.right, comparison.options, variables)
    default: return try compare(element, comparison.op, comparison.right, comparison.options, variables)
    }
  }

  // MARK: One value with another

  private func compare(
    _ value: SQLTerm, _ op: PredicateTree.Operator, _ right: ExpressionTree, _ options: PredicateTree.Options,
    _ variables: Variables
  ) throws -> SQLFragment? {
    if right == .constant(.null) {
      switch op {
      case .equalTo: return "\(value.sql) IS NULL"
      case .notEqualTo: return "\(value.sql) IS NOT NULL"
      default: return "NULL"
      }
    }
    if let constant = try constant(right, variables) {
      // What a variable or a function gives is no `nil` written out: to compare with it is to not know.
      if constant == .null { return "NULL" }
      return compare(value, op, constant, options)
    }
    guard options.isEmpty, let other = try term(right, variables) else { return nil }
    return compare(value, op, other)
  }

  private func compare(
    _ value: SQLTerm, _ op: PredicateTree.Operator, _ constant: Constant, _ options: PredicateTree.Options
  ) -> SQLFragment? {
    if case .identity(let identity) = constant {
      switch op {
      case .equalTo: return isObject(value, identity)
      case .notEqualTo: return isObject(value, identity).map { "NOT (\($0))" }
      default: return nil
      }
    }
    if case .string(let text) = constant, value.kind == .text { return self.text(value, op, text, options) }
    guard options.isEmpty || value.kind != .text, let other = SQLTerm(constant) else { return nil }
    return compare(value, op, other)
  }

  private func compare(_ left: SQLTerm, _ op: PredicateTree.Operator, _ right: SQLTerm) -> SQLFragment? {
    switch op {
    case .equalTo, .notEqualTo:
      guard left.kind == right.kind || left.spellsText && right.spellsText else { return nil }
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
      guard left.kind == right.kind, !left.isObject else { return nil }
    default: return nil
    }
    switch op {
    case .equalTo: return "\(left.sql) = \(right.sql)"
    case .notEqualTo: return "\(left.sql) <> \(right.sql)"
    case .lessThan: return "\(left.sql) < \(right.sql)"
    case .lessThanOrEqualTo: return "\(left.sql) <= \(right.sql)"
    case .greaterThan: return "\(left.sql) > \(right.sql)"
    default: return "\(left.sql) >= \(right.sql)"
    }
  }

  private func between(
    _ value: SQLTerm, _ range: ExpressionTree, _ options: PredicateTree.Options, _ variables: Variables
  ) throws -> SQLFragment? {
    guard options.isEmpty, case .collection(let bounds)? = try constant(range, variables), bounds.count == 2 else {
      return nil
    }
    if bounds.contains(.null) { return "NULL" }
    let terms = bounds.compactMap { SQLTerm($0) }
    guard terms.count == 2, !value.isObject, terms.allSatisfy({ $0.kind == value.kind }) else { return nil }
    return "\(value.sql) BETWEEN \(terms[0].sql) AND \(terms[1].sql)"
  }

  // MARK: Objects

  /// Whether the value is one object; a key is unique in its tree only, and a new object has no row.
  private func isObject(_ value: SQLTerm, _ identity: PredicateIdentity) -> SQLFragment? {
    guard value.isObject else { return nil }
    guard let key = key(of: identity, in: value) else { return never(value) }
    return "\(value.sql) = \(bound: .integer(key))"
  }

  /// The primary key of an object that the value can be; `nil` for any other.
  func key(of identity: PredicateIdentity, in value: SQLTerm) -> Int64? {
    guard let id = identity.id as? NSManagedObjectID, !id.isTemporaryID, let name = id.entity.name,
      let entity = map[name], value.kind == .object(table: entity.table),
      id.persistentStore == nil || id.persistentStore === store || id.persistentStore?.identifier == store.identifier
    else { return nil }
    return id.primaryKey
  }

  /// False, but unknown for a missing value.
  func never(_ value: SQLTerm) -> SQLFragment { "\(value.sql) <> \(value.sql)" }
}

extension SQLTerm {
  /// Whether the values are texts as they lie in the column.
  var spellsText: Bool { kind == .text || kind == .url }

  var isObject: Bool { if case .object = kind { true } else { false } }
}

extension PredicateTree.Operator {
  /// The operator that says the same with the sides exchanged.
  var mirrored: Self? {
    switch self {
    case .equalTo, .notEqualTo: self
    case .lessThan: .greaterThan
    case .lessThanOrEqualTo: .greaterThanOrEqualTo
    case .greaterThan: .lessThan
    case .greaterThanOrEqualTo: .lessThanOrEqualTo
    default: nil
    }
  }
}
