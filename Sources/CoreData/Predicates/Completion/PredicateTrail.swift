/// What a parser is in the middle of: kept while it reads, so that it is known where a text breaks off.
struct PredicateTrail {
  /// Something that was begun and is not complete.
  enum Frame {
    /// A comparison, with what is read of it so far.
    case comparison(
      quantifier: PredicateKeyword?, left: ExpressionTree? = nil, op: PredicateTree.Operator? = nil)
    /// The arguments of a function.
    case arguments
    /// The condition of a subquery, in which the variable stands for an object of the collection.
    case subquery(ExpressionTree, variable: String)
    /// What is between the brackets behind an expression.
    case index
  }

  /// The outermost first.
  private(set) var frames: [Frame] = []
  /// What was read before the last dot.
  var path: ExpressionTree?
  /// An expression that no operator followed.
  private(set) var dangling: ExpressionTree?

  mutating func begin(_ frame: Frame) { frames.append(frame) }

  mutating func end() { frames.removeLast() }

  /// The left side of the innermost comparison is read.
  mutating func meet(_ left: ExpressionTree) {
    guard case .comparison(let quantifier, _, _)? = frames.last else { return }
    frames[frames.count - 1] = .comparison(quantifier: quantifier, left: left)
  }

  /// The operator of the innermost comparison is read.
  mutating func meet(_ op: PredicateTree.Operator) {
    guard case .comparison(let quantifier, let left, _)? = frames.last else { return }
    frames[frames.count - 1] = .comparison(quantifier: quantifier, left: left, op: op)
  }

  /// What began as a comparison is an expression alone.
  mutating func endWithLeft() {
    if case .comparison(_, let left, _)? = frames.last { dangling = left }
    end()
  }
}
