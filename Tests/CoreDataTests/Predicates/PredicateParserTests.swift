import CoreData
import Testing

@Suite("Parsing predicates")
struct PredicateParserTests {
  private func failure(_ format: String, _ arguments: [Any] = []) -> PredicateParseError? {
    do {
      _ = try PredicateForm(format: format, arguments: arguments)
      return nil
    } catch {
      return error
    }
  }

  private func printed(_ format: String, _ arguments: [Any] = []) throws -> String {
    try PredicateForm(format: format, arguments: arguments).tree.format()
  }

  @Test func `an operator with dashes in it is no key`() throws {
    for format in ["a.UTI-CONFORMS-TO == 1", "(a).uti-equals == 1"] {
      let error = #expect(throws: PredicateParseError.self) { _ = try PredicateForm(format: format, arguments: []) }
      #expect(error?.expected == [.key])
    }
    #expect(try PredicateForm(format: "a.#UTI-CONFORMS == 1", arguments: []).tree.format() == "a.UTI - CONFORMS == 1")
    #expect(try PredicateForm(format: "a.SIZE == 1", arguments: []).tree.format() == "a.#SIZE == 1")
  }

  @Test(arguments: [
    ("name", 4, PredicateParseError.Expectation.comparisonOperator),
    ("name ==", 7, .operand), ("name == 'x", 10, .symbol("'")),
    ("name == 'x' age", 12, .connective), ("(a == 1", 7, .symbol(")")),
    ("a == 1 AND", 10, .operand), ("a NOT IN {1}", 2, .comparisonOperator), ("a BEG 'x'", 2, .comparisonOperator),
    ("a. == 1", 3, .key), ("a ==[x] 1", 5, .option), ("SUBQUERY(a, b, c == 1)", 12, .variable),
    ("a == 1 == 2", 7, .connective), ("a == FIRST", 5, .operand), ("$ == 1", 1, .variable),
    ("a BETWEEN {1, 2", 15, .symbol("}")), ("%y == 1", 0, .symbol("%@")), ("size > 3", 0, .operand),
    ("", 0, .operand), ("ANY a", 5, .comparisonOperator), ("é == ", 6, .operand),
  ])
  func `an error tells the first offending place and what could stand there (rule 16)`(
    _ format: String, _ offset: Int, _ expected: PredicateParseError.Expectation
  ) throws {
    let error = try #require(failure(format))
    #expect(error.offset == offset, "\(error)")
    #expect(error.expected.contains(expected), "\(error)")
    #expect(error.reason == "Unable to parse the format string \"\(format)\"")
  }

  @Test func `an error's column counts characters, not bytes`() throws {
    let error = try #require(failure("größe == 'ü' ?"))
    #expect(error.column == 13)
    #expect(error.format[error.index] == "?")
  }

