import Foundation
import TestSupport

@testable import CoreData

/// The plain data, saved to a store.
struct StoredWorld {
  let world: PlainWorld
  private let store: TemporaryStore
  /// The id of each row's object.
  private let ids: [URL]

  init(seed: UInt64) throws {
    let world = PlainWorld(seed: seed)
    var ids: [URL] = []
    store = try TemporaryStore(model: PlainEntity.model) { context in
      let objects = world.insert(into: context)
      try context.save()
      ids = objects.map { $0.objectID.uriRepresentation() }
    }
    self.world = world
    self.ids = ids
  }

  /// Runs `body` on a new context's queue, with the object of each row.
  func work<Result>(_ body: (NSManagedObjectContext, [NSManagedObject]) throws -> Result) throws -> Result {
    let context = try store.context(of: PlainEntity.model, isReadOnly: false)
    return try context.performAndWait {
      let objects = try ids.map { id in
        guard let id = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: id) else {
          throw CocoaError(.fileReadCorruptFile)
        }
        return context.object(with: id)
      }
      return try body(context, objects)
    }
  }
}
