import BrowserTestSupport
import CoreData
import Foundation
import TestSupport
import Testing
import TextCanvas

@testable import BrowserCore

/// A real store of six recipes, and a browser over it.
@MainActor final class KitchenBrowser {
  let session: Session
  let terminal: FakeTerminal
  let home: TemporaryDirectory
  let file: TemporaryStore

  init(size: Size = Size(width: 120, height: 36), home: TemporaryDirectory? = nil, file: TemporaryStore? = nil) throws {
    self.home = try home ?? TemporaryDirectory()
    self.file = try file ?? TemporaryStore(model: Self.model(), named: "Kitchen.sqlite", filling: Self.fill)
    let path = self.home.url.path
    let service = LiveService(
      url: self.file.url, isReadOnly: true,
      environment: ["HOME": path, "XDG_DATA_HOME": path + "/data", "XDG_STATE_HOME": path + "/state"])
    terminal = FakeTerminal(size: size)
    session = Session(
      service: service, terminal: terminal,
      options: SessionOptions(storeName: "Kitchen.sqlite", entity: "Recipe", zone: .utc))
    try session.start()
  }

  func type(_ script: KeyScript) async {
    await session.idle()
    for key in script.keys {
      terminal.send(.key(key))
      await session.idle()
    }
  }

  static func model() -> NSManagedObjectModel {
    typealias Sketch = ModelSketch
    let recipe = Sketch.entity(
      "Recipe",
      [
        Sketch.attribute("name", .stringAttributeType), Sketch.attribute("servings", .integer16AttributeType),
        Sketch.attribute("rating", .doubleAttributeType), Sketch.attribute("isPublic", .booleanAttributeType),
        Sketch.attribute("created", .dateAttributeType), Sketch.attribute("code", .UUIDAttributeType),
      ])
    let category = Sketch.entity("Category", [Sketch.attribute("name", .stringAttributeType)])
    let ingredient = Sketch.entity(
      "Ingredient",
      [Sketch.attribute("name", .stringAttributeType), Sketch.attribute("amount", .integer16AttributeType)])
    Sketch.relate(recipe, "category", .one, to: category, inverse: "recipes", .many)
    Sketch.relate(recipe, "ingredients", .many, to: ingredient, inverse: "recipe", .one)
    return Sketch.model([recipe, category, ingredient])
  }

  private struct Recipe {
    var name: String?
    var servings: Int
    var rating: Double?
    var isPublic: Bool
    var month: Int?
    var category: String?
    var ingredients: [(String, Int)] = []
  }

  private static let recipes = [
    Recipe(
      name: "Apple Pie", servings: 8, rating: 4.5, isPublic: true, month: 1, category: "Dessert",
      ingredients: [("apple", 3), ("flour", 2)]),
    Recipe(
      name: "Black Forest", servings: 12, rating: 4, isPublic: false, month: 2, category: "Dessert",
      ingredients: [("cherry", 1), ("flour", 4)]),
    Recipe(name: "Éclair", servings: 10, rating: 3.5, isPublic: true, month: 3, category: "Dessert"),
    Recipe(name: "Goulash", servings: 4, isPublic: true, month: 4, category: "Main", ingredients: [("beef", 2)]),
    Recipe(servings: 2, rating: 5, isPublic: false),
    Recipe(
      name: "apple cake", servings: 6, rating: 4.5, isPublic: true, month: 6, category: "Dessert",
      ingredients: [("apple", 1)]),
  ]