  @Test(arguments: [
    ("a = 1 and b <> 2 Or not c =< 3", "(a == 1 AND b != 2) OR (NOT c <= 3)"),
    ("a = 1 && b = 2 || !c => 3", "(a == 1 AND b == 2) OR (NOT c >= 3)"),
    ("a == nil || b == Null", "a == nil OR b == nil"),
    ("SOME tags.name = 'x'", "ANY tags.name == \"x\""), ("NONE tags.name = 'x'", "NOT ANY tags.name == \"x\""),
    ("all ages > 3", "ALL ages > 3"), ("a==[dc]'x'", "a ==[cd] \"x\""), ("a LIKE [cd] 'x'", "a LIKE[cd] \"x\""),
    ("a == 0x1F + 0o17 - 0b11", "a == 31 + 15 - 3"), ("a == 2.5e3", "a == 2500"), ("a == 1.50", "a == 1.5"),
    ("a == -5 AND b == -x", "a == -5 AND b == -x"), ("a == 18446744073709551615", "a == 18446744073709551615"),
    ("a == -9223372036854775808", "a == -9223372036854775808"),
    ("a == 03.3333333333333333", "a == 3.3333333333333333"), ("a == 3.3333333333333333", "a == 3.3333333333333333"),
    ("a == 0.30000000000000004", "a == 0.30000000000000004"), ("a == 1.50000000000000000000", "a == 1.5"),
    ("a == 100000000000000000000", "a == 100000000000000000000"),
    ("a == 'it\\'s \"q\" \\\\ \\n'", "a == \"it's \\\"q\\\" \\\\ \\n\""), ("a == '\\u00e9'", "a == \"é\""),
    ("#size > 3", "#size > 3"), ("owner.size > 3", "owner.#size > 3"), ("größe.ñ == 1", "größe.ñ == 1"),
    ("a - (b - c) == (a - b) - c", "a - (b - c) == a - b - c"),
    ("(a + 1) * 2 == a + 1 * 2", "(a + 1) * 2 == a + 1 * 2"),
    ("2 ** 3 ** 2 == (2 ** 3) ** 2", "2 ** 3 ** 2 == (2 ** 3) ** 2"), ("a | b & c == 1", "a | b & c == 1"),
    ("(a | b) & c == ~d", "(a | b) & c == ~d"), ("a UNION b MINUS c == {}", "a UNION b MINUS c == {}"),
    ("a == CAST(10, 'NSDate')", "a == CAST(10.000000, \"NSDate\")"),
    ("CAST(a, 'NSNumber') == 1", "CAST(a, \"NSNumber\") == 1"),
    ("(a.d)[0].x == 1", "(a.d)[0].x == 1"), ("SELF.g[SIZE] == 1", "SELF.g[SIZE] == 1"),
    ("a UTI-CONFORMS-TO 'public.image'", "a UTI-CONFORMS-TO \"public.image\""),
    ("self isKindOfClass: x", "SELF isKindOfClass: x"),
    ("FALSEPREDICATE OR TRUEPREDICATE", "FALSEPREDICATE OR TRUEPREDICATE"),
    ("a BETWEEN{1,2}AND b IN{}", "a BETWEEN {1, 2} AND b IN {}"), ("now() > date", "now() > date"),
    ("sum:(a) == count:(a)", "sum:(a) == count:(a)"), ("modulus:by:(a, 2) == 0", "modulus:by:(a, 2) == 0"),
    ("((((a == 1))))", "a == 1"), ("(a == 1 AND b == 2) AND c == 3", "(a == 1 AND b == 2) AND c == 3"),
    ("a == 1 AND b == 2 AND c == 3", "a == 1 AND b == 2 AND c == 3"), ("NOT NOT a == 1", "NOT (NOT a == 1)"),
    ("@count > 3", "@count > 3"), ("a.@sum.b > 3", "a.@sum.b > 3"), ("ANYKEY == 3", "ANYKEY == 3"),
  ])
  func `a format string prints in its canonical form (rules 3, 8, 9, 11, 17 to 20)`(
    _ format: String, _ canonical: String
  ) throws {
    #expect(try printed(format) == canonical)
    #expect(try printed(canonical) == canonical)
  }

