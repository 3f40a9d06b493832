import CoreData
import Testing

@Suite("Evaluating predicates in memory")
struct PredicateEvaluationTests {
  private func holds(_ format: String, _ object: Any? = nil, _ arguments: [Any] = []) throws -> Bool {
    try PredicateForm(format: format, arguments: arguments).evaluate(with: object)
  }

  private func fetched(_ format: String, _ object: Any?, _ arguments: [Any] = []) throws -> Bool? {
    let form = try PredicateForm(format: format, arguments: arguments)
    return try PredicateEvaluator(form.captures, nulls: .fetch).evaluate(form.tree, PredicateValue(object))
  }

  @Test func `nil in memory: equal to nil, different from values, ordered with nothing (rule 24)`() throws {
    let empty: [String: Any] = ["name": NSNull(), "tags": [NSNull(), "x"]]
    #expect(try holds("name == nil AND name != 'x' AND NOT name < 'x' AND NOT name > 'x'", empty))
    #expect(try holds("name >= missing AND NOT name BEGINSWITH 'x' AND NOT name IN {'x'}", empty))
    #expect(try holds("NOT name LIKE '*' AND NOT name MATCHES '.*' AND NOT name BETWEEN {1, 2}", empty))
    #expect(try holds("'x' IN tags AND nil IN tags AND ANY tags == 'x'", empty))
  }

  @Test func `nil in a fetch: unknown, unless asked for (rule 36)`() throws {
    let empty: [String: Any] = ["name": NSNull(), "age": 3, "nan": Double.nan]
    #expect(try fetched("name == nil", empty) == true)
    #expect(try fetched("name != nil", empty) == false)
    #expect(try fetched("age != %@", empty, [NSNull()]) == true)
    for unknown in [
      "name != 'x'", "NOT (name == 'x')", "NOT (name IN {'x'})", "name < 'x'", "name == other", "name CONTAINS 'x'",
      "nan == nan", "name BETWEEN {1, 2}", "age + name > 1", "NOT age IN {1, nil}", "name == 'x' AND age == 3",
      "name == 'x' OR age == 4",
    ] {
      #expect(try fetched(unknown, empty) == nil, "\(unknown)")
    }
    #expect(try fetched("name == 'x' AND age == 4", empty) == false)
    #expect(try fetched("name == 'x' OR age == 3", empty) == true)
    #expect(try fetched("nan == nil", empty) == true)
  }

  @Test func `in a fetch what is missing is in no empty collection, and a missing bound leaves all unknown (rule 36)`()
    throws
  {
    let object: [String: Any] = ["name": NSNull(), "age": 3, "few": [String]()]
    #expect(try fetched("name IN {}", object) == false)
    #expect(try fetched("NOT name IN %@", object, [[String]()]) == true)
    #expect(try fetched("few CONTAINS name", object) == false)
    #expect(try fetched("age BETWEEN {5, nil}", object) == nil)
    #expect(try fetched("NOT age BETWEEN {nil, 1}", object) == nil)
    #expect(try !holds("age BETWEEN {nil, 5}", object))
  }

  @Test func `in a fetch not-a-number is no value, in figures too, and nothing is divided by zero (rule 32)`() throws {
    let object: [String: Any] = ["n": [1, Double.nan, 3], "nan": Double.nan, "zero": 0]
    #expect(try fetched("n.@sum.self == 4 AND n.@avg.self == 2 AND n.@max.self == 3", object) == true)
    #expect(try fetched("nan IN {1, 2}", object) == nil)
    #expect(try fetched("zero IN {1, nan}", object) == nil)
    // Beside numbers of any kind.
    for number in ["NO", "0", "0.0", "%@"] {
      let arguments: [Any] = number == "%@" ? [Decimal(0)] : []
      #expect(try PredicateForm(format: "nan == \(number)", arguments: arguments).evaluate(with: object) == false)
      let contains = try PredicateForm(format: "n CONTAINS \(number)", arguments: arguments)
      #expect(try contains.evaluate(with: object) == false)
    }
    #expect(try fetched("1.5 / zero > 0", object) == nil)
    #expect(try fetched("1 / zero == nil", object) == true)
    #expect(try fetched("abs:(nan) == nil", object) == true)
    #expect(try holds("1.5 / zero > 1000", object))
  }

