/// A key path in a predicate: where it starts and what is asked of what it leads to.
struct PredicateKeyPath {
  let keys: [String]
  /// The entity that the first key belongs to; `nil` behind a value that is no object.
  let entity: NSEntityDescription?
  let role: Role

  enum Role: Equatable {
    /// One value is wanted.
    case single
    /// Several are welcome: the left of ANY and ALL, what CONTAINS and IN search, SUBQUERY's collection, an indexed list.
    case many
    /// An argument of a function, whose text is for an error.
    case argument(of: String)
  }
}

extension PredicateTree {
  /// Calls `body` with each key path of the predicate, evaluated on objects of an entity.
  func forEachKeyPath(from entity: NSEntityDescription, _ body: (PredicateKeyPath) throws -> Void) rethrows {
    try withoutActuallyEscaping(body) { body in
      var walk = PredicateKeyPathWalk(entity: entity, body: body)
      try walk.visit(self)
    }
  }
}

/// Goes through a predicate, knowing what each variable of a SUBQUERY stands for.
private struct PredicateKeyPathWalk {
  let entity: NSEntityDescription
  let body: (PredicateKeyPath) throws -> Void
  private var variables: [String: NSEntityDescription] = [:]

  init(entity: NSEntityDescription, body: @escaping (PredicateKeyPath) throws -> Void) {
    self.entity = entity
    self.body = body
  }

  mutating func visit(_ tree: PredicateTree) throws {
    switch tree {
    case .value, .block: break
    case .not(let child): try visit(child)
    case .and(let children), .or(let children): for child in children { try visit(child) }
    case .comparison(let comparison):
      let quantifies = comparison.modifier != .direct
      try visit(comparison.left, quantifies || comparison.op == .contains ? .many : .single)
      try visit(comparison.right, comparison.op == .in && !quantifies ? .many : .single)
    }
  }

  private mutating func visit(_ tree: ExpressionTree, _ role: PredicateKeyPath.Role) throws {
    switch tree {
    case .keyPath(let keys): try body(PredicateKeyPath(keys: keys, entity: entity, role: role))
    case .path(.selfObject, .keyPath(let keys)): try body(PredicateKeyPath(keys: keys, entity: entity, role: role))
    case .path(.variable(let name), .keyPath(let keys)):
      try body(PredicateKeyPath(keys: keys, entity: variables[name], role: role))
    case .path(let operand, let rest):
      try visit(operand, .many)
      if case .index(_, .at(let position)) = rest { try visit(position, .single) }
    case .index(let base, let index):
      try visit(base, .many)
      if case .at(let position) = index { try visit(position, .single) }
    case .function(let function, let arguments):
      for argument in arguments {
        try visit(argument, function == .noIndex ? role : .argument(of: tree.format()))
      }
    case .call(let target, _, let arguments): for part in [target] + arguments { try visit(part, .many) }
    case .cast(let value, _): try visit(value, .single)
    case .subquery(let collection, let name, let condition):
      try visit(collection, .many)
      let outer = variables[name]
      variables[name] = element(of: collection)
      try visit(condition)
      variables[name] = outer
    case .aggregate(let elements): for element in elements { try visit(element, .single) }
    case .set(_, let left, let right):
      try visit(left, .many)
      try visit(right, .many)
    case .conditional(let condition, let then, let otherwise):
      try visit(condition)
      try visit(then, role)
      try visit(otherwise, role)
    case .assignment(_, let value): try visit(value, .single)
    case .block(_, let arguments): for argument in arguments { try visit(argument, .many) }
    case .constant, .selfObject, .variable, .fetch, .anyKey: break
    }
  }

  /// The entity of the objects in a collection.
  private func element(of collection: ExpressionTree) -> NSEntityDescription? {
    switch collection {
    case .keyPath(let keys), .path(.selfObject, .keyPath(let keys)): entity.destination(of: keys)
    case .path(.variable(let name), .keyPath(let keys)): variables[name]?.destination(of: keys)
    case .variable(let name): variables[name]
    case .subquery(let inner, _, _): element(of: inner)
    default: nil
    }
  }
}

extension NSEntityDescription {
  /// The entity of the objects that a path of relationships leads to.
  func destination(of keys: [String]) -> NSEntityDescription? {
    var current: NSEntityDescription? = self
    for key in keys where key != "self" { current = current?.relationshipsByName[key]?.destinationEntity }
    return current
  }

  /// The entities whose objects' values decide what the key paths of a predicate and of sort orders give.
  ///
  /// An object at the end of a to-one relationship counts by its identity alone, which the relationship's own object holds;
  /// behind a to-many relationship even the number of objects is theirs to tell.
  func entitiesCrossed(by predicate: PredicateTree?, _ others: [[String]]) -> [NSEntityDescription] {
    var found: [NSEntityDescription] = []
    func follow(_ keys: [String], from start: NSEntityDescription?) {
      guard var current = start else { return }
      for (place, key) in keys.enumerated() where key != "self" {
        guard let relationship = current.relationshipsByName[key], let next = relationship.destinationEntity else {
          return
        }
        if relationship.isToMany || place < keys.count - 1 { found.append(next) }
        current = next
      }
    }
    for keys in others { follow(keys, from: self) }
    predicate?.forEachKeyPath(from: self) { follow($0.keys, from: $0.entity) }
    return found
  }
}
