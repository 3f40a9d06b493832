import Foundation

/// What a fetch of dictionaries asks of one store.
struct DictionaryFetch {
  /// A column of the dictionaries, or what they are grouped by.
  struct Column {
    /// The key in the dictionaries.
    var name: String
    var tree: ExpressionTree
    /// What the value is said to be; `nil` where it is what the expression gives.
    var type: NSAttributeType?
  }

  var fetch: StoreFetch
  var columns: [Column]
  var groups: [Column]
  var isDistinct: Bool
  /// Which groups are given; its key paths are names of columns.
  private let having: CompiledPredicate?

  /// Throws an error of the Cocoa domain for what can be no column.
  init<Result>(_ request: NSFetchRequest<Result>, of entity: NSEntityDescription) throws {
    fetch = request.storeFetch(of: entity)
    columns =
      try request.propertiesToFetch?.map(Self.column)
      ?? entity.layout.storedAttributes.map { Column(name: $0.name, tree: .keyPath([$0.name])) }
    groups = try (request.propertiesToGroupBy ?? []).map(Self.column)
    isDistinct = request.returnsDistinctResults
    let known = columns + groups
    having = request.havingPredicate.map { predicate in
      let form = predicate.form
      let tree = form.tree.mapExpressions { part in
        guard case .keyPath = part else {
          return known.first { $0.tree == part }.map { .keyPath([$0.name]) } ?? part
        }
        return known.first { $0.tree == part }.map { .keyPath([$0.name]) } ?? part
      }
      return CompiledPredicate(PredicateForm(tree, form.captures), nulls: .fetch)
    }
  }

  private static func column(_ property: Any) throws -> Column {
    switch property {
    case let path as String:
      return Column(name: path, tree: .keyPath(path.split(separator: ".").map(String.init)))
    case let description as NSExpressionDescription:
      guard let expression = description.expression else {
        throw PredicateCheck.refusal("the column \(description.name) has no expression")
      }
      let type = description.expressionResultType
      return Column(
        name: description.name, tree: expression.tree, type: type == .undefinedAttributeType ? nil : type)
    case let property as NSPropertyDescription:
      return Column(name: property.name, tree: .keyPath([property.name]))
    default:
      throw PredicateCheck.refusal("propertiesToFetch: \(property) is neither a key path nor a property")
    }
  }

  /// Whether a store cuts off what is beyond the limit; groups are counted after they were chosen.
  var limitsInStore: Bool { having == nil }

  /// The dictionaries that are given, of those a store has found with the columns and then the groups.
  func chosen(_ found: [[String: Any]]) throws -> [[String: Any]] {
    guard let having else { return found }
    let fitting = try found.filter { try having.evaluate(PredicateValue($0 as NSDictionary)) ?? false }
    let rest = fitting.dropFirst(fetch.offset)
    return Array(fetch.limit > 0 ? rest.prefix(fetch.limit) : rest)
  }
}
