import Foundation

extension NSManagedObjectContext {
  /// Gives new objects the ids that they will be saved by.
  ///
  /// Source: Apple, "obtainPermanentIDs(for:)"; reference/CONTEXT.md 37.
  ///
  /// The store reserves their primary keys, in a transaction of its own: keys of objects that are never saved stay unused.
  /// Objects that have permanent ids keep them. The objects still wait to be inserted.
  public func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    assertQueue()
    if let stranger = objects.first(where: { $0.managedObjectContext !== self }) {
      throw NSError.coreData(NSCoreDataError, "\(stranger) is no object of the context")
    }
    var seen: Set<NSManagedObject> = []
    let new = objects.filter { $0.objectID.isTemporaryID && seen.insert($0).inserted }
    guard !new.isEmpty else { return }
    let stores = try stores()
    for object in new where home(of: object, among: stores) == nil {
      throw Self.noHome(stores.contains { !$0.isReadOnly } ? [] : stores, for: object)
    }
    for store in stores {
      let own = new.filter { home(of: $0, among: stores) === store }
      guard !own.isEmpty else { continue }
      let ids = try store.reserveIDs(for: own.map(\.objectID))
      for (object, id) in zip(own, ids) { registered.rename(object, to: id, in: ObjectIdentifier(self)) }
    }
  }
}
