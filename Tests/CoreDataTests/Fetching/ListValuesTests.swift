import CoreData
import Foundation
import TestSupport
import Testing

@Suite("Values of an attribute to choose from")
struct ListValuesTests {
  private func values(
    _ attribute: String, of entity: String = "Recipe", prefix: String = "", limit: Int = 10, filling sql: String = ""
  ) throws -> [CellValue] {
    let model = Self.model()
    let store = try TemporaryStore(model: model)
    try store.write(
      """
      INSERT INTO ZRECIPE (Z_PK, Z_ENT, Z_OPT, ZNAME, ZSERVINGS, ZCREATED) VALUES
      (1, 1, 1, 'Soup', 4, 0), (2, 1, 1, 'Cake', 8, 60), (3, 1, 1, 'Cake', 8, NULL), (4, 1, 1, NULL, 12, 0),
      (5, 1, 1, 'cream', NULL, 0), (6, 1, 1, '100%', 4, 0), (7, 1, 1, '\(String(repeating: "long", count: 50))', 8, 0);
      \(sql)
      """)
    let context = try store.context(of: model)
    return try context.performAndWait {
      try context.listValues(of: attribute, entity: entity, prefix: prefix, limit: limit)
    }
  }

  private static func model() -> NSManagedObjectModel {
    ModelSketch.model([
      ModelSketch.entity(
        "Recipe",
        [
          ModelSketch.attribute("name", .stringAttributeType),
          ModelSketch.attribute("servings", .integer16AttributeType),
          ModelSketch.attribute("created", .dateAttributeType),
        ])
    ])
  }

  private func text(_ text: String) -> CellValue { .text(text, length: text.count) }

  @Test func `each value comes once, the most frequent first, without nil and without long texts`() throws {
    #expect(try values("name") == [text("Cake"), text("100%"), text("Soup"), text("cream")])
    #expect(try values("servings") == [.integer(8), .integer(4), .integer(12)])
    #expect(
      try values("created") == [
        .date(Date(timeIntervalSinceReferenceDate: 0)), .date(Date(timeIntervalSinceReferenceDate: 60)),
      ])
  }

  @Test func `a prefix is a text and no pattern, and case does not count`() throws {
    #expect(try values("name", prefix: "C") == [text("Cake"), text("cream")])
    #expect(try values("name", prefix: "100%") == [text("100%")])
    #expect(try values("name", prefix: "%").isEmpty)
    #expect(try values("servings", prefix: "1") == [.integer(12)])
  }

  @Test func `there are no more than asked for, and none of what is no attribute`() throws {
    #expect(try values("name", limit: 2).count == 2)
    #expect(try values("nothing").isEmpty)
  }

  @Test func `only both ends of a long table are looked at`() throws {
    let long = """
      WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
      INSERT INTO ZRECIPE (Z_PK, Z_ENT, Z_OPT, ZNAME)
      SELECT i, 1, 1, CASE WHEN i = 30000 THEN 'Middle' WHEN i = 60000 THEN 'Last' ELSE 'Same' END FROM n;
      """
    #expect(try values("name", prefix: "M", filling: long).isEmpty)
    #expect(try values("name", prefix: "La", filling: long) == [text("Last")])
    #expect(try values("name", prefix: "S", filling: long) == [text("Same"), text("Soup")])
  }
}
