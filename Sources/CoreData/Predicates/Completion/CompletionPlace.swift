/// Where a text breaks off, and what the grammar and the model allow there.
struct CompletionPlace {
  typealias Candidate = PredicateCompletion.Candidate

  /// What was found: candidates, and the attribute whose values would do.
  struct Found {
    var candidates: [Candidate] = []
    var values: (entity: String, key: String)?
  }

  private let expected: [PredicateParseError.Expectation]
  private let trail: PredicateTrail
  private let entity: NSEntityDescription
  /// The last token before the place.
  private let previous: PredicateToken
  private let isAfterBlank: Bool
  private let isBeforeBracket: Bool

  /// `nil` where the text is wrong before the word.
  init?(before word: WordAtCaret, in text: String, entity: NSEntityDescription) {
    let head = String(decoding: text.utf8.prefix(word.range.lowerBound), as: UTF8.self)
    self.entity = entity
    isAfterBlank = head.utf8.last.map { [0x20, 0x09, 0x28, 0x7B, 0x2C].contains($0) } ?? true
    isBeforeBracket = text.utf8.dropFirst(word.range.upperBound).first == UInt8(ascii: "]")
    previous = Self.lastToken(of: head)
    guard var parser = try? PredicateParser(head, FormatArguments([]), trail: PredicateTrail()) else { return nil }
    do {
      _ = try parser.wholePredicate()
      expected = [.connective]
    } catch {
      guard error.offset == head.utf8.count else { return nil }
      expected = error.expected
    }
    trail = parser.trail ?? PredicateTrail()
  }

  private static func lastToken(of text: String) -> PredicateToken {
    var lexer = PredicateLexer(text)
    var last = PredicateToken.end
    while let token = try? lexer.next().token, token != .end { last = token }
    return last
  }

  /// What can stand here, the most useful first.
  func found(dateForm: String) -> Found {
    var found = Found()
    for expectation in expected {
      switch expectation {
      case .operand:
        let operand = operands(dateForm)
        found.candidates += operand.candidates
        found.values = operand.values
      case .comparisonOperator where isAfterBlank: found.candidates += operators
      case .arithmeticOperator where isAfterBlank && expected.contains(.comparisonOperator):
        found.candidates += arithmetic
      case .connective where isAfterBlank:
        found.candidates += [Candidate("AND", .connective, "both"), Candidate("OR", .connective, "either")]
      case .key: found.candidates += keysAfterDot
      case .option: found.candidates += options
      case .variable: found.candidates.append(Candidate("$x", .variable, "one of them"))
      default: break
      }
    }
    return found
  }

  // MARK: Types

  /// What an expression yields, by the variables that are known here.
  private func value(of tree: ExpressionTree) -> ModelValue {
    switch tree {
    case .selfObject: return ModelValue(kind: .object(entity))
    case .keyPath(let keys): return follow(keys, from: ModelValue(kind: .object(entity)))
    case .variable(let name): return variables.last { $0.name == name }?.value ?? .unknown
    case .path(let base, .keyPath(let keys)): return follow(keys, from: value(of: base))
    case .index(_, .size): return ModelValue(kind: .number)
    case .index(let base, _): return value(of: base).element
    case .subquery(let collection, _, _): return ModelValue(kind: value(of: collection).kind, isMany: true)
    case .function(let function, let arguments):
      switch function {
      case .min, .max: return arguments.first.map { value(of: $0).element } ?? .unknown
      case .uppercase, .lowercase, .canonical: return ModelValue(kind: .string)
      case .now, .noIndex, .objectAtIndex: return .unknown
      default: return ModelValue(kind: .number)
      }
    case .constant(.string): return ModelValue(kind: .string)
    case .constant(.integer), .constant(.double), .constant(.decimal): return ModelValue(kind: .number)
    default: return .unknown
    }
  }

  private func follow(_ keys: [String], from value: ModelValue) -> ModelValue {
    (try? value.following(keys)) ?? .unknown
  }

  /// The variables of the subqueries around the place, the innermost last.
  private var variables: [(name: String, value: ModelValue)] {
    var found: [(name: String, value: ModelValue)] = []
    for frame in trail.frames {
      guard case .subquery(let collection, let name) = frame else { continue }
      // An inner subquery may go over what an outer variable leads to.
      found.append((name, value(of: collection, knowing: found).element))
    }
    return found
  }

