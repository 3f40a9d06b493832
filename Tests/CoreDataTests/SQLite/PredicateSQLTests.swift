import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Fetches from a real store whose every answer was worked out by hand.
@Suite struct PredicateSQLTests {
  private let sketch = ShapesModel()

  private func withContext(_ body: (NSManagedObjectContext) throws -> Void) throws {
    let file = try TemporaryStore(model: sketch.model)
    try file.write(
      """
      INSERT INTO ZBOX (Z_PK, Z_ENT, ZNAME) VALUES (1, 1, 'Attic'), (3, 1, 'Cellar'), (4, 1, NULL);
      INSERT INTO ZTAG (Z_PK, Z_ENT, ZNAME, ZPARENT) VALUES (1, 6, 'red', NULL), (2, 6, 'dark red', 1), (3, 6, NULL, 1), (4, 6, 'Été', 2);
      INSERT INTO ZITEM (Z_PK, Z_ENT, ZNAME, ZRANK, ZDOUBLE, ZDATE, ZUUID, ZBOX, Z1_BOX) VALUES
      (1, 3, 'ant', 2, 0.5, 0, x'123456789ABCDEF0123456789ABCDEF0', 1, 1), (2, 4, 'Bee', 1, NULL, 60, NULL, 1, 1),
      (3, 5, 'cow', NULL, 1.5, NULL, NULL, NULL, NULL), (4, 3, NULL, 2, -1, 120, NULL, 3, 1), (5, 4, 'Éclair', 7, 0, 0, NULL, 4, 1),
      (6, 4, 'item9', 8, 0, 0, NULL, NULL, NULL);
      INSERT INTO Z_3TAGS (Z_3ITEMS, Z_6TAGS) VALUES (1, 1), (1, 2), (2, 3), (4, 4);
      """)
    let context = try file.context(of: sketch.model)
    try context.performAndWait { try body(context) }
  }

