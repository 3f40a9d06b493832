// swift-format-ignore: OrderedImports
import Foundation

import CoreData
import Testing

/// What a client writes that imports Foundation before CoreData.
@Suite("A client's spellings: FoundationFirst")
struct ClientFoundationFirst {
  private func adults(_ more: [NSPredicate]) -> NSCompoundPredicate {
    NSCompoundPredicate(andPredicateWithSubpredicates: [NSPredicate(format: "age >= %d", 18)] + more)
  }

  @Test func `predicates, expressions and sort descriptors are spelled as on Apple's platforms`() throws {
    let id = UUID()
    let named = NSPredicate(format: "name CONTAINS[cd] %@ AND %K == %@", "a", "id", id as any CVarArg)
    #expect(named.evaluate(with: ["name": "Ana", "id": id] as [String: Any]))
    #expect(NSPredicate(format: "age == %@", NSNumber(value: 3)).evaluate(with: ["age": 3]))
    #expect(NSPredicate(format: "age IN %@", [3, 4]).evaluate(with: ["age": 3]))
    #expect(NSPredicate(format: "born < %@", Date() as any CVarArg).evaluate(with: ["born": Date.distantPast]))
    #expect(NSPredicate(format: "n IN %@", argumentArray: [Set(["x"])]).evaluate(with: ["n": "x"]))
    let either = NSCompoundPredicate(orPredicateWithSubpredicates: [named, NSPredicate(value: true)])
    let neither = NSCompoundPredicate(notPredicateWithSubpredicate: either)
    let typed = NSCompoundPredicate(type: .and, subpredicates: [named, neither])
    #expect(typed.subpredicates.count == 2 && (neither as NSPredicate as? NSCompoundPredicate) != nil)
    #expect(neither.description.hasPrefix("NOT (("))
    #expect(
      adults([named].map { NSCompoundPredicate(notPredicateWithSubpredicate: $0) }).description.hasPrefix(
        "age >= 18 AND (NOT"))
    let comparison = NSComparisonPredicate(
      leftExpression: NSExpression(forKeyPath: "age"), rightExpression: NSExpression(forConstantValue: 3),
      modifier: .direct, type: .greaterThan, options: [])
    #expect(comparison.description == "age > 3")
    let total = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "kids.age")])
    #expect(total.expressionValue(with: ["kids": [["age": 2], ["age": 3]]], context: nil) as? Int == 5)
    #expect(NSExpression(format: "1 + %d", 2).expressionValue(with: nil, context: nil) as? Int == 3)
    #expect(NSPredicate(format: "age > $n").withSubstitutionVariables(["n": 2]).evaluate(with: ["age": 3]))
    #expect(NSSortDescriptor(key: "name", ascending: false).key == "name")
    #expect(NSArray(array: [["age": 3], ["age": 30]]).filtered(using: comparison).count == 1)
  }

  @Test func `sort descriptors are spelled by key, key path and SortDescriptor as on Apple's platforms`() {
    let byKey = NSSortDescriptor(key: "name", ascending: true, selector: "localizedStandardCompare:")
    let byPath = NSSortDescriptor(keyPath: \SortedPet.name, ascending: true)
    let short: [NSSortDescriptor] = [
      .init(key: "age", ascending: true), .init(keyPath: \SortedPet.age, ascending: true),
      .init(SortDescriptor(\SortedPet.name, order: .reverse)),
    ]
    let standard = NSSortDescriptor(SortDescriptor(\SortedPet.name, comparator: .localizedStandard))
    let several = [SortDescriptor(\SortedPet.age), SortDescriptor(\.name)].map(NSSortDescriptor.init)
    #expect(byPath.key == "name" && short.map(\.key) == ["age", "age", "name"])
    #expect(standard == byKey && several.map(\.key) == ["age", "name"])
    let young = NSPredicate(#Predicate<SortedPet> { $0.age < 3 })
    #expect(young == NSPredicate(format: "age < 3"))
  }
}
