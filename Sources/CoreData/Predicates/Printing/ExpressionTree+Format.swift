extension ExpressionTree {
  /// The expression as text.
  package func format(_ style: PredicateFormatStyle = .canonical) -> String {
    func list(_ trees: [ExpressionTree]) -> String { trees.map { $0.format(style) }.joined(separator: ", ") }
    switch self {
    case .constant(let constant): return constant.format(style)
    case .selfObject: return "SELF"
    case .variable(let name): return "$" + name
    case .keyPath(let keys): return keys.map(Self.escaped).joined(separator: ".")
    case .path(let operand, let rest): return operand.formatAsOperand(style, ofIndex: false) + "." + rest.format(style)
    case .index(let base, let index): return base.formatAsOperand(style, ofIndex: true) + index.format(style)
    case .function(let function, let arguments): return function.format(arguments, style)
    case .call(let target, let selector, let arguments):
      let head = "FUNCTION(\(target.format(style)), \(Constant.quoted(selector))"
      // The blank before the comma after the selector is Apple's (rule 20).
      return arguments.isEmpty ? head + ")" : "\(head) , \(list(arguments)))"
    case .cast(let value, let type): return "CAST(\(value.format(style)), \(Constant.quoted(type)))"
    case .subquery(let collection, let variable, let predicate):
      return "SUBQUERY(\(collection.format(style)), $\(variable), \(predicate.format(style)))"
    case .aggregate(let elements): return "{" + list(elements) + "}"
    case .set(let operation, let left, let right):
      return left.format(within: binding, style) + " \(operation.rawValue) " + right.format(within: binding + 1, style)
    case .conditional(let condition, let then, let otherwise):
      return "TERNARY(\(condition.format(style)), \(list([then, otherwise])))"
    case .assignment(let variable, let value):
      return variable.format(within: binding + 1, style) + " := " + value.format(within: binding, style)
    case .fetch(let request, let context, let countOnly): return "FETCH(\(list([request, context, countOnly])))"
    case .anyKey: return "ANYKEY"
    case .block(let block, let arguments):
      return "BLOCK(\(([block.text] + arguments.map { $0.format(style) }).joined(separator: ", ")))"
    }
  }

  /// A reserved word is a key with a number sign before it (rule 8).
  private static func escaped(_ key: String) -> String {
    PredicateKeyword(key) == nil ? key : "#" + key
  }

  /// How tightly the outermost operator binds; a whole that needs no parentheses binds tightest.
  fileprivate var binding: Int {
    switch self {
    case .assignment: 5
    case .set: 10
    case .function(let function, _): function.infix?.binding ?? (function.prefix == nil ? 100 : 90)
    default: 100
    }
  }

  /// In parentheses, if it binds more loosely than `floor`.
  fileprivate func format(within floor: Int, _ style: PredicateFormatStyle) -> String {
    binding < floor ? "(" + format(style) + ")" : format(style)
  }

  /// Before a dot or a bracket.
  ///
  /// An index would bind to the last key of a path only, hence `(a.d)[0]` (rule 10).
  private func formatAsOperand(_ style: PredicateFormatStyle, ofIndex: Bool) -> String {
    let needsParentheses =
      switch self {
      case .keyPath(let keys): ofIndex && keys.count > 1
      case .path: ofIndex
      case .constant(.integer(let value)): value < 0
      case .constant(.double(let value)): value.sign == .minus
      case .constant(.decimal(let value)): value < 0
      default: binding < 100
      }
    return needsParentheses ? "(" + format(style) + ")" : format(style)
  }
}

extension ExpressionTree.Index {
  fileprivate func format(_ style: PredicateFormatStyle) -> String {
    switch self {
    case .first: "[FIRST]"
    case .last: "[LAST]"
    case .size: "[SIZE]"
    case .at(let position): "[" + position.format(style) + "]"
    }
  }
}

extension PredicateFunction {
  fileprivate func format(_ arguments: [ExpressionTree], _ style: PredicateFormatStyle) -> String {
    if let infix, arguments.count == 2 {
      // `**` associates to the right, the others to the left.
      let left = arguments[0].format(within: self == .power ? infix.binding + 1 : infix.binding, style)
      let right = arguments[1].format(within: self == .power ? infix.binding : infix.binding + 1, style)
      return "\(left) \(infix.sign) \(right)"
    }
    if let prefix, arguments.count == 1 {
      // A number after the minus would be read as a negative number.
      if self == .negate, case .constant = arguments[0] { return "\(prefix)(\(arguments[0].format(style)))" }
      return prefix + arguments[0].format(within: 90, style)
    }
    return rawValue + "(" + arguments.map { $0.format(style) }.joined(separator: ", ") + ")"
  }
}
