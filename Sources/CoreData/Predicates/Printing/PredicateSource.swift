/// Why a predicate cannot be written in a form, for a person.
package struct PredicateSourceError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// Predicates written out for use elsewhere: as a format string, and as Swift source.
///
/// The Swift source compiles with this module and with Apple's Core Data. Nothing in it can end a string early or hide: what
/// is not plainly visible is escaped.
package enum PredicateSource {
  /// The format string that `NSPredicate(format:)` parses back to the same predicate.
  ///
  /// - Throws: `PredicateSourceError` for an object, a block, or another value without a spelling.
  package static func format(_ predicate: PredicateTree) throws -> String {
    _ = try predicate.mapConstants { constant in
      if let reason = constant.withoutSpelling {
        throw PredicateSourceError("\(reason) has no spelling in a format string")
      }
      return constant
    }
    return predicate.format(.parsable)
  }

  /// The expression `NSPredicate(format: "…", arguments…)`.
  ///
  /// Numbers, booleans and nil stand in the format; texts, dates and everything else are arguments. A managed object is
  /// looked up by its id in the coordinator of `context`.
  ///
  /// - Throws: `PredicateSourceError` for a block, or another value without a spelling.
  package static func predicate(_ predicate: PredicateTree) throws -> String {
    var arguments: [String] = []
    var captures = Captures()
    func place(_ conversion: String, _ argument: String) -> ExpressionTree {
      arguments.append(argument)
      return .constant(.captured(captures.hold(argument, text: conversion)))
    }
    // A date that was parsed is a cast number; here it becomes a date again.
    let folded = predicate.mapExpressions(\.withoutCasts)
    let tree = try folded.mapNodes { node throws in
      switch node {
      case .constant(let constant):
        if constant.isInline { return node }
        return place("%@", try constant.argument)
      case .keyPath(let keys) where !keys.allSatisfy(\.isPlainKey):
        return place("%K", SwiftText.literal(keys.joined(separator: ".")))
      default: return node
      }
    }
    let format = SwiftText.literal(tree.format(.parsable))
    return "NSPredicate(format: \(([format] + arguments).joined(separator: ", ")))"
  }

  /// Statements that make a fetch request and name it `request`.
  ///
  /// - Throws: `PredicateSourceError` as `predicate(_:)` does.
  package static func request(
    _ predicate: PredicateTree?, of entity: NSEntityDescription, sort: [SortKey] = [], limit: Int = 0
  ) throws -> String {
    let name = SwiftText.literal(entity.name ?? "")
    var lines = ["let request = NSFetchRequest<\(className(of: entity) ?? "NSManagedObject")>(entityName: \(name))"]
    if let predicate { lines.append("request.predicate = \(try self.predicate(predicate))") }
    if !sort.isEmpty {
      lines.append("request.sortDescriptors = [")
      lines += sort.map { "  \(descriptor($0))," }
      lines.append("]")
    }
    if limit > 0 { lines.append("request.fetchLimit = \(limit)") }
    return lines.joined(separator: "\n")
  }

  private static func descriptor(_ sort: SortKey) -> String {
    let key = sort.key.map(SwiftText.literal) ?? "nil"
    let selector = sort.comparison == .natural ? "" : ", selector: \(SwiftText.literal(sort.comparison.rawValue))"
    return "NSSortDescriptor(key: \(key), ascending: \(sort.ascending)\(selector))"
  }

  /// The Swift class of an entity's objects; nil when the entity has none of its own.
  static func className(of entity: NSEntityDescription) -> String? {
    let name = entity.managedObjectClassName
    let plain = name.hasPrefix(".") ? String(name.dropFirst()) : name
    let isType = plain.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
      String(part).isSwiftIdentifier
    }
    return plain == "NSManagedObject" || !isType ? nil : plain
  }
}

extension Constant {
  /// Whether the constant stands in a format string as it is.
  fileprivate var isInline: Bool {
    switch self {
    case .null, .bool, .integer: true
    case .double(let value): value.isFinite
    default: false
    }
  }

  /// What a constant is that no format string can spell; nil for one that has a spelling.
  fileprivate var withoutSpelling: String? {
    switch self {
    case .identity: "a managed object"
    case .captured(let id): id.text
    case .dictionary: "a dictionary"
    case .double(let value) where !value.isFinite: "\(value)"
    case .collection(let elements): elements.lazy.compactMap(\.withoutSpelling).first
    default: nil
    }
  }

