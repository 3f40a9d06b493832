import Foundation

/// What a context told, as far as it can concern fetched results.
struct FetchedResultsEvent {
  /// The objects of the request's entity that changed, in any way.
  private(set) var changed: [NSManagedObject] = []
  /// Those of them that were changed in nothing that they are sorted by.
  private(set) var keepingOrder: Set<ObjectIdentifier> = []
  /// Objects of the request's entity that were saved for the first time: their ids changed.
  private(set) var saved: [NSManagedObject] = []
  /// Objects that were invalidated by themselves, which counts as deleted (reference/FRC.md 24).
  private(set) var invalidated: Set<NSManagedObject> = []
  /// Whether others changed that the results depend on through relationships.
  private(set) var crosses = false

  /// `nil` when nothing of it concerns the request.
  init?(_ notification: Notification, for request: FetchedRequest, in context: NSManagedObjectContext) {
    let info = notification.userInfo ?? [:]
    func objects(_ keys: String...) -> [NSManagedObject] {
      keys.flatMap { Array(info[$0] as? Set<NSManagedObject> ?? []) }
    }
    if notification.name == .NSManagedObjectContextDidSave {
      saved = objects(NSInsertedObjectsKey).filter { request.concerns($0.entity) }
      if saved.isEmpty { return nil }
      return
    }
    let all =
      objects(NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey)
      + objects(NSRefreshedObjectsKey, NSInvalidatedObjectsKey)
    invalidated = info[NSInvalidatedObjectsKey] as? Set<NSManagedObject> ?? []
    crosses = all.contains { request.crosses($0.entity) }
    var found = Set(all.filter { request.concerns($0.entity) })
    // After a merge there are also changes of objects that the context does not have, or has as faults.
    for key in [NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSRefreshedObjectIDsKey, NSDeletedObjectIDsKey] {
      for id in info[key] as? Set<NSManagedObjectID> ?? [] {
        crosses = crosses || request.crosses(id.entity)
        guard request.concerns(id.entity) else { continue }
        let object = key == NSDeletedObjectIDsKey ? context.registeredObject(for: id) : context.object(with: id)
        if let object { found.insert(object) }
      }
    }
    changed = Array(found)
    for object in objects(NSUpdatedObjectsKey) where request.concerns(object.entity) {
      let slots = context.slotsChangedInEvent(object)
      // A change without a property is one that is not known.
      if !slots.isEmpty, !request.ordersBy(slots.map { object.objectClass.properties[$0].name }) {
        keepingOrder.insert(ObjectIdentifier(object))
      }
    }
    if changed.isEmpty && !crosses { return nil }
  }
}

extension FetchedResultsChange {
  /// The change as a difference of ids.
  ///
  /// `told` gives the id under which an object was told before: one that was saved since is replaced.
  func difference(told: (NSManagedObject) -> NSManagedObjectID) -> CollectionDifference<NSManagedObjectID> {
    var changes: [CollectionDifference<NSManagedObjectID>.Change] = []
    var moved: Set<ObjectIdentifier> = []
    for (object, kind) in objects {
      let (before, after) = (told(object), object.objectID)
      moved.insert(ObjectIdentifier(object))
      switch kind {
      case .insert(let new): changes.append(.insert(offset: new, element: after, associatedWith: nil))
      case .delete(let old): changes.append(.remove(offset: old, element: before, associatedWith: nil))
      case .move(let old, let new):
        let isSame = before == after
        changes.append(.remove(offset: old, element: before, associatedWith: isSame ? new : nil))
        changes.append(.insert(offset: new, element: after, associatedWith: isSame ? old : nil))
      case .update: moved.remove(ObjectIdentifier(object))
      }
    }
    let replaced = Dictionary(
      new.objects.enumerated().compactMap { place, object in
        moved.contains(ObjectIdentifier(object)) || told(object) == object.objectID
          ? nil : (ObjectIdentifier(object), place)
      }, uniquingKeysWith: { first, _ in first })
    if !replaced.isEmpty {
      for (place, object) in old.objects.enumerated() {
        guard let now = replaced[ObjectIdentifier(object)] else { continue }
        changes.append(.remove(offset: place, element: told(object), associatedWith: nil))
        changes.append(.insert(offset: now, element: object.objectID, associatedWith: nil))
      }
    }
    guard let difference = CollectionDifference(changes) else {
      preconditionFailure("each place of fetched results is told once")
    }
    return difference
  }
}
