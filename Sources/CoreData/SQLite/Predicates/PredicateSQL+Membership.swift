import Foundation

extension PredicateSQL {
  /// `element IN container`, and `container CONTAINS element`; `nil` where it is to be asked of the evaluator.
  func membership(
    of element: ExpressionTree, in container: ExpressionTree, _ options: PredicateTree.Options, _ variables: Variables
  ) throws -> SQLFragment? {
    if let members = try constant(container, variables) {
      guard let value = try term(element, variables) else { return nil }
      return try contains(members, value, options)
    }
    if let collection = try collection(container, variables) {
      return try isIn(collection, element, options, variables)
    }
    // A text in a text.
    guard let text = try term(container, variables), text.kind == .text else { return nil }
    switch try constant(element, variables) {
    case .string(let part)?: return self.text(text, .contains, part, options)
    case .null?: return "NULL"
    case nil:
      guard options.isEmpty, let part = try term(element, variables), part.kind == .text else { return nil }
      return "instr(\(text.sql), \(part.sql)) > 0"
    default: return nil
    }
  }

  /// Whether a value is among constants, or part of a constant text.
  func contains(_ members: Constant, _ value: SQLTerm, _ options: PredicateTree.Options) throws -> SQLFragment? {
    switch members {
    case .null: return "NULL"
    case .string(let text) where options.isEmpty && value.kind == .text:
      return "instr(\(bound: .text(text)), \(value.sql)) > 0"
    case .collection(let members):
      if members.isEmpty { return "0" }
      guard options.isEmpty else { return nil }
      return isAmong(members, value)
    default: return nil
    }
  }

  private func isAmong(_ members: [Constant], _ value: SQLTerm) -> SQLFragment? {
    var terms: [SQLValueTerm] = []
    for member in members {
      switch member {
      case .null: terms.append(.null)
      case .identity(let identity) where value.isObject:
        // An object of another tree is none of these rows, whatever its key.
        if let key = key(of: identity, in: value) { terms.append(.value(.integer(key))) }
      case .identity: return nil
      default:
        guard let term = SQLTerm(member), let bound = term.sql.values.first else { return nil }
        if term.kind == value.kind || value.kind == .url && term.kind == .text {
          terms.append(.value(bound))
        } else if [term.kind, value.kind].contains(.uuid) || [term.kind, value.kind].contains(.url) {
          return nil  // texts can spell these: the evaluator knows how
        }
      }
    }
    guard !terms.isEmpty else { return never(value) }
    // A statement takes only so many values: long lists go over as one text where JSON says it exactly.
    if terms.count > 200, let list = SQLValueTerm.json(terms) {
      return "\(value.sql) IN (SELECT value FROM json_each(\(bound: .text(list))))"
    }
    guard terms.count <= 30_000 else { return nil }
    return "\(value.sql) IN (\(terms.map(\.fragment).joined(by: ", ")))"
  }

  /// Whether a to-many relationship leads to a value.
  private func isIn(
    _ collection: Collection, _ element: ExpressionTree, _ options: PredicateTree.Options, _ variables: Variables
  ) throws -> SQLFragment? {
    guard options.isEmpty else { return nil }
    let scope = open(collection)
    // Only objects are never missing in a collection; with a missing member the answer can be unknown.
    guard let member = try self.element(collection.rest, in: scope), collection.rest.isEmpty, member.isObject else {
      return nil
    }
    let condition: SQLFragment
    switch try constant(element, variables) {
    case .identity(let identity)?:
      guard let key = key(of: identity, in: member) else { return "0" }
      condition = "\(member.sql) = \(bound: .integer(key))"
    case nil:
      guard let value = try term(element, variables), value.kind == member.kind else { return nil }
      // Unknown for a missing value, as any comparison with it.
      return
        "CASE WHEN \(value.sql) IS NOT NULL THEN EXISTS \(scope.select("1", where: "\(member.sql) = \(value.sql)")) END"
    default: return nil
    }
    return "EXISTS \(scope.select("1", where: condition))"
  }
}

/// A member of a list in SQL.
private enum SQLValueTerm {
  case null
  case value(SQLiteValue)

  var fragment: SQLFragment {
    switch self {
    case .null: "NULL"
    case .value(let value): "\(bound: value)"
    }
  }

  /// Whole numbers alone, or texts alone, as an array.
  static func json(_ members: [SQLValueTerm]) -> String? {
    let keys = members.compactMap { if case .value(.integer(let key)) = $0 { key } else { nil } }
    if keys.count == members.count { return "[" + keys.map(String.init).joined(separator: ",") + "]" }
    let texts = members.compactMap { if case .value(.text(let text)) = $0 { text } else { nil } }
    guard texts.count == members.count, !texts.contains(where: { $0.utf8.contains(0) }) else { return nil }
    return (try? JSONEncoder().encode(texts)).map { String(decoding: $0, as: UTF8.self) }
  }
}
