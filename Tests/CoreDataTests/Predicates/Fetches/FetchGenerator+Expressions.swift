import Foundation

extension FetchGenerator {
  /// A value of the family, or of any.
  mutating func expression(
    _ places: [PlainPlace], depth: Int, family: PlainKind.Family? = nil
  ) -> PlainExpression {
    if depth > 0 {
      switch below(16) {
      case 10: if let cast = cast(places, family) { return cast }
      case 11 where family == nil || family == .number: if let bits = bits(places) { return bits }
      case 12: if let element = element(places, family) { return element }
      case 0, 1: return figure(places, family)
      case 2: return ternary(places, depth, family)
      case 3 where family == nil || family == .number: return arithmetic(places, depth)
      case 4 where family == nil || family == .number: return count(places, depth)
      case 5: if let function = function(places, family) { return function }
      default: break
      }
    }
    // Not every entity has an attribute of every family; an item has.
    for _ in 0..<20 {
      let place = place(in: places)
      let fitting = place.entity.attributes.filter { family == nil || $0.kind.family == family }
      guard let (key, kind) = fitting.randomElement(using: &random) else { continue }
      var attribute = place.attribute(key, kind)
      if !attribute.format.hasPrefix("$"), !attribute.format.hasPrefix("SELF"), chance(8) {
        attribute.arguments = [.value(attribute.format)]
        attribute.format = "%K"
      }
      return attribute
    }
    return constant(family ?? .number)
  }

  // MARK: Functions

  private mutating func function(_ places: [PlainPlace], _ family: PlainKind.Family?) -> PlainExpression? {
    if family == .text || family == nil && chance(2) {
      let text = expression(places, depth: 0, family: .text)
      let name = pick(["uppercase", "lowercase", "canonical"])
      return PlainExpression(
        format: "\(name):(\(text.format))", arguments: text.arguments, family: .text
      ) { scope in
        guard case .text(let text) = text.value(scope) else { return .missing }
        return switch name {
        case "uppercase": .text(text.uppercased())
        case "lowercase": .text(text.lowercased())
        default: .text(PlainValue.folded(text, "cd"))
        }
      }
    }
    guard family == .number || family == nil else { return nil }
    if chance(3) {
      let text = expression(places, depth: 0, family: .text)
      return PlainExpression(format: "length:(\(text.format))", arguments: text.arguments, family: .number) { scope in
        guard case .text(let text) = text.value(scope) else { return .missing }
        return .whole(Int64(text.utf16.count))
      }
    }
    let number = expression(places, depth: 1, family: .number)
    let name = pick(["abs", "floor", "ceiling", "trunc", "sqrt", "-"])
    return PlainExpression(
      format: name == "-" ? "-(\(number.format))" : "\(name):(\(number.format))", arguments: number.arguments,
      family: .number, isExact: number.isExact && name != "sqrt"
    ) { scope in
      let value = number.value(scope)
      if case .whole(let whole) = value, name != "sqrt" {
        if name != "abs", name != "-" { return value }
        if whole != .min { return .whole(name == "-" ? -whole : abs(whole)) }
      }
      guard let number = value.number else { return .missing }
      return switch name {
      case "abs": .real(abs(number))
      case "-": .real(-number)
      case "floor": .real(number.rounded(.down))
      case "ceiling": .real(number.rounded(.up))
      case "trunc": .real(number.rounded(.towardZero))
      default: PlainValue(number: number.squareRoot())
      }
    }
  }

  private mutating func arithmetic(_ places: [PlainPlace], _ depth: Int) -> PlainExpression {
    let one = expression(places, depth: depth - 1, family: .number)
    let two = chance(2) ? constant(.number) : expression(places, depth: depth - 1, family: .number)
    let operation = pick(PlainArithmetic.allCases)
    return PlainExpression(
      format: "((\(one.format)) \(operation.rawValue) (\(two.format)))", arguments: one.arguments + two.arguments,
      family: .number, isExact: one.isExact && two.isExact
    ) { operation(one.value($0), two.value($0)) }
  }

  private mutating func ternary(
    _ places: [PlainPlace], _ depth: Int, _ family: PlainKind.Family?
  ) -> PlainExpression {
    let condition = predicate(depth: 0, places)
    let then = expression(places, depth: depth - 1, family: family)
    let otherwise =
      chance(2) && then.isExact
      ? constant(then.family) : expression(places, depth: depth - 1, family: then.family)
    return PlainExpression(
      format: "TERNARY(\(condition.format), \(then.format), \(otherwise.format))",
      arguments: condition.arguments + then.arguments + otherwise.arguments, family: then.family,
      isExact: then.isExact && otherwise.isExact
    ) { condition.test($0) == true ? then.value($0) : otherwise.value($0) }
  }

  // MARK: Figures of a to-many

  /// `@sum`, `@avg`, `@min` or `@max`.
  private mutating func figure(_ places: [PlainPlace], _ family: PlainKind.Family?) -> PlainExpression {
    let place = place(in: places, hops: pick([0, 0, 1]))
    let many = pick(place.entity.manys)
    let fitting = many.target.attributes.filter {
      family == nil ? [.number, .text, .date].contains($0.kind.family) : $0.kind.family == family
    }
    guard
      let (key, kind) = fitting.filter({ [.number, .text, .date].contains($0.kind.family) }).randomElement(
        using: &random)
    else { return expression(places, depth: 0, family: family) }
    let sums = kind.isTame || kind == .decimal
    let name = pick(sums ? ["sum", "avg", "min", "max"] : ["min", "max"])
    let ends = place.many(many.key)
    return PlainExpression(
      format: "\(place.prefix)\(many.key).@\(name).\(key)", family: kind.family,
      isExact: kind != .decimal && name != "avg"
    ) { scope in
      let values = ends(scope).compactMap { scope.world.rows[$0].values[key] }.filter { !$0.isMissing }
      if name == "sum" { return values.reduce(.whole(0)) { PlainArithmetic.add($0, $1) } }
      guard let first = values.first else { return .missing }
      if name == "avg" { return .real(values.compactMap(\.number).reduce(0, +) / Double(values.count)) }
      let wanted = name == "min" ? -1 : 1
      return values.dropFirst().reduce(first) { $1.order(to: $0) == wanted ? $1 : $0 }
    }
  }

  /// How many a to-many leads to, or how many of them fit a predicate.
  private mutating func count(_ places: [PlainPlace], _ depth: Int) -> PlainExpression {
    let place = place(in: places, hops: pick([0, 0, 1]))
    let many = pick(place.entity.manys)
    let ends = place.many(many.key)
    let path = place.prefix + many.key
    guard chance(2) else {
      return PlainExpression(format: "\(path).@count", family: .number) { .whole(Int64(ends($0).count)) }
    }
    variables += 1
    let name = "x\(variables)"
    let inner = predicate(depth: below(2), [.variable(name, many.target)] + places)
    return PlainExpression(
      format: "SUBQUERY(\(path), $\(name), \(inner.format)).@count", arguments: inner.arguments, family: .number
    ) { scope in
      .whole(
        Int64(
          ends(scope).count { end in
            var scope = scope
            scope.elements[name] = end
            return inner.test(scope) == true
          }))
    }
  }
}
