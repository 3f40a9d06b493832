import CoreData
import Testing

@Suite("Predicates as objects: copies and archives")
struct PredicateCodingTests {
  private func archived<Object: NSObject & NSSecureCoding>(_ object: Object, as type: Object.Type) throws -> Object? {
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    return try NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data)
  }

  private static let formats: [(String, @Sendable () -> [Any])] = [
    ("name ==[cd] %@ AND NOT (age > 3 OR age BETWEEN {1, 2})", { ["é\u{0}\""] }), ("TRUEPREDICATE", { [] }),
    ("FALSEPREDICATE", { [] }), ("ANY kids.age < 3", { [] }),
    ("ALL kids.age IN %@", { [[1, 2.5, NSNull()] as [Any]] }),
    ("born < %@ AND id == %@ AND data == %@", { [Date(timeIntervalSinceReferenceDate: 0.1), UUID(), Data([1])] }),
    ("price == %@ AND link == %@", { [Decimal(string: "0.1") ?? 0, URL(fileURLWithPath: "/a")] }),
    ("SUBQUERY(kids, $k, $k.age > $limit).@count > 0", { [] }), ("a[FIRST] == (b.c)[1] + 2 ** 3", { [] }),
    ("TERNARY(a > 1, b, CAST(c, 'NSString')) MATCHES 'x|y'", { [] }), ("FUNCTION(a, 'hasPrefix:', 'x') == YES", { [] }),
    ("a UNION {1, 2} == b INTERSECT c", { [] }), ("self isEqual: %@", { ["x"] }), ("d == %@", { [["k": 1]] }),
  ]

  @Test func `a predicate of any form comes back from an archive as it was, and may be evaluated`() throws {
    for (format, arguments) in Self.formats {
      let predicate = NSPredicate(format: format, argumentArray: arguments())
      let decoded = try #require(try archived(predicate, as: NSPredicate.self))
      #expect(decoded.tree == predicate.tree && decoded == predicate && decoded.hash == predicate.hash)
      #expect(type(of: decoded) == type(of: predicate))
      decoded.allowEvaluation()
    }
    let adults = try archived(NSPredicate(format: "age >= 18"), as: NSPredicate.self)
    #expect(adults?.evaluate(with: ["age": 18]) == true && adults?.evaluate(with: ["age": 17]) == false)
    #expect(try archived(NSPredicate(value: true), as: NSPredicate.self)?.evaluate(with: nil) == true)
  }

  @Test func `an expression and a sort descriptor come back from an archive`() throws {
    let expression = NSExpression(format: "sum:(kids.age) + $x * 2.5")
    #expect(try archived(expression, as: NSExpression.self) == expression)
    for descriptor in [
      NSSortDescriptor(key: "a.b", ascending: false), NSSortDescriptor(key: nil, ascending: true),
      NSSortDescriptor(key: "a", ascending: true, selector: "localizedStandardCompare:"),
      NSSortDescriptor(keyPath: \SortedPet.owner?.name, ascending: true),
    ] {
      let decoded = try archived(descriptor, as: NSSortDescriptor.self)
      #expect(decoded == descriptor && decoded?.sortKey == descriptor.sortKey)
    }
  }

  @Test func `what exists in its process only is not archived`() async {
    await #expect(processExitsWith: .failure) {
      _ = try NSKeyedArchiver.archivedData(withRootObject: NSPredicate { _, _ in true }, requiringSecureCoding: true)
    }
    await #expect(processExitsWith: .failure) {
      let object = NSPredicate(format: "owner == %@", argumentArray: [Thing(1)])
      _ = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }
    await #expect(processExitsWith: .failure) {
      let closure = NSSortDescriptor(key: "a", ascending: true) { _, _ in .orderedSame }
      _ = try NSKeyedArchiver.archivedData(withRootObject: closure, requiringSecureCoding: true)
    }
  }

  @Test func `an archive of something else is no predicate`() throws {
    let data = try NSKeyedArchiver.archivedData(withRootObject: NSString(string: "x"), requiringSecureCoding: true)
    #expect(throws: (any Error).self) {
      guard try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPredicate.self, from: data) != nil else {
        throw CocoaError(.coderReadCorrupt)
      }
    }
  }

  @Test func `a copy is equal to what it copies`() {
    for (format, arguments) in Self.formats {
      let predicate = NSPredicate(format: format, argumentArray: arguments())
      #expect(predicate.copy() as? NSPredicate == predicate)
    }
    let expression = NSExpression(format: "a + 1")
    #expect(expression.copy() as? NSExpression == expression)
  }

  @Test func `a closure is evaluated with the object and the variables, also within a compound`() {
    let block = NSPredicate { object, variables in
      object as? String == variables?["wanted"] as? String
    }
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [block, NSPredicate(format: "SELF.length == 1")])
    #expect(block.evaluate(with: "x", substitutionVariables: ["wanted": "x"]))
    #expect(both.evaluate(with: "x", substitutionVariables: ["wanted": "x"]))
    #expect(!both.evaluate(with: "xx", substitutionVariables: ["wanted": "xx"]))
  }
}
