import Foundation

/// One store's part of a save: what it is asked to write, and the objects meant.
struct StoreSave {
  var request = SaveRequest()
  /// The objects in the order of the request's.
  var inserted: [NSManagedObject] = []
  var updated: [NSManagedObject] = []
  var deleted: [NSManagedObject] = []
  /// Rows that the coordinator has cached and that are not those the objects are based on.
  var cached: [NSManagedObjectID: RowReference] = [:]
  var result = SaveResult(ids: [])
}

extension SaveRequest {
  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension NSManagedObjectContext {
  /// What waits to be written to a store: new objects go to the one they were assigned to, or to the first that can be
  /// written and holds their entity.
  ///
  /// An object that has nothing new to be written is left out, and so is one whose row is gone.
  func saved(in store: any ObjectStore, among stores: [any ObjectStore]) -> StoreSave {
    var save = StoreSave()
    save.request.author = transactionAuthor
    save.request.contextName = name
    for object in pending.keys {
      switch pending.kind(of: object) {
      case .inserted where home(of: object, among: stores) === store:
        save.inserted.append(object)
        save.request.inserted.append(SavedObject(object))
      case .updated where object.objectID.persistentStore === store && object.hasPersistentChangedValues:
        save.updated.append(object)
        save.request.updated.append(SavedObject(object))
        save.keepCached(object)
      case .deleted where object.objectID.persistentStore === store && !object.state.contains(.inaccessible):
        save.deleted.append(object)
        save.request.deleted.append(SavedObject(deleting: object))
        save.keepCached(object)
      default: break
      }
    }
    let written = checked.isEmpty ? [] : Set(save.updated)
    for object in checked where object.objectID.persistentStore === store && object.snapshot != nil {
      guard !object.isDeleted, !written.contains(object) else { continue }
      save.request.checked.append(SavedObject(checking: object))
      save.keepCached(object)
    }
    return save
  }
}

extension NSManagedObjectContext {
  /// Has a new object be saved to a store of one's choice.
  ///
  /// Source: Apple, "assign(_:to:)". Objects that were saved stay where they are.
  public func assign(_ object: Any, to store: NSPersistentStore) {
    assertQueue()
    guard let object = object as? NSManagedObject, object.managedObjectContext === self, object.objectID.isTemporaryID
    else { return }
    assignments[object] = store
  }

  /// The store that a new object goes to; `nil` when none takes it.
  func home(of object: NSManagedObject, among stores: [any ObjectStore]) -> (any ObjectStore)? {
    if let owner = object.objectID.persistentStore { return stores.first { $0 === owner } }
    if let assigned = assignments[object] { return stores.first { $0 === assigned } }
    return stores.first { !$0.isReadOnly && $0.holds(object.entity) }
  }
}

extension ObjectStore {
  /// Whether the store's configuration has an entity.
  func holds(_ entity: NSEntityDescription) -> Bool {
    guard configurationName != NSPersistentStoreCoordinator.defaultConfiguration else { return true }
    return entity.managedObjectModel?.holds(entity.name ?? "", in: configurationName) ?? true
  }
}

extension StoreSave {
  fileprivate mutating func keepCached(_ object: NSManagedObject) {
    guard let row = object.objectID.cachedRow, row.version != object.version else { return }
    cached[object.objectID] = row
  }
}

extension NSManagedObject {
  /// Whether it was deleted before it was ever saved: a relationship without inverse can still lead to it, the store cannot.
  fileprivate final var isVanished: Bool { state.isSuperset(of: [.new, .deleted]) }
}

extension SavedObject {
  /// What of an object is new, or other than in the row that it is based on.
  init(_ object: NSManagedObject) {
    self.init(id: object.objectID, snapshot: object.snapshot)
    for slot in object.changedSlots where object.state.contains(.new) || object.isChangedInEffect(slot) {
      let name = object.objectClass.properties[slot].name
      let value = object.changed(slot) ?? nil
      switch object.objectClass.kinds[slot] {
      case .attribute: attributes[name] = .some(value)
      case .toOne: toOne[name] = .some((value as? NSManagedObject).flatMap { $0.isVanished ? nil : $0.objectID })
      case .toMany(let relationship):
        guard let edit = value as? RelationshipEdit else { continue }
        let added = edit.added.filter { !$0.isVanished }.map(\.objectID)
        toMany[name] = ToManyChange(
          objects: relationship.isOrdered
            ? object.relatedObjects(slot, relationship).filter { !$0.isVanished }.map(\.objectID) : added,
          added: added, removed: edit.removed.map(\.objectID))
      case .other: continue
      }
    }
  }

  /// An object of which nothing is written.
  init(checking object: NSManagedObject) { self.init(id: object.objectID, snapshot: object.snapshot) }

  /// An object to be deleted.
  init(deleting object: NSManagedObject) { self.init(id: object.objectID, snapshot: object.snapshot) }
}
