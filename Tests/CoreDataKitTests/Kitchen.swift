import Combine
import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreDataKit

/// A store of recipes with every delete rule, and a session that edits it.
///
/// Numbers: Author 1, Category 2, Ingredient 3, Recipe 4, Tag 5.
struct Kitchen {
  let file: TemporaryStore
  let model: NSManagedObjectModel
  let stack: CoreDataStack
  let session: EditSession

  static let author = ObjectKey(entity: 1, primaryKey: 1)
  static let dessert = ObjectKey(entity: 2, primaryKey: 1)
  static let soup = ObjectKey(entity: 2, primaryKey: 2)
  static let flour = ObjectKey(entity: 3, primaryKey: 1)
  static let apples = ObjectKey(entity: 3, primaryKey: 2)
  static let pie = ObjectKey(entity: 4, primaryKey: 1)
  static let cake = ObjectKey(entity: 4, primaryKey: 2)
  static let sweet = ObjectKey(entity: 5, primaryKey: 1)

  static func makeModel() -> NSManagedObjectModel {
    typealias Sketch = ModelSketch
    let name = Sketch.attribute("name", .stringAttributeType)
    name.isOptional = false
    let servings = Sketch.attribute("servings", .integer16AttributeType, default: NSNumber(value: 1))
    servings.setValidationPredicates(
      [NSPredicate(format: "SELF >= 1"), NSPredicate(format: "SELF <= 100")],
      withValidationWarnings: ["too few", "too many"])
    let recipe = Sketch.entity(
      "Recipe",
      [
        name, servings, Sketch.attribute("created", .dateAttributeType),
        Sketch.attribute("rating", .doubleAttributeType),
        Sketch.attribute("price", .decimalAttributeType), Sketch.attribute("done", .booleanAttributeType),
        Sketch.attribute("code", .UUIDAttributeType), Sketch.attribute("site", .URIAttributeType),
        Sketch.attribute("photo", .binaryDataAttributeType),
      ])
    let author = Sketch.entity("Author", [Sketch.attribute("name", .stringAttributeType)])
    let category = Sketch.entity("Category", [Sketch.attribute("name", .stringAttributeType)])
    let ingredient = Sketch.entity("Ingredient", [Sketch.attribute("name", .stringAttributeType)])
    let tag = Sketch.entity("Tag", [Sketch.attribute("name", .stringAttributeType)])
    Sketch.relate(recipe, "author", .one, to: author, inverse: "recipes", .many)
    Sketch.relate(recipe, "category", .one, to: category, inverse: "recipes", .many)
    Sketch.relate(recipe, "ingredients", .ordered, to: ingredient, inverse: "recipe", .one)
    Sketch.relate(recipe, "tags", .many, to: tag, inverse: "recipes", .many)
    author.relationshipsByName["recipes"]?.deleteRule = .denyDeleteRule
    recipe.relationshipsByName["ingredients"]?.deleteRule = .cascadeDeleteRule
    return Sketch.model([author, category, ingredient, recipe, tag])
  }

  /// Two recipes of one author in one category; the first has two ingredients and a tag.
  init(isReadOnly: Bool = false) throws {
    let model = Self.makeModel()
    self.model = model
    file = try TemporaryStore(model: model, named: "Kitchen.sqlite") { context in
      func new(_ entity: String, _ name: String) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue(name, forKey: "name")
        return object
      }
      let author = new("Author", "Ann")
      let dessert = new("Category", "Dessert")
      _ = new("Category", "Soup")
      let (flour, apples) = (new("Ingredient", "Flour"), new("Ingredient", "Apples"))
      let (pie, cake) = (new("Recipe", "Apple Pie"), new("Recipe", "Carrot Cake"))
      for recipe in [pie, cake] {
        recipe.setValue(author, forKey: "author")
        recipe.setValue(dessert, forKey: "category")
        recipe.setValue(NSNumber(value: 8), forKey: "servings")
      }
      pie.setValue(NSOrderedSet(array: [flour, apples]), forKey: "ingredients")
      pie.setValue(NSSet(object: new("Tag", "sweet")), forKey: "tags")
    }
    stack = CoreDataStack(
      configuration: CoreDataConfiguration(databaseURL: file.url, managedObjectModel: model, isReadOnly: isReadOnly))
    session = EditSession(stack: stack, author: "tester")
    try #require(
      try file.rows("SELECT Z_PK, ZNAME FROM ZRECIPE ORDER BY 1") == ["1|Apple Pie", "2|Carrot Cake"]
        && file.rows("SELECT Z_PK, ZNAME FROM ZINGREDIENT ORDER BY 1") == ["1|Flour", "2|Apples"])
  }

  /// A second session over the same stack, as another window would have.
  func otherSession() -> EditSession { EditSession(stack: stack) }

  @discardableResult func perform(_ operation: EditOperation) throws -> EditOutcome {
    try answer(session.perform(operation))
  }

  /// An operation that must be done.
  @discardableResult func done(_ operation: EditOperation) throws -> EditState {
    let outcome = try perform(operation)
    #expect(outcome.result == .done)
    return outcome.state
  }

  func insert(_ entity: String) throws -> ObjectKey {
    guard case .inserted(let key) = try perform(.insert(entity: entity)).result else {
      throw CocoaError(.userCancelled)
    }
    return key
  }

  func conflicts(_ outcome: EditOutcome) throws -> [EditConflict] {
    guard case .conflicts(let conflicts) = outcome.result else {
      Issue.record("no conflict: \(outcome.result)")
      return []
    }
    return conflicts
  }

  func answer<Output>(_ publisher: AnyPublisher<Output, any Error>) throws -> Output { try oneAnswer(publisher) }
}

/// The one answer of a publisher.
func oneAnswer<Output>(_ publisher: AnyPublisher<Output, any Error>) throws -> Output {
  let probe = PublisherProbe(publisher)
  try #require(probe.wait())
  if let error = probe.errors.first { throw error }
  return try #require(probe.values.first)
}
