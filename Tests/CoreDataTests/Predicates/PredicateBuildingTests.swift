import CoreData
import Testing

@Suite("Predicates built in code")
struct PredicateBuildingTests {
  private let records = zip(["a", "b", "c", "a", "b", "c"], 0...).map {
    ["requiredString": $0, "extraInt": $1] as [String: Any]
  }

  private func indices(_ predicate: NSPredicate) -> [Int] {
    records.indices.filter { predicate.evaluate(with: records[$0]) }
  }

  @Test func `a negated comparison has no parentheses, a negated compound has (P069, rule 19)`() {
    let between = NSPredicate(format: "extraInt BETWEEN {1, 3}")
    let negation = NSCompoundPredicate(notPredicateWithSubpredicate: between)
    #expect(negation.writtenFormat == "NOT extraInt BETWEEN {1, 3}")
    #expect(indices(negation) == [0, 4, 5])
    #expect(NSPredicate(format: "NOT (a == 1 OR b == 2)").writtenFormat == "NOT (a == 1 OR b == 2)")
  }

  @Test func `a lone comparison in a compound has no parentheses (P071)`() {
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
      NSPredicate(format: "extraInt BETWEEN {1, 3}"), NSPredicate(format: "requiredString == %@", "a"),
    ])
    #expect(both.writtenFormat == "extraInt BETWEEN {1, 3} AND requiredString == \"a\"")
    #expect(indices(both) == [3])
  }

  @Test func `a compound in a compound has parentheses (P072)`() {
    func either(_ left: String, _ right: String) -> NSPredicate {
      NSCompoundPredicate(orPredicateWithSubpredicates: [NSPredicate(format: left), NSPredicate(format: right)])
    }
    let both = NSCompoundPredicate(
      type: .and,
      subpredicates: [
        either("requiredString == 'a'", "requiredString == 'b'"), either("extraInt == 1", "extraInt == 999"),
      ])
    #expect(
      both.writtenFormat
        == "(requiredString == \"a\" OR requiredString == \"b\") AND (extraInt == 1 OR extraInt == 999)")
    #expect(indices(both) == [1])
  }

  @Test func `nested compounds keep their parentheses, AND in AND and OR in OR too (P075)`() {
    func and(_ left: NSPredicate, _ right: NSPredicate) -> NSPredicate {
      NSCompoundPredicate(andPredicateWithSubpredicates: [left, right])
    }
    func or(_ left: NSPredicate, _ right: NSPredicate) -> NSPredicate {
      NSCompoundPredicate(orPredicateWithSubpredicates: [left, right])
    }
    let predicate = or(
      and(NSPredicate(format: "X = 10 AND V = 11"), NSPredicate(format: "Y = 30 OR W = 5")),
      or(NSPredicate(format: "Z = 20"), NSPredicate(format: "K = 40 AND C = 11")))
    #expect(
      predicate.writtenFormat
        == "((X == 10 AND V == 11) AND (Y == 30 OR W == 5)) OR (Z == 20 OR (K == 40 AND C == 11))")
    // The same text parses to the same tree.
    #expect(NSPredicate(format: predicate.writtenFormat) == predicate)
  }

  @Test func `a date prints as a cast, a date in an argument array as its description (P089, rule 18)`() {
    let (early, late) = (Date(timeIntervalSinceReferenceDate: 1000), Date(timeIntervalSinceReferenceDate: 3000))
    let between = NSPredicate(format: "birthday BETWEEN %@", argumentArray: [[early, late]])
    #expect(between.writtenFormat == "birthday BETWEEN {\(early.description), \(late.description)}")
    #expect(between.evaluate(with: ["birthday": early]))
    #expect(between.evaluate(with: ["birthday": late]))
    #expect(!between.evaluate(with: ["birthday": Date.distantFuture]))
    let equal = NSPredicate(format: "birthday == %@", early as any CVarArg)
    #expect(equal.writtenFormat == "birthday == CAST(1000.000000, \"NSDate\")")
    #expect(NSPredicate(format: equal.writtenFormat) == equal)
  }

  @Test func `AND of nothing is true, OR of nothing is false (P133, rule 23)`() {
    #expect(NSCompoundPredicate(andPredicateWithSubpredicates: []).evaluate(with: nil))
    #expect(!NSCompoundPredicate(orPredicateWithSubpredicates: []).evaluate(with: nil))
  }

  @Test func `nil equals nil, differs from nothing else, and orders with itself only (P150, rule 24)`() {
    let null = NSExpression(forConstantValue: nil)
    func holds(_ type: CoreData.NSComparisonPredicate.Operator, _ right: NSExpression) -> Bool {
      NSComparisonPredicate(leftExpression: null, rightExpression: right, modifier: .direct, type: type)
        .evaluate(with: nil)
    }
    #expect(holds(.equalTo, null) && !holds(.notEqualTo, null))
    #expect(holds(.greaterThanOrEqualTo, null) && holds(.lessThanOrEqualTo, null))
    #expect(!holds(.greaterThan, null) && !holds(.lessThan, null))
    let text = NSExpression(forConstantValue: "x")
    #expect(!holds(.equalTo, text) && holds(.notEqualTo, text))
    for type: CoreData.NSComparisonPredicate.Operator in [
      .lessThan, .greaterThan, .lessThanOrEqualTo, .beginsWith, .endsWith, .contains, .like, .matches,
    ] {
      #expect(!holds(type, text), "\(type)")
    }
  }

  @Test func `a parsed predicate is of the class its outermost operator says, and can be taken apart`() throws {
    let predicate = NSPredicate(format: "ANY tags.name CONTAINS[cd] %@ AND NOT age > 3", "x")
    let compound = try #require(predicate as? Foundation.NSCompoundPredicate)
    #expect(compound.compoundPredicateType == .and)
    let comparison = try #require(compound.subpredicates.first as? CoreData.NSComparisonPredicate)
    #expect(comparison.comparisonPredicateModifier == .any)
    #expect(comparison.predicateOperatorType == .contains)
    #expect(comparison.options == [.caseInsensitive, .diacriticInsensitive])
    #expect(comparison.leftExpression.keyPath == "tags.name")
    #expect(comparison.rightExpression.constantValue as? String == "x")
    let rebuilt = NSComparisonPredicate(
      leftExpression: comparison.leftExpression, rightExpression: comparison.rightExpression,
      modifier: comparison.comparisonPredicateModifier, type: comparison.predicateOperatorType,
      options: comparison.options)
    #expect(rebuilt == comparison && rebuilt.hash == comparison.hash)
    #expect(NSPredicate(format: "FALSEPREDICATE") == NSPredicate(value: false).form.predicate)
  }

  @Test func `variables are replaced by constants and by expressions, others stay (rule 7)`() {
    let template = NSPredicate(
      format: "age > $limit AND name == $name AND SUBQUERY(kids, $limit, $limit > 1).@count > 0")
    let filled = template.withSubstitutionVariables(["limit": 18, "name": NSExpression(forKeyPath: "nick")])
    #expect(
      filled.writtenFormat == "age > 18 AND name == nick AND SUBQUERY(kids, $limit, $limit > 1).@count > 0")
    #expect(template.withSubstitutionVariables([:]) == template)
    #expect(
      NSPredicate(format: "age > $limit").evaluate(with: ["age": 20], substitutionVariables: ["limit": 18]))
  }

  @Test func `blocks keep working inside compounds, and are named as blocks in the tree`() {
    let block = NSPredicate { object, bindings in
      (object as? [String: Any])?["age"] as? Int == bindings?["age"] as? Int
    }
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [block, NSPredicate(format: "age > 1")])
    #expect(both.evaluate(with: ["age": 3], substitutionVariables: ["age": 3]))
    #expect(!both.evaluate(with: ["age": 3], substitutionVariables: ["age": 4]))
    guard case .and(let children) = both.tree, case .block = children[0] else {
      Issue.record("no block in \(both.tree)")
      return
    }
    let doubled = NSExpression(
      block: { _, values, _ in (values[0] as? Int ?? 0) * 2 }, arguments: [NSExpression(forKeyPath: "a")])
    #expect(doubled.expressionValue(with: ["a": 4], context: nil) as? Int == 8)
  }

  @Test func `copies are equal; a changed compound says what it holds`() throws {
    let predicate = NSPredicate(format: "a == 1 OR b == 2")
    let copy = try #require(predicate.copy() as? Foundation.NSCompoundPredicate)
    #expect(copy == predicate && copy.hash == predicate.hash)
    copy.subpredicates = [NSPredicate(format: "c == 3"), NSPredicate(value: true)]
    #expect(copy.writtenFormat == "c == 3 OR TRUEPREDICATE")
    #expect(copy != predicate)
  }

  @Test func `a wrong format string stops the process with Apple's reason (rule 16)`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "name NOT IN %@", argumentArray: [["a"]])
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Unable to parse the format string \"name NOT IN %@\""))
  }
}
