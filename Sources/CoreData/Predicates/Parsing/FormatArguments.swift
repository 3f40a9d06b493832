/// The values that a format string's `%` places take, in order.
struct FormatArguments {
  private let values: [Any]
  private var taken = 0
  /// Values that the tree cannot hold, met on the way.
  var captures = Captures()

  init(_ values: [Any]) { self.values = values }

  /// The next value, or nil when the format asks for more than were given.
  mutating func next() -> Any?? {
    guard taken < values.count else { return nil }
    taken += 1
    return .some(unwrapped(values[taken - 1]))
  }
}

extension PredicateParser {
  /// The argument of `%@` or of a printf conversion, as a node; an expression or a predicate is taken as what it is.
  mutating func argument(_ conversion: PredicateToken.Conversion) throws(PredicateParseError) -> Node {
    guard let value = arguments.next() else { throw unexpected([], "no argument for this place") }
    let node: Node
    switch value {
    case let expression as NSExpression where conversion == .object:
      arguments.captures.merge(expression.captures)
      node = .expression(expression.tree)
    case let predicate as NSPredicate where conversion == .object:
      let form = PredicateForm(predicate)
      arguments.captures.merge(form.captures)
      node = .predicate(form.tree)
    default:
      let constant = Constant(value, captures: &arguments.captures)
      guard let converted = constant.converted(as: conversion) else {
        throw unexpected([], "an argument of another type")
      }
      node = .expression(.constant(converted))
    }
    try advance()
    return node
  }

  /// The argument of `%K`: a key path, whatever the keys look like (rule 5).
  ///
  /// The token stays current.
  mutating func keyPathArgument() throws(PredicateParseError) -> ExpressionTree {
    guard let value = arguments.next() else { throw unexpected([], "no argument for this place") }
    guard case .string(let path) = Constant(value, captures: &arguments.captures) else {
      throw unexpected([], "%K takes a string")
    }
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard keys.allSatisfy({ !$0.isEmpty }) else { throw unexpected([], "%K takes a key path") }
    return .keyPath(keys)
  }
}

extension Constant {
  /// The value as the conversion names it: `%d` takes whole numbers, `%f` floating ones, `%c` a character.
  fileprivate func converted(as conversion: PredicateToken.Conversion) -> Constant? {
    switch conversion {
    case .object, .keyPath: return self
    case .integer:
      switch self {
      case .integer, .decimal: return self
      case .bool(let value): return .integer(value ? 1 : 0)
      case .double(let value): return Int64(exactly: value.rounded(.towardZero)).map(Constant.integer)
      default: return nil
      }
    case .floating: return doubleValue.map(Constant.double)
    case .character:
      switch self {
      case .integer(let code):
        return UInt32(exactly: code).flatMap(UnicodeScalar.init).map { .string(String(Character($0))) }
      case .string: return self
      default: return nil
      }
    }
  }
}
