import Foundation
import Testing

@testable import CoreData

private class Shape: NSManagedObject {
  @Persisted var title: String
  @Persisted var size: Int32
}

private final class Circle: Shape {
  @Persisted var radius: Double
}

/// What the object layer finds out about a class and an entity once.
@Suite struct ManagedObjectClassTests {
  /// An entity whose attributes have these types; the model must be kept.
  private func model(_ attributes: [String: NSAttributeType]) -> (NSManagedObjectModel, NSEntityDescription) {
    let entity = NSEntityDescription()
    entity.name = "Shape"
    entity.properties = attributes.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [entity]
    model.freeze()
    return (model, entity)
  }

  private let circle: [String: NSAttributeType] = [
    "title": .stringAttributeType, "size": .integer32AttributeType, "radius": .doubleAttributeType,
  ]

  @Test func `managed properties of a class and of its superclass find their slots`() {
    let (model, entity) = model(circle)
    for round in 0..<3 {
      let object = Circle(entity: entity, insertInto: nil)
      object.radius = 1.5 + Double(round)
      object.size = Int32(round)
      object.title = "round \(round)"
      #expect(object.primitiveValue(forKey: "radius") as? Double == 1.5 + Double(round))
      #expect(object.primitiveValue(forKey: "size") as? Int == round)
      #expect(object.primitiveValue(forKey: "title") as? String == "round \(round)")
      #expect(object.title == "round \(round)" && object.size == Int32(round) && object.radius == 1.5 + Double(round))
    }
    withExtendedLifetime(model) {}
  }

  @Test func `a managed property that the entity has not is told by name, and stops the program when it is used`() async
  {
    let (model, entity) = model(["title": .stringAttributeType])
    let object = Circle(entity: entity, insertInto: nil)
    #expect(object.objectClass.unknownProperties.sorted() == ["radius", "size"])
    #expect(object.title == "")
    withExtendedLifetime(model) {}
    await #expect(processExitsWith: .failure) {
      let entity = NSEntityDescription()
      _ = Circle(entity: entity, insertInto: nil).radius
    }
  }

  @Test func `one class serves entities whose properties lie in other slots`() {
    let (first, one) = model(circle)
    var wider = circle
    wider["another"] = .stringAttributeType
    let (second, two) = model(wider)
    for entity in [one, two, one, two] {
      let object = Circle(entity: entity, insertInto: nil)
      object.radius = 2
      object.title = "t"
      #expect(object.changedValues().keys.sorted() == ["radius", "title"])
    }
    withExtendedLifetime((first, second)) {}
  }

  @Test func `what is known of an entity ends with it`() {
    weak var entity: NSEntityDescription?
    weak var objectClass: ManagedObjectClass?
    do {
      let (model, made) = model(circle)
      let object = Circle(entity: made, insertInto: nil)
      #expect(object.title == "")
      (entity, objectClass) = (made, object.objectClass)
      withExtendedLifetime(model) {}
    }
    #expect(entity == nil)
    #expect(objectClass == nil)
  }

  @Test func `entities made and freed one after the other never share what is known`() {
    for round in 0..<200 {
      var attributes = circle
      for number in 0..<round % 7 { attributes["a\(number)"] = .stringAttributeType }
      let (model, entity) = model(attributes)
      let object = Circle(entity: entity, insertInto: nil)
      object.title = "round \(round)"
      #expect(object.primitiveValue(forKey: "title") as? String == "round \(round)")
      withExtendedLifetime(model) {}
    }
  }

  @Test func `an entity that can still change keeps nothing`() {
    let entity = NSEntityDescription()
    entity.managedObjectClassName = "NoSuchClass"
    let before = entity.objectClass
    #expect(before.type == NSManagedObject.self)
    #expect(entity.objectClass !== before)
  }
}