  private static func fill(_ context: NSManagedObjectContext) throws {
    func new(_ name: String) throws -> NSManagedObject {
      let entity = try #require(context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[name])
      return NSManagedObject(entity: entity, insertInto: context)
    }
    var categories: [String: NSManagedObject] = [:]
    for (index, recipe) in recipes.enumerated() {
      let object = try new("Recipe")
      object.setValue(recipe.name, forKey: "name")
      object.setValue(recipe.servings, forKey: "servings")
      object.setValue(recipe.rating, forKey: "rating")
      object.setValue(recipe.isPublic, forKey: "isPublic")
      object.setValue(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, UInt8(index + 1))), forKey: "code")
      if let month = recipe.month {
        object.setValue(ISO8601DateFormatter().date(from: "2025-0\(month)-01T12:00:00Z"), forKey: "created")
      }
      if let name = recipe.category {
        let category = try categories[name] ?? new("Category")
        category.setValue(name, forKey: "name")
        categories[name] = category
        object.setValue(category, forKey: "category")
      }
      for (name, amount) in recipe.ingredients {
        let ingredient = try new("Ingredient")
        ingredient.setValue(name, forKey: "name")
        ingredient.setValue(amount, forKey: "amount")
        ingredient.setValue(object, forKey: "recipe")
      }
    }
  }
}

@MainActor @Suite("Every operator of the language, typed") struct FilterOperatorTests {
  nonisolated static let filters: [(String, Int)] = [
    ("name == \"Goulash\"", 1), ("name = 'Goulash'", 1), ("name == nil", 1), ("name != nil", 5),
    ("name <> 'Goulash'", 4),
    ("name ==[c] 'APPLE PIE'", 1), ("name ==[cd] 'eclair'", 1), ("name BEGINSWITH 'A'", 1),
    ("name BEGINSWITH[c] 'a'", 2),
    ("name ENDSWITH 'e'", 2), ("name CONTAINS 'pp'", 2), ("'pp' IN name", 2), ("name LIKE '*a*'", 4),
    ("name LIKE[c] '?pple*'", 2), ("name MATCHES '[AB].*'", 2), ("name IN {'Goulash', 'Éclair'}", 2),
    ("NOT name IN {'Goulash', 'Éclair'}", 3), ("name BETWEEN {'A', 'C'}", 2),
    ("servings > 8", 2), ("servings >= 8", 3), ("servings => 8", 3), ("servings < 4", 1), ("servings <= 4", 2),
    ("servings =< 4", 2), ("servings == 8", 1), ("servings != 8", 5), ("servings BETWEEN {4, 8}", 3),
    ("servings IN {2, 4}", 2), ("servings == 0x8", 1), ("8 < servings", 2),
    ("servings + 2 == 10", 1), ("servings * 2 > 20", 1), ("servings - 2 < 2", 1), ("servings / 2 == 4", 1),
    ("servings ** 2 == 16", 1), ("servings & 4 == 4", 3), ("servings | 1 == 9", 1), ("servings ^ 1 == 9", 1),
    ("servings << 1 == 8", 1), ("servings >> 1 == 4", 1), ("~servings == -9", 1), ("-servings == -8", 1),
    ("isPublic == YES", 4), ("isPublic == false", 2), ("created > '2025-02-15'", 3), ("created == nil", 1),
    ("created BETWEEN {'2025-01-01', '2025-02-01 12:00'}", 2), ("code == '00000000-0000-0000-0000-000000000003'", 1),
    ("NOT isPublic == YES", 2), ("!(servings == 2)", 5), ("isPublic == YES AND servings > 5", 3),
    ("isPublic == YES && servings > 5", 3), ("name == 'Goulash' OR servings == 2", 2),
    ("name == 'Goulash' || servings == 2", 2), ("category.name == 'Dessert'", 4), ("category == nil", 1),
    ("ANY ingredients.name == 'flour'", 2), ("SOME ingredients.name == 'flour'", 2),
    ("ALL ingredients.amount > 1", 4), ("NONE ingredients.name == 'flour'", 4), ("ingredients.@count == 2", 2),
    ("ingredients.@sum.amount > 4", 2), ("ingredients.@max.amount > 3", 1), ("ingredients.@min.amount == 1", 2),
    ("ingredients.@avg.amount == 2.5", 2),
    ("SUBQUERY(ingredients, $x, $x.amount > 1 AND $x.name == 'flour').@count > 0", 2),
    ("TERNARY(rating == nil, 0, rating) > 4", 3), ("uppercase(name) == 'GOULASH'", 1), ("floor(rating) == 4", 3),
    ("TRUEPREDICATE", 6), ("FALSEPREDICATE", 0),
  ]

