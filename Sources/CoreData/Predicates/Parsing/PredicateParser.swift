/// Reads a format string by recursive descent, without backtracking, in linear time.
///
/// A parenthesis may hold a predicate or an expression, so every level yields either and its user asks for the one it
/// needs. Nesting is bounded: a deep nest is an error, never a crash. Source: PREDICATES.md, sections 1 and 2.
struct PredicateParser {
  enum Node {
    case predicate(PredicateTree)
    case expression(ExpressionTree)
  }

  var lexer: PredicateLexer
  private(set) var token: PredicateToken = .end
  /// The keyword that `token` spells, if it is an unescaped word.
  private(set) var keyword: PredicateKeyword?
  /// The sign that `token` is, if it is one.
  private(set) var symbol: PredicateSymbol?
  private(set) var start = 0
  var arguments: FormatArguments
  /// What the parser is in the middle of, where somebody wants to know.
  var trail: PredicateTrail?
  private var nesting = 0
  /// The links of the longest chain of operators and keys in the expression read last, chains within it counted on:
  /// with the nesting they bound how deep a tree can be.
  var links = 0

  static let deepest = 250

  init(
    _ format: String, _ arguments: FormatArguments, trail: PredicateTrail? = nil
  ) throws(PredicateParseError) {
    lexer = PredicateLexer(format)
    self.arguments = arguments
    self.trail = trail
    try advance()
  }

  /// The whole text as a predicate.
  mutating func wholePredicate() throws(PredicateParseError) -> PredicateTree {
    let node = try disjunction()
    let tree = try predicate(node)
    guard token == .end else { throw unexpected([.connective, .end]) }
    return tree
  }

  /// The whole text as an expression.
  mutating func wholeExpression() throws(PredicateParseError) -> ExpressionTree {
    let node = try disjunction()
    guard case .expression(let tree) = node else {
      throw lexer.error(at: 0, [], "a predicate is no expression")
    }
    guard token == .end else { throw unexpected([.arithmeticOperator, .end]) }
    return tree
  }

  // MARK: Tokens

  mutating func advance() throws(PredicateParseError) {
    (token, start) = try lexer.next()
    (keyword, symbol) = (nil, nil)
    switch token {
    case .word(let word, escaped: false): keyword = PredicateKeyword(word)
    case .symbol(let sign): symbol = sign
    default: break
    }
  }

  mutating func take(_ symbol: PredicateSymbol) throws(PredicateParseError) -> Bool {
    guard self.symbol == symbol else { return false }
    try advance()
    return true
  }

  mutating func expect(_ symbol: PredicateSymbol) throws(PredicateParseError) {
    guard try take(symbol) else { throw unexpected([.symbol(symbol.rawValue)]) }
  }

  /// An error at the token met.
  func unexpected(
    _ expected: [PredicateParseError.Expectation], _ detail: String? = nil
  ) -> PredicateParseError {
    lexer.error(at: start, expected, detail)
  }

  mutating func nested<Result>(
    by levels: Int = 1, _ body: (inout PredicateParser) throws(PredicateParseError) -> Result
  ) throws(PredicateParseError) -> Result {
    guard nesting + levels <= Self.deepest else { throw unexpected([], "nested too deeply") }
    nesting += levels
    defer { nesting -= levels }
    return try body(&self)
  }

  // MARK: Either kind, where one is needed. Parse first, then ask: an error names the token met by then.

  func predicate(_ node: Node) throws(PredicateParseError) -> PredicateTree {
    switch node {
    case .predicate(let tree): tree
    case .expression: throw unexpected([.comparisonOperator, .arithmeticOperator])
    }
  }

  func expression(_ node: Node) throws(PredicateParseError) -> ExpressionTree {
    switch node {
    case .expression(let tree): tree
    case .predicate: throw unexpected([.connective], "a predicate cannot be compared")
    }
  }

  // MARK: Predicates

  mutating func disjunction() throws(PredicateParseError) -> Node {
    let first = try conjunction()
    guard keyword == .or || symbol == .or else { return first }
    var children = [try predicate(first)]
    while keyword == .or || symbol == .or {
      try advance()
      let child = try conjunction()
      children.append(try predicate(child))
    }
    return .predicate(.or(children))
  }

