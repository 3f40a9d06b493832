extension PredicateSource {
  /// Statements that make a `#Predicate` and name it `predicate`; the constants before it, with their types.
  ///
  /// The class is taken to declare what Xcode generates: numbers and booleans as they are, every other attribute and each
  /// to-one relationship as an optional, a to-many relationship as a `Set`.
  ///
  /// - Throws: `PredicateSourceError` that names what `#Predicate` cannot say.
  package static func macro(_ predicate: PredicateTree, of entity: NSEntityDescription) throws -> String {
    guard let name = className(of: entity) else {
      throw PredicateSourceError("the entity \(entity.name ?? "?") has no class of its own, which #Predicate needs")
    }
    var writer = PredicateMacroWriter(entity)
    let body = try writer.condition(predicate.mapExpressions(\.withoutCasts))
    guard writer.comparisons <= PredicateMacroWriter.mostComparisons else {
      throw PredicateSourceError(
        "the compiler does not get through a #Predicate of \(writer.comparisons) comparisons; "
          + "up to \(PredicateMacroWriter.mostComparisons) can be written")
    }
    let lines = writer.constants + ["let predicate = #Predicate<\(name)> { object in", "  \(body)", "}"]
    return lines.joined(separator: "\n")
  }
}

/// Writes a predicate in the Swift that `#Predicate` understands.
struct PredicateMacroWriter {
  /// What the compiler gets through in a second or two.
  static let mostComparisons = 4

  /// The type of an expression in Swift.
  indirect enum Kind: Equatable {
    case integer(String), real(String), decimal, string, bool, date, data, uuid, url
    case object(NSEntityDescription), objects(NSEntityDescription)
    /// A number without a type yet.
    case number

    /// The name of the type of a constant.
    var name: String? {
      switch self {
      case .integer(let name), .real(let name): name
      case .decimal: "Decimal"
      case .string: "String"
      case .bool: "Bool"
      case .date: "Date"
      case .data: "Data"
      case .uuid: "UUID"
      case .url: "URL"
      case .number: "Int"
      case .object, .objects: nil
      }
    }
  }

  /// A piece of Swift; of a path through optionals, the links that may be missing.
  struct Piece {
    /// The variable or expression that the path starts at.
    var base: String
    /// The properties in order, and whether each may be missing.
    var path: [(name: String, isOptional: Bool)] = []
    var kind: Kind

    var isOptional: Bool { path.contains { $0.isOptional } }

    /// The value, with optional chaining.
    var text: String {
      var text = base
      for (place, link) in path.enumerated() {
        let isChained = place > 0 && path[place - 1].isOptional
        text += (isChained ? "?." : ".") + link.name
      }
      return text
    }

    /// A condition on the value where there is one; false where there is none.
    func whenPresent(_ condition: (String) -> String) -> String {
      guard let first = path.firstIndex(where: { $0.isOptional }) else { return condition(text) }
      let before = Piece(base: base, path: Array(path[..<first]) + [(path[first].name, false)], kind: kind)
      let rest = Piece(base: "$0", path: Array(path[(first + 1)...]), kind: kind)
      return "(\(before.text).flatMap { \(rest.whenPresent(condition)) } ?? false)"
    }
  }

  private let entity: NSEntityDescription
  private var variables: [String: Piece] = [:]
  private(set) var constants: [String] = []
  private(set) var comparisons = 0

  init(_ entity: NSEntityDescription) { self.entity = entity }

  // MARK: Conditions

  mutating func condition(_ tree: PredicateTree) throws -> String {
    switch tree {
    case .value(let value): return "\(value)"
    case .not(let child): return "!(\(try condition(child)))"
    case .and(let children): return try joined(children, "&&", none: "true")
    case .or(let children): return try joined(children, "||", none: "false")
    case .block: throw PredicateSourceError("a closure cannot be written out")
    case .comparison(let comparison):
      comparisons += 1
      return try condition(comparison)
    }
  }

  private mutating func joined(_ children: [PredicateTree], _ sign: String, none: String) throws -> String {
    let texts = try children.map { child in
      switch child {
      case .and(let inner) where inner.count > 1, .or(let inner) where inner.count > 1: "(\(try condition(child)))"
      default: try condition(child)
      }
    }
    return texts.isEmpty ? none : texts.joined(separator: " \(sign) ")
  }

