extension PredicateParser {
  /// The smallest whole: a literal, a key, a variable, a call, an argument, or something in brackets.
  mutating func primary() throws(PredicateParseError) -> Node {
    let tree: ExpressionTree
    switch token {
    case .integer(let value) where value <= Int64.max: tree = .constant(.integer(Int64(value)))
    case .integer(let value): tree = .constant(.decimal(Decimal(value)))
    case .double(let value): tree = .constant(.double(value))
    case .decimal(let value): tree = .constant(.decimal(value))
    case .string(let value): tree = .constant(.string(value))
    case .variable(let name): tree = .variable(name)
    case .collectionOperator(let name): tree = .keyPath([name])
    case .conversion(.keyPath): tree = try keyPathArgument()
    case .conversion(let conversion): return try argument(conversion)
    case .word(let word, let escaped): return try self.word(word, escaped: escaped)
    case .symbol(.openParenthesis): return try parenthesis()
    case .symbol(.openBrace):
      try advance()
      return .expression(.aggregate(try list(until: .closeBrace)))
    default: throw unexpected([.operand])
    }
    try advance()
    return .expression(tree)
  }

  private mutating func parenthesis() throws(PredicateParseError) -> Node {
    try advance()
    let node = try disjunction()
    guard symbol == .closeParenthesis else {
      if case .predicate = node { throw unexpected([.connective, .symbol(")")]) }
      throw unexpected([.comparisonOperator, .arithmeticOperator, .symbol(")")])
    }
    try advance()
    return node
  }

  /// Expressions between commas, the closing sign included.
  private mutating func list(until close: PredicateSymbol) throws(PredicateParseError) -> [ExpressionTree] {
    guard try !take(close) else { return [] }
    if close == .closeParenthesis { trail?.begin(.arguments) }
    var elements = [try operand()]
    while try take(.comma) { elements.append(try operand()) }
    if close == .closeParenthesis { trail?.end() }
    guard try take(close) else { throw unexpected([.symbol(","), .symbol(close.rawValue), .arithmeticOperator]) }
    return elements
  }

  mutating func operand() throws(PredicateParseError) -> ExpressionTree {
    let node = try operation(binding: 0)
    return try expression(node)
  }

  private mutating func condition() throws(PredicateParseError) -> PredicateTree {
    let node = try disjunction()
    return try predicate(node)
  }

  // MARK: Words

  private mutating func word(_ word: String, escaped: Bool) throws(PredicateParseError) -> Node {
    let keyword = self.keyword
    let wordStart = start
    try advance()
    let isCall = symbol == .openParenthesis
    switch keyword {
    case .truePredicate: return .predicate(.value(true))
    case .falsePredicate: return .predicate(.value(false))
    case .null, .nil: return .expression(.constant(.null))
    case .true, .yes: return .expression(.constant(.bool(true)))
    case .false, .no: return .expression(.constant(.bool(false)))
    case .selfObject: return .expression(.selfObject)
    case .anyKey: return .expression(.anyKey)
    case .subquery: return .expression(try subquery())
    case .cast: return .expression(try cast())
    case .fetch: return .expression(try fetch())
    case .function where isCall: return .expression(try selectorCall())
    case .ternary where isCall: return .expression(try ternary())
    case nil, .function, .ternary, .union, .intersect, .minus, .diacriticInsensitive, .di: break
    default: throw lexer.error(at: wordStart, [.operand], "\(word) is a reserved word; a key is written #\(word)")
    }
    guard !escaped, isCall || symbol == .colon else { return .expression(.keyPath([word])) }
    return .expression(try call(word, at: wordStart))
  }

  /// `name(…)`, `name:(…)`, `first:second:(…)`.
  private mutating func call(_ first: String, at nameStart: Int) throws(PredicateParseError) -> ExpressionTree {
    var name = first
    while try take(.colon) {
      name += ":"
      if case .word(let part, _) = token {
        name += part
        try advance()
        guard symbol == .colon else { throw unexpected([.symbol(":")]) }
      }
    }
    try expect(.openParenthesis)
    let arguments = try list(until: .closeParenthesis)
    guard let function = PredicateFunction(name: name, argumentCount: arguments.count) else {
      throw lexer.error(at: nameStart, [.operand], "no function \(name) of \(arguments.count) arguments")
    }
    if function == .objectAtIndex { return .index(arguments[0], .at(arguments[1])) }
    return .function(function, arguments)
  }

  private mutating func subquery() throws(PredicateParseError) -> ExpressionTree {
    try expect(.openParenthesis)
    trail?.begin(.arguments)
    let collection = try operand()
    trail?.end()
    try expect(.comma)
    guard case .variable(let name) = token else { throw unexpected([.variable]) }
    try advance()
    try expect(.comma)
    trail?.begin(.subquery(collection, variable: name))
    let condition = try condition()
    trail?.end()
    try expect(.closeParenthesis)
    return .subquery(collection, variable: name, condition)
  }

  /// A cast of a number to a date is the date: that is how a date prints (rule 18).
  private mutating func cast() throws(PredicateParseError) -> ExpressionTree {
    try expect(.openParenthesis)
    let value = try operand()
    try expect(.comma)
    let type = try literalString()
    try expect(.closeParenthesis)
    if type == "NSDate", case .constant(let constant) = value, let seconds = constant.doubleValue {
      return .constant(.date(Date(timeIntervalSinceReferenceDate: seconds)))
    }
    return .cast(value, type: type)
  }

  private mutating func fetch() throws(PredicateParseError) -> ExpressionTree {
    try expect(.openParenthesis)
    let parts = try list(until: .closeParenthesis)
    guard parts.count == 3 else { throw unexpected([], "FETCH takes a request, a context and whether to count") }
    return .fetch(parts[0], context: parts[1], countOnly: parts[2])
  }

  private mutating func selectorCall() throws(PredicateParseError) -> ExpressionTree {
    try expect(.openParenthesis)
    let target = try operand()
    try expect(.comma)
    let selector = try literalString()
    let arguments: [ExpressionTree]
    if try take(.comma) {
      arguments = try list(until: .closeParenthesis)
    } else {
      try expect(.closeParenthesis)
      arguments = []
    }
    return .call(target, selector: selector, arguments)
  }

  private mutating func ternary() throws(PredicateParseError) -> ExpressionTree {
    try expect(.openParenthesis)
    let condition = try condition()
    try expect(.comma)
    let then = try operand()
    try expect(.comma)
    let otherwise = try operand()
    try expect(.closeParenthesis)
    return .conditional(condition, then, otherwise)
  }

  /// A string that the grammar wants as such: a literal, or an argument that is one.
  private mutating func literalString() throws(PredicateParseError) -> String {
    let at = start
    guard case .constant(.string(let value)) = try operand() else { throw lexer.error(at: at, [.string]) }
    return value
  }
}