  private mutating func conjunction() throws(PredicateParseError) -> Node {
    let first = try negation()
    guard keyword == .and || symbol == .and else { return first }
    var children = [try predicate(first)]
    while keyword == .and || symbol == .and {
      try advance()
      let child = try negation()
      children.append(try predicate(child))
    }
    return .predicate(.and(children))
  }

  private mutating func negation() throws(PredicateParseError) -> Node {
    guard keyword == .not || symbol == .not else { return try comparison() }
    try advance()
    // Counted with the parentheses that it is written with: what is written has to be read again.
    return try nested(by: symbol == .openParenthesis ? 1 : 2) { (parser) throws(PredicateParseError) in
      let child = try parser.negation()
      return .predicate(.not(try parser.predicate(child)))
    }
  }

  private mutating func comparison() throws(PredicateParseError) -> Node {
    let quantifier = keyword
    let modifier: PredicateTree.Modifier
    switch quantifier {
    case .anyOf, .someOf, .noneOf: modifier = .any
    case .allOf: modifier = .all
    default: modifier = .direct
    }
    if modifier != .direct { try advance() }
    trail?.begin(.comparison(quantifier: modifier == .direct ? nil : quantifier))
    let node = try operation(binding: 0)
    guard case .expression(let left) = node else {
      guard modifier == .direct else { throw unexpected([.comparisonOperator], "a quantifier needs a key path") }
      trail?.end()
      return node
    }
    trail?.meet(left)
    guard let op = try comparisonOperator() else {
      guard modifier == .direct else { throw unexpected([.comparisonOperator]) }
      trail?.endWithLeft()
      return node
    }
    trail?.meet(op)
    let options = try comparisonOptions()
    let right = try operand()
    trail?.end()
    let tree = PredicateTree.comparison(.init(left, op, right, modifier: modifier, options: options))
    return .predicate(quantifier == .noneOf ? .not(tree) : tree)
  }

  /// Consumes an operator; nil when the token is none.
  private mutating func comparisonOperator() throws(PredicateParseError) -> PredicateTree.Operator? {
    let op: PredicateTree.Operator
    switch (token, keyword) {
    case (.symbol(.equal), _): op = .equalTo
    case (.symbol(.notEqual), _): op = .notEqualTo
    case (.symbol(.less), _): op = .lessThan
    case (.symbol(.lessOrEqual), _): op = .lessThanOrEqualTo
    case (.symbol(.greater), _): op = .greaterThan
    case (.symbol(.greaterOrEqual), _): op = .greaterThanOrEqualTo
    case (_, .in): op = .in
    case (_, .contains): op = .contains
    case (_, .beginsWith): op = .beginsWith
    case (_, .endsWith): op = .endsWith
    case (_, .like): op = .like
    case (_, .matches): op = .matches
    case (_, .between): op = .between
    case (_, .utiConformsTo): op = .utiConformsTo
    case (_, .utiEquals): op = .utiEquals
    case (.word(let name, _), nil):
      let place = start
      try advance()
      guard symbol == .colon else {
        // At the end the word may be the beginning of an operator.
        if token == .end { throw unexpected([.comparisonOperator, .arithmeticOperator]) }
        throw lexer.error(at: place, [.comparisonOperator, .arithmeticOperator], "\(name) is no operator")
      }
      op = .selector(name + ":")
    default: return nil
    }
    try advance()
    return op
  }

  private mutating func comparisonOptions() throws(PredicateParseError) -> PredicateTree.Options {
    guard try take(.openBracket) else { return [] }
    guard case .word(let letters, _) = token else { throw unexpected([.option]) }
    var options: PredicateTree.Options = []
    for letter in letters.lowercased() {
      switch letter {
      case "c": options.insert(.caseInsensitive)
      case "d": options.insert(.diacriticInsensitive)
      case "n": options.insert(.normalized)
      case "l": options.insert(.localeSensitive)
      default: throw unexpected([.option])
      }
    }
    try advance()
    try expect(.closeBracket)
    return options
  }
}
