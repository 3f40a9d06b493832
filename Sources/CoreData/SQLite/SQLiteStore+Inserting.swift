import Foundation
import Synchronization

/// A new object as a store takes it: the values set on it, and the ids of related objects.
struct InsertedObject {
  let id: NSManagedObjectID
  /// By property name; a to-one relationship is an id, a to-many one an array of ids in order.
  let attributes: [String: Any]
  let toOne: [String: NSManagedObjectID]
  let toMany: [String: [NSManagedObjectID]]

  init(
    id: NSManagedObjectID, attributes: [String: Any], toOne: [String: NSManagedObjectID],
    toMany: [String: [NSManagedObjectID]]
  ) {
    (self.id, self.attributes, self.toOne, self.toMany) = (id, attributes, toOne, toMany)
  }

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

extension SQLiteStore {
  /// Writes new rows, join rows and counters in one immediate transaction.
  func insert(_ objects: [InsertedObject]) throws -> [NSManagedObjectID] {
    try withConnection { connection in
      let (keys, changed) = try connection.immediateTransaction {
        var writer = RowInserter(connection: connection, map: map)
        let keys = try writer.write(objects)
        if hasChangedMetadata {
          let entries = metadataValues.sorted { $0.key < $1.key }.map { PropertyListValue.Entry($0.key, $0.value) }
          try connection.execute(
            "UPDATE Z_METADATA SET Z_PLIST = ? WHERE Z_VERSION = 1",
            [.blob(BinaryPropertyListWriter.bytes(.dictionary(entries)))])
        }
        return (keys: keys, changed: writer.changed)
      }
      hasChangedMetadata = false
      // Rows that were changed to lead to new ones are read anew by the next who wants them.
      for id in changed { id.slot.withLock { $0.row = nil } }
      return zip(objects, keys).compactMap { object, key in
        object.id.entity.name.flatMap { map[$0] }.map {
          ids.id(table: $0.table, entity: $0, primaryKey: key, store: self)
        }
      }
    }
  }
}
