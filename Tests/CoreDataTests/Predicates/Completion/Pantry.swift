import CoreData
import TestSupport

/// A model with every kind of attribute and relationships of every shape, for predicates that are typed.
enum Pantry {
  static let recipe: NSEntityDescription = entities[0]
  static let category: NSEntityDescription = entities[1]

  private static let entities: [NSEntityDescription] = {
    let draft = ModelSketch.attribute("draft", .stringAttributeType)
    draft.isTransient = true
    let recipe = ModelSketch.entity(
      "Recipe",
      [
        ModelSketch.attribute("name", .stringAttributeType), ModelSketch.attribute("notes", .stringAttributeType),
        ModelSketch.attribute("servings", .integer16AttributeType),
        ModelSketch.attribute("rating", .doubleAttributeType),
        ModelSketch.attribute("price", .decimalAttributeType), ModelSketch.attribute("isPublic", .booleanAttributeType),
        ModelSketch.attribute("created", .dateAttributeType), ModelSketch.attribute("id", .UUIDAttributeType),
        ModelSketch.attribute("link", .URIAttributeType), ModelSketch.attribute("photo", .binaryDataAttributeType),
        ModelSketch.attribute("size", .integer32AttributeType), draft,
      ])
    let category = ModelSketch.entity("Category", [ModelSketch.attribute("name", .stringAttributeType)])
    let ingredient = ModelSketch.entity(
      "Ingredient",
      [
        ModelSketch.attribute("name", .stringAttributeType), ModelSketch.attribute("amount", .doubleAttributeType),
        ModelSketch.attribute("bought", .dateAttributeType),
      ])
    ModelSketch.relate(recipe, "category", .one, to: category, inverse: "recipes", .many)
    ModelSketch.relate(recipe, "ingredients", .many, to: ingredient, inverse: "recipe", .one)
    // Whoever holds an entity holds no model: this one lives as long as the tests.
    model.entities = [recipe, category, ingredient]
    return model.entities
  }()

  private static let model = NSManagedObjectModel()
}
