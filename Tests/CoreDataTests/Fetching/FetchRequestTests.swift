import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite struct FetchRequestTests {
  private let sketch = ShapesModel()

  private func withContext(_ body: (NSManagedObjectContext) throws -> Void) throws {
    let file = try TemporaryStore(model: sketch.model)
    try file.write(
      """
      INSERT INTO ZBOX (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'Attic'), (3, 1, 'Cellar');
      INSERT INTO ZTAG (Z_PK, Z_ENT, ZNAME) VALUES (1, 6, 'red');
      INSERT INTO ZITEM (Z_PK, Z_ENT, ZNAME, ZRANK, ZDOUBLE, ZDATE, ZUUID, ZBOX, Z1_BOX) VALUES
      (1, 3, 'ant', 2, 0.5, 0, x'123456789ABCDEF0123456789ABCDEF0', 1, 1), (2, 4, 'Bee', 1, NULL, 60, NULL, 1, 1),
      (3, 5, 'cow', NULL, 1.5, NULL, NULL, NULL, NULL), (4, 3, NULL, 2, -1, 120, NULL, 3, 1), (5, 4, 'item10', 7, 0, 0, NULL, NULL, NULL),
      (6, 4, 'item9', 8, 0, 0, NULL, NULL, NULL);
      """)
    let context = try file.context(of: sketch.model)
    try context.performAndWait { try body(context) }
  }

  private func request(
    _ entity: String = "Item", _ predicate: NSPredicate? = nil, sort: [NSSortDescriptor] = []
  ) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = predicate
    request.sortDescriptors = sort
    return request
  }

  private func keys(_ objects: [NSManagedObject]) -> [Int64] { objects.map(\.objectID.primaryKey) }

  @Test func `without an order objects come by entity and key`() throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      #expect(try keys(context.fetch(request())) == [1, 4, 2, 5, 6, 3])
      #expect(try keys(context.fetch(request("Book"))) == [2, 5, 6])
      let own = request()
      own.includesSubentities = false
      #expect(try keys(context.fetch(own)) == [1, 4])
      #expect(try context.count(for: own) == 2)
    }
  }

  @Test func `sorting puts nothing first, and ties by entity and key`() throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      let rank = NSSortDescriptor(key: "rank", ascending: true)
      let name = NSSortDescriptor(key: "name", ascending: false)
      #expect(try keys(context.fetch(request(sort: [rank]))) == [3, 2, 1, 4, 5, 6])
      #expect(try keys(context.fetch(request(sort: [rank, name]))) == [3, 2, 1, 4, 5, 6])
      #expect(try keys(context.fetch(request(sort: [name]))) == [6, 5, 3, 1, 2, 4])
    }
  }

  @Test func `strings sort by the method that the descriptor names`() throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      func sorted(_ selector: String) throws -> [Int64] {
        try keys(context.fetch(request(sort: [NSSortDescriptor(key: "name", ascending: true, selector: selector)])))
      }
      #expect(try sorted("compare:") == [4, 2, 1, 3, 5, 6])
      #expect(try sorted("caseInsensitiveCompare:") == [4, 1, 2, 3, 5, 6])
      #expect(try sorted("localizedStandardCompare:") == [4, 1, 2, 3, 6, 5])
      let block = NSSortDescriptor(key: "name", ascending: true) { _, _ in .orderedSame }
      #expect(throws: NSError.self) { try context.fetch(request(sort: [block])) }
      #expect(throws: NSError.self) {
        try context.fetch(request(sort: [NSSortDescriptor(key: "tags", ascending: true)]))
      }
    }
  }

  @Test func `CONTEXT 30: limit and offset cut the list, for objects, ids and counts`() throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      for (limit, offset, expected) in [
        (2, 0, [1, 4]), (2, 1, [4, 2]), (0, 4, [6, 3]), (10, 5, [3]), (3, 6, []), (1, 99, []),
      ] as [(Int, Int, [Int64])] {
        let cut = request()
        (cut.fetchLimit, cut.fetchOffset) = (limit, offset)
        #expect(try keys(context.fetch(cut)) == expected)
        #expect(try context.count(for: cut) == expected.count)
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
        (ids.fetchLimit, ids.fetchOffset, ids.resultType) = (limit, offset, .managedObjectIDResultType)
        #expect(try context.fetch(ids).map(\.primaryKey) == expected)
        let number = NSFetchRequest<NSNumber>(entityName: "Item")
        (number.fetchLimit, number.fetchOffset, number.resultType) = (limit, offset, .countResultType)
        #expect(try context.fetch(number) == [NSNumber(value: expected.count)])
      }
    }
  }

  @Test func `a simple comparison finds what a store finds: a missing value is neither equal nor unequal`() throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      let cases: [(String, [Any], [Int64])] = [
        ("rank == 2", [], [1, 4]), ("rank != 2", [], [2, 5, 6]), ("rank > %@", [2], [5, 6]), ("rank == nil", [], [3]),
        ("rank != nil", [], [1, 4, 2, 5, 6]), ("NOT rank == 2", [], [2, 5, 6]),
        ("name == 'ant' OR rank == 1", [], [1, 2]),
        ("name == %@ AND rank == 2", ["ant"], [1]), ("rank IN {1, 7}", [], [2, 5]), ("rank IN %@", [[Int]()], []),
        ("rank BETWEEN {1, 2}", [], [1, 4, 2]), ("double == 1.5", [], [3]), ("double < 0", [], [4]),
        ("date > %@", [Date(timeIntervalSinceReferenceDate: 59)], [4, 2]),
        ("uuid == %@", [UUID(uuidString: "12345678-9ABC-DEF0-1234-56789ABCDEF0") as Any], [1]),
        ("TRUEPREDICATE", [], [1, 4, 2, 5, 6, 3]), ("FALSEPREDICATE", [], []),
      ]
      for (format, arguments, expected) in cases {
        let predicate = NSPredicate(format: format, argumentArray: arguments)
        #expect(try keys(context.fetch(request("Item", predicate))) == expected, "\(format)")
        #expect(try context.count(for: request("Item", predicate)) == expected.count, "\(format)")
      }
    }
  }

  @Test func `objects and ids stand in predicates, each for its own row only`() throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      let boxes = try context.fetch(request("Box"))
      let item = try #require(try context.fetch(request()).first)
      func found(_ entity: String, _ format: String, _ object: Any) throws -> [Int64] {
        try keys(context.fetch(request(entity, NSPredicate(format: format, argumentArray: [object]))))
      }
      #expect(try found("Item", "box == %@", boxes[0]) == [1, 2])
      #expect(try found("Item", "box == %@", boxes[1].objectID) == [4])
      #expect(try found("Item", "box IN %@", boxes) == [1, 4, 2])
      #expect(try found("Item", "SELF == %@", item) == [1])
      // The box and the tag have the key 1 as well.
      #expect(try found("Tag", "SELF == %@", item) == [])
      #expect(try found("Tag", "SELF == %@", boxes[0].objectID) == [])
    }
  }

  @Test func `objects are looked into by predicates and sort descriptors in memory`() throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      let items = try context.fetch(request())
      let named = NSPredicate(format: "box.name BEGINSWITH 'A' AND name != 'ant'", argumentArray: [])
      #expect(keys(items.filter { named.evaluate(with: $0) }) == [2])
      let same = NSPredicate(format: "SELF == %@", argumentArray: [items[2]])
      #expect(keys(items.filter { same.evaluate(with: $0) }) == keys([items[2]]))
      let count = NSPredicate(format: "tags.@count == 0", argumentArray: [])
      #expect(items.allSatisfy { count.evaluate(with: $0) })
    }
  }

  @Test func `an unknown entity, a wrong result type and a context without a store are errors`() throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      #expect(throws: NSError.self) { try context.fetch(request("Nobody")) }
      let wrong = NSFetchRequest<NSNumber>(entityName: "Item")
      #expect(throws: NSError.self) { try context.fetch(wrong) }
    }
    let lonely = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    lonely.performAndWait { () -> Void in #expect(throws: NSError.self) { try lonely.fetch(request()) } }
  }
}
