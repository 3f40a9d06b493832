import CoreData

/// Random trees and objects, the same for the same seed.
struct PredicateGenerator {
  /// SplitMix64: small, seeded, good enough for choosing.
  struct Source: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var word = state
      word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
      word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
      return word ^ (word >> 31)
    }
  }

  var source: Source

  init(seed: UInt64) { source = Source(state: seed) }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int(source.next() % UInt64(elements.count))]
  }

  mutating func below(_ bound: Int) -> Int { Int(source.next() % UInt64(bound)) }

  // MARK: Trees of every shape

  mutating func predicate(depth: Int) -> PredicateTree {
    switch depth > 0 ? below(7) : below(3) {
    case 0: return .value(below(2) == 0)
    case 3: return .not(predicate(depth: depth - 1))
    case 4: return .and((0..<(below(3) + 1)).map { _ in predicate(depth: depth - 1) })
    case 5: return .or((0..<(below(3) + 1)).map { _ in predicate(depth: depth - 1) })
    default:
      return .comparison(
        .init(
          expression(depth: depth), pick(Self.operators), expression(depth: depth),
          modifier: pick([.direct, .direct, .any, .all]),
          options: .init(rawValue: below(3) == 0 ? UInt8(below(16)) : 0)))
    }
  }

  private static let operators: [PredicateTree.Operator] = [
    .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo, .matches, .like,
    .beginsWith, .endsWith, .in, .contains, .between, .utiEquals, .utiConformsTo, .selector("isEqual:"),
  ]

  mutating func expression(depth: Int) -> ExpressionTree {
    guard depth > 0 else {
      switch below(6) {
      case 0: return .selfObject
      case 1: return .variable(pick(["x", "FETCH_SOURCE", "_1"]))
      case 2, 3: return .keyPath((0...below(3)).map { _ in pick(["a", "name", "size", "self", "größe", "AND", "b2"]) })
      default: return .constant(constant())
      }
    }
    let function = pick(PredicateFunction.allCases.filter { $0 != .objectAtIndex })
    switch below(10) {
    case 0: return .path(expression(depth: depth - 1), .keyPath([pick(["@count", "k", "first"])]))
    case 1: return .index(expression(depth: depth - 1), .at(expression(depth: depth - 1)))
    case 2: return .index(expression(depth: depth - 1), pick([.first, .last, .size]))
    case 3, 4, 5:
      let count = (1...3).first { function.accepts($0) } ?? 0
      return .function(function, (0..<count).map { _ in expression(depth: depth - 1) })
    case 6: return .call(expression(depth: depth - 1), selector: "pow:", [expression(depth: depth - 1)])
    case 7: return .subquery(expression(depth: depth - 1), variable: "s", predicate(depth: depth - 1))
    case 8: return .set(pick([.union, .intersect, .minus]), expression(depth: depth - 1), expression(depth: depth - 1))
    default:
      return below(2) == 0
        ? .aggregate((0..<below(3)).map { _ in expression(depth: depth - 1) })
        : .conditional(predicate(depth: depth - 1), expression(depth: depth - 1), expression(depth: depth - 1))
    }
  }

  mutating func constant() -> Constant {
    switch below(7) {
    case 0: .null
    case 1: .bool(below(2) == 0)
    case 2: .integer(pick([0, 1, -1, .max, .min, 42]))
    case 3: .double(pick([0.5, -2.25, 1e300, 1e-9, -0.0, 1.0 / 3, 1e16, 123_456_789.125]))
    case 4: .date(Date(timeIntervalSinceReferenceDate: pick([0, -1.5, 7e8])))
    case 5: .decimal(pick([Decimal(string: "12345678901234567890.125") ?? 0, -7, Decimal(UInt64.max)]))
    default: .string(pick(["", "x", "it's", "\"q\"", "back\\slash", "line\nbreak", "é", "e\u{301}", "👨‍👩‍👧", "%@", "$x"]))
    }
  }

  // MARK: Records, and predicates with a plain Swift twin

  struct Record: Sendable {
    var name: String?
    var age: Int?
    var score: Double?
    var tags: [String]

    var dictionary: [String: Any] {
      ["name": name ?? NSNull(), "age": age ?? NSNull(), "score": score ?? NSNull(), "tags": tags]
    }
  }

  mutating func record() -> Record {
    Record(
      name: pick([nil, "", "Ana", "ana", "Zoë", "bob", "İstanbul", "straße"]), age: pick([nil, -1, 0, 17, 18, 99]),
      score: pick([nil, 0, 0.5, -3.25, 1e12]), tags: (0..<below(4)).map { _ in pick(["a", "b", "c"]) })
  }

  /// A format string, and what it means by hand.
  mutating func twin(depth: Int) -> (format: String, filter: (Record) -> Bool) {
    if depth > 0 {
      let (left, right) = (twin(depth: depth - 1), twin(depth: depth - 1))
      switch below(3) {
      case 0: return ("(\(left.format)) AND (\(right.format))", { left.filter($0) && right.filter($0) })
      case 1: return ("(\(left.format)) OR (\(right.format))", { left.filter($0) || right.filter($0) })
      default: return ("NOT (\(left.format))", { !left.filter($0) })
      }
    }
    let (text, number) = (pick(["", "Ana", "a", "o"]), pick([-1, 0, 17, 18, 50]))
    switch below(12) {
    case 0: return ("name == '\(text)'", { $0.name == text })
    case 1: return ("name != '\(text)'", { $0.name != text })
    case 2: return ("name == nil", { $0.name == nil })
    case 3: return ("name CONTAINS '\(text)'", { $0.name.map { text.isEmpty || $0.contains(text) } ?? false })
    case 4: return ("name BEGINSWITH[c] '\(text)'", { $0.name?.lowercased().hasPrefix(text.lowercased()) ?? false })
    case 5: return ("age < \(number)", { $0.age.map { $0 < number } ?? false })
    case 6: return ("age BETWEEN {0, \(number)}", { $0.age.map { $0 >= 0 && $0 <= number } ?? false })
    case 7: return ("age IN {\(number), 99}", { $0.age == number || $0.age == 99 })
    case 8: return ("score >= \(number)", { $0.score.map { $0 >= Double(number) } ?? false })
    case 9: return ("ANY tags == 'a'", { $0.tags.contains("a") })
    case 10: return ("ALL tags != 'b'", { !$0.tags.contains("b") })
    default:
      return (
        "tags.@count > 1 AND SUBQUERY(tags, $t, $t == 'c').@count == 0", { $0.tags.count > 1 && !$0.tags.contains("c") }
      )
    }
  }

  /// A predicate's text with a few bytes changed, doubled or left out, or pieces in any order.
  mutating func noise() -> String {
    if below(2) == 0 {
      var bytes = Array(predicate(depth: 2).format(.parsable).utf8)
      for _ in 0..<below(3) where !bytes.isEmpty {
        let place = below(bytes.count)
        switch below(3) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(bytes[below(bytes.count)], at: place)
        default: bytes[place] = UInt8(below(256))
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
    let pieces = [
      "a", "==", "'", "\"", "(", ")", "[", "]", "{", "}", "AND", "NOT", "%@", "%K", "%", "$x", "$", "@", "#", ".",
      ",", ":", "SUBQUERY(", "FUNCTION(", "1", "0x", "1e", "\\", "é", "\u{0}", " ", "IN", "[cd]", "-", "**", "ANY",
      "BETWEEN", "CAST(",
    ]
    return (0..<below(30)).map { _ in pick(pieces) + (below(2) == 0 ? " " : "") }.joined()
  }
}
