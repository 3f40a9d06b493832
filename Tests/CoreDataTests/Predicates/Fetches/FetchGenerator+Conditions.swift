import Foundation

extension FetchGenerator {
  // MARK: Letters and operators

  /// The letters after an operator on strings.
  mutating func options() -> (text: String, letters: String) {
    let letters = pick(["", "", "c", "d", "cd", "dc", "cd", "n", "cn", "l", "cl"])
    return (letters.isEmpty ? "" : "[\(letters)]", letters)
  }

  mutating func comparisonOperator(isExact: Bool = true) -> (op: PlainOperator, spelling: String) {
    let op = pick(isExact ? PlainOperator.allCases : [.less, .greater, .lessOrEqual, .greaterOrEqual])
    return (op, pick(op.spellings))
  }

  // MARK: Constants

  /// A value written out or as an argument; one that no sum of rounded numbers equals, where those are compared.
  mutating func constant(_ family: PlainKind.Family, isExact: Bool = true) -> PlainExpression {
    guard isExact else {
      let value = Double(pick([-20, -3, 0, 1, 2, 5, 100])) + 0.123_457
      return PlainExpression(format: chance(2) ? "\(value)" : "%lf", arguments: [], family: .number) { _ in .real(value)
      }
      .taking(value)
    }
    let kind: PlainKind
    switch family {
    case .number: kind = pick([.int16, .int32, .int64, .bool, .tame, .double, .float])
    case .text, .object: kind = .text
    case .date: kind = .date
    case .uuid: kind = .uuid
    case .uri: kind = .uri
    case .data: kind = .data
    }
    // Nothing, written out, asks whether there is a value: see `nilCondition`.
    var value = kind.random(&random)
    while value.isMissing { value = kind.random(&random) }
    return written(value, kind)
  }

