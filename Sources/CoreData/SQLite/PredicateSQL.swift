import Foundation

/// A predicate as an SQL condition over an entity's rows.
///
/// Comparisons of an attribute or to-one relationship with a constant, joined by AND, OR and NOT. As on Apple's store a
/// comparison with a missing value is neither true nor false (reference/PREDICATES.md 36); `== nil` and `!= nil` are
/// `IS NULL` and `IS NOT NULL`. What cannot be said is refused by name, never answered differently.
struct PredicateSQL {
  let entity: EntityMap
  let map: StoreMap

  func condition(of tree: PredicateTree) throws -> (String, [SQLiteValue]) {
    var values: [SQLiteValue] = []
    return (try sql(tree, &values), values)
  }

  private func sql(_ tree: PredicateTree, _ values: inout [SQLiteValue]) throws -> String {
    switch tree {
    case .value(let value): return value ? "1" : "0"
    case .not(let child): return "NOT (" + (try sql(child, &values)) + ")"
    case .and(let children): return try joined(children, by: " AND ", empty: "1", &values)
    case .or(let children): return try joined(children, by: " OR ", empty: "0", &values)
    case .comparison(let comparison): return try sql(comparison, &values)
    case .block: throw unsupported("a block predicate")
    }
  }

  private func joined(
    _ children: [PredicateTree], by word: String, empty: String, _ values: inout [SQLiteValue]
  ) throws -> String {
    if children.isEmpty { return empty }
    return "(" + (try children.map { try sql($0, &values) }.joined(separator: word)) + ")"
  }

  private func sql(_ comparison: PredicateTree.Comparison, _ values: inout [SQLiteValue]) throws -> String {
    guard comparison.modifier == .direct, comparison.options.isEmpty else { throw unsupported(comparison) }
    if comparison.left == .selfObject, comparison.op == .equalTo,
      case .constant(.identity(let identity)) = comparison.right,
      let id = identity.id as? NSManagedObjectID
    {
      // Keys are unique in a tree's table only, and a new object has no row.
      guard id.entity.name.flatMap({ map[$0] })?.table == entity.table, !id.isTemporaryID else { return "0" }
      values.append(.integer(id.primaryKey))
      return "t.Z_PK = ?"
    }
    guard case .keyPath(let path) = comparison.left, path.count == 1, let column = entity.column(of: path[0]),
      let constant = Self.constant(comparison.right)
    else { throw unsupported(comparison) }
    let name = "t." + quoted(column)
    if case .null = constant {
      switch comparison.op {
      case .equalTo: return name + " IS NULL"
      case .notEqualTo: return name + " IS NOT NULL"
      default: throw unsupported(comparison)
      }
    }
    switch comparison.op {
    case .in:
      guard case .collection(let members) = constant else { throw unsupported(comparison) }
      if members.isEmpty { return "0" }
      for member in members { values.append(try value(member, comparison)) }
      return name + " IN (" + members.map { _ in "?" }.joined(separator: ", ") + ")"
    case .between:
      guard case .collection(let bounds) = constant, bounds.count == 2 else { throw unsupported(comparison) }
      for bound in bounds { values.append(try value(bound, comparison)) }
      return name + " BETWEEN ? AND ?"
    default:
      guard let sign = Self.signs[comparison.op] else { throw unsupported(comparison) }
      values.append(try value(constant, comparison))
      return "\(name) \(sign) ?"
    }
  }

  /// A value written out: `7`, or `{1, 7}`.
  private static func constant(_ tree: ExpressionTree) -> Constant? {
    switch tree {
    case .constant(let constant): return constant
    case .aggregate(let elements):
      let members = elements.compactMap(constant)
      return members.count == elements.count ? .collection(members) : nil
    default: return nil
    }
  }

  private static let signs: [PredicateTree.Operator: String] = [
    .equalTo: "=", .notEqualTo: "<>", .lessThan: "<", .lessThanOrEqualTo: "<=", .greaterThan: ">",
    .greaterThanOrEqualTo: ">=",
  ]

  private func value(_ constant: Constant, _ comparison: PredicateTree.Comparison) throws -> SQLiteValue {
    switch constant {
    case .bool(let value): .integer(value ? 1 : 0)
    case .integer(let value): .integer(value)
    case .double(let value): .real(value)
    case .decimal(let value): .real(Double(value.description) ?? .nan)
    case .string(let value): .text(value)
    case .date(let value): .real(value.timeIntervalSinceReferenceDate)
    case .data(let value): .blob([UInt8](value))
    case .uuid(let value): .blob(withUnsafeBytes(of: value.uuid) { Array($0) })
    case .url(let value): .text(value.absoluteString)
    case .identity(let identity):
      if let id = identity.id as? NSManagedObjectID { .integer(id.primaryKey) } else { throw unsupported(comparison) }
    case .null, .collection, .dictionary, .captured: throw unsupported(comparison)
    }
  }

  private func unsupported(_ comparison: PredicateTree.Comparison) -> NSError {
    unsupported(PredicateTree.comparison(comparison).format())
  }

  private func unsupported(_ construct: String) -> NSError {
    .coreData(NSCoreDataError, "unimplemented SQL generation for predicate : (\(construct))")
  }
}
