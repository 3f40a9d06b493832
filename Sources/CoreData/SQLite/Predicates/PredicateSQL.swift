import Foundation

/// A predicate as an SQL condition over an entity's rows; its key paths, and those of sort orders, as joins.
///
/// It answers as a fetch of Apple's SQLite store does: a comparison with a missing value is neither true nor false, and
/// `== nil` asks whether there is a value (reference/PREDICATES.md 36). SQL says what SQL can say exactly. Any other
/// comparison is asked of the predicate evaluator, row by row, from within the statement (`RowTest`), so that limits,
/// counts and orders are right all the same. What has no meaning in a store is refused by name.
final class PredicateSQL {
  let store: SQLiteStore
  /// The rows that are searched, under the alias `t`.
  let root: SQLScope
  let aliases = SQLAliases()

  var map: StoreMap { store.map }

  /// The variables of the subqueries around a comparison, each with the rows that it stands for.
  typealias Variables = [String: SQLScope]

  init(_ entity: EntityMap, in store: SQLiteStore) {
    self.store = store
    root = SQLScope(entity, alias: "t", aliases: aliases)
  }

  /// The condition; its joins are among `root.joins` afterwards.
  ///
  /// Throws errors of the Cocoa domain.
  func condition(of tree: PredicateTree) throws -> SQLFragment {
    try PredicateCheck(entity: root.entity.entity).check(tree)
    do {
      return try sql(tree, [:])
    } catch let error as PredicateError {
      throw PredicateCheck.refusal(error.reason)
    }
  }

  /// What to sort by for a key path over to-one relationships.
  ///
  /// Throws errors of the Cocoa domain.
  func sortExpression(for keyPath: String) throws -> SQLFragment {
    // A column of a plain table can have a dot in its name.
    if keyPath.contains("."), case .attribute(let column)? = root.entity.properties[keyPath] {
      return .column(column, of: root.alias)
    }
    let keys = keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    try PredicateCheck(entity: root.entity.entity).checkSort(keyPath)
    switch try follow(keys[...], from: root) {
    case .attribute(_, let column), .object(let column, _, _): return column
    case .many, .beyond: throw PredicateCheck.refusal("keypath \(keyPath) not found in entity \(root.entity.name)")
    }
  }

  // MARK: Compounds

  func sql(_ tree: PredicateTree, _ variables: Variables) throws -> SQLFragment {
    switch tree {
    case .value(let value): value ? "1" : "0"
    case .not(let child): "NOT (\(try sql(child, variables)))"
    case .and(let children): try joined(children, by: " AND ", empty: "1", variables)
    case .or(let children): try joined(children, by: " OR ", empty: "0", variables)
    case .comparison(let comparison): try native(comparison, variables) ?? asked(comparison, variables)
    case .block: throw Self.unsupported(tree)
    }
  }

  private func joined(
    _ children: [PredicateTree], by word: StaticString, empty: SQLFragment, _ variables: Variables
  ) throws -> SQLFragment {
    if children.isEmpty { return empty }
    // SQLite nests a chain as deep as it is long, and not deeper than 1,000: a long one is cut in halves.
    guard children.count > 100 else { return "(\(try children.map { try sql($0, variables) }.joined(by: word)))" }
    let half = children.count / 2
    let halves = [Array(children[..<half]), Array(children[half...])]
    return "(\(try halves.map { try joined($0, by: word, empty: empty, variables) }.joined(by: word)))"
  }

  static func unsupported(_ tree: PredicateTree) -> NSError {
    PredicateCheck.refusal("unimplemented SQL generation for predicate : (\(tree.format()))")
  }
}
