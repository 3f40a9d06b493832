import Foundation

extension PredicateSQL {
  /// A comparison that SQL has no exact words for: `cd_holds` asks the evaluator, row by row.
  ///
  /// It is given the values of the key paths that are columns, and the objects that other paths begin at, which it follows
  /// by itself. Throws for what has no meaning without objects in memory.
  func asked(_ comparison: PredicateTree.Comparison, _ variables: Variables) throws -> SQLFragment {
    let tree = PredicateTree.comparison(comparison)
    guard tree.canBeAskedOfRows else { throw Self.unsupported(tree) }
    var leaves = LeafGatherer(sql: self, variables: variables)
    var rewritten = comparison
    rewritten.left = try leaves.rewrite(comparison.left)
    rewritten.right = try leaves.rewrite(comparison.right)
    try leaves.addObjects(for: .comparison(rewritten))
    let test = RowTest(comparison: rewritten, leaves: leaves.leaves, store: store)
    return "cd_holds(\(([SQLFragment("\(bound: .test(test))")] + leaves.arguments).joined(by: ", ")))"
  }
}

/// Takes out of a comparison what a statement can read, and puts a variable in its place.
private struct LeafGatherer {
  let sql: PredicateSQL
  let variables: PredicateSQL.Variables
  private(set) var leaves: [RowTest.Leaf] = []
  private(set) var arguments: [SQLFragment] = []

  init(sql: PredicateSQL, variables: PredicateSQL.Variables) {
    self.sql = sql
    self.variables = variables
  }

  mutating func rewrite(_ tree: ExpressionTree) throws -> ExpressionTree {
    if let term = try leafTerm(tree) { return .variable(add(term)) }
    switch tree {
    case .path(let operand, let rest): return .path(try rewrite(operand, isBehindPath: true), rest)
    // Their conditions name objects that only they know.
    case .subquery, .conditional, .block: return tree
    default:
      var error: (any Error)?
      let rewritten = tree.mapChildren { child in
        do {
          return try rewrite(child)
        } catch let thrown {
          error = thrown
          return child
        }
      }
      if let error { throw error }
      return rewritten
    }
  }

  /// A path goes on from an object, which stays what it is.
  private mutating func rewrite(_ tree: ExpressionTree, isBehindPath: Bool) throws -> ExpressionTree {
    switch tree {
    case .selfObject, .variable, .keyPath: return tree
    default: return try rewrite(tree)
    }
  }

  /// An attribute, also of an object at the end of to-one relationships.
  private func leafTerm(_ tree: ExpressionTree) throws -> SQLTerm? {
    guard let (scope, keys) = sql.path(tree, variables),
      !keys.contains(where: { $0.utf8.first == UInt8(ascii: "@") }),
      case .attribute(let attribute, let column) = try sql.follow(keys[...], from: scope)
    else { return nil }
    return SQLTerm(attribute, column: column)
  }

  private mutating func add(_ term: SQLTerm) -> String {
    if let place = arguments.firstIndex(of: term.sql), let leaf = leaves.first(where: { $0.argument == place }) {
      return leaf.name
    }
    // No name that could be written: a number cannot begin one.
    let name = "\(leaves.count)"
    leaves.append(
      .init(name: name, argument: arguments.count, kind: .attribute(term.type, holdsAnyClass: term.holdsAnyClass)))
    arguments.append(term.sql)
    return name
  }

  /// Adds the rows that what is left of the tree begins at.
  mutating func addObjects(for tree: PredicateTree) throws {
    var needsRoot = false
    var names: Set<String> = []
    _ = tree.mapExpressions { part in
      switch part {
      case .selfObject, .keyPath: needsRoot = true
      case .variable(let name): names.insert(name)
      default: break
      }
      return part
    }
    if needsRoot { add(sql.root, name: nil) }
    for name in names.sorted() {
      if let scope = variables[name] { add(scope, name: name) }
    }
  }

  private mutating func add(_ scope: SQLScope, name: String?) {
    leaves.append(.init(name: name ?? "", argument: arguments.count, kind: .object(scope.entity, isRoot: name == nil)))
    arguments.append(SQLFragment(text: scope.entity.key(of: scope.alias)))
    arguments.append(SQLFragment(text: scope.entity.entityNumber(of: scope.alias)))
  }
}

extension PredicateTree {
  /// Whether rows of a store say enough to answer: no blocks, no methods of classes, no foreign objects.
  fileprivate var canBeAskedOfRows: Bool {
    guard case .comparison(let comparison) = self else { return false }
    if case .selector = comparison.op { return false }
    var canBeAsked = true
    _ = mapExpressions { part in
      switch part {
      case .block, .fetch, .anyKey, .assignment, .constant(.captured), .function(.distance, _): canBeAsked = false
      default: break
      }
      return part
    }
    return canBeAsked && !hasBlocks
  }

  private var hasBlocks: Bool {
    switch self {
    case .block: true
    case .value, .comparison: false
    case .not(let child): child.hasBlocks
    case .and(let children), .or(let children): children.contains(where: \.hasBlocks)
    }
  }
}