  @Test func `folding letters follow the letters after the operator, on both sides (rule 26)`() throws {
    #expect(try holds("'CAFÉ' ==[c] 'café' AND NOT 'CAFÉ' ==[c] 'cafe' AND 'Café' ==[d] 'Cafe'"))
    #expect(try holds("NOT 'Café' ==[d] 'cafe' AND 'CAFÉ' ==[cd] 'cafe' AND 'cafe' ==[cd] 'CAFÉ'"))
    #expect(try holds("'Straße' CONTAINS[c] 'STRASSE' OR 'Straße' CONTAINS[c] 'straße'"))
    #expect(try holds("NOT 'a' == 'A' AND 'a' <[c] 'B' AND 'B' < 'a'"))
    #expect(try holds("'Ångström' BEGINSWITH[cd] 'ang' AND 'Ångström' ENDSWITH[cd] 'OM' AND 'x' ==[n] 'x'"))
    // Composed and decomposed spellings differ literally, and are the same without their marks.
    #expect(try holds("NOT %@ == %@ AND %@ ==[d] %@", nil, ["\u{e9}", "e\u{301}", "\u{e9}", "e\u{301}"]))
  }

  @Test func `LIKE has two signs and an escape, and takes no exponential time (rule 14)`() throws {
    #expect(try holds("'a.b' LIKE 'a.b' AND NOT 'axb' LIKE 'a.b' AND 'aé' LIKE 'a?' AND '' LIKE '*'"))
    #expect(try holds("%@ LIKE %@ AND NOT %@ LIKE %@", nil, ["a*", "a\\*", "ab", "a\\*"]))
    // By code units, as `==`: two encodings of a letter are not the same, and each is one character.
    #expect(try holds("NOT %@ LIKE %@ AND %@ LIKE '?'", nil, ["\u{e9}", "e\u{301}", "e\u{301}"]))
    let text = String(repeating: "a", count: 2_000)
    #expect(try !holds("%@ LIKE %@", nil, [text, String(repeating: "a*", count: 30) + "b"]))
  }

  @Test func `MATCHES takes the whole string, and its options (rule 14)`() throws {
    #expect(try holds("'abc' MATCHES 'a|abc' AND NOT 'abc' MATCHES 'b' AND 'ABC' MATCHES[c] 'a.c'"))
    #expect(try holds("NOT %@ MATCHES 'a.*' AND 'é' MATCHES[d] 'e'", nil, ["a\nb"]))
    let error = #expect(throws: PredicateError.self) { try holds("'a' MATCHES '('") }
    #expect(error?.reason.hasPrefix("Can't do regex matching") == true)
  }

  @Test func `numbers compare by amount whatever their type, without losing digits`() throws {
    #expect(try holds("%@ == 1 AND %@ == 1.0 AND 1 == YES AND %@ > 0.1", nil, [UInt8(1), Decimal(1), Decimal(1)]))
    #expect(try holds("9007199254740993 > 9007199254740992.0 AND NOT 9007199254740993 == 9007199254740992.0"))
    #expect(try holds("'1' != 1 AND NOT '1' == 1 AND 7 / 2 == 3 AND 7 / 2.0 == 3.5 AND 2 ** 10 == 1024"))
    #expect(try holds("9223372036854775807 + 1 > 9223372036854775807 AND -7 / 2 == -3 AND abs:(-3) == 3"))
    #expect(try holds("modulus:by:(7, 4) == 3 AND 6 & 3 == 2 AND (6 | 3) == 7 AND ~0 == -1 AND 1 << 4 == 16"))
    #expect(throws: PredicateError.self) { try holds("1 / 0 == 1") }
  }

