import Foundation

extension NSManagedObjectContext {
  /// The objects that a request finds, in its order.
  ///
  /// Rows already here keep their objects and their values (reference/CONTEXT.md 1 and 4). Unless the request says
  /// otherwise, what waits to be saved is seen as if it were (reference/CONTEXT.md 25).
  public func fetch<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
    assertQueue()
    if request.resultType == .countResultType {
      return try cast([NSNumber(value: try count(for: request))])
    }
    let entity = try entity(of: request)
    let fetch = request.storeFetch(of: entity)
    if request.resultType == .dictionaryResultType {
      let asked = try DictionaryFetch(request, of: entity)
      return try cast(stores(of: request).flatMap { try $0.dictionaries(for: asked) }.map { $0 as NSDictionary })
    }
    let givesIDs = request.resultType == .managedObjectIDResultType
    if let overlay = overlay(fetch, for: request) {
      let objects = try overlay.objects(in: self)
      return givesIDs ? try cast(objects.map(\.objectID)) : try cast(prepared(objects, for: request))
    }
    var ids: [NSManagedObjectID] = []
    for store in try stores(of: request) { ids += try store.objectIDs(for: fetch) }
    return givesIDs ? try cast(ids) : try cast(prepared(ids.map { object(with: $0) }, for: request))
  }

  /// The stores that a request is about.
  private func stores<Result>(of request: NSFetchRequest<Result>) throws -> [any ObjectStore] {
    let stores = try stores()
    guard let affected = request.affectedStores else { return stores }
    return stores.filter { store in affected.contains { $0 === store } }
  }

  /// The objects found, as the request wants them: fresh, in batches, with what they lead to, with their values.
  private func prepared<Result>(
    _ objects: [NSManagedObject], for request: NSFetchRequest<Result>
  ) throws -> [NSManagedObject] {
    if request.shouldRefreshRefetchedObjects {
      let known = objects.filter { !$0.needsRow && !$0.objectID.isTemporaryID && !$0.isDeleted }
      // Without the rows that the fetch has brought, those of the cache may be old.
      if !request.includesPropertyValues || request.fetchBatchSize > 0 {
        for store in try stores(of: request) {
          try store.readRows(of: known.map(\.objectID).filter { $0.persistentStore === store })
        }
      }
      for object in known { takeFetched(object) }
    }
    if request.fetchBatchSize > 0, request.includesPropertyValues {
      readTogether(objects, pagesOf: request.fetchBatchSize)
    }
    if let paths = request.relationshipKeyPathsForPrefetching { try prefetch(paths, for: objects) }
    if !request.returnsObjectsAsFaults { for object in objects { object.willAccessValue(forKey: nil) } }
    return objects
  }

  /// Puts an object that has its values on the row that a fetch has read; its changes lie over it.
  private func takeFetched(_ object: NSManagedObject) {
    guard let row = object.objectID.cachedRow,
      !(object.snapshot.map { row.isSame(as: $0, for: object.entity) } ?? false)
    else { return }
    take(newest: object)
    object.awake(fromSnapshotEvents: .refresh)
    pending.refresh(object)
    keepInStep(object)
    changed()
  }

  /// How many objects a request finds.
  public func count<Result>(for request: NSFetchRequest<Result>) throws -> Int {
    assertQueue()
    let entity = try entity(of: request)
    let fetch = request.storeFetch(of: entity)
    if let overlay = overlay(fetch, for: request) { return try overlay.objects(in: self).count }
    return try stores(of: request).reduce(0) { try $0 + $1.count(for: fetch) }
  }

  /// What lies over the store for a request; `nil` when the store's answer is the whole answer.
  private func overlay<Result>(_ fetch: StoreFetch, for request: NSFetchRequest<Result>) -> FetchOverlay? {
    guard request.includesPendingChanges, hasChanges else { return nil }
    return FetchOverlay(fetch, pending: pending.keys, stores: request.affectedStores)
  }

  private func cast<Result>(_ results: [some AnyObject]) throws -> [Result] {
    var lastType: AnyObject.Type?
    return try results.map { result in
      // A dynamic cast takes longer than reading a row: of neighbours of one class only the first is cast. The bits of
      // an object that is a `Result` are those of a `Result` exactly when that is a class.
      if type(of: result as AnyObject) == lastType { return unsafeBitCast(result, to: Result.self) }
      guard let cast = result as? Result else {
        throw NSError.coreData(NSCoreDataError, "the request's results are not of type \(Result.self)")
      }
      if Result.self is AnyObject.Type { lastType = type(of: result as AnyObject) }
      return cast
    }
  }

  func entity<Result>(of request: NSFetchRequest<Result>) throws -> NSEntityDescription {
    if let entity = request.entity { return entity }
    if let type = request.entityClass {
      let fitting = persistentStoreCoordinator?.managedObjectModel.entities(of: type) ?? []
      if fitting.count == 1 { return fitting[0] }
      throw NSError.coreData(
        NSCoreDataError, "\(type) is the class of \(fitting.count) entities of the model, not of one")
    }
    guard let name = request.entityName,
      let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[name]
    else {
      throw NSError.coreData(NSCoreDataError, "the model has no entity \(request.entityName ?? "")")
    }
    return entity
  }
}
