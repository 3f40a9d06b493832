import Foundation

/// A new object as a store takes it: the values set on it, and the ids of related objects.
struct InsertedObject {
  let id: NSManagedObjectID
  /// By property name; a to-one relationship is an id, a to-many one an array of ids in order.
  let attributes: [String: Any]
  let toOne: [String: NSManagedObjectID]
  let toMany: [String: [NSManagedObjectID]]

  init(_ object: NSManagedObject) {
    id = object.objectID
    var attributes: [String: Any] = [:]
    var toOne: [String: NSManagedObjectID] = [:]
    var toMany: [String: [NSManagedObjectID]] = [:]
    for (name, value) in object.changedValues() {
      switch value {
      case let target as NSManagedObject: toOne[name] = target.objectID
      case let set as NSOrderedSet: toMany[name] = set.array.compactMap { ($0 as? NSManagedObject)?.objectID }
      case let set as NSSet: toMany[name] = set.allObjects.compactMap { ($0 as? NSManagedObject)?.objectID }
      default: attributes[name] = value
      }
    }
    (self.attributes, self.toOne, self.toMany) = (attributes, toOne, toMany)
  }
}
