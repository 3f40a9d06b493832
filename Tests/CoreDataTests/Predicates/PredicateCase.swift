import CoreData
import Testing

/// A line of the collected facts about predicates: what a format string prints as, and what it answers.
struct PredicateCase: Sendable, CustomTestStringConvertible {
  let id: String
  let format: String
  var isExpression = false
  var arguments: @Sendable () -> [Any] = { [] }
  var canonical: String?
  var answers: [Answer] = []
  /// The format is an error.
  var isUnparsable = false

  struct Answer: Sendable {
    var object: @Sendable () -> Any? = { nil }
    var variables: @Sendable () -> [String: Any] = { [:] }
    let expected: Expected
  }

  enum Expected: Sendable {
    case yes, no
    /// A number, for an expression.
    case number(Double)
    /// An error whose reason holds this text.
    case raises(String)
    /// For an array of dictionaries: the `id` of those that match, in order.
    case selects([String])
  }

  var testDescription: String { "\(id) \(format)" }

  static func unparsable(_ id: String, _ format: String, expression: Bool = false) -> PredicateCase {
    PredicateCase(id: id, format: format, isExpression: expression, isUnparsable: true)
  }
}

/// An object as the object layer would give it to predicates.
final class Thing: PredicateObject {
  final class ID: PredicateIdentifying {
    let number: Int
    init(_ number: Int) { self.number = number }
    func isSamePredicateIdentity(as other: any PredicateIdentifying) -> Bool { (other as? ID)?.number == number }
    var predicateIdentityHash: Int { number }
    var predicateIdentityText: String { "<thing \(number)>" }
  }

  let id: ID
  private let values: [String: Any]

  init(_ number: Int, _ values: [String: Any] = [:]) {
    id = ID(number)
    self.values = values
  }

  var predicateIdentity: PredicateIdentity { PredicateIdentity(id) }

  func predicateValue(forKey key: String) throws(PredicateError) -> PredicateValue {
    guard let value = values[key] else { throw PredicateError.unknownKey(key, of: "<Thing>") }
    return PredicateValue(value)
  }
}

@Suite("Collected facts about predicates")
struct PredicateCaseTests {
  static let all = PredicateCase.formats + PredicateCase.literals + PredicateCase.records + PredicateCase.paths

  @Test(arguments: all)
  func `a collected fact holds for parsing, printing and evaluating (rules 1 to 31)`(_ fact: PredicateCase) throws {
    if fact.isUnparsable {
      #expect(throws: PredicateParseError.self) { _ = try parsed(fact) }
      return
    }
    let form = try parsed(fact)
    if let canonical = fact.canonical {
      #expect(form.printed == canonical)
    }
    #expect(fact.canonical != nil || !fact.answers.isEmpty, "a fact that asserts nothing")
    for answer in fact.answers { try check(form, answer) }
  }

  private enum Parsed {
    case predicate(PredicateForm)
    case expression(CoreData.NSExpression)

    var printed: String {
      switch self {
      case .predicate(let form): form.tree.format()
      case .expression(let expression): expression.description
      }
    }

    func value(_ object: Any?, _ variables: [String: Any]) throws -> Any? {
      switch self {
      case .predicate(let form): try form.evaluate(with: object, variables: variables)
      case .expression(let expression): try expression.value(with: object, variables: variables)
      }
    }
  }

  private func parsed(_ fact: PredicateCase) throws -> Parsed {
    fact.isExpression
      ? .expression(try NSExpression(parsing: fact.format, fact.arguments()))
      : .predicate(try PredicateForm(format: fact.format, arguments: fact.arguments()))
  }

  private func check(_ form: Parsed, _ answer: PredicateCase.Answer) throws {
    let (object, variables) = (answer.object(), answer.variables())
    switch answer.expected {
    case .yes: #expect(try form.value(object, variables) as? Bool == true)
    case .no: #expect(try form.value(object, variables) as? Bool == false)
    case .number(let number):
      let value = try form.value(object, variables)
      #expect(value as? Double == number || (value as? Int).map(Double.init) == number, "\(String(describing: value))")
    case .raises(let text):
      let error = #expect(throws: PredicateError.self) { _ = try form.value(object, variables) }
      #expect(error?.reason.contains(text) == true, "\(String(describing: error))")
    case .selects(let ids):
      let chosen = try (object as? [[String: Any]] ?? []).filter { try form.value($0, variables) as? Bool == true }
      #expect(chosen.map { $0["id"] as? String ?? "" } == ids)
    }
  }

  @Test func `every collected case is covered, and the count is told`() {
    let covered = Set(Self.all.map(\.id)).union(PredicateCase.inOtherTests)
    let missing = Set(PredicateCase.collected).subtracting(covered)
    print("predicate cases covered: \(covered.count) of \(PredicateCase.collected.count)")
    #expect(missing.isEmpty, "\(missing.sorted())")
    #expect(covered.isSubset(of: Set(PredicateCase.collected)))
  }
}
