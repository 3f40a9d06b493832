import CoreData
import Foundation

/// A program that saves without end, for `Tests/EndToEnd/kill_saves.py` to kill.
///
/// `SaveLoop STORE create` makes the store. `SaveLoop STORE` saves, over and over: every save gives one number to all
/// cells, moves one cell to the end of the line, hangs a cell to another tag, replaces one guest and the file of one
/// value; it prints the number when the save is done. Whoever finds two numbers in the store has found half a save.
@main struct SaveLoop {
  private static let cells = 40
  private static let tags = 3
  private static let blob = 150_000

  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let path = arguments.first else { fatalError("usage: SaveLoop STORE [create]") }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, at: URL(fileURLWithPath: path))
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      if arguments.dropFirst().first == "create" { return try create(in: context) }
      while true { try save(in: context) }
    }
  }

  private static func create(in context: NSManagedObjectContext) throws {
    func new(_ entity: String) -> NSManagedObject {
      let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      object.setValue(0, forKey: "number")
      return object
    }
    let tags = (0..<Self.tags).map { _ in new("Tag") }
    let cells = (0..<Self.cells).map { _ in new("Cell") }
    for cell in cells { cell.setValue(NSSet(object: tags[0]), forKey: "tags") }
    new("Line").setValue(NSOrderedSet(array: cells), forKey: "cells")
    new("Guest").setValue(data(0), forKey: "data")
    try context.save()
  }

  private static func save(in context: NSManagedObjectContext) throws {
    func all(_ entity: String) throws -> [NSManagedObject] {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.sortDescriptors = [NSSortDescriptor(key: "rank", ascending: true)]
      return try context.fetch(request)
    }
    guard let line = try all("Line").first, let last = line.value(forKey: "number") as? Int else {
      fatalError("the store has no line")
    }
    let number = last + 1
    let (cells, tags) = (try all("Cell"), try all("Tag"))
    for object in cells + tags + [line] { object.setValue(number, forKey: "number") }
    for cell in cells { cell.setValue(NSSet(object: tags[number % tags.count]), forKey: "tags") }
    var order = (line.value(forKey: "cells") as? NSOrderedSet)?.array ?? []
    order.append(order.removeFirst())
    line.setValue(NSOrderedSet(array: order), forKey: "cells")
    for guest in try all("Guest") { context.delete(guest) }
    let guest = NSEntityDescription.insertNewObject(forEntityName: "Guest", into: context)
    guest.setValue(number, forKey: "number")
    guest.setValue(data(number), forKey: "data")
    try context.save()
    // Not buffered: what was printed was saved.
    FileHandle.standardOutput.write(Data("\(number)\n".utf8))
  }

  /// The bytes of a number's file: large enough to lie beside the store.
  private static func data(_ number: Int) -> Data { Data(repeating: UInt8(truncatingIfNeeded: number), count: blob) }

  private static func model() -> NSManagedObjectModel {
    let (cell, tag, line, guest) = (entity("Cell"), entity("Tag"), entity("Line"), entity("Guest"))
    let data = attribute("data", .binaryDataAttributeType)
    data.allowsExternalBinaryDataStorage = true
    guest.properties.append(data)
    relate((cell, "tags", false), (tag, "cells", false))
    relate((line, "cells", true), (cell, "line", nil))
    let model = NSManagedObjectModel()
    model.entities = [cell, tag, line, guest]
    return model
  }

  private static func entity(_ name: String) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = [attribute("number", .integer64AttributeType), attribute("rank", .integer64AttributeType)]
    return entity
  }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    return attribute
  }

  /// One end of a relationship: whose, its name, and whether it is ordered; `nil` for a to-one end.
  private typealias End = (entity: NSEntityDescription, name: String, isOrdered: Bool?)

  private static func relate(_ one: End, _ other: End) {
    let ends = [(one, other), (other, one)].map { from, to in
      let relationship = NSRelationshipDescription()
      relationship.name = from.name
      relationship.destinationEntity = to.entity
      relationship.isOptional = true
      relationship.maxCount = from.isOrdered == nil ? 1 : 0
      relationship.isOrdered = from.isOrdered ?? false
      from.entity.properties.append(relationship)
      return relationship
    }
    ends[0].inverseRelationship = ends[1]
    ends[1].inverseRelationship = ends[0]
  }
}