  private func value(of tree: ExpressionTree, knowing known: [(name: String, value: ModelValue)]) -> ModelValue {
    switch tree {
    case .path(.variable(let name), .keyPath(let keys)):
      follow(keys, from: known.last { $0.name == name }?.value ?? .unknown)
    case .keyPath(let keys): follow(keys, from: ModelValue(kind: .object(entity)))
    case .path(.selfObject, .keyPath(let keys)): follow(keys, from: ModelValue(kind: .object(entity)))
    default: .unknown
    }
  }

  // MARK: Operands

  private func operands(_ dateForm: String) -> Found {
    switch trail.frames.last {
    case .comparison(_, let left?, let op?): return rightSide(of: left, op, dateForm)
    case .comparison(.some, nil, _):
      var found = Found()
      let keys = keys(of: entity)
      let many = entity.relationshipsByName.filter(\.value.isToMany).keys
      found.candidates =
        keys.filter { many.contains(Self.bare($0.text)) } + keys.filter { !many.contains(Self.bare($0.text)) }
      return found
    case .index:
      return Found(candidates: [
        Candidate("FIRST", .keyword, "the first"), Candidate("LAST", .keyword, "the last"),
        Candidate("SIZE", .keyword, "how many"),
      ])
    case .arguments: return Found(candidates: variableCandidates + keys(of: entity) + Self.functions)
    default: return Found(candidates: variableCandidates + keys(of: entity) + Self.keywords + Self.functions)
    }
  }

  private static func bare(_ key: String) -> String { key.hasPrefix("#") ? String(key.dropFirst()) : key }

  private var variableCandidates: [Candidate] {
    variables.reversed().map { Candidate("$" + $0.name, .variable, $0.value.entity?.name ?? "") }
  }

  private func rightSide(of left: ExpressionTree, _ op: PredicateTree.Operator, _ dateForm: String) -> Found {
    let value = value(of: left)
    var found = Found()
    let isInList = previous == .symbol(.openBrace) || previous == .symbol(.comma)
    if op == .in || op == .between, !isInList {
      found.candidates.append(Candidate("{", .value, op == .between ? "from, to" : "a list"))
      if op == .between { return found }
    }
    let isEquality = op == .equalTo || op == .notEqualTo
    switch value.kind {
    case .attribute(let attribute):
      switch attribute.attributeType {
      case .booleanAttributeType:
        found.candidates += [Candidate("YES", .value, "true"), Candidate("NO", .value, "false")]
      case .dateAttributeType:
        found.candidates += [
          Candidate("\"\(dateForm)\"", .value, "a date"), Candidate("now()", .function, "this moment"),
        ]
        found.values = owner(of: left)
      case .binaryDataAttributeType, .transformableAttributeType: break
      default: found.values = owner(of: left)
      }
      if isEquality { found.candidates.append(Candidate("nil", .value, "no value")) }
    case .object:
      if isEquality { found.candidates.append(Candidate("nil", .value, "no object")) }
    default: break
    }
    found.candidates += variableCandidates + keys(of: entity, like: value)
    return found
  }

  /// The entity in which the last key of a path is an attribute.
  private func owner(of tree: ExpressionTree) -> (entity: String, key: String)? {
    let (base, keys): (ModelValue, [String])
    switch tree {
    case .keyPath(let path): (base, keys) = (ModelValue(kind: .object(entity)), path)
    case .path(let operand, .keyPath(let path)): (base, keys) = (value(of: operand), path)
    default: return nil
    }
    let plain = keys.filter { !$0.hasPrefix("@") }
    guard let key = plain.last, let name = follow(Array(plain.dropLast()), from: base).entity?.name else { return nil }
    return (name, key)
  }

  // MARK: Keys

  private var keysAfterDot: [Candidate] {
    guard let path = trail.path else { return [] }
    let value = value(of: path)
    let keys = value.entity.map { self.keys(of: $0, afterDot: true) } ?? []
    let operators = ModelValue.collectionOperators.map { Candidate($0.name, .function, $0.detail) }
    guard value.isMany, !path.endsWithOperator else { return keys }
    return operators.prefix(1) + keys + operators.dropFirst()
  }

