import Foundation

extension FetchGenerator {
  // MARK: Casts and bits

  /// `CAST`, for the types whose values it cannot refuse.
  mutating func cast(_ places: [PlainPlace], _ family: PlainKind.Family?) -> PlainExpression? {
    let (source, kinds, type): (PlainKind.Family, [PlainKind], String)
    switch family ?? pick([.number, .date, .text]) {
    case .number: (source, kinds, type) = (.date, [.date], "NSNumber")
    case .date: (source, kinds, type) = (.number, [.int16, .int32], "NSDate")
    case .text: (source, kinds, type) = (.number, [.int16, .int32, .int64], "NSString")
    default: return nil
    }
    guard let value = attribute(of: kinds, places) else { return nil }
    let target: PlainKind.Family = source == .date ? .number : type == "NSDate" ? .date : .text
    return PlainExpression(format: "CAST(\(value.format), \"\(type)\")", family: target) { scope in
      switch value.value(scope) {
      case .date(let seconds): .real(seconds)
      case .whole(let whole): target == .date ? .date(Double(whole)) : .text("\(whole)")
      default: .missing
      }
    }
  }

  /// Operators on the bits of whole numbers, as functions and as symbols; powers that are exact.
  mutating func bits(_ places: [PlainPlace]) -> PlainExpression? {
    guard let one = attribute(of: [.int16, .bool], places) else { return nil }
    let operand = pick([0, 1, 2, 3] as [Int64])
    let (name, symbol, result): (String, String?, (Int64) -> Int64) = pick([
      ("bitwiseAnd:with:", "&", { $0 & operand }), ("bitwiseOr:with:", "|", { $0 | operand }),
      ("bitwiseXor:with:", "^", { $0 ^ operand }), ("leftshift:by:", nil, { $0 << operand }),
      ("rightshift:by:", nil, { $0 >> operand }), ("onesComplement:", nil, { ~$0 }),
      ("raise:toPower:", "**", { base in (0..<operand).reduce(1) { power, _ in power * base } }),
    ])
    let format =
      if name == "onesComplement:" {
        "\(name)(\(one.format))"
      } else if let symbol, chance(2) {
        "(\(one.format) \(symbol) \(operand))"
      } else {
        "\(name)(\(one.format), \(operand))"
      }
    return PlainExpression(format: format, family: .number) { scope in
      guard case .whole(let whole) = one.value(scope) else { return .missing }
      return .whole(result(whole))
    }
  }

  private mutating func attribute(of kinds: [PlainKind], _ places: [PlainPlace]) -> PlainExpression? {
    let place = place(in: places)
    return place.entity.attributes.filter { kinds.contains($0.kind) }.randomElement(using: &random)
      .map { place.attribute($0.key, $0.kind) }
  }

  // MARK: Elements of collections

  /// `[SIZE]` of a to-many; `[FIRST]` and `[LAST]` of an ordered one, and a value of theirs.
  mutating func element(_ places: [PlainPlace], _ family: PlainKind.Family?) -> PlainExpression? {
    guard let place = collectionPlace(places) else { return nil }
    if family == nil || family == .number, chance(2) {
      let many = pick(place.entity.manys)
      let ends = place.many(many.key)
      return PlainExpression(format: "\(place.prefix)\(many.key)[SIZE]", family: .number) {
        .whole(Int64(ends($0).count))
      }
    }
    guard let many = place.entity.manys.filter({ ["ranked", "line"].contains($0.key) }).randomElement(using: &random),
      let (key, kind) = many.target.attributes.filter({ family == nil || $0.kind.family == family })
        .randomElement(using: &random)
    else { return nil }
    let (ends, isFirst) = (place.many(many.key), chance(2))
    return PlainExpression(
      format: "(\(place.prefix)\(many.key)[\(isFirst ? "FIRST" : "LAST")]).\(key)", family: kind.family,
      isExact: kind != .decimal
    ) { scope in
      let row = isFirst ? ends(scope).first : ends(scope).last
      return row.flatMap { scope.world.rows[$0].values[key] } ?? .missing
    }
  }

  /// `value IN to-many.key` and `to-many.key CONTAINS value`.
  mutating func valueMembership(_ places: [PlainPlace]) -> PlainPredicate? {
    guard let place = collectionPlace(places) else { return nil }
    let many = pick(place.entity.manys)
    let (key, kind) = pick(many.target.attributes.filter { $0.kind != .decimal })
    let (ends, path) = (place.many(many.key), "\(place.prefix)\(many.key).\(key)")
    let value = chance(3) ? expression(places, depth: 0, family: kind.family) : constant(kind.family)
    guard value.isExact else { return nil }
    let isIn = chance(2)
    return PlainPredicate(
      format: isIn ? "\(value.format) IN \(path)" : "\(path) CONTAINS \(value.format)", arguments: value.arguments
    ) { scope in
      let elements = ends(scope).map { scope.world.rows[$0].values[key] ?? .missing }
      return Kleene.or([false] + elements.map { PlainOperator.equal.compare(value.value(scope), $0) })
    }
  }

  /// Somewhere with a collection whatever is set: behind a to-one that is not set there is none, and nothing says what it
  /// holds.
  private mutating func collectionPlace(_ places: [PlainPlace]) -> PlainPlace? {
    let place = pick(places)
    return place.prefix.isEmpty
      || place.prefix.hasPrefix("$") && place.prefix.firstIndex(of: ".") == place.prefix.indices.last
      ? place : nil
  }
}