  @Test func `the list has the objects that the store has for each filter`() async throws {
    let browser = try KitchenBrowser()
    await browser.session.idle()
    let context = try browser.file.context(of: KitchenBrowser.model())
    let entity = try #require(context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Recipe"])
    for (text, count) in Self.filters {
      await browser.type(KeyScript("/<c-u>" + text.replacingOccurrences(of: "<", with: "<lt>") + "<enter>"))
      let list = try #require(browser.session.state.list)
      #expect(
        browser.session.state.filterBar == nil, "\(text) is taken: \(browser.session.state.filterBar?.problem as Any)")
      #expect(list.filter == text)
      #expect(list.failure == nil, "\(text)")
      #expect(browser.session.state.listCount == count, "\(text)")
      // What people write for dates and UUIDs is no literal of the language itself.
      if text.contains("'2025") || text.hasPrefix("code") { continue }
      let stored = try context.performAndWait {
        let request = NSFetchRequest<NSManagedObject>()
        request.entity = entity
        request.predicate = NSPredicate(format: text)
        return try context.count(for: request)
      }
      #expect(stored == count, "\(text)")
      await browser.type("<esc>")
      #expect(browser.session.state.listCount == 6, "without \(text)")
    }
  }

  @Test func `a filter that no store can answer is told in the list, and the way on`() async throws {
    let browser = try KitchenBrowser()
    await browser.type("/FUNCTION(name, \"lowercaseString\") == \"goulash\"<enter>")
    let state = browser.session.state
    #expect(state.list?.failure != nil || state.listCount == 1)
    await browser.type("<esc>")
    #expect(browser.session.state.listCount == 6)
  }

  @Test func `values come from the store, and are taken by keys alone`() async throws {
    let browser = try KitchenBrowser()
    await browser.type("/cat<tab>.na<tab><tab><enter>")
    #expect(browser.session.state.filterBar?.editor.text == "category.name == ")
    #expect(browser.session.state.filterBar?.candidates.first?.text == "\"Dessert\"")
    await browser.type("\"M<tab><enter>")
    #expect(browser.session.state.list?.filter == "category.name == \"Main\"")
    #expect(browser.session.state.listCount == 1)
  }

  @Test func `an object in a cell is named by its URI`() async throws {
    let browser = try KitchenBrowser()
    await browser.session.idle()
    let column = try #require(browser.session.state.list?.columns.firstIndex { $0.name == "category" })
    await browser.type(KeyScript(String(repeating: "l", count: column) + "="))
    #expect(browser.session.state.list?.filter?.contains("x-coredata://") == true)
    #expect(browser.session.state.listCount == 4)
    await browser.type("<esc>-")
    #expect(browser.session.state.listCount == 1)
  }

  @Test func `a URI of another store is told`() async throws {
    let browser = try KitchenBrowser()
    await browser.type("/category == 'x-coredata://OTHER/Category/p1'<enter>")
    #expect(browser.session.state.list?.failure?.summary.contains("is no object of this store") == true)
  }

  @Test func `filters are kept for the next time, and a damaged file is told and left alone`() async throws {
    let first = try KitchenBrowser()
    await first.type("/servings == 8<enter>wEight<enter>")
    first.session.end()
    let second = try KitchenBrowser(home: first.home, file: first.file)
    await second.session.idle()
    #expect(second.session.state.shelf.saved.map(\.name) == ["Eight"])
    #expect(second.session.state.shelf.history == ["servings == 8"])
    second.session.end()
    let folder = first.home.url.appendingPathComponent("data/storebrowser/filters")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
    let url = folder.appendingPathComponent(name)
    try Data("not JSON".utf8).write(to: url)
    let third = try KitchenBrowser(home: first.home, file: first.file)
    await third.session.idle()
    #expect(third.terminal.shows("the saved filters cannot be read"))
    await third.type("/servings == 4<enter>wFour<enter>")
    #expect(third.terminal.shows("nothing was kept"))
    #expect(try String(contentsOf: url, encoding: .utf8) == "not JSON")
  }
}