  private func request(_ format: String, _ arguments: [Any], of entity: String) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: format, argumentArray: arguments)
    return request
  }

  /// Expects the primary keys of what is found, from SQL and from the evaluator over the same objects alike.
  private func expect(
    _ format: String, _ arguments: [Any] = [], of entity: String = "Item", finds keys: [Int64],
    in context: NSManagedObjectContext, location: SourceLocation = #_sourceLocation
  ) throws {
    let request = request(format, arguments, of: entity)
    let found = try context.fetch(request).map(\.objectID.primaryKey).sorted()
    #expect(found == keys, "\(format) in SQL", sourceLocation: location)
    #expect(try context.count(for: request) == keys.count, "count of \(format)", sourceLocation: location)
    let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
    let form = PredicateForm(request.predicate ?? NSPredicate(value: true))
    let test = CompiledPredicate(form, nulls: .fetch)
    let inMemory = try all.filter { try test.evaluate(.object($0)) == true }
    #expect(inMemory.map(\.objectID.primaryKey).sorted() == keys, "\(format) in memory", sourceLocation: location)
  }

  @Test func `nil is unknown to comparisons and known to == nil (rule 36)`() throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      try expect("name != 'ant'", finds: [2, 3, 5, 6], in: context)
      try expect("NOT (name == 'ant')", finds: [2, 3, 5, 6], in: context)
      try expect("name == nil", finds: [4], in: context)
      try expect("name != %@", [NSNull()], finds: [1, 2, 3, 5, 6], in: context)
      try expect("rank < 5", finds: [1, 2, 4], in: context)
      try expect("NOT (rank IN {2, 7})", finds: [2, 6], in: context)
      try expect("NOT (rank IN {})", finds: [1, 2, 3, 4, 5, 6], in: context)
      try expect("rank IN {1, nil}", finds: [2], in: context)
      try expect("NOT (rank IN {1, nil})", finds: [], in: context)
      try expect("box.name == nil", finds: [3, 5, 6], in: context)
      try expect("box.name != 'Attic'", finds: [4], in: context)
    }
  }

  @Test func `texts compare, fold and match as the letters say (rules 14, 26, 35 and 37)`() throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      try expect("name BEGINSWITH 'it'", finds: [6], in: context)
      try expect("name BEGINSWITH ''", finds: [1, 2, 3, 5, 6], in: context)
      try expect("name BEGINSWITH[cd] 'e'", finds: [5], in: context)
      try expect("name CONTAINS 'e'", finds: [2, 6], in: context)
      try expect("name CONTAINS[c] 'E'", finds: [2, 6], in: context)
      try expect("name ENDSWITH[c] 'T'", finds: [1], in: context)
      try expect("name ==[d] 'Eclair'", finds: [5], in: context)
      try expect("name ==[c] 'ÉCLAIR'", finds: [5], in: context)
      try expect("name !=[cd] 'eclair'", finds: [1, 2, 3, 6], in: context)
      try expect("name LIKE '?n*'", finds: [1], in: context)
      try expect("name LIKE[c] 'b*'", finds: [2], in: context)
      try expect("name MATCHES '[a-c].*'", finds: [1, 3], in: context)
      try expect("NOT (name MATCHES '[a-c].*')", finds: [2, 5, 6], in: context)
      try expect("name IN 'an ant walks'", finds: [1], in: context)
      try expect("name IN[c] {'BEE', 'COW'}", finds: [2, 3], in: context)
      try expect("'Bee' == name", finds: [2], in: context)
      try expect("'b' < name", finds: [3, 5, 6], in: context)
    }
  }

  @Test func `key paths lead over to-one relationships (P091)`() throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      try expect("box.name == 'Attic'", finds: [1, 2], in: context)
      try expect("parent.parent.name == 'red'", of: "Tag", finds: [4], in: context)
      try expect("parent.name ENDSWITH 'red' AND name == nil", of: "Tag", finds: [3], in: context)
      try expect("box.name BEGINSWITH name OR name == 'cow'", finds: [3], in: context)
    }
  }

  @Test func `objects and ids compare as rows of one entity (rule 31)`() throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      let boxes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Box"))
      let tags = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag"))
      try expect("box == %@", [boxes[0]], finds: [1, 2], in: context)
      try expect("box == %@", [boxes[1].objectID], finds: [4], in: context)
      try expect("box IN %@", [[boxes[1], boxes[2]]], finds: [4, 5], in: context)
      try expect("box != %@", [boxes[0]], finds: [4, 5], in: context)
      try expect("box == nil", finds: [3, 6], in: context)
      try expect("box == %@", [tags[0]], finds: [], in: context)
      try expect("NOT (box == %@)", [tags[0]], finds: [1, 2, 4, 5], in: context)
      try expect("SELF IN %@", [[tags[0], boxes[1]]], of: "Tag", finds: [1], in: context)
      try expect("SELF == %@", [tags[3]], of: "Tag", finds: [4], in: context)
      try expect("tags CONTAINS %@", [tags[0]], finds: [1], in: context)
      try expect("%@ IN tags", [tags[3]], finds: [4], in: context)
      try expect("ANY tags == %@", [tags[2]], finds: [2], in: context)
      try expect("parent == SELF", of: "Tag", finds: [], in: context)
    }
  }

  @Test func `ANY, ALL and NONE of a to-many relationship (rules 11, 28 and 34)`() throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      try expect("ANY tags.name == 'red'", finds: [1], in: context)
      try expect("ANY tags.name CONTAINS 'red'", finds: [1], in: context)
      try expect("ANY tags.name IN {'red', 'Été'}", finds: [1, 4], in: context)
      try expect("ANY tags.name == nil", finds: [2], in: context)
      try expect("SOME tags.parent.name == 'red'", finds: [1, 2], in: context)
      try expect("NONE tags.name == 'red'", finds: [2, 3, 4, 5, 6], in: context)
      try expect("ALL tags.name CONTAINS 'red'", finds: [1, 3, 5, 6], in: context)
      try expect("ANY children.children.name == 'Été'", of: "Tag", finds: [1], in: context)
      try expect("ANY box.name == 'Attic'", finds: [1, 2], in: context)
      try expect("ALL box.name == 'Attic'", finds: [1, 2, 3, 5, 6], in: context)
    }
  }

  @Test func `figures over relationships and subqueries (rules 29, 30 and 33)`() throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      try expect("tags.@count == 2", finds: [1], in: context)
      try expect("tags.@count == 0", finds: [3, 5, 6], in: context)
      try expect("box.items.@count > 1", finds: [1, 2], in: context)
      try expect("items.@max.rank == 2", of: "Box", finds: [1, 3], in: context)
      try expect("items.@min.name == 'Bee'", of: "Box", finds: [1], in: context)
      try expect("items.@sum.rank == 3", of: "Box", finds: [1], in: context)
      try expect("items.@avg.rank == 1.5", of: "Box", finds: [1], in: context)
      try expect("items.@avg.rank == nil", of: "Tag", finds: [], in: context)
      try expect("SUBQUERY(tags, $t, $t.name CONTAINS 'red').@count == 2", finds: [1], in: context)
      try expect("SUBQUERY(tags, $t, $t.parent.name == 'red')[SIZE] > 0", finds: [1, 2], in: context)
      try expect(
        "SUBQUERY(items, $i, $i.name LIKE[c] 'B*' AND $i.rank == 1).@count > 0", of: "Box", finds: [1], in: context)
      try expect("SUBQUERY(items, $i, $i.name > name).@count == 2", of: "Box", finds: [1], in: context)
      try expect(
        "SUBQUERY(children, $c, SUBQUERY($c.children, $d, $d.name == 'Été').@count > 0).@count == 1", of: "Tag",
        finds: [1], in: context)
    }
  }

  @Test func `lists are indexed and combined`() throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      try expect("(tags UNION ranked)[SIZE] == 2", finds: [1], in: context)
      try expect("tags[SIZE] == 1", finds: [2, 4], in: context)
      try expect("tags[FIRST].name == 'Été'", finds: [4], in: context)
      try expect("tags.name CONTAINS 'red'", finds: [1], in: context)
      try expect("'red' IN tags.name", finds: [1], in: context)
    }
  }

  @Test func `FETCH finds objects, or their number, in memory and not in a store`() throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      let books = NSFetchRequest<NSManagedObject>(entityName: "Book")
      books.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      func fetch(countOnly: Bool) -> NSFetchRequestExpression {
        .expression(
          forFetch: NSExpression(forConstantValue: books), context: NSExpression(forConstantValue: context),
          countOnly: countOnly)
      }
      #expect(fetch(countOnly: true).expressionValue(with: nil, context: nil) as? Int == 3)
      let found = fetch(countOnly: false).expressionValue(with: nil, context: nil) as? [Any]
      #expect(
        found?.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String } == ["Bee", "item9", "Éclair"])
      let predicate = NSPredicate(format: "SELF IN FETCH(%@, %@, NO)", argumentArray: [books, context])
      let items = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item"))
      #expect(items.filter { predicate.evaluate(with: $0) }.map(\.objectID.primaryKey).sorted() == [2, 5, 6])
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.predicate = predicate
      #expect(throws: NSError.self) { _ = try context.fetch(request) }
    }
  }

  @Test func `arithmetic, choices and functions`() throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      try expect("rank + 1 == 3", finds: [1, 4], in: context)
      try expect("rank * rank > 40", finds: [5, 6], in: context)
      try expect("rank / 2 == 3", finds: [5], in: context)
      try expect("rank & 4 != 0", finds: [5], in: context)
      try expect("rank / 0 == nil", finds: [1, 2, 3, 4, 5, 6], in: context)
      try expect("double * 2 == 1", finds: [1], in: context)
      // A number of so many digits is read as a decimal.
      try expect("double == 0.5000000000000000000", finds: [1], in: context)
      try expect("double + 0.10000000149011612 == %@", [0.5 + 0.10000000149011612], finds: [1], in: context)
      try expect("0.10000000149011612 == %@", [Double(Float(0.1))], finds: [1, 2, 3, 4, 5, 6], in: context)
      try expect("TERNARY(rank > 5, name, 'few') == 'few'", finds: [1, 2, 3, 4], in: context)
      try expect("TERNARY(box != nil, box.name, nil) == 'Attic'", finds: [1, 2], in: context)
      try expect("TERNARY(box != nil, box.name, nil) == nil", finds: [3, 5, 6], in: context)
      try expect("uppercase:(name) == 'ANT'", finds: [1], in: context)
      try expect("length:(name) > 4", finds: [5, 6], in: context)
      try expect("name.length > 4", finds: [5, 6], in: context)
      try expect("abs:(double) == 1", finds: [4], in: context)
      try expect("rank ** 2 == 49", finds: [5], in: context)
      try expect("rank BETWEEN {2, 7}", finds: [1, 4, 5], in: context)
      try expect("NOT rank BETWEEN {2, 7}", finds: [2, 6], in: context)
      try expect("date < now()", finds: [1, 2, 4, 5, 6], in: context)
      try expect("date == CAST(60, 'NSDate')", finds: [2], in: context)
      try expect(
        "uuid == %@", [UUID(uuidString: "12345678-9ABC-DEF0-1234-56789ABCDEF0") ?? UUID()], finds: [1], in: context)
      try expect("uuid == '12345678-9ABC-DEF0-1234-56789ABCDEF0'", finds: [1], in: context)
    }
  }

  @Test func `chains and lists may be long`() throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      let chain = (0..<5_000).map { "rank == \($0 + 7)" }.joined(separator: " OR ")
      try expect(chain, finds: [5, 6], in: context)
      try expect("rank IN %@", [Array(7...50_000)], finds: [5, 6], in: context)
      try expect("name IN %@", [(0..<40_000).map { "item\($0)" }], finds: [6], in: context)
      try expect("double IN %@", [(0..<300).map { Double($0) + 0.5 }], finds: [1, 3], in: context)
    }
  }

  @Test(arguments: [
    ("tags.name == 'red'", "to-many key not allowed here"), ("tags == nil", "to-many key not allowed here"),
    ("count:(tags.items) > 1", "Unsupported function expression count:(tags.items)"),
    ("nmae == 'x'", "keypath nmae not found in entity Item"),
    ("box.nmae == 'x'", "keypath box.nmae not found in entity Item"),
    ("objectID == 'x'", "keypath objectID not found in entity Item"),
    ("SUBQUERY(tags, $t, $t.nmae == 1).@count > 0", "keypath nmae not found in entity Tag"),
    ("SELF isKindOfClass: 'x'", "unimplemented SQL generation for predicate : (SELF isKindOfClass: \"x\")"),
  ])
  func `what a store cannot be asked is refused by name (rule 34)`(_ format: String, _ text: String) throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      let error = #expect(throws: NSError.self) { _ = try context.fetch(request(format, [], of: "Item")) }
      #expect(error?.localizedDescription == text)
    }
  }

  @Test func `a block is refused, and what evaluating raises is told`() throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.predicate = NSPredicate { _, _ in true }
      #expect(throws: NSError.self) { _ = try context.fetch(request) }
      let error = #expect(throws: NSError.self) { _ = try context.fetch(self.request("name < 5", [], of: "Item")) }
      #expect(error?.localizedDescription.contains("Can't compare") == true)
    }
  }

  @Test func `orders follow key paths over to-one relationships`() throws {
    try withContext { (context: NSManagedObjectContext) throws -> Void in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.sortDescriptors = [
        NSSortDescriptor(key: "box.name", ascending: false), NSSortDescriptor(key: "name", ascending: true),
      ]
      #expect(try context.fetch(request).map(\.objectID.primaryKey) == [4, 2, 1, 3, 6, 5])
      request.predicate = NSPredicate(format: "box.name != nil")
      #expect(try context.fetch(request).map(\.objectID.primaryKey) == [4, 2, 1])
      request.sortDescriptors = [NSSortDescriptor(key: "tags.name", ascending: true)]
      let error = #expect(throws: NSError.self) { _ = try context.fetch(request) }
      #expect(error?.localizedDescription == "to-many key not allowed here")
    }
  }
}
