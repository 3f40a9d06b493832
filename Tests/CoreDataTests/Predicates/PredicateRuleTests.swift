import CoreData
import Testing

@Suite("Rules of predicates, one by one")
struct PredicateRuleTests {
  private func format(_ text: String, _ arguments: [Any] = []) throws -> String {
    try PredicateForm(format: text, arguments: arguments).tree.format()
  }

  private func holds(_ text: String, _ arguments: [Any] = [], _ object: Any? = nil) throws -> Bool {
    try PredicateForm(format: text, arguments: arguments).evaluate(with: object)
  }

  @Test func `white space counts only within quotes, and letters of words may be of either case (rule 1)`() throws {
    for text in ["a=='x  y'", "  a  ==  'x  y'  ", "a\n==\t\"x  y\""] { #expect(try format(text) == "a == \"x  y\"") }
    #expect(
      try format("AnY b bEgInSwItH[Cd] 'x' aNd not c iN {yEs, nIl, nUlL}")
        == "ANY b BEGINSWITH[cd] \"x\" AND (NOT c IN {1, nil, nil})")
  }

  @Test func `parentheses nest, and types are no matter of the parser (rule 2)`() throws {
    let depth = 60
    let nested = String(repeating: "(", count: depth) + "a == 1" + String(repeating: ")", count: depth)
    #expect(try format(nested) == "a == 1")
    let mixed = try PredicateForm(format: "1 > 'x' AND (3 CONTAINS nil)", arguments: [])
    #expect(throws: PredicateError.self) { _ = try mixed.evaluate(with: nil) }
  }

  @Test func `within quotes nothing is replaced, and no argument is taken (rule 4)`() throws {
    #expect(try format("a == '%@ %K %d $x' AND b == %@", ["c"]) == "a == \"%@ %K %d $x\" AND b == \"c\"")
  }

  @Test func `an index belongs to the last key of a path, unless parentheses say otherwise (rule 10)`() throws {
    let object: [String: Any] = ["a": ["d": [7, 8]]]
    let bare = try PredicateForm(format: "a.d[0] == 7", arguments: [])
    #expect(throws: PredicateError.self) { _ = try bare.evaluate(with: object) }
    #expect(try holds("(a.d)[0] == 7", [], object) && holds("(a.d)[LAST] == 8", [], object))
    #expect(try format("a.d[0] == 7") == "a.d[0] == 7" && format("(a.d)[0] == 7") == "(a.d)[0] == 7")
  }

  @Test func `BETWEEN takes two values, both of which belong to the range (rule 12)`() throws {
    for (value, isBetween) in [(0, false), (1, true), (2, true), (3, true), (4, false)] {
      #expect(try holds("SELF BETWEEN {1, 3}", [], value) == isBetween)
      #expect(try holds("SELF BETWEEN %@", [[1, 3]], value) == isBetween)
    }
    #expect(try holds("SELF BETWEEN {'b', 'd'}", [], "b") && !holds("SELF BETWEEN {'b', 'd'}", [], "a"))
    for bounds in ["{1}", "{1, 2, 3}", "3"] {
      let form = try PredicateForm(format: "SELF BETWEEN \(bounds)", arguments: [])
      #expect(throws: PredicateError.self) { _ = try form.evaluate(with: 1) }
    }
  }

  @Test func `IN and CONTAINS mirror each other, on strings and dictionaries too; NOT IN is no operator (rule 13)`()
    throws
  {
    #expect(try holds("2 IN %@", [[1, 2]]) && holds("%@ CONTAINS 2", [[1, 2]]))
    #expect(try holds("'b' IN 'abc'") && holds("'abc' CONTAINS 'b'") && !holds("'x' IN 'abc'"))
    #expect(try holds("3 IN %@", [["k": 3]]) && !holds("'k' IN %@", [["k": 3]]))
    #expect(throws: PredicateParseError.self) { _ = try format("a NOT IN {1}") }
    #expect(try format("NOT (a IN {1})") == "NOT a IN {1}")
  }

  @Test func `equality prints as two signs, and sums without parentheses of their own (rule 21)`() throws {
    #expect(try format("a = 1 + 2 + 3") == "a == 1 + 2 + 3" && format("a == (1 + 2) * 3") == "a == (1 + 2) * 3")
  }

  @Test func `ordering a string and a number raises, as does adding strings (rule 25)`() throws {
    for text in ["'1' < 2", "2 >= '1'", "'1' + '1' == '2'"] {
      let form = try PredicateForm(format: text, arguments: [])
      let error = #expect(throws: PredicateError.self) { _ = try form.evaluate(with: nil) }
      #expect(error?.name == "NSInvalidArgumentException")
    }
    #expect(try !holds("'1' == 1"))
  }

  @Test func `equal predicates have equal hashes: numbers by amount, texts to the letter (rule 23)`() throws {
    let equal: [(NSPredicate, NSPredicate)] = [
      (NSPredicate(format: "a == 1"), NSPredicate(format: "a == 1.0")),
      (NSPredicate(format: "a == YES"), NSPredicate(format: "a == %@", NSNumber(value: 1))),
      (NSPredicate(format: "a == %@", NSDecimalNumber(string: "0.5")), NSPredicate(format: "a == 0.5")),
      (NSPredicate(format: "a IN %@", [1, 2]), NSPredicate(format: "a IN %@", [1.0, 2.0])),
      (NSPredicate(format: "a = 1 AND b <> 2"), NSPredicate(format: "(a == 1) AND (b != 2)")),
    ]
    for (left, right) in equal { #expect(left == right && left.hash == right.hash, "\(left.description)") }
    let unequal: [(NSPredicate, NSPredicate)] = [
      (NSPredicate(format: "a == 'é'"), NSPredicate(format: "a == 'e\u{301}'")),
      (NSPredicate(format: "a == '1'"), NSPredicate(format: "a == 1")),
      (NSPredicate(format: "a ==[c] 'x'"), NSPredicate(format: "a == 'x'")),
      (NSPredicate(format: "a == 1 AND b == 2"), NSPredicate(format: "b == 2 AND a == 1")),
      (NSPredicate { _, _ in true }, NSPredicate { _, _ in true }),
    ]
    for (left, right) in unequal { #expect(left != right, "\(left.description)") }
    #expect(NSExpression(format: "a + 1") == NSExpression(format: "a + 1.0"))
    #expect(NSExpression(format: "a + 1").hash == NSExpression(format: "a + 1.0").hash)
    // Trees tell the numbers apart: a division goes by the difference.
    #expect(NSPredicate(format: "a / 2 == 1").tree != NSPredicate(format: "a / 2.0 == 1").tree)
  }
}
