import Foundation

/// Writes predicates and expressions as the object graphs that archives hold (reference MODELCACHE, object graph).
///
/// Written is what known models contain; for anything else an error says so, for a wrong graph could keep Apple's
/// framework from reading the archive.
struct PredicateArchiver {
  typealias Reference = KeyedArchiveWriter.Reference
  typealias Entry = PropertyListValue.Entry

  private var archive: KeyedArchiveWriter

  /// Writes the predicate of a format string.
  ///
  /// - Throws: `ArchiveError` when the string is no predicate or one that no known archive holds.
  static func write(format: String, to archive: inout KeyedArchiveWriter) throws -> Reference {
    guard let form = try? PredicateForm(format: format, arguments: []) else {
      throw ArchiveError("“\(format)” is no predicate")
    }
    var archiver = PredicateArchiver(archive: archive)
    let reference = try archiver.write(form.tree)
    archive = archiver.archive
    return reference
  }

  /// Writes the expression of a text.
  ///
  /// - Throws: `ArchiveError` when the text is no expression or one that no known archive holds.
  static func write(expression text: String, to archive: inout KeyedArchiveWriter) throws -> Reference {
    guard let expression = try? NSExpression(parsing: text) else { throw ArchiveError("“\(text)” is no expression") }
    var archiver = PredicateArchiver(archive: archive)
    let reference = try archiver.write(expression.tree)
    archive = archiver.archive
    return reference
  }

  private mutating func write(_ tree: PredicateTree) throws -> Reference {
    switch tree {
    case .value(true): return archive.object(class: ["NSTruePredicate", "NSPredicate", "NSObject"], [])
    case .value(false): return archive.object(class: ["NSFalsePredicate", "NSPredicate", "NSObject"], [])
    case .not(let child): return try compound(0, [child])
    case .and(let children): return try compound(1, children)
    case .or(let children): return try compound(2, children)
    case .comparison(let comparison): return try write(comparison)
    case .block: throw ArchiveError("a block predicate cannot be archived")
    }
  }

  private mutating func compound(_ type: Int64, _ children: [PredicateTree]) throws -> Reference {
    let parts = try children.map { try write($0) }
    let list = archive.collection(class: KeyedArchiveWriter.Class.array, parts)
    return archive.object(
      class: ["NSCompoundPredicate", "NSPredicate", "NSObject"],
      [Entry("NSCompoundPredicateType", .integer(type)), Entry("NSSubpredicates", list.value)])
  }

  private mutating func write(_ comparison: PredicateTree.Comparison) throws -> Reference {
    let left = try write(comparison.left)
    let right = try write(comparison.right)
    let comparisonOperator = try self.comparisonOperator(comparison)
    return archive.object(
      class: ["NSComparisonPredicate", "NSPredicate", "NSObject"],
      [
        Entry("NSLeftExpression", left.value), Entry("NSRightExpression", right.value),
        Entry("NSPredicateOperator", comparisonOperator.value),
      ])
  }

  private mutating func comparisonOperator(_ comparison: PredicateTree.Comparison) throws -> Reference {
    let options = Int64(comparison.options.rawValue)
    let modifier: Int64 =
      switch comparison.modifier {
      case .direct: 0
      case .all: 1
      case .any: 2
      }
    func entries(_ type: Int64, _ rest: [Entry]) -> [Entry] {
      [Entry("NSModifier", .integer(modifier)), Entry("NSOperatorType", .integer(type))] + rest
    }
    func ordered(_ type: Int64) -> (String, [Entry]) {
      let rest = [Entry("NSVariant", .integer(type)), Entry("NSOptions", .integer(options))]
      return ("NSComparisonPredicateOperator", entries(type, rest))
    }
    func equality(_ type: Int64, isNegated: Bool) -> (String, [Entry]) {
      let rest = [Entry("NSNegate", .bool(isNegated)), Entry("NSOptions", .integer(options))]
      return ("NSEqualityPredicateOperator", entries(type, rest))
    }
    let flags = [Entry("NSFlags", .integer(options))]
    let (name, members) =
      switch comparison.op {
      case .lessThan: ordered(0)
      case .lessThanOrEqualTo: ordered(1)
      case .greaterThan: ordered(2)
      case .greaterThanOrEqualTo: ordered(3)
      case .equalTo: equality(4, isNegated: false)
      case .notEqualTo: equality(5, isNegated: true)
      case .matches: ("NSMatchingPredicateOperator", entries(6, flags))
      case .like: ("NSLikePredicateOperator", entries(7, flags))
      case .beginsWith: ("NSSubstringPredicateOperator", entries(8, flags + [Entry("NSPosition", .integer(0))]))
      case .endsWith: ("NSSubstringPredicateOperator", entries(9, flags + [Entry("NSPosition", .integer(1))]))
      case .in: ("NSInPredicateOperator", entries(10, flags))
      case .contains: ("NSInPredicateOperator", entries(99, flags))
      case .between: ("NSBetweenPredicateOperator", entries(100, []))
      default: throw ArchiveError("the operator of a predicate cannot be archived")
      }
    return archive.object(class: [name, "NSPredicateOperator", "NSObject"], members)
  }
}

