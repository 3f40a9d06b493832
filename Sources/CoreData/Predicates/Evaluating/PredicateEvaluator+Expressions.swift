extension PredicateEvaluator {
  func value(of tree: ExpressionTree, in scope: Scope) throws(PredicateError) -> PredicateValue {
    switch tree {
    case .constant(.captured(let id)): return PredicateValue(captures.values[id])
    case .constant(let constant): return .constant(constant)
    case .selfObject: return scope.object
    case .variable(let name): return try variable(name, in: scope)
    case .keyPath(let keys): return try follow(keys[...], from: scope.object)
    case .path(let operand, let rest): return try path(from: try value(of: operand, in: scope), rest, in: scope)
    case .index(let base, let index): return try element(index, of: try value(of: base, in: scope), in: scope)
    case .function(let function, let arguments): return try call(function, try values(of: arguments, in: scope))
    case .call(let target, let selector, let arguments):
      return try answer(
        of: try value(of: target, in: scope), to: selector, try values(of: arguments, in: scope))
    case .cast(let value, let type): return try cast(try self.value(of: value, in: scope), to: type)
    case .subquery(let collection, let name, let condition):
      return try subquery(try value(of: collection, in: scope), name, condition, in: scope)
    case .aggregate(let elements): return .list(try values(of: elements, in: scope), isOrdered: true)
    case .set(let operation, let left, let right):
      return try combine(operation, try value(of: left, in: scope), try value(of: right, in: scope))
    case .conditional(let condition, let then, let otherwise):
      let holds = try evaluate(condition, in: scope) ?? false
      return try value(of: holds ? then : otherwise, in: scope)
    case .block(let id, let arguments):
      guard let block = captures.values[id] as? (Any?, [Any], NSMutableDictionary?) -> Any else {
        throw PredicateError("a block that the expression no longer holds")
      }
      let values = try values(of: arguments, in: scope).map { $0.anyValue(captures) ?? NSNull() }
      return PredicateValue(block(scope.object.anyValue(captures), values, nil))
    case .fetch(let request, let context, let countOnly):
      return try fetch(
        try value(of: request, in: scope), in: try value(of: context, in: scope),
        countOnly: try value(of: countOnly, in: scope))
    case .assignment, .anyKey:
      throw PredicateError("\(tree.format()) cannot be evaluated in memory")
    }
  }

  private func values(
    of trees: [ExpressionTree], in scope: Scope
  ) throws(PredicateError) -> [PredicateValue] {
    var values: [PredicateValue] = []
    for tree in trees { values.append(try value(of: tree, in: scope)) }
    return values
  }

  /// `operand.rest`.
  ///
  /// An index after a dot is no key of the operand: on Apple's platforms `a.d[0]` raises (P063), and here too;
  /// `a.d[FIRST]` has its plain meaning.
  private func path(
    from operand: PredicateValue, _ rest: ExpressionTree, in scope: Scope
  ) throws(PredicateError) -> PredicateValue {
    switch rest {
    case .keyPath(let keys): return try follow(keys[...], from: operand)
    case .variable(let name):
      guard case .constant(.string(let path)) = try variable(name, in: scope) else {
        throw PredicateError("$\(name) names no key")
      }
      return try follow(path.split(separator: ".").map(String.init)[...], from: operand)
    case .index(let base, let index):
      if case .at = index {
        throw PredicateError("\(rest.format()) is not a key; write the path before the index in parentheses")
      }
      return try element(index, of: try path(from: operand, base, in: scope), in: scope)
    default: throw PredicateError("\(rest.format()) is not a key")
    }
  }

  private func element(
    _ index: ExpressionTree.Index, of base: PredicateValue, in scope: Scope
  ) throws(PredicateError) -> PredicateValue {
    switch index {
    case .at(let position): return try element(at: try value(of: position, in: scope), of: base)
    case .size:
      if case .dictionary(let entries) = base { return .integer(Int64(entries.count)) }
      return .integer(Int64(try list(base, for: "[SIZE]").count))
    case .first: return try list(base, for: "[FIRST]").first ?? .null
    case .last: return try list(base, for: "[LAST]").last ?? .null
    }
  }

  /// The element at a number of a list, or under a key of a dictionary or an object.
  func element(at position: PredicateValue, of base: PredicateValue) throws(PredicateError) -> PredicateValue {
    if let elements = base.elements, case .constant(let constant) = position, let number = constant.doubleValue {
      guard let index = Int(exactly: number.rounded(.towardZero)), elements.indices.contains(index) else {
        throw PredicateError(name: "NSRangeException", "index \(number) beyond bounds \(elements.count)")
      }
      return elements[index]
    }
    if base.elements == nil, case .constant(.string(let key)) = position { return try member(key, of: base) }
    throw PredicateError("\(base.text) has no element at \(position.text)")
  }

  func list(_ value: PredicateValue, for use: String) throws(PredicateError) -> [PredicateValue] {
    guard let elements = value.elements else { throw PredicateError("\(use) needs a collection, not \(value.text)") }
    return elements
  }

  /// The elements for which the condition holds.
  ///
  /// Keys in the condition belong to the outer object (rule 30).
  private func subquery(
    _ collection: PredicateValue, _ name: String, _ condition: PredicateTree, in scope: Scope
  ) throws(PredicateError) -> PredicateValue {
    if collection.isNull { return .list([], isOrdered: true) }
    var scope = scope
    var found: [PredicateValue] = []
    for element in try list(collection, for: "SUBQUERY") {
      scope.iterators[name] = element
      if try evaluate(condition, in: scope) == true { found.append(element) }
    }
    return .list(found, isOrdered: true)
  }

  private func combine(
    _ operation: ExpressionTree.SetOperation, _ left: PredicateValue, _ right: PredicateValue
  ) throws(PredicateError) -> PredicateValue {
    let ours = try list(left, for: operation.rawValue)
    let others = try list(right, for: operation.rawValue)
    func has(_ elements: [PredicateValue], _ element: PredicateValue) -> Bool {
      elements.contains { PredicateComparer.areEqual($0, element, nil) }
    }
    let chosen =
      switch operation {
      case .union: ours + others.filter { !has(ours, $0) }
      case .intersect: ours.filter { has(others, $0) }
      case .minus: ours.filter { !has(others, $0) }
      }
    return .list(chosen, isOrdered: false)
  }

  /// `CAST(value, "type")`.
  ///
  /// The types beyond NSDate, NSNumber and NSString are ours (section 6).
  private func cast(_ value: PredicateValue, to type: String) throws(PredicateError) -> PredicateValue {
    if value.isNull { return .null }
    guard case .constant(let constant) = value else {
      throw PredicateError("Don't know how to cast \(value.text) to \(type)")
    }
    let number: Double? =
      switch constant {
      case .string(let text): Double(text)
      case .date(let date): date.timeIntervalSinceReferenceDate
      default: constant.doubleValue
      }
    let result: Constant? =
      switch (type, constant) {
      case ("NSDate", .date), ("NSNumber", .integer), ("NSNumber", .double), ("NSNumber", .decimal),
        ("NSNumber", .bool), ("NSString", .string):
        constant
      case ("NSDate", _): number.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
      case ("NSNumber", .string(let text)): Int64(text).map(Constant.integer) ?? number.map(Constant.double)
      case ("NSNumber", _): number.map(Constant.double)
      case ("NSDecimalNumber", .string(let text)): Decimal(string: text).map(Constant.decimal)
      case ("NSDecimalNumber", .integer(let value)): .decimal(Decimal(value))
      case ("NSDecimalNumber", _): number.map { .decimal(Decimal($0)) }
      case ("NSString", _): .string(constant.format())
      case ("NSUUID", .string(let text)): UUID(uuidString: text).map(Constant.uuid)
      case ("NSURL", .string(let text)): URL(string: text).map(Constant.url)
      case ("NSData", .string(let text)): Data(hexadecimal: text).map(Constant.data)
      default: nil
      }
    guard let result else { throw PredicateError("Don't know how to cast \(value.text) to \(type)") }
    return .constant(result)
  }
}

extension Data {
  /// The bytes that pairs of hexadecimal digits spell; nil for anything else.
  fileprivate init?(hexadecimal text: String) {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.count, digits.count.isMultiple(of: 2) else { return nil }
    // Spelled out: left to inference this line alone takes the compiler four seconds.
    let bytes = stride(from: 0, to: digits.count, by: 2).map { (first: Int) -> UInt8 in
      UInt8(digits[first] << 4 | digits[first + 1])
    }
    self.init(bytes)
  }
}
