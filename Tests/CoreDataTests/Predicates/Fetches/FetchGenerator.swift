import Foundation

/// Makes predicates that a fetch can be given, each with its meaning by hand; the same for the same seed.
struct FetchGenerator {
  var random: SeededGenerator
  let world: PlainWorld
  /// Subqueries made so far, which names their variables.
  var variables = 0

  init(seed: UInt64, world: PlainWorld) {
    random = SeededGenerator(seed: seed)
    self.world = world
  }

  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
  mutating func chance(_ bound: Int) -> Bool { below(bound) == 0 }
  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  // MARK: Predicates

  /// A predicate on objects of an entity.
  mutating func predicate(on entity: PlainEntity) -> PlainPredicate {
    predicate(depth: pick([0, 0, 1, 1, 2, 3]), [.selfObject(entity)])
  }

  mutating func predicate(depth: Int, _ places: [PlainPlace]) -> PlainPredicate {
    guard depth > 0 else { return comparison(places) }
    if chance(4) {
      let child = predicate(depth: depth - 1, places)
      return PlainPredicate(format: "NOT (\(child.format))", arguments: child.arguments, parts: [child]) {
        Kleene.not(child.test($0))
      }
    }
    let children = (0..<pick([2, 2, 3])).map { _ in predicate(depth: depth - 1 - below(depth), places) }
    let isAnd = chance(2)
    let word = isAnd ? pick([" AND ", " && "]) : pick([" OR ", " || "])
    return PlainPredicate(
      format: children.map { "(\($0.format))" }.joined(separator: word), arguments: children.flatMap(\.arguments),
      parts: children
    ) { scope in
      let answers = children.map { $0.test(scope) }
      return isAnd ? Kleene.and(answers) : Kleene.or(answers)
    }
  }

  private mutating func comparison(_ places: [PlainPlace]) -> PlainPredicate {
    switch below(40) {
    case 0:
      let value = chance(2)
      return PlainPredicate(format: value ? "TRUEPREDICATE" : "FALSEPREDICATE") { _ in value }
    case 1...7: return quantified(places)
    case 8...11: return objects(places)
    case 12...14:
      if chance(2), let values = valueMembership(places) { return values }
      let (one, many) = (place(in: places), place(in: places))
      return membership(one, in: many)
    case 15...18: return swapped(places)
    default:
      let expression = expression(places, depth: 2)
      let condition = condition(on: expression.family, isExact: expression.isExact, places)
      return PlainPredicate(
        format: "\(expression.format) \(condition.format)", arguments: expression.arguments + condition.arguments
      ) { condition.test(expression.value($0), $0) }
    }
  }

  /// The constant on the left.
  private mutating func swapped(_ places: [PlainPlace]) -> PlainPredicate {
    let expression = expression(places, depth: 1)
    let constant = constant(expression.family, isExact: expression.isExact)
    if expression.family == .text, chance(2) {
      let options = options()
      return PlainPredicate(
        format: "\(constant.format) \(pick(["CONTAINS", "contains"]))\(options.text) \(expression.format)",
        arguments: constant.arguments + expression.arguments
      ) { scope in
        PlainValue.texts(constant.value(scope), expression.value(scope), options.letters)
          .map { PlainValue.contains($0.one, $0.two) }
      }
    }
    let op = comparisonOperator(isExact: expression.isExact)
    return PlainPredicate(
      format: "\(constant.format) \(op.spelling) \(expression.format)",
      arguments: constant.arguments + expression.arguments
    ) { op.op.compare(constant.value($0), expression.value($0)) }
  }

  /// Objects compared with objects and ids.
  private mutating func objects(_ places: [PlainPlace]) -> PlainPredicate {
    let place = place(in: places, hops: pick([0, 1, 1, 2]))
    let condition = objectCondition(place.entity, places, canBeMissing: true)
    let object = place.object
    return PlainPredicate(format: "\(object.format) \(condition.format)", arguments: condition.arguments) {
      condition.test(object.value($0), $0)
    }
  }

