import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Fetching with pending changes laid over (reference/CONTEXT.md 25, 27, 28), with the data of those rules.
@Suite struct OverlayTests {
  private func office() throws -> Office {
    try Office { context in
      for (name, salary) in [("alpha", 22), ("bravo", 25), ("charlie", 10)] {
        context.new("Person", name, ["salary": salary])
      }
    }
  }

  private func change(_ context: NSManagedObjectContext) throws {
    try context.one("Person", "alpha").setValue(5, forKey: "salary")
    try context.one("Person", "charlie").setValue(21, forKey: "salary")
    context.delete(try context.one("Person", "bravo"))
    context.new("Person", "delta", ["salary": 30])
    context.new("Person", "echo", ["salary": 40])
  }

  private func request(
    _ configure: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
  ) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.predicate = NSPredicate(format: "salary > 20")
    configure(request)
    return request
  }

  private func names(_ objects: [NSManagedObject]) -> [String] {
    objects.compactMap { $0.value(forKey: "name") as? String }
  }

  @Test func `CONTEXT 25: pending changes decide who is found, or the store alone when asked so`() throws {
    let office = try office()
    try office.work { context in
      try change(context)
      #expect(names(try context.fetch(request())) == ["charlie", "delta", "echo"])
      #expect(try context.count(for: request()) == 3)
      let saved = try context.fetch(request { $0.includesPendingChanges = false })
      #expect(names(saved) == ["alpha", "bravo"])
      #expect((saved[0].value(forKey: "salary") as? NSNumber)?.intValue == 5)
      #expect(try context.count(for: request { $0.includesPendingChanges = false }) == 2)
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
      ids.predicate = NSPredicate(format: "salary > 20")
      ids.resultType = .managedObjectIDResultType
      let found = try context.fetch(ids)
      #expect(found.map(\.isTemporaryID) == [false, true, true])
      let count = NSFetchRequest<NSNumber>(entityName: "Person")
      count.predicate = NSPredicate(format: "salary > 20")
      count.resultType = .countResultType
      #expect(try context.fetch(count) == [3])
    }
  }

  @Test func `CONTEXT 27: pending objects are in their places, and the window is taken after that`() throws {
    let office = try office()
    try office.work { context in
      try change(context)
      let sorted = { (ascending: Bool) in
        self.request {
          $0.sortDescriptors = [NSSortDescriptor(key: "salary", ascending: ascending)]
          $0.predicate = nil
        }
      }
      #expect(names(try context.fetch(sorted(true))) == ["alpha", "charlie", "delta", "echo"])
      #expect(names(try context.fetch(sorted(false))) == ["echo", "delta", "charlie", "alpha"])
      let window = sorted(true)
      (window.fetchOffset, window.fetchLimit) = (1, 2)
      #expect(names(try context.fetch(window)) == ["charlie", "delta"])
      #expect(try context.count(for: window) == 2)
      let first = sorted(true)
      first.fetchLimit = 1
      #expect(names(try context.fetch(first)) == ["alpha"])
    }
  }

  @Test func `CONTEXT 25: the overlay and the store say the same, once all is saved`() throws {
    let office = try office()
    try office.work { context in
      try change(context)
      let requests = [
        request(), request { $0.predicate = NSPredicate(format: "salary == nil OR name == 'alpha'") },
        request { $0.predicate = NSPredicate(format: "NOT salary > 20") },
        request { $0.predicate = NSPredicate(format: "name IN {'delta', 'alpha', 'bravo'}") },
        request { $0.predicate = NSPredicate(format: "name BEGINSWITH[c] 'A' OR department.name == nil") },
        request { $0.predicate = NSPredicate(format: "TERNARY(salary > 20, name, 'none') LIKE '*o'") },
        request {
          $0.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
          $0.fetchOffset = 1
        },
      ]
      context.new("Person", nil).setValue(nil, forKey: "salary")
      let before = try requests.map { names(try context.fetch($0)) }
      try context.save()
      #expect(try requests.map { names(try context.fetch($0)) } == before)
    }
  }

  @Test func `CONTEXT 28: pending objects of subentities count as the request says`() throws {
    let sketch = ShapesModel()
    let file = try TemporaryStore(model: sketch.model)
    let context = try file.context(of: sketch.model, isReadOnly: false)
    try context.performAndWait { () throws -> Void in
      for entity in ["Item", "Book", "Toy"] { context.new(entity, entity) }
      #expect(names(try context.all("Item")) == ["Item", "Book", "Toy"])
      #expect(names(try context.all("Book")) == ["Book"])
      let own = NSFetchRequest<NSManagedObject>(entityName: "Item")
      own.includesSubentities = false
      #expect(names(try context.fetch(own)) == ["Item"])
      #expect(try context.all("Box").isEmpty)
    }
  }

  @Test func `pending objects that a request sees through relationships decide as well`() throws {
    let office = try Office { context in
      let sales = context.new("Department", "sales")
      let staff = context.new("Department", "staff")
      for (name, department) in [("alpha", sales), ("bravo", sales), ("charlie", staff)] {
        context.new("Person", name, ["department": department])
      }
    }
    try office.work { context in
      try context.one("Department", "sales").setValue("a sale", forKey: "name")
      try context.one("Person", "charlie").setValue("zulu", forKey: "name")
      let inSales = request { $0.predicate = NSPredicate(format: "department.name BEGINSWITH 'a'") }
      #expect(names(try context.fetch(inSales)).sorted() == ["alpha", "bravo"])
      #expect(try context.count(for: inSales) == 2)
      inSales.predicate = NSPredicate(format: "department.name BEGINSWITH 'a' AND name > 'b'")
      #expect(names(try context.fetch(inSales)) == ["bravo"])
      inSales.includesPendingChanges = false
      #expect(names(try context.fetch(inSales)) == [])
      let sorted = request {
        $0.predicate = nil
        $0.sortDescriptors = [
          NSSortDescriptor(key: "department.name", ascending: false), NSSortDescriptor(key: "name", ascending: false),
        ]
      }
      #expect(names(try context.fetch(sorted)) == ["zulu", "bravo", "alpha"])
      sorted.fetchOffset = 1
      sorted.fetchLimit = 1
      #expect(names(try context.fetch(sorted)) == ["bravo"])
      let crowded = NSFetchRequest<NSManagedObject>(entityName: "Department")
      crowded.predicate = NSPredicate(format: "ANY staff.name == 'zulu'")
      #expect(names(try context.fetch(crowded)) == ["staff"])
      context.delete(try context.one("Person", "zulu"))
      context.processPendingChanges()
      #expect(names(try context.fetch(crowded)) == [])
      crowded.predicate = NSPredicate(format: "staff.@count == 0")
      #expect(names(try context.fetch(crowded)) == ["staff"])
    }
  }
}
