import CoreData
import Testing

/// The object of PREDICATES.md, P110 to P119.
private final class Letters: NSObject {
  var a = 1
  var b = "Hello"
  var c = 2.3
  var d = 4
  var f = true
  var g = [5, 6, 7, 8, 9]
  var h = ["A": 1, "B": 2]
  var i = Date.distantFuture
  var j: String?
  var k = UUID()
  var l = Data([1, 2, 3])
  var m: Any = 1
}

@Suite("Swift predicates as NSPredicates")
struct PredicateConversionTests {
  /// A Swift predicate becomes what a format string says, and gives the answer that the Swift one gives.
  private func check(
    _ predicate: Foundation.Predicate<Letters>, _ format: String, _ arguments: [Any] = [], holds: Bool,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let converted = try #require(NSPredicate(predicate), sourceLocation: location)
    let wanted = NSPredicate(format: format, argumentArray: arguments)
    #expect(converted == wanted, "\(converted.tree.format())", sourceLocation: location)
    #expect(converted.hash == wanted.hash, sourceLocation: location)
    #expect(converted.evaluate(with: Letters()) == holds, sourceLocation: location)
    #expect(try predicate.evaluate(Letters()) == holds, sourceLocation: location)
  }

  @Test func `comparisons, arithmetic and counts have Apple's forms (P110)`() throws {
    let two = 2
    try check(#Predicate { $0.a == two }, "a == 2", holds: false)
    try check(#Predicate { $0.a != 0 }, "a != 0", holds: true)
    try check(#Predicate { $0.a + 2 == 4 }, "a + 2 == 4", holds: false)
    try check(#Predicate { -$0.a < $0.d }, "a * -1 < d", holds: true)
    try check(#Predicate { $0.c / 2 > 1 }, "c / 2.0 > 1", holds: true)
    try check(#Predicate { $0.d % 3 == $0.a }, "modulus:by:(d, 3) == a", holds: true)
    try check(#Predicate { $0.d / 3 == 1 }, "d / 3 == 1", holds: true)
    try check(#Predicate { $0.b.count == 5 }, "b.length == 5", holds: true)
    try check(#Predicate { $0.g.count == 5 }, "g.@count == 5", holds: true)
    try check(
      #Predicate { object in object.g.filter { $0 == object.d }.count > 0 },
      "SUBQUERY(g, $_local_1, $_local_1 == d).@count > 0", holds: false)
  }

  @Test func `elements and entries are indexes (P111)`() throws {
    try check(#Predicate { $0.g[0] == 2 }, "(SELF.g)[0] == 2", holds: false)
    try check(#Predicate { $0.h["A"] == 1 }, "(SELF.h)['A'] == 1", holds: true)
    try check(#Predicate { $0.g.first == 5 }, "(SELF.g)[FIRST] == 5", holds: true)
    try check(#Predicate { $0.g.last == 5 }, "(SELF.g)[LAST] == 5", holds: false)
    try check(
      #Predicate { $0.h["C", default: 7] == 7 }, "TERNARY((SELF.h)['C'] != nil, (SELF.h)['C'], 7) == 7", holds: true)
  }

  @Test func `a condition used as a value is a ternary, and a value used as a condition is compared (P114)`() throws {
    let (yes, no) = (true, false)
    try check(#Predicate { _ in yes }, "YES == YES", holds: true)
    try check(#Predicate { $0.f }, "f == YES", holds: true)
    try check(#Predicate { ($0.f && yes) == no }, "TERNARY(f == YES AND YES == YES, YES, NO) == NO", holds: false)
    try check(#Predicate { $0.f ? yes : no }, "TERNARY(f == YES, YES, NO) == YES", holds: true)
    try check(#Predicate { !$0.f || $0.a < 3 }, "NOT (f == YES) OR a < 3", holds: true)
  }

  @Test func `optionals are told apart by a comparison with nil (P115)`() throws {
    try check(#Predicate { ($0.j ?? "").isEmpty }, "TERNARY(j != NULL, j, '').length == 0", holds: true)
    try check(#Predicate { $0.j == nil }, "j == nil", holds: true)
    try check(#Predicate { $0.j?.count == 3 }, "TERNARY(j != nil, j.length, nil) == 3", holds: false)
    try check(
      #Predicate { ($0.j?.count ?? -1) > 1 },
      "TERNARY(TERNARY(j != nil, j.length, nil) != nil, TERNARY(j != nil, j.length, nil), -1) > 1", holds: false)
  }

  @Test func `the least and the greatest element are collection operators (P116)`() throws {
    try check(#Predicate { $0.g.max() == $0.g.min() }, "g.@max.#self == g.@min.#self", holds: false)
  }

  @Test func `texts are searched with the options of the method (P117, P118)`() throws {
    let (before, after) = (ComparisonResult.orderedAscending, ComparisonResult.orderedDescending)
    try check(#Predicate { $0.b.contains("foo") }, "b CONTAINS 'foo'", holds: false)
    try check(#Predicate { $0.b.starts(with: "He") }, "b BEGINSWITH 'He'", holds: true)
    try check(#Predicate { $0.b.localizedStandardContains("HÉL") }, "b CONTAINS[cdl] 'HÉL'", holds: true)
    try check(
      #Predicate { $0.b.caseInsensitiveCompare("ABC") == after },
      "TERNARY(b ==[c] 'ABC', 0, TERNARY(b <[c] 'ABC', -1, 1)) == 1", holds: true)
    try check(
      #Predicate { $0.b.localizedCompare("ABC") == before },
      "TERNARY(b ==[l] 'ABC', 0, TERNARY(b <[l] 'ABC', -1, 1)) == -1", holds: false)
    try check(#Predicate { $0.b.contains(#/[e-f][l-m]/#) }, "b MATCHES '.*[e-f][l-m].*'", holds: true)
    try check(#Predicate { $0.b.contains(#/xy|He/#) }, "b MATCHES '.*(?:xy|He).*'", holds: true)
  }

  @Test func `closures over collections are subqueries (P119)`() throws {
    try check(
      #Predicate { $0.g.contains { $0 == 2 } }, "SUBQUERY(g, $_local_1, $_local_1 == 2).@count != 0", holds: false)
    try check(
      #Predicate { $0.g.allSatisfy { $0 == 2 } }, "SUBQUERY(g, $_local_1, NOT ($_local_1 == 2)).@count == 0",
      holds: false)
    try check(#Predicate { $0.g.contains(7) }, "7 IN g", holds: true)
    try check(#Predicate { !$0.g.isEmpty }, "NOT (g.@count == 0)", holds: true)
  }

  @Test func `ranges are BETWEEN, or comparisons where an end is open`() throws {
    let (closed, half, from, upTo, through) = (2...5, 2..<4, 2..., ..<4, ...4)
    try check(#Predicate { (1...3).contains($0.a) }, "a BETWEEN {1, 3}", holds: true)
    try check(#Predicate { ($0.a...9).contains($0.d) }, "d BETWEEN {a, 9}", holds: true)
    try check(#Predicate { ($0.a..<$0.d).contains($0.d) }, "d >= a AND d < d", holds: false)
    try check(#Predicate { closed.contains($0.d) }, "d BETWEEN %@", [[2, 5]], holds: true)
    try check(#Predicate { half.contains($0.d) }, "d >= 2 AND d < 4", holds: false)
    try check(#Predicate { from.contains($0.d) }, "d >= 2", holds: true)
    try check(#Predicate { upTo.contains($0.d) }, "d < 4", holds: false)
    try check(#Predicate { through.contains($0.d) }, "d <= 4", holds: true)
  }

  @Test func `captured values of every type are constants, and what holds no object is worked out`() throws {
    struct Pair: Codable, Sendable {
      var a: Int
      var b: [Int]
    }
    let (uuid, date, data, pair) = (UUID(), Date.now, Data([1, 2, 3]), Pair(a: 1, b: [1, 2, 3]))
    let (names, decimal, float) = (["x", "Hello"], Decimal(2), Float(1.5))
    try check(#Predicate { $0.k == uuid }, "k == %@", [uuid], holds: false)
    try check(#Predicate { $0.i > date }, "i > %@", [date], holds: true)
    try check(#Predicate { $0.l == data }, "l == %@", [data], holds: true)
    try check(#Predicate { $0.a == pair.a }, "a == 1", holds: true)
    try check(#Predicate { $0.f == pair.b.contains([1, 2]) }, "f == YES", holds: true)
    try check(#Predicate { names.contains($0.b) }, "b IN %@", [names], holds: true)
    try check(#Predicate { $0.f && decimal > 1 }, "f == YES AND %@ > %@", [decimal, Decimal(1)], holds: true)
    try check(#Predicate { $0.f && float == 1.5 }, "f == YES AND 1.5 == 1.5", holds: true)
  }

  @Test func `managed properties are read by their names, over relationships of every shape`() throws {
    let chip = UUID()
    let kind = PetKind.dog
    let converted: [(NSPredicate?, String)] = [
      (NSPredicate(#Predicate<SortedPet> { $0.name == "x" && $0.age > 3 }), "name == 'x' AND age > 3"),
      (NSPredicate(#Predicate<SortedPet> { $0.keeper.age == 3 }), "keeper.age == 3"),
      (
        NSPredicate(#Predicate<SortedPet> { $0.owner?.name == "x" }),
        "TERNARY(owner != nil, owner.name, nil) == 'x'"
      ),
      (NSPredicate(#Predicate<SortedPet> { $0.chip == chip }), "chip == CAST('\(chip.uuidString)', 'NSUUID')"),
      (NSPredicate(#Predicate<SortedOwner> { $0.pets.count > 2 }), "pets.@count > 2"),
      (
        NSPredicate(#Predicate<SortedOwner> { $0.pets.contains { $0.name == "x" } }),
        "SUBQUERY(pets, $_local_1, $_local_1.name == 'x').@count != 0"
      ),
    ]
    for (predicate, format) in converted {
      let wanted = try PredicateForm(format: format, arguments: []).tree.mapExpressions(\.withoutCasts)
      #expect(predicate?.tree == wanted, "\(predicate?.tree.format() ?? "nil")")
    }
    #expect(NSPredicate(#Predicate<SortedPet> { $0.kind == kind }) == NSPredicate(format: "kind == 1"))
  }

  @Test func `what cannot be said is nil, and named`() throws {
    #expect(NSPredicate(#Predicate<SortedPet> { $0.trimmed == "x" }) == nil)
    #expect(NSPredicate(#Predicate<Letters> { $0.g.starts(with: [5]) }) == nil)
    func construct(_ predicate: Foundation.Predicate<Letters>) -> String {
      do {
        _ = try PredicateForm(converting: predicate)
        return "none"
      } catch {
        return (error as? PredicateConversionError)?.construct ?? "\(error)"
      }
    }
    #expect(construct(#Predicate { $0.g.starts(with: [5]) }) == "the first elements of a collection")
    #expect(construct(#Predicate { ($0.m as? Int) == 3 }).contains("as?"))
    #expect(construct(#Predicate { $0.m is Int }).contains("is"))
    #expect(construct(#Predicate { $0.g[1..<2].count == 1 }).contains("range"))
  }

  @Test func `an expression converts as a predicate does`() throws {
    let sum = try #require(NSExpression(#Expression<Letters, Int> { $0.a + $0.d }))
    #expect(sum == NSExpression(format: "a + d") && sum.expressionValue(with: Letters(), context: nil) as? Int == 5)
  }

  @Test func `a predicate with a text method prints, and is archived as Foundation's own are`() throws {
    let predicate = #Predicate<Letters> { $0.b.localizedStandardContains("x") }
    #expect(predicate.description.contains("contains"))
  }
}