  /// `object IN to-many` and `to-many CONTAINS object`.
  private mutating func membership(_ one: PlainPlace, in place: PlainPlace) -> PlainPredicate {
    // A to-many behind a to-one that is not set is no collection at all: nothing says what it holds.
    let start = place.prefix.contains(".") && !place.prefix.hasPrefix("$") ? PlainPlace.selfObject(place.entity) : place
    guard start.prefix == place.prefix else { return quantified([place]) }
    let many = pick(start.entity.manys)
    let ends = start.many(many.key)
    let row = pick(world.rows(of: many.target))
    let isIn = chance(2)
    let path = start.prefix + many.key
    return PlainPredicate(
      format: isIn ? "%@ IN \(path)" : "\(path) CONTAINS %@", arguments: [chance(2) ? .object(row) : .id(row)]
    ) { ends($0).contains(row) }
  }

  // MARK: ANY, ALL and NONE

  private mutating func quantified(_ places: [PlainPlace]) -> PlainPredicate {
    let place = place(in: places, hops: pick([0, 0, 1]))
    let word = pick(["ANY", "SOME", "any", "ALL", "NONE"])
    if chance(8), let one = quantifiedOne(word, place, places) { return one }
    let many = pick(place.entity.manys)
    var ends = place.many(many.key)
    let element = "element \(variables)"
    var inner = PlainPlace(prefix: place.prefix + many.key + ".", entity: many.target) { $0.elements[element] }
    if chance(4) {
      // A second to-many behind the first.
      let next = pick(inner.entity.manys)
      inner = PlainPlace(prefix: inner.prefix + next.key + ".", entity: next.target) { $0.elements[element] }
      ends = { [ends] scope in ends(scope).flatMap { scope.world.rows[$0].manys[next.key] ?? [] } }
    }
    if chance(4), let one = inner.entity.ones.randomElement(using: &random) { inner = inner.one(one.key, one.target) }
    let value: PlainExpression
    let condition: PlainCondition
    if chance(4) {
      value = inner.object
      condition = objectCondition(inner.entity, places, canBeMissing: true)
    } else {
      let (key, kind) = pick(inner.entity.attributes)
      value = inner.attribute(key, kind)
      condition = self.condition(on: value.family, isExact: value.isExact, places)
    }
    let asKey = !value.format.hasPrefix("$") && !value.format.hasPrefix("SELF.") && chance(6)
    return PlainPredicate(
      format: "\(word) \(asKey ? "%K" : value.format) \(condition.format)",
      arguments: (asKey ? [.value(value.format)] : []) + condition.arguments
    ) { scope in
      let answers = ends(scope).map { end in
        var scope = scope
        scope.elements[element] = end
        return condition.test(value.value(scope), scope) ?? false
      }
      return Self.quantify(word, answers)
    }
  }

  /// A single value is a collection of one, and none is a collection of nothing (rule 27).
  private mutating func quantifiedOne(
    _ word: String, _ place: PlainPlace, _ places: [PlainPlace]
  ) -> PlainPredicate? {
    let (key, kind) = pick(place.entity.attributes)
    let value = place.attribute(key, kind)
    guard !value.format.hasPrefix("$"), !value.format.hasPrefix("SELF.") else { return nil }
    let condition = condition(on: value.family, isExact: value.isExact, places)
    return PlainPredicate(format: "\(word) \(value.format) \(condition.format)", arguments: condition.arguments) {
      scope in
      let value = value.value(scope)
      return Self.quantify(word, value.isMissing ? [] : [condition.test(value, scope) ?? false])
    }
  }

  private static func quantify(_ word: String, _ answers: [Bool]) -> Bool {
    switch word {
    case "ALL": !answers.contains(false)
    case "NONE": !answers.contains(true)
    default: answers.contains(true)
    }
  }

  // MARK: Places

  /// A place some to-one relationships away from one of those given; most often from the innermost.
  mutating func place(in places: [PlainPlace], hops: Int? = nil) -> PlainPlace {
    var place = chance(3) ? pick(places) : places[0]
    if place.prefix.isEmpty, chance(10) { place.prefix = "SELF." }
    for _ in 0..<(hops ?? pick([0, 0, 0, 1, 1, 2])) {
      guard let one = place.entity.ones.randomElement(using: &random) else { break }
      place = place.one(one.key, one.target)
    }
    return place
  }
}
