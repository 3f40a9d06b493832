import Foundation
import Synchronization
import TestSupport
import Testing

@testable import CoreData

/// The plans that SQLite makes for the statements of fetches, which are recorded while they run.
@Suite struct PredicatePlanTests {
  private let sketch = ShapesModel()

  /// The plan of the fetch that a predicate makes: one line a step.
  private func plan(_ format: String, _ arguments: [Any] = [], of entity: String = "Item") throws -> String {
    let file = try TemporaryStore(model: sketch.model)
    try file.write(
      """
      CREATE INDEX item_name ON ZITEM (ZNAME); CREATE INDEX item_rank ON ZITEM (ZRANK);
      CREATE INDEX box_name ON ZBOX (ZNAME); CREATE INDEX item_box ON ZITEM (ZBOX); CREATE INDEX tag_name ON ZTAG (ZNAME);
      """)
    let context = try file.context(of: sketch.model)
    return try context.performAndWait { () throws -> String in
      let store = try #require(context.persistentStoreCoordinator?.persistentStores.first as? SQLiteStore)
      let recorded = Recorded()
      try store.withConnection { connection in
        connection.recorder = { sql in recorded.statements.withLock { $0.append(sql) } }
      }
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(format: format, argumentArray: arguments)
      _ = try context.fetch(request)
      let sql = try #require(recorded.statements.withLock { $0.last })
      return try store.withConnection { connection in
        try connection.rows("EXPLAIN QUERY PLAN " + sql)
          .compactMap { if case .text(let step)? = $0.last { step } else { nil } }.joined(separator: "\n")
      }
    }
  }

  private final class Recorded: Sendable {
    let statements = Mutex<[String]>([])
  }

  @Test(arguments: [
    ("name == 'ant'", "item_name (ZNAME=?)"), ("name BEGINSWITH 'an'", "item_name (ZNAME>? AND ZNAME<?)"),
    ("name IN {'ant', 'bee'}", "item_name (ZNAME=?)"), ("rank > 5", "item_rank (ZRANK>?)"),
    ("rank BETWEEN {1, 3}", "item_rank (ZRANK>? AND ZRANK<?)"), ("5 < rank", "item_rank (ZRANK>?)"),
    ("name == 'ant' AND double > 1", "item_name (ZNAME=?)"),
    ("name == 'ant' AND string MATCHES 'x+'", "item_name (ZNAME=?)"),
  ])
  func `an index serves comparisons, ranges, lists and prefixes`(_ format: String, _ index: String) throws {
    let plan = try plan(format)
    #expect(plan.contains("USING INDEX " + index), "\(plan)")
  }

  @Test func `relationships are followed by keys and indexes, never by reading a table for each row`() throws {
    let path = try plan("box.name == 'Attic'")
    #expect(path.contains("box_name (ZNAME=?)") && path.contains("item_box (ZBOX=?)"), "\(path)")
    #expect(try plan("ANY items.name == 'ant'", of: "Box").contains("item_"))
    let count = try plan("items.@count > 2", of: "Box")
    #expect(count.contains("item_box (ZBOX=?)"), "\(count)")
    let ids = try plan("SUBQUERY(items, $i, $i.rank > 2).@count > 1", of: "Box")
    #expect(ids.contains("item_box (ZBOX=?)"), "\(ids)")
  }
}
