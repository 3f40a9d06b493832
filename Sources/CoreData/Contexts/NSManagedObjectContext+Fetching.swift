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
    let givesIDs = request.resultType == .managedObjectIDResultType
    if let overlay = overlay(fetch, for: request) {
      let objects = try overlay.objects(in: self)
      return givesIDs ? try cast(objects.map(\.objectID)) : try cast(request.prepared(objects))
    }
    var ids: [NSManagedObjectID] = []
    for store in try stores() { ids += try store.objectIDs(for: fetch) }
    return givesIDs ? try cast(ids) : try cast(request.prepared(ids.map { object(with: $0) }))
  }

  /// How many objects a request finds.
  public func count<Result>(for request: NSFetchRequest<Result>) throws -> Int {
    assertQueue()
    let entity = try entity(of: request)
    let fetch = request.storeFetch(of: entity)
    if let overlay = overlay(fetch, for: request) { return try overlay.objects(in: self).count }
    return try stores().reduce(0) { try $0 + $1.count(for: fetch) }
  }

  /// What lies over the store for a request; `nil` when the store's answer is the whole answer.
  private func overlay<Result>(_ fetch: StoreFetch, for request: NSFetchRequest<Result>) -> FetchOverlay? {
    request.includesPendingChanges && hasChanges ? FetchOverlay(fetch, pending: pending.keys) : nil
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
    guard let name = request.entityName,
      let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[name]
    else {
      throw NSError.coreData(NSCoreDataError, "the model has no entity \(request.entityName ?? "")")
    }
    return entity
  }
}

extension NSFetchRequest {
  /// Fires the faults among the results when the request wants none.
  fileprivate func prepared(_ objects: [NSManagedObject]) -> [NSManagedObject] {
    if !returnsObjectsAsFaults { for object in objects { object.willAccessValue(forKey: nil) } }
    return objects
  }
}