  @Test func `arguments are values; only %K is a key path (rules 5 and 6)`() throws {
    let id = UUID()
    #expect(try printed("%K == %@", ["owner.name", "x"]) == "owner.name == \"x\"")
    #expect(try printed("%K.size > %d AND %K == nil", ["owner", 3, "size"]) == "owner.#size > 3 AND #size == nil")
    #expect(try printed("a == %@", [id]) == "a == \(id.uuidString)")
    #expect(try printed("a == %@ OR a == %@", [NSNull(), Int?.none as Any]) == "a == nil OR a == nil")
    #expect(
      try printed("a == %d + %ld - %llu * %5.2f / %x", [1, 2, UInt64.max, 2.5, 16])
        == "a == 1 + 2 - 18446744073709551615 * 2.5 / 16")
    #expect(try printed("a == %i AND b == %f", [2.9, 2]) == "a == 2 AND b == 2")
    #expect(try printed("a IN %@", [Set([3])]) == "a IN {3}")
    #expect(try printed("a IN %@", [NSArray(array: ["x", 1])]) == "a IN {\"x\", 1}")
    #expect(try printed("a == %@", [Decimal(string: "0.10") as Any]) == "a == 0.1")
    #expect(try printed("%K == 1", ["$single"]) == "$single == 1")
    #expect(try printed("a > %@", [NSExpression(forKeyPath: "b.c")]) == "a > b.c")
    #expect(
      NSPredicate(format: "id == %@ AND n == %ld", id as any CVarArg, 4).writtenFormat
        == "id == \(id.uuidString) AND n == 4")
    #expect(failure("a == %@", [])?.detail == "no argument for this place")
    #expect(failure("%K == 1", [3])?.detail == "%K takes a string")
    #expect(failure("a == %d", ["x"])?.detail == "an argument of another type")
  }

  @Test func `parsable text brings every constant back, canonical text only those Apple spells`() throws {
    let values: [Any] = [
      Date(timeIntervalSinceReferenceDate: 1.0 / 3), UUID(), Data([0, 255, 16]), URL(fileURLWithPath: "/a b"), -0.5,
      "\"\\\t'", NSNull(), [Date(timeIntervalSinceReferenceDate: 2)],
    ]
    for value in values {
      let form = try PredicateForm(format: "a == %@", arguments: [value])
      let text = form.tree.format(.parsable)
      let again = try PredicateForm(format: text, arguments: [])
      #expect(again.tree.format(.parsable) == text)
      // Both select the same rows.
      #expect(try again.evaluate(with: ["a": value]), "\(text)")
    }
  }

  @Test(arguments: [
    String(repeating: "(", count: 20_000), String(repeating: "NOT ", count: 5_000) + "a == 1",
    "a == " + String(repeating: "-", count: 9_000) + "x", "a == 1" + String(repeating: " + 1", count: 5_000),
    "a == " + String(repeating: "2 ** ", count: 5_000) + "2", "a" + String(repeating: "[0]", count: 5_000) + " == 1",
    "a == " + String(repeating: "{", count: 5_000), "a == " + String(repeating: "abs:(", count: 5_000),
  ])
  func `a deep nest is an error, never a crash`(_ format: String) throws {
    #expect(failure(format) != nil)
  }

  @Test func `chains within nests are bounded together, and nests of NOT can be read back`() throws {
    let chain = String(repeating: " + 1", count: 300)
    let nested = String(repeating: "(", count: 100) + "1" + String(repeating: chain + ")", count: 100)
    #expect(throws: PredicateParseError.self) { try PredicateForm(format: "a == " + nested, arguments: []) }
    // Chains beside one another are not one within the other.
    let beside = String(repeating: "(1" + chain + ") == 1 AND ", count: 20) + "a == 1"
    _ = try PredicateForm(format: beside, arguments: [])
    for count in 1...260 {
      guard let form = try? PredicateForm(format: "a == " + String(repeating: "-", count: count) + "1", arguments: [])
      else { continue }
      #expect(try PredicateForm(format: form.tree.format(), arguments: []).tree == form.tree)
    }
    for count in 1...200 {
      guard let form = try? PredicateForm(format: String(repeating: "!", count: count) + "(a == 1)", arguments: [])
      else {
        #expect(count > 100)
        break
      }
      #expect(try PredicateForm(format: form.tree.format(), arguments: []).tree == form.tree)
    }
  }

  @Test func `two hundred levels are not deep`() throws {
    let format = String(repeating: "(", count: 200) + "a == 1" + String(repeating: ")", count: 200)
    #expect(try printed(format) == "a == 1")
  }

  @Test func `ten thousand characters parse in under fifty milliseconds`() throws {
    let clause = "(name CONTAINS[cd] 'abc' OR age > 42 AND owner.address.city == 'x')"
    let format = Array(repeating: clause, count: 10_000 / clause.count + 1).joined(separator: " AND ")
    #expect(format.count > 10_000)
    let clock = ContinuousClock()
    // The best of several, so that a busy machine does not decide.
    let times = try (0..<5).map { _ in
      try clock.measure { _ = try PredicateForm(format: format, arguments: []) }
    }
    let best = try #require(times.min())
    print("parsed \(format.count) characters in \(best)")
    #expect(best < .milliseconds(50))
  }
}