extension PredicateArchiver {
  private mutating func write(_ tree: ExpressionTree) throws -> Reference {
    switch tree {
    case .selfObject: return expression("NSSelfExpression", 1, [])
    case .variable(let name):
      return expression("NSVariableExpression", 2, [Entry("NSVariable", archive.add(name).value)])
    case .constant(let constant): return try constantExpression(constant)
    // A date's text is a cast number.
    case .cast(.constant(let seconds), type: "NSDate"):
      guard let seconds = seconds.doubleValue else { break }
      return try constantExpression(.date(Date(timeIntervalSinceReferenceDate: seconds)))
    case .keyPath(let keys):
      let selector = keys.count == 1 ? "valueForKey:" : "valueForKeyPath:"
      return keyPath(keys, of: expression("NSSelfExpression", 1, []), type: 3, selector: selector)
    case .path(let operand, .keyPath(let keys)):
      return keyPath(keys, of: try write(operand), type: 4, selector: "valueForKeyPath:")
    case .function(let function, let arguments): return try call(function.rawValue, arguments)
    case .aggregate(let elements):
      let list = archive.collection(class: KeyedArchiveWriter.Class.array, try elements.map { try write($0) })
      return expression("NSAggregateExpression", 14, [Entry("NSCollection", list.value)])
    default: break
    }
    throw ArchiveError("the expression “\(tree.format())” cannot be archived")
  }

  private mutating func expression(
    _ name: String, _ type: Int64, _ entries: [Entry], ancestors: [String] = []
  ) -> Reference {
    archive.object(
      class: [name] + ancestors + ["NSExpression", "NSObject"], entries + [Entry("NSExpressionType", .integer(type))])
  }

  private mutating func keyPath(_ keys: [String], of operand: Reference, type: Int64, selector: String) -> Reference {
    let path = archive.add(keys.joined(separator: ".")).value
    let specifier = expression("NSKeyPathSpecifierExpression", 10, [Entry("NSKeyPath", path)])
    let arguments = archive.collection(class: KeyedArchiveWriter.Class.mutableArray, [specifier])
    return expression(
      "NSKeyPathExpression", type,
      [
        Entry("NSOperand", operand.value), Entry("NSSelectorName", archive.add(selector).value),
        Entry("NSArguments", arguments.value),
      ], ancestors: ["NSFunctionExpression"])
  }

  /// A built-in function is a method of a class of utilities.
  private mutating func call(_ selector: String, _ arguments: [ExpressionTree]) throws -> Reference {
    let utilities = archive.add("_NSPredicateUtilities").value
    let operand = expression("NSConstantValueExpression", 0, [Entry("NSConstantValueClassName", utilities)])
    let list = archive.collection(class: KeyedArchiveWriter.Class.array, try arguments.map { try write($0) })
    return expression(
      "NSFunctionExpression", 4,
      [
        Entry("NSOperand", operand.value), Entry("NSSelectorName", archive.add(selector).value),
        Entry("NSArguments", list.value),
      ])
  }

  private mutating func constantExpression(_ constant: Constant) throws -> Reference {
    let value = try archive.add(value: Self.foundationValue(constant))
    return expression("NSConstantValueExpression", 0, [Entry("NSConstantValue", value.value)])
  }

  private static func foundationValue(_ constant: Constant) throws -> Any? {
    switch constant {
    case .null: nil
    case .bool(let value): NSNumber(value: value)
    case .integer(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .decimal(let value): NSDecimalNumber(decimal: value)
    case .string(let value): value
    case .date(let value): value
    case .data(let value): value
    case .uuid(let value): value
    case .url(let value): value
    case .collection(let values): try values.map { try foundationValue($0) ?? NSNull() }
    default: throw ArchiveError("a constant of a predicate cannot be archived")
    }
  }
}
