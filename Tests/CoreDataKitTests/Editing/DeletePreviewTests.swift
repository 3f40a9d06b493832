import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreDataKit

/// What a delete would take along, told before it is done.
@Suite struct DeletePreviewTests {
  @Test func `the preview counts what is chosen, cascades, lets go and forbids`() throws {
    let kitchen = try Kitchen()
    let preview = try oneAnswer(kitchen.session.deletePreview([Kitchen.pie]))
    #expect(
      preview.lines == [
        .init(fate: .chosen, entity: "Recipe", relationship: nil, count: 1, examples: ["Apple Pie"]),
        .init(
          fate: .cascaded, entity: "Ingredient", relationship: "Recipe.ingredients", count: 2,
          examples: ["Flour", "Apples"]),
        .init(fate: .nullified, entity: "Author", relationship: "Author.recipes", count: 1, examples: ["Ann"]),
        .init(fate: .nullified, entity: "Category", relationship: "Category.recipes", count: 1, examples: ["Dessert"]),
        .init(fate: .nullified, entity: "Tag", relationship: "Tag.recipes", count: 1, examples: ["sweet"]),
      ])
    #expect(!preview.isDenied)
    #expect(try oneAnswer(kitchen.session.state()).isEmpty)
  }

  @Test func `a deny rule forbids, unless those that forbid go as well`() throws {
    let kitchen = try Kitchen()
    let preview = try oneAnswer(kitchen.session.deletePreview([Kitchen.author]))
    #expect(preview.isDenied)
    #expect(
      preview.lines.last
        == .init(
          fate: .denying, entity: "Recipe", relationship: "Author.recipes", count: 2,
          examples: ["Apple Pie", "Carrot Cake"]))
    #expect(
      try !oneAnswer(kitchen.session.deletePreview([Kitchen.author, Kitchen.pie, Kitchen.cake])).isDenied)
    // Edits that wait count.
    try kitchen.done(.delete([Kitchen.pie]))
    try kitchen.done(.set(Kitchen.cake, property: "author", .null))
    #expect(try !oneAnswer(kitchen.session.deletePreview([Kitchen.author])).isDenied)
  }

  @Test func `a cascade of many is counted whole and named in part, and what was told is what happens`() throws {
    let kitchen = try Kitchen()
    try kitchen.file.write(
      """
      WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 20002)
      INSERT INTO ZINGREDIENT (Z_PK, Z_ENT, Z_OPT, ZNAME, ZRECIPE, Z_FOK_RECIPE) SELECT i, 3, 1, 'Spice ' || i, 2, i * 1024
      FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 20002 WHERE Z_NAME = 'Ingredient';
      """)
    let preview = try oneAnswer(kitchen.session.deletePreview([Kitchen.cake]))
    let cascaded = try #require(preview.lines.first { $0.fate == .cascaded })
    #expect(cascaded.count == 20_000)
    #expect(cascaded.examples == ["Spice 3", "Spice 4", "Spice 5", "Spice 6", "Spice 7"])
    let state = try kitchen.done(.delete([Kitchen.cake]))
    #expect(state.objects.filter(\.isCascade).count == 20_000)
    guard case .saved = try kitchen.perform(.save).result else { return #expect(Bool(false), "not saved") }
    #expect(try kitchen.file.rows("SELECT count(*) FROM ZINGREDIENT") == ["2"])
  }
}
