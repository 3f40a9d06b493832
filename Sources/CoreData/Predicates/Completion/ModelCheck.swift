/// Checks a predicate that a person typed against a model, and gives its literals the types that the model asks for.
///
/// A string beside a date, a UUID, a URI, data or a number stands for such a value, and beside a relationship for the
/// object with that URI. What is wrong is told with its place in the text: a key that the entity does not have, a to-many
/// relationship without `ANY` or `ALL`, a string that is no value of the attribute's type, a variable without a value.
package struct ModelCheck {
  /// Reads a literal as a value of an attribute's type.
  package typealias LiteralReader = (String, NSAttributeType) -> Result<Constant, LiteralProblem>

  /// Why a literal is no value of a type, in one line.
  package struct LiteralProblem: Error {
    package let words: String
    package init(_ words: String) { self.words = words }
  }

  private let format: String
  private let root: ModelValue
  private let read: LiteralReader
  private var places: PredicatePlaces
  private var variables: [String: ModelValue] = [:]

  /// The tree of a text, checked and bound; `entity` is that of the objects it is evaluated on.
  package static func tree(
    of text: String, entity: NSEntityDescription, reading: @escaping LiteralReader
  ) throws(PredicateParseError) -> PredicateTree {
    let tree = try PredicateForm(format: text, arguments: []).tree
    var check = ModelCheck(text, entity, reading)
    return try check.predicate(tree)
  }

  private init(_ text: String, _ entity: NSEntityDescription, _ read: @escaping LiteralReader) {
    format = text
    root = ModelValue(kind: .object(entity))
    places = PredicatePlaces(text)
    self.read = read
  }

  private func error(at place: Int?, _ words: String) -> PredicateParseError {
    PredicateParseError(format: format, offset: place ?? 0, expected: [], detail: words)
  }

  // MARK: Predicates

  private mutating func predicate(_ tree: PredicateTree) throws(PredicateParseError) -> PredicateTree {
    switch tree {
    case .value, .block: return tree
    case .not(let child): return .not(try predicate(child))
    case .and(let children): return .and(try predicates(children))
    case .or(let children): return .or(try predicates(children))
    case .comparison(let comparison): return .comparison(try self.comparison(comparison))
    }
  }

  private mutating func predicates(_ trees: [PredicateTree]) throws(PredicateParseError) -> [PredicateTree] {
    var checked: [PredicateTree] = []
    for tree in trees { checked.append(try predicate(tree)) }
    return checked
  }

  private mutating func comparison(
    _ comparison: PredicateTree.Comparison
  ) throws(PredicateParseError) -> PredicateTree.Comparison {
    var left = try operand(comparison.left)
    var right = try operand(comparison.right)
    if comparison.modifier == .direct, comparison.op != .contains { try requireOne(left) }
    if comparison.op != .in { try requireOne(right) }
    switch comparison.op {
    case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .in, .between:
      let wanted = (left.value, right.value)
      try bind(&right, to: wanted.0)
      try bind(&left, to: wanted.1)
    case .contains where left.value.isMany: try bind(&right, to: left.value)
    default: break
    }
    var checked = comparison
    (checked.left, checked.right) = (left.tree, right.tree)
    return checked
  }

  private func requireOne(_ operand: Operand) throws(PredicateParseError) {
    guard operand.value.isMany, operand.isKeyPath else { return }
    throw error(
      at: operand.place,
      "to-many key not allowed here: write ANY \(operand.tree.format()), or count it with .@count")
  }

  // MARK: Expressions

  /// A side of a comparison, checked.
  private struct Operand {
    var tree: ExpressionTree
    var value = ModelValue.unknown
    /// Where its first key or string stands.
    var place: Int?
    var isKeyPath = false
    /// What it lists.
    var elements: [Operand] = []

    init(_ tree: ExpressionTree) { self.tree = tree }
  }

  private mutating func operands(_ trees: [ExpressionTree]) throws(PredicateParseError) -> [Operand] {
    var operands: [Operand] = []
    for tree in trees { operands.append(try operand(tree)) }
    return operands
  }

  private mutating func operand(_ tree: ExpressionTree) throws(PredicateParseError) -> Operand {
    var result = Operand(tree)
    switch tree {
    case .constant(.string(let content)): result.place = places.string(content)
    case .constant(.integer), .constant(.double), .constant(.decimal): result.value.kind = .number
    case .constant, .anyKey, .block: break
    case .selfObject: result.value = root
    case .variable(let name):
      result.place = places.variable(name)
      guard let value = variables[name] else { throw error(at: result.place, "$\(name) has no value") }
      result.value = value
    case .keyPath(let keys): try follow(keys, from: root, into: &result)
    case .path(let base, let rest): return try path(base, rest)
    case .index(let base, let index): return try indexed(base, index)
    case .function(let function, let arguments): return try call(function, arguments)
    case .call(let target, let selector, let arguments):
      let operands = try operands([target] + arguments)
      result.tree = .call(operands[0].tree, selector: selector, operands.dropFirst().map(\.tree))
    case .cast(let value, let type): result.tree = .cast(try operand(value).tree, type: type)
    case .subquery(let collection, let variable, let condition):
      return try subquery(collection, variable, condition)
    case .aggregate(let elements):
      result.elements = try operands(elements)
      for element in result.elements { try requireOne(element) }
      result.place = result.elements.first?.place
      result.tree = .aggregate(result.elements.map(\.tree))
    case .set(let operation, let left, let right):
      let operands = try operands([left, right])
      result.tree = .set(operation, operands[0].tree, operands[1].tree)
    case .conditional(let condition, let then, let otherwise):
      let checked = try predicate(condition)
      let operands = try operands([then, otherwise])
      (result.value, result.place) = (operands[0].value, operands[0].place)
      result.tree = .conditional(checked, operands[0].tree, operands[1].tree)
    case .assignment(let variable, let value): result.tree = .assignment(variable, try operand(value).tree)
    case .fetch(let request, let context, let countOnly):
      let operands = try operands([request, context, countOnly])
      result.tree = .fetch(operands[0].tree, context: operands[1].tree, countOnly: operands[2].tree)
    }
    return result
  }

  /// Follows keys, the place of each known, and tells the one that leads nowhere.
  private mutating func follow(
    _ keys: [String], from base: ModelValue, into result: inout Operand
  ) throws(PredicateParseError) {
    var found: [Int?] = []
    for key in keys { found.append(places.key(key)) }
    result.place = result.place ?? found.first ?? nil
    result.isKeyPath = true
    do { result.value = try base.following(keys) } catch { throw self.error(at: found[error.index], error.words) }
  }

  private mutating func path(
    _ base: ExpressionTree, _ rest: ExpressionTree
  ) throws(PredicateParseError) -> Operand {
    let operand = try self.operand(base)
    var result = operand
    switch rest {
    case .keyPath(let keys):
      try follow(keys, from: operand.value, into: &result)
      result.tree = .path(operand.tree, rest)
    case .index(.keyPath(let keys), let index):
      try follow(keys, from: operand.value, into: &result)
      let index = try self.index(index, into: &result)
      result.tree = .path(operand.tree, .index(.keyPath(keys), index))
    default:
      result.value = .unknown
      result.tree = .path(operand.tree, rest)
    }
    return result
  }

  private mutating func indexed(
    _ base: ExpressionTree, _ index: ExpressionTree.Index
  ) throws(PredicateParseError) -> Operand {
    var result = try operand(base)
    let tree = result.tree
    let index = try self.index(index, into: &result)
    result.tree = .index(tree, index)
    return result
  }

  private mutating func index(
    _ index: ExpressionTree.Index, into result: inout Operand
  ) throws(PredicateParseError) -> ExpressionTree.Index {
    switch index {
    case .size:
      result.value = ModelValue(kind: .number)
      return index
    case .first, .last:
      result.value = result.value.element
      return index
    case .at(let position):
      result.value = result.value.element
      return .at(try operand(position).tree)
    }
  }

  private mutating func call(
    _ function: PredicateFunction, _ arguments: [ExpressionTree]
  ) throws(PredicateParseError) -> Operand {
    let operands = try operands(arguments)
    var result = Operand(.function(function, operands.map(\.tree)))
    result.place = operands.first?.place
    switch function {
    case .sum, .count, .average, .median, .mode, .stddev: result.value.kind = .number
    case .min, .max: result.value = operands.first?.value.element ?? .unknown
    case .uppercase, .lowercase, .canonical: result.value.kind = .string
    case .noIndex: result.value = operands.first?.value ?? .unknown
    case .now, .random, .randomBelow, .randomNumber, .distance, .objectAtIndex: break
    default:
      for operand in operands { try requireOne(operand) }
      // A difference of dates is a number, and a date plus a number a date: only numbers stay what they are.
      result.value.kind = .unknown
    }
    return result
  }

  private mutating func subquery(
    _ collection: ExpressionTree, _ variable: String, _ condition: PredicateTree
  ) throws(PredicateParseError) -> Operand {
    let base = try operand(collection)
    if base.isKeyPath, !base.value.isMany, case .object = base.value.kind {
      throw error(at: base.place, "SUBQUERY needs a to-many relationship")
    }
    _ = places.variable(variable)
    let outer = variables.updateValue(base.value.element, forKey: variable)
    let checked = try predicate(condition)
    variables[variable] = outer
    var result = Operand(.subquery(base.tree, variable: variable, checked))
    result.value = ModelValue(kind: base.value.kind, isMany: true)
    result.place = base.place
    return result
  }

  // MARK: Literals

  /// Gives a literal, or each of a list, the type of what it is compared with.
  private func bind(_ operand: inout Operand, to value: ModelValue) throws(PredicateParseError) {
    if !operand.elements.isEmpty {
      for index in operand.elements.indices { try bind(&operand.elements[index], to: value) }
      operand.tree = .aggregate(operand.elements.map(\.tree))
      return
    }
    guard case .constant(.string(let text)) = operand.tree else { return }
    switch value.kind {
    case .attribute(let attribute) where attribute.attributeType != .stringAttributeType:
      switch read(text, attribute.attributeType) {
      case .success(let constant): operand.tree = .constant(constant)
      case .failure(let problem): throw error(at: operand.place, "“\(text)”: \(problem.words)")
      }
    case .object:
      guard let uri = URL(string: text), ["x-coredata", "x-sqlite"].contains(uri.scheme) else {
        throw error(at: operand.place, "an object is named by its URI: x-coredata://STORE/Entity/p42")
      }
      operand.tree = .constant(.identity(PredicateIdentity(ObjectReference(uri))))
    default: return
    }
  }
}

extension ModelCheck {
  /// The attribute that a variable is compared with in a text; `nil` when there is none.
  package static func attribute(
    comparedWith variable: String, in text: String, entity: NSEntityDescription
  ) -> NSAttributeDescription? {
    func find(_ tree: PredicateTree) -> NSAttributeDescription? {
      switch tree {
      case .value, .block: nil
      case .not(let child): find(child)
      case .and(let children), .or(let children): children.lazy.compactMap(find).first
      case .comparison(let comparison):
        if holds(comparison.right) {
          path(comparison.left)
        } else {
          holds(comparison.left) ? path(comparison.right) : nil
        }
      }
    }
    func holds(_ tree: ExpressionTree) -> Bool {
      switch tree {
      case .variable(variable): true
      case .aggregate(let elements): elements.contains(where: holds)
      default: false
      }
    }
    func path(_ tree: ExpressionTree) -> NSAttributeDescription? {
      guard case .keyPath(let keys) = tree,
        let value = try? ModelValue(kind: .object(entity)).following(keys), case .attribute(let attribute) = value.kind
      else { return nil }
      return attribute
    }
    return (try? PredicateForm(format: text, arguments: []).tree).flatMap(find)
  }
}
