import Foundation

extension PredicateSQL {
  /// Where a key path leads.
  enum PathEnd {
    case attribute(NSAttributeDescription, SQLFragment)
    /// The primary key of an object, and of what entity: the column with its number, where one is kept.
    case object(SQLFragment, EntityMap, entityNumber: SQLFragment?)
    /// A to-many relationship of a row, and the keys behind it.
    case many(Collection)
    /// Something behind an attribute's value, or a property that this store's tables do not have.
    case beyond
  }

  /// The objects at the other end of a to-many relationship of one row.
  struct Collection {
    let owner: String
    let property: PropertyMap
    let destination: EntityMap
    /// The keys that are read from each object; they can begin with a collection operator.
    let rest: ArraySlice<String>
  }

  func follow(_ keys: ArraySlice<String>, from scope: SQLScope) throws -> PathEnd {
    var (alias, entity) = (scope.alias, scope.entity)
    var way: [String] = []
    // Where the row is the end of the path, its own key stands for it.
    var end = PathEnd.object(
      SQLFragment(text: entity.key(of: alias)), entity,
      entityNumber: entity.hasSubentities ? .column("Z_ENT", of: alias) : nil)
    let keys = keys.filter { $0 != "self" && $0 != "SELF" }[...]
    for (place, key) in zip(keys.indices, keys) {
      let rest = keys[(place + 1)...]
      switch entity.properties[key] {
      case .attribute(let column):
        guard rest.isEmpty, let attribute = entity.entity.attributesByName[key] else { return .beyond }
        return .attribute(attribute, .column(column, of: alias))
      case .toOne(let column, let entityColumn, let number):
        guard let destination = map[number] else { return .beyond }
        let key = SQLFragment.column(column, of: alias)
        end = .object(key, destination, entityNumber: entityColumn.map { .column($0, of: alias) })
        guard !rest.isEmpty else { return end }
        way.append(keys[place])
        (alias, entity) = scope.join(way, to: destination) { destination.isRow($0, key) }
      case .reference(let link, let number):
        guard let destination = map[number] else { return .beyond }
        let child = alias
        let key: SQLFragment = """
          (SELECT \(SQLFragment(text: destination.key(of: "r"))) FROM \(name: link.parent) r
          WHERE \(link.holds(child: child, parent: "r")) LIMIT 1)
          """
        end = .object(key, destination, entityNumber: nil)
        guard !rest.isEmpty else { return end }
        way.append(keys[place])
        (alias, entity) = scope.join(way, to: destination) { link.holds(child: child, parent: $0) }
      case .inverse(_, _, _, let number), .join(_, _, _, _, let number), .referrers(_, let number):
        guard let property = entity.properties[key], let destination = map[number] else { return .beyond }
        return .many(Collection(owner: alias, property: property, destination: destination, rest: rest))
      case nil: return .beyond
      }
    }
    return end
  }

  /// The rows of a collection, as a SELECT of their own.
  func open(_ collection: Collection) -> SQLScope {
    let alias = aliases.next("s")
    let owner = SQLFragment.column("Z_PK", of: collection.owner)
    var condition: SQLFragment
    switch collection.property {
    case .inverse(_, let column, _, _): condition = "\(.column(column, of: alias)) = \(owner)"
    case .join(let table, let source, let target, _, _):
      // Old join tables have no key: a pair that is in twice is one object all the same.
      condition = """
        \(.column("Z_PK", of: alias)) IN (SELECT \(name: target) FROM \(name: table) WHERE \(name: source) = \(owner))
        """
    case .referrers(let link, _): condition = link.holds(child: alias, parent: collection.owner)
    case .attribute, .toOne, .reference: condition = "0"
    }
    let entity = collection.destination
    if !entity.ownsTable {
      let numbers = entity.numbers.map { SQLFragment(text: String($0)) }.joined(by: ", ")
      condition = "\(condition) AND \(.column("Z_ENT", of: alias)) IN (\(numbers))"
    }
    return SQLScope(entity, alias: alias, aliases: aliases, condition: condition)
  }

  /// The rows that the first step of an expression's key path goes from, and the keys; `nil` for another expression.
  func path(_ tree: ExpressionTree, _ variables: Variables) -> (scope: SQLScope, keys: [String])? {
    switch tree {
    case .selfObject: (root, [])
    case .keyPath(let keys): (root, keys)
    case .variable(let name): variables[name].map { ($0, []) }
    case .path(let base, .keyPath(let keys)): path(base, variables).map { ($0.scope, $0.keys + keys) }
    default: nil
    }
  }

  /// The collection that an expression names: a path over exactly one to-many relationship, without an operator.
  func collection(_ tree: ExpressionTree, _ variables: Variables) throws -> Collection? {
    guard let (scope, keys) = path(tree, variables), case .many(let collection) = try follow(keys[...], from: scope)
    else { return nil }
    return collection
  }

  /// What each object of an opened collection gives for the keys behind it; `nil` behind a second to-many relationship.
  func element(_ rest: ArraySlice<String>, in scope: SQLScope) throws -> SQLTerm? {
    term(try follow(rest, from: scope))
  }

  func term(_ end: PathEnd) -> SQLTerm? {
    switch end {
    case .attribute(let attribute, let column): SQLTerm(attribute, column: column)
    case .object(let key, let entity, let number): SQLTerm(object: key, entity: entity, entityNumber: number)
    case .many, .beyond: nil
    }
  }
}
