import Foundation

extension PredicateSQL {
  /// An expression as SQL; `nil` where SQL would give another value than the evaluator, or has no words.
  func term(_ tree: ExpressionTree, _ variables: Variables) throws -> SQLTerm? {
    if let (scope, keys) = path(tree, variables) {
      if let place = keys.firstIndex(where: { $0.utf8.first == UInt8(ascii: "@") }) {
        return try figure(keys[place], of: keys[(place + 1)...], over: keys[..<place], from: scope)
      }
      return term(try follow(keys[...], from: scope))
    }
    if let constant = try constant(tree, variables) { return SQLTerm(constant) }
    switch tree {
    case .path(let found, .keyPath(["@count"])), .index(let found, .size): return try count(found, variables)
    case .function(.count, let found) where found.count == 1: return try count(found[0], variables)
    case .function(.noIndex, let arguments): return try term(arguments[0], variables)
    case .function(let function, let arguments): return try arithmetic(function, arguments, variables)
    case .conditional(let condition, let then, .constant(.null)):
      // What optional chaining in Swift becomes.
      guard let then = try term(then, variables) else { return nil }
      return then.replacing("CASE WHEN \(try sql(condition, variables)) THEN \(then.sql) END")
    case .conditional(let condition, let then, let otherwise):
      guard let then = try term(then, variables), let otherwise = try term(otherwise, variables),
        then.kind == otherwise.kind, then.type == otherwise.type || then.isWhole && otherwise.isWhole
      else { return nil }
      let choice: SQLFragment = "CASE WHEN \(try sql(condition, variables)) THEN \(then.sql) ELSE \(otherwise.sql) END"
      return then.isWhole ? SQLTerm(number: choice, isWhole: true) : then.replacing(choice)
    default: return nil
    }
  }

  // MARK: Constants

  /// The value of an expression that is the same for every row; a list of expressions is a collection of their values.
  ///
  /// Throws what evaluating it raises.
  func constant(_ tree: ExpressionTree, _ variables: Variables) throws -> Constant? {
    if case .constant(let constant) = tree { return constant }
    guard tree.isTheSameForEveryRow(besides: Set(variables.keys)) else { return nil }
    return try PredicateEvaluator(Captures(), nulls: .fetch).value(of: tree, .null).constant
  }

  // MARK: Numbers

  private func arithmetic(
    _ function: PredicateFunction, _ arguments: [ExpressionTree], _ variables: Variables
  ) throws -> SQLTerm? {
    let terms = try arguments.compactMap { try term($0, variables) }
    // Decimals lie in their columns as whole or as floating numbers, which SQLite would not add up as decimals.
    guard terms.count == arguments.count,
      terms.allSatisfy({ $0.kind == .number && $0.type != .decimalAttributeType })
    else { return nil }
    let areWhole = terms.allSatisfy(\.isWhole)
    if terms.count == 2 {
      let (left, right) = (terms[0].sql, terms[1].sql)
      switch function {
      case .add: return SQLTerm(number: "(\(left) + \(right))", isWhole: areWhole)
      case .subtract: return SQLTerm(number: "(\(left) - \(right))", isWhole: areWhole)
      case .multiply: return SQLTerm(number: "(\(left) * \(right))", isWhole: areWhole)
      case .divide where areWhole: return SQLTerm(number: "(\(left) / \(right))", isWhole: true)
      case .bitwiseAnd where areWhole: return SQLTerm(number: "(\(left) & \(right))", isWhole: true)
      case .bitwiseOr where areWhole: return SQLTerm(number: "(\(left) | \(right))", isWhole: true)
      default: return nil
      }
    }
    if terms.count == 1, function == .negate { return SQLTerm(number: "(- \(terms[0].sql))", isWhole: areWhole) }
    return nil
  }

  // MARK: Figures over collections

  /// How many elements of a SUBQUERY's collection fulfil its condition.
  private func count(_ subquery: ExpressionTree, _ variables: Variables) throws -> SQLTerm? {
    guard case .subquery(let collection, let name, let condition) = subquery,
      let found = try self.collection(collection, variables), found.rest.isEmpty
    else { return nil }
    let scope = open(found)
    var variables = variables
    variables[name] = scope
    return SQLTerm(number: scope.select("count(*)", where: try sql(condition, variables)), isWhole: true)
  }

  /// `rel.@count`, `rel.@max.key` and their kin; only where SQLite's figure is exactly the evaluator's.
  private func figure(
    _ name: String, of keys: ArraySlice<String>, over path: ArraySlice<String>, from scope: SQLScope
  ) throws -> SQLTerm? {
    guard case .many(let collection) = try follow(path, from: scope) else { return nil }
    let inner = open(collection)
    if name == "@count" {
      // To-one relationships do not change how many there are.
      guard try element(collection.rest, in: inner) != nil else { return nil }
      return SQLTerm(number: inner.select("count(*)", where: nil), isWhole: true)
    }
    guard let value = try element(collection.rest + keys, in: inner) else { return nil }
    // Sums of these cannot overflow, nor depend on the order of adding.
    let isSmall = [.integer16AttributeType, .integer32AttributeType, .booleanAttributeType].contains(value.type)
    switch (name, value.kind) {
    case ("@min", .number), ("@min", .date), ("@min", .text):
      return value.replacing(inner.select("min(\(value.sql))", where: nil))
    case ("@max", .number), ("@max", .date), ("@max", .text):
      return value.replacing(inner.select("max(\(value.sql))", where: nil))
    case ("@sum", .number) where isSmall:
      return SQLTerm(number: inner.select("coalesce(sum(\(value.sql)), 0)", where: nil), isWhole: true)
    case ("@avg", .number) where isSmall:
      return SQLTerm(number: inner.select("avg(\(value.sql))", where: nil), isWhole: false)
    default: return nil
    }
  }
}

extension ExpressionTree {
  /// Whether neither the evaluated object nor one of some variables has a say in the value, nor chance.
  func isTheSameForEveryRow(besides variables: Set<String>) -> Bool {
    var isTheSame = true
    _ = mapExpressions { part in
      switch part {
      case .selfObject, .keyPath, .block, .fetch, .anyKey, .assignment, .function(.random, _),
        .function(.randomBelow, _), .function(.randomNumber, _), .call:
        isTheSame = false
      case .variable(let name) where variables.contains(name): isTheSame = false
      default: break
      }
      return part
    }
    return isTheSame
  }
}

extension PredicateValue {
  /// The value as a constant; `nil` for an object.
  var constant: Constant? {
    switch self {
    case .constant(let constant): return constant
    case .list(let elements, _):
      let constants = elements.compactMap(\.constant)
      return constants.count == elements.count ? .collection(constants) : nil
    case .object, .dictionary, .other: return nil
    }
  }
}