  private mutating func condition(_ comparison: PredicateTree.Comparison) throws -> String {
    guard comparison.modifier == .direct else { return try quantified(comparison) }
    let left = try operand(comparison.left)
    return try condition(left, comparison)
  }

  /// ANY and ALL: the elements of the first to-many relationship in the path.
  private mutating func quantified(_ comparison: PredicateTree.Comparison) throws -> String {
    guard let (collection, rest) = try toMany(comparison.left) else {
      throw PredicateSourceError("ANY and ALL need a to-many relationship, not \(comparison.left.format())")
    }
    guard case .objects(let destination) = collection.kind else { preconditionFailure("toMany gives collections") }
    let element = try member(rest, of: Piece(base: "$0", kind: .object(destination)))
    let test = try condition(element, comparison)
    let method = comparison.modifier == .any ? "contains" : "allSatisfy"
    return collection.whenPresent { "\($0).\(method) { \(test) }" }
  }

  private mutating func condition(_ left: Piece, _ comparison: PredicateTree.Comparison) throws -> String {
    let (op, right) = (comparison.op, comparison.right)
    let unsaid = PredicateSourceError("#Predicate cannot say \(op.text)\(comparison.options.text)")
    switch op {
    case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
      if case .constant(.null) = right {
        guard op == .equalTo || op == .notEqualTo else { throw unsaid }
        guard left.isOptional else {
          throw PredicateSourceError("\(left.text) is never nil in Swift, which has no optional numbers here")
        }
        return "\(left.text) \(op.text) nil"
      }
      if comparison.options == .caseInsensitive, left.kind == .string, op == .equalTo || op == .notEqualTo {
        let other = try constant(right, like: left)
        let same = declare("ComparisonResult", ".orderedSame")
        let test = left.whenPresent { "\($0).caseInsensitiveCompare(\(other)) == \(same)" }
        return op == .equalTo ? test : "!\(test.hasPrefix("(") ? test : "(\(test))")"
      }
      guard comparison.options.isEmpty else { throw unsaid }
      return try compared(left, op, right)
    case .contains, .beginsWith:
      if case .objects = left.kind { throw PredicateSourceError("#Predicate cannot hold a managed object") }
      guard left.kind == .string else { throw unsaid }
      let method: String
      switch (op, comparison.options) {
      case (.contains, []): method = "contains("
      case (.beginsWith, []): method = "starts(with: "
      case (.contains, [.caseInsensitive, .diacriticInsensitive]),
        (.contains, [.caseInsensitive, .diacriticInsensitive, .localeSensitive]):
        method = "localizedStandardContains("
      default: throw unsaid
      }
      let part = try constant(right, like: left)
      return left.whenPresent { "\($0).\(method)\(part))" }
    case .between:
      guard let bounds = right.listed, bounds.count == 2, comparison.options.isEmpty else { throw unsaid }
      let (low, high) = (try constant(bounds[0], like: left), try constant(bounds[1], like: left))
      comparisons += 1
      return left.whenPresent { "(\($0) >= \(low) && \($0) <= \(high))" }
    case .in:
      guard let elements = right.listed, comparison.options.isEmpty, let type = left.kind.name else { throw unsaid }
      let literals = try elements.map { try literal($0, left.kind) }
      let name = declare("[\(type)]", "[\(literals.joined(separator: ", "))]")
      return left.whenPresent { "\(name).contains(\($0))" }
    case .endsWith, .like, .matches, .utiConformsTo, .utiEquals, .selector: throw unsaid
    }
  }

  private mutating func compared(
    _ left: Piece, _ op: PredicateTree.Operator, _ right: ExpressionTree
  ) throws -> String {
    let isEquality = op == .equalTo || op == .notEqualTo
    if case .constant = right {
      let value = try constant(right, like: left)
      return isEquality ? "\(left.text) \(op.text) \(value)" : left.whenPresent { "\($0) \(op.text) \(value)" }
    }
    let other = try operand(right)
    guard left.kind == other.kind, left.kind != .bool || isEquality else {
      throw PredicateSourceError("\(left.text) and \(other.text) are of different types in Swift")
    }
    if isEquality || !(left.isOptional || other.isOptional) { return "\(left.text) \(op.text) \(other.text)" }
    throw PredicateSourceError("#Predicate cannot order \(left.text) and \(other.text), which may be missing")
  }

  // MARK: Values

  private mutating func operand(_ tree: ExpressionTree) throws -> Piece {
    switch tree {
    case .selfObject: return Piece(base: "object", kind: .object(entity))
    case .variable(let name):
      guard let piece = variables[name] else { throw PredicateSourceError("$\(name) has no value") }
      return piece
    case .keyPath(let keys): return try member(keys[...], of: Piece(base: "object", kind: .object(entity)))
    case .path(let operand, .keyPath(let keys)): return try member(keys[...], of: try self.operand(operand))
    case .subquery(let collection, let variable, let condition):
      let source = try operand(collection)
      guard case .objects(let destination) = source.kind, !source.isOptional else {
        throw PredicateSourceError("SUBQUERY needs a to-many relationship, not \(collection.format())")
      }
      let name = variable.isSwiftIdentifier && variable != "object" ? variable : "element\(variables.count + 1)"
      let outer = variables[variable]
      variables[variable] = Piece(base: name, kind: .object(destination))
      let test = try self.condition(condition)
      variables[variable] = outer
      return Piece(base: "\(source.text).filter { \(name) in \(test) }", kind: source.kind)
    case .function(let function, let arguments) where arguments.count == 2 && function.isSwiftOperator:
      let left = try operand(arguments[0])
      guard !left.isOptional, left.kind.isNumber, let sign = function.infix?.sign else { break }
      let right: String
      if case .constant = arguments[1] {
        right = try constant(arguments[1], like: left)
      } else {
        let other = try operand(arguments[1])
        guard other.kind == left.kind, !other.isOptional else { break }
        right = other.text
      }
      return Piece(base: "(\(left.text) \(sign) \(right))", kind: left.kind)
    default: break
    }
    throw PredicateSourceError("#Predicate cannot say \(tree.format())")
  }

  /// The property at keys of an object or a collection.
  private func member(_ keys: ArraySlice<String>, of start: Piece) throws -> Piece {
    var piece = start
    for key in keys {
      switch (piece.kind, key) {
      case (_, "self"), (_, "SELF"): continue
      case (.objects, "@count"):
        guard !piece.isOptional else { throw PredicateSourceError("\(piece.text) may be missing and has no count") }
        piece = Piece(base: piece.text + ".count", kind: .number)
      case (.object(let entity), _):
        guard let property = entity.propertiesByName[key], let (kind, isOptional) = Self.type(of: property) else {
          throw PredicateSourceError("\(entity.name ?? "?") has no property \(key) that #Predicate could read")
        }
        piece.path.append((key.isSwiftKeyword ? "`\(key)`" : key, isOptional))
        piece.kind = kind
      default: throw PredicateSourceError("#Predicate cannot say \(keys.joined(separator: "."))")
      }
    }
    return piece
  }

  /// The path up to its first to-many relationship, and the keys after it.
  private mutating func toMany(_ tree: ExpressionTree) throws -> (Piece, ArraySlice<String>)? {
    let (start, keys): (Piece, [String])
    switch tree {
    case .keyPath(let path): (start, keys) = (Piece(base: "object", kind: .object(entity)), path)
    case .path(let operand, .keyPath(let path)): (start, keys) = (try self.operand(operand), path)
    default: return nil
    }
    var piece = start
    for (place, key) in keys.enumerated() {
      piece = try member([key], of: piece)
      if case .objects = piece.kind { return (piece, keys[(place + 1)...]) }
    }
    return nil
  }

  /// How a property is declared.
  static func type(of property: NSPropertyDescription) -> (Kind, isOptional: Bool)? {
    if let relationship = property as? NSRelationshipDescription, let destination = relationship.destinationEntity {
      return relationship.isToMany ? (.objects(destination), false) : (.object(destination), true)
    }
    switch (property as? NSAttributeDescription)?.attributeType {
    case .integer16AttributeType: return (.integer("Int16"), false)
    case .integer32AttributeType: return (.integer("Int32"), false)
    case .integer64AttributeType: return (.integer("Int64"), false)
    case .doubleAttributeType: return (.real("Double"), false)
    case .floatAttributeType: return (.real("Float"), false)
    case .booleanAttributeType: return (.bool, false)
    case .decimalAttributeType: return (.decimal, true)
    case .stringAttributeType: return (.string, true)
    case .dateAttributeType: return (.date, true)
    case .binaryDataAttributeType: return (.data, true)
    case .UUIDAttributeType: return (.uuid, true)
    case .URIAttributeType: return (.url, true)
    default: return nil
    }
  }

  // MARK: Constants

  /// The name of a constant declared before the predicate, of the type of what it is compared with.
  private mutating func constant(_ tree: ExpressionTree, like piece: Piece) throws -> String {
    guard case .constant(let value) = tree, let type = piece.kind.name else {
      throw PredicateSourceError("#Predicate cannot compare \(piece.text) with \(tree.format())")
    }
    return declare(type, try literal(value, piece.kind))
  }

  private mutating func declare(_ type: String, _ literal: String) -> String {
    let suffix = ": \(type) = \(literal)"
    if let known = constants.first(where: { $0.hasSuffix(suffix) }) {
      return String(known.dropFirst("let ".count).dropLast(suffix.count))
    }
    let name = "value\(constants.count + 1)"
    constants.append("let \(name)\(suffix)")
    return name
  }

  private func literal(_ tree: ExpressionTree, _ kind: Kind) throws -> String {
    guard case .constant(let value) = tree else { throw PredicateSourceError("\(tree.format()) is no constant") }
    return try literal(value, kind)
  }

  private func literal(_ value: Constant, _ kind: Kind) throws -> String {
    let whole = value.doubleValue.flatMap(Int64.init(exactly:))
    switch (kind, value) {
    case (.integer, _), (.number, _):
      let exact: Int64? = if case .integer(let integer) = value { integer } else { whole }
      if let exact, kind.holds(exact) { return "\(exact)" }
    case (.bool, _) where whole == 0 || whole == 1: return whole == 1 ? "true" : "false"
    case (.real, _):
      if let number = value.doubleValue, number.isFinite { return SwiftText.literal(number) }
    case (.decimal, .decimal(let number)): return "Decimal(string: \"\(number)\")!"
    case (.decimal, .integer(let number)): return "\(number)"
    case (.decimal, .double(let number)) where number.isFinite: return "Decimal(string: \"\(number)\")!"
    case (.string, .string(let text)): return SwiftText.literal(text)
    case (.date, .date(let date)):
      return "Date(timeIntervalSinceReferenceDate: \(SwiftText.literal(date.timeIntervalSinceReferenceDate)))"
    case (.uuid, .uuid(let uuid)): return "UUID(uuidString: \"\(uuid.uuidString)\")!"
    case (.uuid, .string(let text)):
      if let uuid = UUID(uuidString: text) { return "UUID(uuidString: \"\(uuid.uuidString)\")!" }
    case (.data, .data(let data)): return "Data(base64Encoded: \"\(data.base64EncodedString())\")!"
    case (.url, .url(let url)): return "URL(string: \(SwiftText.literal(url.absoluteString)))!"
    case (.url, .string(let text)) where URL(string: text) != nil:
      return "URL(string: \(SwiftText.literal(text)))!"
    default: break
    }
    throw PredicateSourceError("\(value.format()) is no \(kind.name ?? "object") in Swift")
  }
}

extension PredicateMacroWriter.Kind {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .real, .decimal, .number: true
    default: false
    }
  }

  /// Whether a whole number fits in the type.
  fileprivate func holds(_ value: Int64) -> Bool {
    switch name {
    case "Int16": Int16(exactly: value) != nil
    case "Int32": Int32(exactly: value) != nil
    default: true
    }
  }
}

extension PredicateFunction {
  /// Whether the function is an operator that means the same in Swift.
  fileprivate var isSwiftOperator: Bool { [.add, .subtract, .multiply, .divide].contains(self) }
}

extension ExpressionTree {
  /// The elements of a list of expressions or of a constant collection.
  fileprivate var listed: [ExpressionTree]? {
    switch self {
    case .aggregate(let elements): elements
    case .constant(.collection(let constants)): constants.map(ExpressionTree.constant)
    default: nil
    }
  }
}

extension String {
  /// Whether the name is one that Swift takes for a word of its own.
  fileprivate var isSwiftKeyword: Bool {
    [
      "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else",
      "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init",
      "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat",
      "rethrows", "return", "self", "Self", "static", "struct", "subscript", "super", "switch", "throw", "throws",
      "true",
      "try", "typealias", "var", "where", "while",
    ].contains(self)
  }
}