  /// The keys of an entity; those that are like a value first, where one is given.
  private func keys(of entity: NSEntityDescription, afterDot: Bool = false, like value: ModelValue? = nil)
    -> [Candidate]
  {
    entity.predicateKeys.compactMap { name in
      let text = afterDot || PredicateKeyword(name) == nil ? name : "#" + name
      switch entity.propertiesByName[name] {
      case let attribute as NSAttributeDescription:
        if let value, !value.isLike(attribute) { return nil }
        return Candidate(text, .key, attribute.attributeType.words)
      case let relationship as NSRelationshipDescription:
        if let value, value.entity == nil { return nil }
        let target = relationship.destinationEntity?.name ?? ""
        return Candidate(text, .relationship, relationship.isToMany ? "to many \(target)" : "to \(target)")
      default: return nil
      }
    }
  }

  // MARK: Operators

  private var leftSide: ExpressionTree? {
    if case .comparison(_, let left?, nil)? = trail.frames.last { return left }
    return trail.dangling
  }

  private var operators: [Candidate] {
    guard let left = leftSide else { return Self.all }
    let value = value(of: left)
    var isQuantified = false
    if case .comparison(.some, _, _)? = trail.frames.last { isQuantified = true }
    switch value.kind {
    case .object where value.isMany && !isQuantified: return [Candidate("CONTAINS", .operator, "has the object")]
    case .object: return Self.equality + [Self.isIn]
    case .number: return Self.numeric
    case .string: return Self.text
    case .unknown: return Self.all
    case .attribute(let attribute):
      switch attribute.attributeType {
      case .stringAttributeType: return Self.text
      case .booleanAttributeType, .binaryDataAttributeType, .transformableAttributeType: return Self.equality
      case .UUIDAttributeType, .URIAttributeType: return Self.equality + [Self.isIn]
      case .dateAttributeType: return Self.order + [Self.between] + Self.equality + [Self.isIn]
      default: return Self.numeric
      }
    }
  }

  private var arithmetic: [Candidate] {
    guard let left = leftSide else { return [] }
    switch value(of: left).kind {
    case .number: return Self.arithmeticSigns
    case .attribute(let attribute) where attribute.attributeType.isNumeric: return Self.arithmeticSigns
    default: return []
    }
  }

  private var options: [Candidate] {
    let end = isBeforeBracket ? "" : "]"
    return [
      Candidate("cd" + end, .option, "neither case nor accents count"),
      Candidate("c" + end, .option, "case does not count"), Candidate("d" + end, .option, "accents do not count"),
      Candidate("n" + end, .option, "by code units"), Candidate("l" + end, .option, "by the locale"),
    ]
  }
}

extension ExpressionTree {
  /// Whether it ends with `@sum` or its kin, which a key has to follow.
  fileprivate var endsWithOperator: Bool {
    switch self {
    case .keyPath(let keys), .path(_, .keyPath(let keys)): keys.last?.hasPrefix("@") ?? false
    default: false
    }
  }
}

extension ModelValue {
  /// Whether an attribute's values can be compared with this one.
  fileprivate func isLike(_ other: NSAttributeDescription) -> Bool {
    switch kind {
    case .attribute(let attribute):
      attribute.attributeType == other.attributeType
        || attribute.attributeType.isNumeric && other.attributeType.isNumeric
    case .number: other.attributeType.isNumeric
    case .string: other.attributeType == .stringAttributeType
    case .object: false
    case .unknown: true
    }
  }
}

extension NSAttributeType {
  fileprivate var isNumeric: Bool {
    switch self {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType,
      .doubleAttributeType, .floatAttributeType:
      true
    default: false
    }
  }

  /// The type in a word or two.
  fileprivate var words: String {
    switch self {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: "integer"
    case .decimalAttributeType: "decimal"
    case .doubleAttributeType: "double"
    case .floatAttributeType: "float"
    case .stringAttributeType: "string"
    case .booleanAttributeType: "boolean"
    case .dateAttributeType: "date"
    case .binaryDataAttributeType: "data"
    case .UUIDAttributeType: "UUID"
    case .URIAttributeType: "URI"
    case .transformableAttributeType: "transformable"
    case .objectIDAttributeType: "object id"
    case .compositeAttributeType: "composite"
    case .undefinedAttributeType: ""
    }
  }
}
