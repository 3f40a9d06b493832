import CoreData
import Testing

@Suite("Fetches by Swift predicates and key paths")
struct FetchByKeyPathTests {
  /// People with names and salaries, saved, and one that is not.
  private func fetched(
    _ predicate: NSPredicate? = nil, _ sort: [NSSortDescriptor]
  ) throws -> [String] {
    func add(_ name: String?, _ salary: Int64, _ context: NSManagedObjectContext) {
      let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      person.setValue(name, forKey: "name")
      person.setValue(NSNumber(value: salary), forKey: "salary")
    }
    let office = try Office { context in
      for (name, salary): (String?, Int64) in [("b10", 3), ("B9", 1), (nil, 2), ("a", 3)] { add(name, salary, context) }
    }
    return try office.work { context in
      add("b9", 2, context)
      let request = NSFetchRequest<OfficePerson>(entityName: "Person")
      request.predicate = predicate
      request.sortDescriptors = sort
      return try context.fetch(request).map { $0.name ?? "nil" }
    }
  }

  @Test func `a fetch sorts by key paths and SortDescriptors in SQL, and pending objects in the same order`() throws {
    #expect(
      try fetched([
        NSSortDescriptor(keyPath: \OfficePerson.salary, ascending: false),
        NSSortDescriptor(keyPath: \OfficePerson.name, ascending: true),
      ]) == ["a", "b10", "nil", "b9", "B9"])
    #expect(
      try fetched([SortDescriptor(\OfficePerson.name), SortDescriptor(\.salary)].map(NSSortDescriptor.init))
        == ["nil", "a", "b9", "B9", "b10"])
    #expect(
      try fetched([NSSortDescriptor(SortDescriptor(\OfficePerson.name, comparator: .lexical, order: .reverse))])
        == ["b9", "b10", "a", "B9", "nil"])
  }

  private func fetched(_ sort: [NSSortDescriptor]) throws -> [String] { try fetched(nil, sort) }

  @Test func `a converted Swift predicate is what a fetch asks the store`() throws {
    let least: Int64 = 2
    let order = [NSSortDescriptor(key: "name", ascending: true)]
    #expect(
      try fetched(NSPredicate(#Predicate<OfficePerson> { $0.salary >= least }), order) == ["nil", "a", "b10", "b9"])
    #expect(
      try fetched(NSPredicate(#Predicate<OfficePerson> { $0.name?.starts(with: "b") == true }), order) == ["b10", "b9"])
    #expect(
      try fetched(NSPredicate(#Predicate<OfficePerson> { ($0.name ?? "").localizedStandardContains("B9") }), order)
        == ["B9", "b9"])
  }

  @Test(arguments: [
    ("foo:", "unsupported NSSortDescriptor selector: foo:"),
    (nil, "unsupported NSSortDescriptor (comparator blocks are not supported)"),
  ])
  func `a fetch refuses an order that no store can sort by, in Apple's words (rule 34)`(
    _ selector: String?, _ text: String
  ) throws {
    let descriptor =
      selector.map { NSSortDescriptor(key: "name", ascending: true, selector: $0) }
      ?? NSSortDescriptor(key: "name", ascending: true) { _, _ in .orderedSame }
    let error = #expect(throws: (any Error).self) { _ = try fetched([descriptor]) }
    #expect(String(describing: error).contains(text), "\(String(describing: error))")
    // Also where everything is judged in memory, which could sort by it.
    let crossing = NSPredicate(format: "desk.owner.name != 'b9' OR name != nil")
    let judged = #expect(throws: (any Error).self) { _ = try fetched(crossing, [descriptor]) }
    #expect(String(describing: judged).contains(text), "\(String(describing: judged))")
  }
}
