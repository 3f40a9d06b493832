extension PredicateParser {
  /// Operators between expressions, by precedence climbing: those that bind at least as tightly as `binding`.
  mutating func operation(binding: Int) throws(PredicateParseError) -> Node {
    try nested { (parser) throws(PredicateParseError) in
      let siblings = parser.links
      parser.links = 0
      defer { parser.links = max(parser.links, siblings) }
      let first = try parser.unary()
      guard case .expression(var left) = first else { return first }
      while let infix = parser.infix, infix.binding >= binding {
        try parser.advance()
        let tighter = infix.isRightAssociative ? infix.binding : infix.binding + 1
        let right = try parser.operation(binding: tighter)
        try parser.link("too many operators in a row")
        left = infix.joined(left, try parser.expression(right))
      }
      return .expression(left)
    }
  }

  /// Counts a link of a chain that deepens the tree.
  private mutating func link(_ excess: String) throws(PredicateParseError) {
    links += 1
    guard links < 4 * Self.deepest else { throw unexpected([], excess) }
  }

  /// An operator between two expressions.
  private enum Infix {
    case assignment
    case set(ExpressionTree.SetOperation)
    case function(PredicateFunction)

    var binding: Int {
      switch self {
      case .assignment: 5
      case .set: 10
      case .function(let function): function.infix?.binding ?? 0
      }
    }

    var isRightAssociative: Bool {
      switch self {
      case .assignment, .function(.power): true
      default: false
      }
    }

    func joined(_ left: ExpressionTree, _ right: ExpressionTree) -> ExpressionTree {
      switch self {
      case .assignment: .assignment(left, right)
      case .set(let operation): .set(operation, left, right)
      case .function(let function): .function(function, [left, right])
      }
    }
  }

  private var infix: Infix? {
    switch (token, keyword) {
    case (.symbol(.assign), _): .assignment
    case (.symbol(.bar), _): .function(.bitwiseOr)
    case (.symbol(.caret), _): .function(.bitwiseXor)
    case (.symbol(.ampersand), _): .function(.bitwiseAnd)
    case (.symbol(.leftShift), _): .function(.leftShift)
    case (.symbol(.rightShift), _): .function(.rightShift)
    case (.symbol(.plus), _): .function(.add)
    case (.symbol(.minus), _): .function(.subtract)
    case (.symbol(.times), _): .function(.multiply)
    case (.symbol(.divide), _): .function(.divide)
    case (.symbol(.power), _): .function(.power)
    case (_, .union): .set(.union)
    case (_, .intersect): .set(.intersect)
    case (_, .minus): .set(.minus)
    default: nil
    }
  }

  /// A minus before a number makes the number negative; before anything else it is a function.
  private mutating func unary() throws(PredicateParseError) -> Node {
    let function: PredicateFunction
    switch token {
    case .symbol(.minus): function = .negate
    case .symbol(.tilde): function = .onesComplement
    default: return try postfix()
    }
    try advance()
    if function == .negate, let negative = negativeNumber {
      let node = try postfix()
      let number = try expression(node)
      // Keys after the number belong to the number, so that the minus applies to what they yield.
      if case .constant = number { return .expression(.constant(negative)) }
      return .expression(.function(.negate, [number]))
    }
    return try nested { (parser) throws(PredicateParseError) in
      let node = try parser.unary()
      let operand = try parser.expression(node)
      // A number behind a sign is written in parentheses, which have to be read again.
      if case .constant = operand { try parser.nested { (_) throws(PredicateParseError) in } }
      return .expression(.function(function, [operand]))
    }
  }

  private var negativeNumber: Constant? {
    switch token {
    case .integer(let magnitude) where magnitude <= Int64.min.magnitude:
      .integer(Int64(truncatingIfNeeded: 0 &- magnitude))
    case .integer(let magnitude): .decimal(-Decimal(magnitude))
    case .double(let value): .double(-value)
    case .decimal(let value): .decimal(-value)
    default: nil
    }
  }

  /// A primary with its keys and indexes.
  ///
  /// A parenthesis keeps an index from binding to the last key only (rule 10).
  private mutating func postfix() throws(PredicateParseError) -> Node {
    var isGrouped = symbol == .openParenthesis
    let first = try primary()
    guard case .expression(var tree) = first else { return first }
    while true {
      if try take(.dot) {
        trail?.path = tree
        tree = tree.appending(try key())
      } else if try take(.openBracket) {
        trail?.begin(.index)
        let index = try self.index()
        trail?.end()
        tree = isGrouped ? .index(tree, index) : tree.indexingLastKey(index)
      } else {
        return .expression(tree)
      }
      isGrouped = false
      try link("too many keys in a row")
    }
  }

  /// What follows a dot: a key (reserved words are keys here), a collection operator, a variable, or `%K`.
  private mutating func key() throws(PredicateParseError) -> ExpressionTree {
    let key: ExpressionTree
    switch token {
    // The two operators with dashes in them are words, and no names.
    case .word(let word, _) where keyword != .utiConformsTo && keyword != .utiEquals: key = .keyPath([word])
    case .collectionOperator(let name): key = .keyPath([name])
    case .variable(let name): key = .variable(name)
    case .conversion(.keyPath): key = try keyPathArgument()
    default: throw unexpected([.key])
    }
    try advance()
    return key
  }

  private mutating func index() throws(PredicateParseError) -> ExpressionTree.Index {
    let index: ExpressionTree.Index
    switch keyword {
    case .first: index = .first
    case .last: index = .last
    case .size: index = .size
    default:
      index = .at(try operand())
      try expect(.closeBracket)
      return index
    }
    try advance()
    try expect(.closeBracket)
    return index
  }
}

extension ExpressionTree {
  /// `self.key`; keys after keys make one key path.
  fileprivate func appending(_ key: ExpressionTree) -> ExpressionTree {
    switch (self, key) {
    case (.keyPath(let keys), .keyPath(let more)): .keyPath(keys + more)
    case (.path(let operand, .keyPath(let keys)), .keyPath(let more)): .path(operand, .keyPath(keys + more))
    default: .path(self, key)
    }
  }

  /// `self[index]`, where the index belongs to the last key: `a.d[0]` is `a.(d[0])`.
  fileprivate func indexingLastKey(_ index: Index) -> ExpressionTree {
    switch self {
    case .keyPath(let keys) where keys.count > 1:
      return .path(.keyPath(Array(keys.dropLast())), .index(.keyPath(Array(keys.suffix(1))), index))
    case .path(let operand, .keyPath(let keys)) where keys.count > 1:
      return .path(
        .path(operand, .keyPath(Array(keys.dropLast()))), .index(.keyPath(Array(keys.suffix(1))), index))
    case .path(let operand, let last):
      return .path(operand, .index(last, index))
    default:
      return .index(self, index)
    }
  }
}
