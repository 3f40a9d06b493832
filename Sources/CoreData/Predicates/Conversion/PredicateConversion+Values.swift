// How the parts of Swift predicates that are values become expressions.

extension PredicateExpressions.Value: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    guard let constant = PredicateConversion.constant(value) else {
      throw PredicateConversionError("a constant of type \(Output.self)")
    }
    return .expression(.constant(constant))
  }
}

extension PredicateExpressions.NilLiteral: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    .expression(.constant(.null))
  }
}

extension PredicateExpressions.Variable: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    .expression(try conversion.value(of: key))
  }
}

extension PredicateExpressions.KeyPath: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    let root = try conversion.expression(root)
    let count = root.member([Root.Output.self is any StringProtocol.Type ? "length" : "@count"])
    switch kind {
    case .collectionCount: return .expression(count)
    case .collectionIsEmpty: return .predicate(.comparison(.init(count, .equalTo, .constant(.integer(0)))))
    case .collectionFirst: return .expression(root.element(.first))
    case .bidirectionalCollectionLast: return .expression(root.element(.last))
    case nil: break
    }
    let path: AnyKeyPath = keyPath
    if path == \NSSet.count || path == \NSOrderedSet.count { return .expression(root.member(["@count"])) }
    guard let named = KeyPathReader.keys(of: path) else {
      throw PredicateConversionError("the key path \(path), which names no property")
    }
    return .expression(root.member(named.keys))
  }
}

extension PredicateExpressions.Arithmetic: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    let function: PredicateFunction =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      }
    return .expression(.function(function, [try conversion.expression(lhs), try conversion.expression(rhs)]))
  }
}

extension PredicateExpressions.UnaryMinus: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    // A negative literal is written as a minus before a number.
    if let value = try? evaluate(PredicateBindings()), let constant = PredicateConversion.constant(value) {
      return .expression(.constant(constant))
    }
    return .expression(.function(.multiply, [try conversion.expression(wrapped), .constant(.integer(-1))]))
  }
}

extension PredicateExpressions.FloatDivision: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    .expression(.function(.divide, [try conversion.expression(lhs), try conversion.expression(rhs)]))
  }
}

extension PredicateExpressions.IntDivision: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    .expression(.function(.divide, [try conversion.expression(lhs), try conversion.expression(rhs)]))
  }
}

extension PredicateExpressions.IntRemainder: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    .expression(.function(.modulus, [try conversion.expression(lhs), try conversion.expression(rhs)]))
  }
}

extension PredicateExpressions.Conditional: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    let condition = try conversion.predicate(test)
    return .expression(
      .conditional(condition, try conversion.expression(trueBranch), try conversion.expression(falseBranch)))
  }
}

extension PredicateExpressions.NilCoalesce: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    let value = try conversion.expression(lhs)
    return .expression(value.whenPresent(value, else: try conversion.expression(rhs)))
  }
}

extension PredicateExpressions.OptionalFlatMap: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    let value = try conversion.expression(wrapped)
    conversion.bind(variable.key, to: value)
    return .expression(value.whenPresent(try conversion.expression(transform), else: .constant(.null)))
  }
}

extension PredicateExpressions.ForcedUnwrap: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    try conversion.convert(inner)
  }
}

extension PredicateExpressions.ForceCast: ConvertibleExpression {
  /// Casts between the collections of related objects, and between classes of objects, change no value.
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    func isObjects(_ type: Any.Type) -> Bool {
      type is any Collection.Type || type is NSSet.Type || type is NSOrderedSet.Type || type is NSManagedObject.Type
    }
    let target = (Desired.self as? any OptionalValue.Type)?.wrapped ?? Desired.self
    guard isObjects(target), !(target is any StringProtocol.Type) else {
      throw PredicateConversionError("a cast to \(Desired.self)")
    }
    return try conversion.convert(input)
  }
}

extension PredicateExpressions.CollectionIndexSubscript: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    // An index of a set or of a text is no number.
    guard Index.Output.self == Int.self else { throw PredicateConversionError("an index of \(Wrapped.Output.self)") }
    let index = try conversion.expression(index)
    return .expression(try conversion.expression(wrapped).element(.at(index)))
  }
}

extension PredicateExpressions.DictionaryKeySubscript: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    let key = try conversion.expression(key)
    return .expression(try conversion.expression(wrapped).element(.at(key)))
  }
}

extension PredicateExpressions.DictionaryKeyDefaultValueSubscript: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    let key = try conversion.expression(key)
    let value = try conversion.expression(wrapped).element(.at(key))
    return .expression(value.whenPresent(value, else: try conversion.expression(self.default)))
  }
}

extension PredicateExpressions.SequenceMaximum: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    .expression(try conversion.expression(elements).member(["@max", "self"]))
  }
}

extension PredicateExpressions.SequenceMinimum: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    .expression(try conversion.expression(elements).member(["@min", "self"]))
  }
}

extension PredicateExpressions.Filter: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    let collection = try conversion.expression(sequence)
    let name = conversion.local(for: variable.key)
    return .expression(.subquery(collection, variable: name, try conversion.predicate(filter)))
  }
}

extension PredicateExpressions.ClosedRange: ConvertibleExpression {
  func converted(_ conversion: inout PredicateConversion) throws -> PredicateConversion.Part {
    .expression(.aggregate([try conversion.expression(lower), try conversion.expression(upper)]))
  }
}