  /// The Swift expression for an argument of `%@`, with the class that both platforms take.
  fileprivate var argument: String {
    get throws {
      switch self {
      case .null: return "NSNull()"
      case .bool(let value): return "NSNumber(value: \(value))"
      case .integer(let value): return "NSNumber(value: Int64(\(value)))"
      case .double(let value) where value.isFinite: return "NSNumber(value: \(SwiftText.literal(value)))"
      case .decimal(let value): return "NSDecimalNumber(string: \"\(value)\")"
      case .string(let text): return SwiftText.literal(text)
      case .date(let date):
        return "NSDate(timeIntervalSinceReferenceDate: \(SwiftText.literal(date.timeIntervalSinceReferenceDate)))"
      case .uuid(let uuid): return "NSUUID(uuidString: \"\(uuid.uuidString)\")!"
      case .data(let data): return "NSData(base64Encoded: \"\(data.base64EncodedString())\")!"
      case .url(let url): return "NSURL(string: \(SwiftText.literal(url.absoluteString)))!"
      case .collection(let elements):
        if elements.isEmpty { return "[Any]()" }
        let texts = elements.compactMap { if case .string(let text) = $0 { SwiftText.literal(text) } else { nil } }
        if texts.count == elements.count { return "[\(texts.joined(separator: ", "))]" }
        return "[\(try elements.map { try $0.argument }.joined(separator: ", "))] as [Any]"
      case .identity(let identity):
        let named = (identity.id as? NSManagedObjectID)?.uriRepresentation() ?? (identity.id as? ObjectReference)?.uri
        guard let named else { break }
        let uri = SwiftText.literal(named.absoluteString)
        return "context.persistentStoreCoordinator!.managedObjectID(forURIRepresentation: URL(string: \(uri))!)!"
      default: break
      }
      throw PredicateSourceError("\(withoutSpelling ?? format()) has no spelling in Swift")
    }
  }
}

extension ExpressionTree {
  /// The constant that a cast of a literal is; anything else as it is.
  package var withoutCasts: ExpressionTree {
    let evaluator = PredicateEvaluator(Captures(), nulls: .memory)
    guard case .cast(.constant, _) = self, case .constant(let constant)? = try? evaluator.value(of: self, .null) else {
      return self
    }
    return .constant(constant)
  }
}

extension PredicateTree {
  /// The tree with every constant replaced, or an error for one that cannot be.
  func mapConstants(_ change: (Constant) throws -> Constant) throws -> PredicateTree {
    try mapNodes { node throws in
      if case .constant(let constant) = node { return .constant(try change(constant)) }
      return node
    }
  }

  /// The tree with every node of its expressions replaced; the first error is thrown.
  func mapNodes(_ change: (ExpressionTree) throws -> ExpressionTree) throws -> PredicateTree {
    if let block = firstBlock { throw PredicateSourceError("\(block.text) is a closure, which has no spelling") }
    var failure: (any Error)?
    let tree = mapExpressions { node in
      if failure != nil { return node }
      if case .block(let block, _) = node {
        failure = PredicateSourceError("\(block.text) is a closure, which has no spelling")
        return node
      }
      do {
        return try change(node)
      } catch {
        failure = error
        return node
      }
    }
    if let failure { throw failure }
    return tree
  }

  private var firstBlock: CapturedID? {
    switch self {
    case .block(let block): block
    case .not(let child): child.firstBlock
    case .and(let children), .or(let children): children.lazy.compactMap(\.firstBlock).first
    case .value, .comparison: nil
    }
  }
}

/// Texts and numbers as Swift spells them.
enum SwiftText {
  /// A string literal; what is not plainly visible is escaped.
  static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\r": literal += "\\r"
      case "\t": literal += "\\t"
      // The joiner of emoji is visible by what it joins.
      case "\u{200D}": literal.unicodeScalars.append(scalar)
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
          literal += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        case .spaceSeparator where scalar != " ":
          literal += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        default: literal.unicodeScalars.append(scalar)
        }
      }
    }
    return literal + "\""
  }

  /// A number literal with a fraction.
  static func literal(_ value: Double) -> String { value.description }
}

extension String {
  /// Whether the key can stand in a format string on Apple's platforms (rule 8).
  fileprivate var isPlainKey: Bool {
    let key = hasPrefix("@") ? dropFirst() : self[...]
    return !key.isEmpty && key.utf8.allSatisfy { $0 < 128 } && String(key).isSwiftIdentifier
  }

  /// Whether the text is a name in Swift.
  var isSwiftIdentifier: Bool {
    guard let first = unicodeScalars.first, first == "_" || first.properties.isXIDStart else { return false }
    return unicodeScalars.dropFirst().allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
  }
}
