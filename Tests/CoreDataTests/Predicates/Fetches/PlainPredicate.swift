import Foundation

@testable import CoreData

/// Where an expression of a plain predicate stands: the row that is asked, and the elements of the subqueries around.
struct PlainScope {
  let world: PlainWorld
  let row: Int
  var elements: [String: Int] = [:]
}

/// An argument of a format string; objects are known by their row until there is a context.
enum PlainArgument {
  case value(Any)
  case object(Int)
  case id(Int)
  case objects([Int])
  case ids([Int])

  func value(_ objects: [NSManagedObject]) -> Any {
    switch self {
    case .value(let value): value
    case .object(let row): objects[row]
    case .id(let row): objects[row].objectID
    case .objects(let rows): rows.map { objects[$0] }
    case .ids(let rows): Set(rows.map { objects[$0].objectID })
    }
  }

  /// Whether a predicate with it can be written out and read again.
  var isWritable: Bool { if case .value = self { true } else { false } }
}

/// A format string, and what it means by hand: true, false, or unknown.
struct PlainPredicate {
  var format: String
  var arguments: [PlainArgument] = []
  /// What a compound is made of.
  var parts: [PlainPredicate] = []
  var test: (PlainScope) -> Bool?

  func form(_ objects: [NSManagedObject]) throws -> PredicateForm {
    try PredicateForm(format: format, arguments: arguments.map { $0.value(objects) })
  }
}

/// A part of a format string that has a value.
struct PlainExpression {
  var format: String
  var arguments: [PlainArgument] = []
  let family: PlainKind.Family
  /// Whether rounding cannot differ from one way of reckoning to another.
  var isExact = true
  let value: (PlainScope) -> PlainValue
}

/// An operator with its right side.
struct PlainCondition {
  var format: String
  var arguments: [PlainArgument] = []
  let test: (PlainValue, PlainScope) -> Bool?
}

/// Where a key path can begin or go on: nothing for a to-one that is not set.
struct PlainPlace {
  /// The keys so far, with the dot that follows them.
  var prefix: String
  let entity: PlainEntity
  let row: (PlainScope) -> Int?

  static func selfObject(_ entity: PlainEntity) -> PlainPlace {
    PlainPlace(prefix: "", entity: entity) { $0.row }
  }

  static func variable(_ name: String, _ entity: PlainEntity) -> PlainPlace {
    PlainPlace(prefix: "$\(name).", entity: entity) { $0.elements[name] }
  }

  func one(_ key: String, _ target: PlainEntity) -> PlainPlace {
    PlainPlace(prefix: prefix + key + ".", entity: target) { scope in
      row(scope).flatMap { scope.world.rows[$0].ones[key] }
    }
  }

  /// The object itself: the prefix without its dot.
  var object: PlainExpression {
    PlainExpression(format: prefix.isEmpty ? "SELF" : String(prefix.dropLast()), family: .object) {
      row($0).map(PlainValue.row) ?? .missing
    }
  }

  func attribute(_ key: String, _ kind: PlainKind) -> PlainExpression {
    PlainExpression(format: prefix + key, family: kind.family, isExact: kind != .decimal) { scope in
      row(scope).flatMap { scope.world.rows[$0].values[key] } ?? .missing
    }
  }

  /// What a to-many leads to; nothing for a path that ends early.
  func many(_ key: String) -> (PlainScope) -> [Int] {
    { scope in row(scope).flatMap { scope.world.rows[$0].manys[key] } ?? [] }
  }
}

/// How two values are compared, and its spellings.
enum PlainOperator: CaseIterable {
  case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual

  var spellings: [String] {
    switch self {
    case .equal: ["==", "="]
    case .notEqual: ["!=", "<>"]
    case .less: ["<"]
    case .lessOrEqual: ["<=", "=<"]
    case .greater: [">"]
    case .greaterOrEqual: [">=", "=>"]
    }
  }

  func holds(_ order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }

  /// Unknown when one of the two is missing.
  func compare(_ one: PlainValue, _ two: PlainValue, _ options: String = "") -> Bool? {
    one.order(to: two, options).map(holds)
  }
}