  @Test func `ANY and ALL need a collection in memory, and take one value for one in a fetch (rules 27 and 28)`() throws
  {
    let object: [String: Any] = ["tags": ["a", "b"], "empty": [String](), "name": "a"]
    #expect(try holds("ANY tags == 'a' AND NOT ALL tags == 'a' AND ALL tags IN {'a', 'b'}", object))
    #expect(try holds("ALL empty == 'a' AND NOT ANY empty == 'a' AND NONE empty == 'a' AND NONE tags == 'c'", object))
    let error = #expect(throws: PredicateError.self) { try holds("ANY name == 'a'", object) }
    #expect(error?.reason == "The left hand side for an ALL or ANY operator must be either an NSArray or an NSSet.")
    #expect(try fetched("ANY name == 'a'", object) == true)
  }

  @Test func `key paths go through collections, with their operators (rule 29)`() throws {
    let object: [String: Any] = [
      "kids": [["n": 1, "toys": ["a", "b"]], ["n": 3, "toys": ["b"]], ["n": 3, "toys": []]] as [[String: Any]]
    ]
    #expect(try holds("kids.@count == 3 AND kids.@sum.n == 7 AND kids.@max.n == 3 AND kids.@min.n == 1", object))
    #expect(
      try holds("kids.@avg.n > 2.33 AND kids.@avg.n < 2.34 AND (kids.@distinctUnionOfObjects.n)[SIZE] == 2", object))
    #expect(
      try holds("ANY kids.n == 3 AND ANY kids.toys == 'b' AND (kids.@distinctUnionOfArrays.toys)[SIZE] == 2", object))
    #expect(
      try holds("SUBQUERY(kids, $k, $k.n == 3 AND SUBQUERY($k.toys, $t, $t == 'b').@count > 0).@count == 1", object))
    #expect(try holds("missing.@count == 0 AND missing.@max.n == nil AND average:(kids.n) == kids.@avg.n", object))
    #expect(try holds("median:({1, 9, 2}) == 2 AND stddev:({2, 4}) == 1 AND mode:({1, 2, 2}) == {2}"))
  }

  @Test func `objects compare by identity, also with their ids (rule 31)`() throws {
    let (one, two) = (Thing(1, ["name": "x"]), Thing(2, ["name": "x"]))
    let holder: [String: Any] = ["one": one, "both": [one, two]]
    #expect(try holds("one == %@ AND one != %@ AND one IN %@ AND %@ IN both", holder, [Thing(1), two, [one], two.id]))
    #expect(try holds("SELF == %@ AND name == 'x' AND self.name == 'x' AND SELF.self == SELF", one, [one.id]))
    let error = #expect(throws: PredicateError.self) { try holds("nothing == 1", one) }
    #expect(error?.name == "NSUnknownKeyException")
  }

  @Test func `sets combine, casts cast, selectors of Foundation's values answer (rules 15 and 20)`() throws {
    let object: [String: Any] = ["a": [1, 2], "b": Set([2, 3])]
    #expect(try holds("(a UNION b)[SIZE] == 3 AND (a INTERSECT b) == {2} AND a MINUS b == {1}", object))
    #expect(
      try holds(
        "CAST('3.5', 'NSNumber') == 3.5 AND CAST(%@, 'NSNumber') == 5", nil, [Date(timeIntervalSinceReferenceDate: 5)]))
    #expect(try holds("SELF isKindOfClass: %@ AND SELF hasPrefix: 'x' AND SELF isEqual: 'xy'", "xy", [NSString.self]))
    #expect(try !holds("SELF isKindOfClass: %@", "xy", [NSNumber.self]))
    #expect(throws: PredicateError.self) { try holds("FUNCTION(SELF, 'explode') == 1", "x") }
    #expect(throws: PredicateError.self) { try holds("a CONTAINS 1", ["a": 5]) }
    #expect(throws: PredicateError.self) { try holds("a == $missing", ["a": 5]) }
    #expect(throws: PredicateError.self) { try holds("a BETWEEN {1}", ["a": 5]) }
  }

  @Test func `plain Swift objects are read by their stored properties`() throws {
    class Base { let name = "x" }
    final class Derived: Base { let age: Int? = 3 }
    #expect(try holds("name == 'x' AND age == 3", Derived()))
    #expect(throws: PredicateError.self) { try holds("size2 == 3", Derived()) }
  }
}