  private mutating func written(_ value: PlainValue, _ kind: PlainKind) -> PlainExpression {
    func literal(_ format: String) -> PlainExpression {
      PlainExpression(format: format, family: kind.family) { _ in value }
    }
    func argument(_ argument: Any, as conversion: String = "%@") -> PlainExpression {
      PlainExpression(format: conversion, arguments: [.value(argument)], family: kind.family) { _ in value }
    }
    switch value {
    case .whole(let whole):
      if kind == .bool, chance(2) { return literal(whole == 1 ? pick(["YES", "true"]) : pick(["NO", "FALSE"])) }
      switch below(3) {
      case 0: return literal("\(whole)")
      case 1: return argument(Int(whole), as: "%lld")
      default: return argument(NSNumber(value: whole))
      }
    case .real(let real):
      // A literal has no notation for what follows a decimal's digits.
      if chance(2), real.isFinite, abs(real) < 1e15, abs(real) > 1e-3 || real == 0 { return literal("\(real)") }
      return argument(chance(2) ? real : NSNumber(value: real))
    case .text(let text):
      if kind == .text, chance(2) {
        let escaped = text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "'", with: "\\'")
        return literal("'\(escaped)'")
      }
      return argument(kind.object(value) ?? text)
    default:
      return argument(kind.object(value) ?? NSNull())
    }
  }

  // MARK: Operators with their right sides

  /// An operator and what stands to the right of it, for a left side of the family.
  mutating func condition(
    on family: PlainKind.Family, isExact: Bool, _ places: [PlainPlace]
  ) -> PlainCondition {
    switch below(12) {
    case 0: return nilCondition()
    case 1: return between(family, isExact, places)
    case 2, 3: return isExact ? listed(family) : between(family, isExact, places)
    case 4 where isExact:
      let right = expression(places, depth: 0, family: family)
      guard right.isExact else { break }
      return compared(right, options: ("", ""))
    case 5...8 where family == .text: return stringCondition(places)
    default: break
    }
    return compared(
      constant(family, isExact: isExact), isExact: isExact, options: family == .text ? options() : ("", ""))
  }

  private mutating func compared(
    _ right: PlainExpression, isExact: Bool = true, options: (text: String, letters: String)
  ) -> PlainCondition {
    let op = comparisonOperator(isExact: isExact)
    return PlainCondition(format: "\(op.spelling)\(options.text) \(right.format)", arguments: right.arguments) {
      op.op.compare($0, right.value($1), options.letters)
    }
  }

  /// A nil written out: `==` and `!=` ask whether there is a value, and nothing else is known of it.
  private mutating func nilCondition() -> PlainCondition {
    let (written, arguments): (String, [PlainArgument]) =
      chance(3) ? ("%@", [.value(chance(2) ? NSNull() : Int?.none as Any)]) : (pick(["nil", "NULL", "null"]), [])
    let op = pick(["==", "=", "!=", "<>", "==", "!=", "<", ">=", "IN"])
    return PlainCondition(format: "\(op) \(written)", arguments: arguments) { value, _ in
      switch op {
      case "==", "=": value.isMissing
      case "!=", "<>": !value.isMissing
      default: nil
      }
    }
  }

  private mutating func between(
    _ family: PlainKind.Family, _ isExact: Bool, _ places: [PlainPlace]
  ) -> PlainCondition {
    func bound(_ generator: inout Self) -> PlainExpression {
      switch generator.below(10) {
      case 0: PlainExpression(format: "nil", family: family) { _ in .missing }
      case 1 where isExact: generator.expression(places, depth: 0, family: family)
      default: generator.constant(family, isExact: isExact)
      }
    }
    var (low, high) = (bound(&self), bound(&self))
    if !low.isExact { low = constant(family) }
    if !high.isExact { high = constant(family) }
    return PlainCondition(
      format: "BETWEEN {\(low.format), \(high.format)}", arguments: low.arguments + high.arguments
    ) { [low, high] value, scope in
      let (low, high) = (low.value(scope), high.value(scope))
      guard let above = value.order(to: low), let below = value.order(to: high) else { return nil }
      return above >= 0 && below <= 0
    }
  }

  private mutating func listed(_ family: PlainKind.Family) -> PlainCondition {
    var elements = (0..<pick([0, 1, 2, 3, 4])).map { _ in constant(family) }
    if chance(5) { elements.append(PlainExpression(format: "nil", family: family) { _ in .missing }) }
    let options = family == .text && chance(3) ? options() : ("", "")
    // Not unless all are values: an array that is an argument has no places for further arguments.
    let values: [Any] = elements.compactMap { element in
      if case .value(let value)? = element.arguments.first { value } else { nil }
    }
    let isArgument = values.count == elements.count && chance(2)
    return PlainCondition(
      format: "\(pick(["IN", "in"]))\(options.0) "
        + (isArgument ? "%@" : "{" + elements.map(\.format).joined(separator: ", ") + "}"),
      arguments: isArgument ? [.value(values)] : elements.flatMap(\.arguments)
    ) { value, scope in
      if elements.isEmpty { return false }
      return Kleene.or(elements.map { PlainOperator.equal.compare(value, $0.value(scope), options.1) })
    }
  }

  private mutating func stringCondition(_ places: [PlainPlace]) -> PlainCondition {
    if chance(8) { return pattern() }
    if chance(5) { return like() }
    let options = options()
    let right = chance(6) ? expression(places, depth: 0, family: .text) : constant(.text)
    let op = pick(["CONTAINS", "BEGINSWITH", "ENDSWITH", "IN", "beginswith"])
    return PlainCondition(format: "\(op)\(options.text) \(right.format)", arguments: right.arguments) { value, scope in
      PlainValue.texts(value, right.value(scope), options.letters).map { text, part in
        switch op {
        case "CONTAINS": PlainValue.contains(text, part)
        case "IN": PlainValue.contains(part, text)
        case "ENDSWITH": text.reversed().starts(with: part.reversed())
        default: text.starts(with: part)
        }
      }
    }
  }

  private mutating func like() -> PlainCondition {
    let options = options()
    let text = pick(PlainKind.texts).replacingOccurrences(of: "\\", with: "")
    var pattern = ""
    for character in text {
      switch below(5) {
      case 0: pattern.append("?")
      case 1: pattern.append("*")
      case 2: break
      default: pattern.append(character)
      }
    }
    if chance(2) { pattern = "*" + pattern }
    if chance(2) { pattern += "*" }
    return PlainCondition(format: "LIKE\(options.text) %@", arguments: [.value(pattern)]) { [pattern] value, _ in
      guard case .text(let text) = value else { return nil }
      return PlainValue.isLike(
        Array(PlainValue.folded(text, options.letters))[...], Array(PlainValue.folded(pattern, options.letters))[...])
    }
  }

  /// Regular expressions whose meaning is plain.
  private mutating func pattern() -> PlainCondition {
    let (pattern, test) = pick([
      (".*", { (_: String) in true }),
      ("a|ab", { ["a", "ab"].contains($0) }),
      (".*a.*", { $0.unicodeScalars.contains("a") }),
      ("[0-9]+", { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }),
      ("", \.isEmpty),
    ])
    return PlainCondition(format: "MATCHES %@", arguments: [.value(pattern)]) { value, _ in
      guard case .text(let text) = value else { return nil }
      return test(text)
    }
  }

  /// For a left side that is an object.
  mutating func objectCondition(
    _ entity: PlainEntity, _ places: [PlainPlace], canBeMissing: Bool
  ) -> PlainCondition {
    // Now and then one of another entity, which may have the same number in its own table.
    func row(_ generator: inout Self) -> Int {
      generator.pick(generator.world.rows(of: generator.chance(5) ? generator.pick([.item, .tag, .group]) : entity))
    }
    switch below(8) {
    case 0, 1:
      let op = pick(["==", "!="])
      return PlainCondition(format: "\(op) nil") { value, _ in value.isMissing == (op == "==") }
    case 2...4:
      let rows = (0..<below(4)).map { _ in row(&self) }
      return PlainCondition(format: "IN %@", arguments: [chance(2) ? .objects(rows) : .ids(rows)]) { value, _ in
        if rows.isEmpty { return false }
        guard case .row(let own) = value else { return nil }
        return rows.contains(own)
      }
    case 5:
      let other = place(in: places, hops: 1).object
      let op = pick([PlainOperator.equal, .notEqual])
      return PlainCondition(format: "\(op.spellings[0]) \(other.format)") { op.compare($0, other.value($1)) }
    default:
      let (other, op) = (row(&self), pick([PlainOperator.equal, .notEqual]))
      return PlainCondition(
        format: "\(op.spellings[0]) %@", arguments: [chance(2) ? .object(other) : .id(other)]
      ) { value, _ in op.compare(value, .row(other)) }
    }
  }
}

extension PlainExpression {
  /// With the argument that its format takes, where it takes one.
  fileprivate func taking(_ argument: Any) -> PlainExpression {
    var taking = self
    if format.hasPrefix("%") { taking.arguments = [.value(argument)] }
    return taking
  }
}
