import Foundation

/// Writes archived predicates and expressions as text (reference: MODELCACHE, object graph).
///
/// Nil as soon as one part is of a kind that is not known or nests deeper than 64 levels, and for texts beyond a megabyte,
/// which parts that share parts can make.
struct ArchivedPredicateText {
  private var budget = 1_000_000

  /// The format string of an archived `NSPredicate`.
  static func predicate(_ node: KeyedArchive.Node) -> String? {
    var text = ArchivedPredicateText()
    return text.predicate(node, depth: 64)
  }

  /// The text of an archived `NSExpression`.
  static func expression(_ node: KeyedArchive.Node) -> String? {
    var text = ArchivedPredicateText()
    return text.expression(node, depth: 64)
  }

  private mutating func predicate(_ node: KeyedArchive.Node, depth: Int) -> String? {
    budget -= 8
    guard depth > 0, budget > 0 else { return nil }
    switch node.className {
    case "NSTruePredicate": return "TRUEPREDICATE"
    case "NSFalsePredicate": return "FALSEPREDICATE"
    case "NSCompoundPredicate": return compound(node, depth: depth)
    case "NSComparisonPredicate": return comparison(node, depth: depth)
    default: return nil
    }
  }

  private mutating func expression(_ node: KeyedArchive.Node, depth: Int) -> String? {
    budget -= 8
    guard depth > 0, budget > 0 else { return nil }
    switch node.className {
    case "NSSelfExpression": return "SELF"
    case "NSVariableExpression": return spent(node["NSVariable"]?.string).map { "$" + $0 }
    case "NSKeyPathSpecifierExpression": return spent(node["NSKeyPath"]?.string)
    case "NSConstantValueExpression":
      if let name = node["NSConstantValueClassName"]?.string { return name }
      guard let value = node["NSConstantValue"] else { return "nil" }
      return constant(value, depth: depth - 1)
    case "NSAggregateExpression":
      let items = node["NSCollection"]?.array ?? []
      return list(items, depth: depth).map { "{\($0)}" }
    case "NSKeyPathExpression":
      guard let operand = node["NSOperand"], let path = node["NSArguments"]?.array?.first,
        let path = expression(path, depth: depth - 1)
      else { return nil }
      if operand.className == "NSSelfExpression" { return path }
      return expression(operand, depth: depth - 1).map { "\($0).\(path)" }
    case "NSFunctionExpression": return function(node, depth: depth)
    default: return nil
    }
  }

  /// A text that is taken over as it is.
  private mutating func spent(_ text: String?) -> String? {
    budget -= text?.utf8.count ?? 0
    return text
  }

  private mutating func function(_ node: KeyedArchive.Node, depth: Int) -> String? {
    guard let selector = node["NSSelectorName"]?.string, let operand = node["NSOperand"],
      let arguments = list(node["NSArguments"]?.array ?? [], depth: depth)
    else { return nil }
    // Built-in functions hang on a class of utilities; others on an expression of their own.
    if operand["NSConstantValueClassName"]?.string == "_NSPredicateUtilities" { return "\(selector)(\(arguments))" }
    guard let target = expression(operand, depth: depth - 1) else { return nil }
    return arguments.isEmpty
      ? "FUNCTION(\(target), \(quoted(selector)))" : "FUNCTION(\(target), \(quoted(selector)), \(arguments))"
  }

  private mutating func list(_ nodes: [KeyedArchive.Node], depth: Int) -> String? {
    let texts = nodes.compactMap { expression($0, depth: depth - 1) }
    return texts.count == nodes.count ? texts.joined(separator: ", ") : nil
  }

  private mutating func compound(_ node: KeyedArchive.Node, depth: Int) -> String? {
    let parts = node["NSSubpredicates"]?.array ?? []
    let texts = parts.compactMap { part in
      predicate(part, depth: depth - 1).map { part.className == "NSCompoundPredicate" ? "(\($0))" : $0 }
    }
    guard texts.count == parts.count else { return nil }
    switch node["NSCompoundPredicateType"]?.integer {
    case 0: return texts.count == 1 ? "NOT \(texts[0])" : nil
    case 1: return texts.isEmpty ? "TRUEPREDICATE" : texts.joined(separator: " AND ")
    case 2: return texts.isEmpty ? "FALSEPREDICATE" : texts.joined(separator: " OR ")
    default: return nil
    }
  }

  private mutating func comparison(_ node: KeyedArchive.Node, depth: Int) -> String? {
    guard let left = node["NSLeftExpression"].flatMap({ expression($0, depth: depth - 1) }),
      let right = node["NSRightExpression"].flatMap({ expression($0, depth: depth - 1) }),
      let comparison = node["NSPredicateOperator"], let type = comparison["NSOperatorType"]?.integer,
      var symbol = Self.symbols[type]
    else { return nil }
    if type == 4, comparison["NSNegate"]?.bool == true { symbol = "!=" }
    let options = comparison["NSOptions"]?.integer ?? comparison["NSFlags"]?.integer ?? 0
    let letters = (options & 1 != 0 ? "c" : "") + (options & 2 != 0 ? "d" : "")
    if !letters.isEmpty { symbol += "[\(letters)]" }
    switch comparison["NSModifier"]?.integer ?? 0 {
    case 0: return "\(left) \(symbol) \(right)"
    case 1: return "ALL \(left) \(symbol) \(right)"
    case 2: return "ANY \(left) \(symbol) \(right)"
    default: return nil
    }
  }

  /// `NSComparisonPredicate.Operator` by number.
  private static let symbols = [
    0: "<", 1: "<=", 2: ">", 3: ">=", 4: "==", 5: "!=", 6: "MATCHES", 7: "LIKE", 8: "BEGINSWITH", 9: "ENDSWITH",
    10: "IN", 99: "CONTAINS", 100: "BETWEEN",
  ]

  private mutating func constant(_ node: KeyedArchive.Node, depth: Int) -> String? {
    budget -= 8
    guard depth > 0, budget > 0 else { return nil }
    if let items = node.array {
      let texts = items.compactMap { constant($0, depth: depth - 1) }
      return texts.count == items.count ? "{\(texts.joined(separator: ", "))}" : nil
    }
    if case .bool(let value) = node.object { return value ? "true" : "false" }
    switch node.foundationValue() {
    case let value as String: return quoted(value)
    case let value as NSNumber: return value.description
    case let value as Date: return "CAST(\(value.timeIntervalSinceReferenceDate), \"NSDate\")"
    default: return nil
    }
  }

  private mutating func quoted(_ string: String) -> String {
    budget -= string.utf8.count
    let escaped = string.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}
