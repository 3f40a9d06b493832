import TestSupport

@testable import CoreData

/// A model with every shape of relationship and every type of attribute.
struct ShapesModel: Sendable {
  let model: NSManagedObjectModel

  /// `Item` and its children `Book` and `Toy` (which declare the same name); `Box` with `Crate`, and `Tag`.
  init() {
    typealias Sketch = ModelSketch
    let book = Sketch.entity("Book", [Sketch.attribute("extra", .stringAttributeType)])
    let toy = Sketch.entity("Toy", [Sketch.attribute("extra", .integer16AttributeType)])
    let item = Sketch.entity("Item", Self.attributes, children: [book, toy])
    let crate = Sketch.entity("Crate", [Sketch.attribute("weight", .doubleAttributeType)])
    let box = Sketch.entity("Box", [Sketch.attribute("name", .stringAttributeType)], children: [crate])
    let tag = Sketch.entity("Tag", [Sketch.attribute("name", .stringAttributeType)])
    Sketch.relate(item, "box", .one, to: box, inverse: "items", .many)
    Sketch.relate(box, "line", .ordered, to: item, inverse: "lineOf", .one)
    Sketch.relate(item, "tags", .many, to: tag, inverse: "items", .many)
    Sketch.relate(item, "ranked", .ordered, to: tag, inverse: "rankedBy", .ordered)
    Sketch.relate(tag, "friends", .many, to: tag, inverse: "friends", .many)
    Sketch.relate(tag, "following", .many, to: tag, inverse: "followers", .many)
    Sketch.relate(tag, "loose", .many, to: box)
    Sketch.relate(tag, "stack", .ordered, to: box)
    Sketch.relate(tag, "parent", .one, to: tag, inverse: "children", .many)
    Sketch.relate(tag, "favourite", .one, to: item)
    model = Sketch.model([item, book, toy, box, crate, tag])
  }

  /// One attribute of each type, named after it, besides `name`, `rank` and `_flag`.
  private static var attributes: [NSPropertyDescription] {
    [
      ModelSketch.attribute("name", .stringAttributeType), ModelSketch.attribute("rank", .integer64AttributeType),
      ModelSketch.attribute("_flag", .booleanAttributeType), ModelSketch.attribute("int16", .integer16AttributeType),
      ModelSketch.attribute("int32", .integer32AttributeType), ModelSketch.attribute("int64", .integer64AttributeType),
      ModelSketch.attribute("boolean", .booleanAttributeType), ModelSketch.attribute("double", .doubleAttributeType),
      ModelSketch.attribute("float", .floatAttributeType), ModelSketch.attribute("decimal", .decimalAttributeType),
      ModelSketch.attribute("string", .stringAttributeType), ModelSketch.attribute("date", .dateAttributeType),
      ModelSketch.attribute("uuid", .UUIDAttributeType), ModelSketch.attribute("uri", .URIAttributeType),
      ModelSketch.attribute("data", .binaryDataAttributeType),
      ModelSketch.attribute("external", .binaryDataAttributeType, external: true),
      ModelSketch.attribute("coded", .transformableAttributeType),
    ]
  }
}
