import Foundation
import Synchronization

/// A place where managed objects live and are changed.
///
/// Source: Apple, "NSManagedObjectContext"; reference/CONTEXT.md.
///
/// Sendable is unchecked, as Apple's is: a context may be passed anywhere, but apart from `perform`, `performAndWait` and
/// the properties that say so it must be used on its own queue, which debug builds check.
public final class NSManagedObjectContext: NSObject, @unchecked Sendable {
  /// On which queue a context works.
  public enum ConcurrencyType: UInt, Sendable {
    /// A queue of its own.
    case privateQueueConcurrencyType = 1
    /// The main queue.
    case mainQueueConcurrencyType = 2
  }

  /// On which queue the context works.
  ///
  /// May be read anywhere.
  public let concurrencyType: ConcurrencyType
  /// The stores behind the context.
  public var persistentStoreCoordinator: NSPersistentStoreCoordinator?
  /// A name for debugging.
  public var name: String?
  private let queue: ContextQueue
  /// New objects, kept alive until they are saved.
  private var inserted: [NSManagedObject] = []
  private var updated: Set<NSManagedObject> = []
  private var registered = RegisteredObjects()
  /// The last error that reading a fault or a relationship met; such reads have no way to throw.
  private(set) var lastReadError: (any Error)?

  /// A context on a queue of its own, or on the main queue.
  public init(concurrencyType: ConcurrencyType) {
    self.concurrencyType = concurrencyType
    queue = ContextQueue(main: concurrencyType == .mainQueueConcurrencyType)
  }

  deinit { registered.removeAll(from: ObjectIdentifier(self)) }

  // MARK: Queue

  /// Runs `block` on the context's queue, later.
  public func perform(_ block: @escaping @Sendable () -> Void) { queue.async(block) }

  /// Runs `block` on the context's queue and waits for it.
  public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result { try queue.sync(block) }

  /// Runs `block` on the context's queue and gives its result.
  public func perform<Result: Sendable>(_ block: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { continuation.resume(with: Swift.Result { try block() }) }
    }
  }

  /// Stops a debug build when the context is used off its queue, where Apple's does with `ConcurrencyDebug 1`.
  func assertQueue() {
    assert(queue.isCurrent, "a managed object context was used off its queue: use perform or performAndWait")
  }

  // MARK: Fetching

  /// The objects that a request finds, in its order.
  ///
  /// Rows already here keep their objects and their values (reference/CONTEXT.md 1 and 4).
  public func fetch<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
    assertQueue()
    if request.resultType == .countResultType {
      return try cast([NSNumber(value: try count(for: request))])
    }
    let entity = try entity(of: request)
    var ids: [NSManagedObjectID] = []
    for store in try stores() { ids += try store.objectIDs(for: request.storeFetch(of: entity)) }
    if request.resultType == .managedObjectIDResultType { return try cast(ids) }
    let objects = ids.map { object(with: $0) }
    if !request.returnsObjectsAsFaults { for object in objects { object.willAccessValue(forKey: nil) } }
    return try cast(objects)
  }

  /// How many objects a request finds.
  public func count<Result>(for request: NSFetchRequest<Result>) throws -> Int {
    assertQueue()
    let entity = try entity(of: request)
    return try stores().reduce(0) { try $0 + $1.count(for: request.storeFetch(of: entity)) }
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

  private func stores() throws -> [any ObjectStore] {
    guard let coordinator = persistentStoreCoordinator else {
      throw NSError.coreData(NSPersistentStoreOperationError, "the context has no persistent store coordinator")
    }
    return coordinator.persistentStores.compactMap { $0 as? any ObjectStore }
  }

  private func entity<Result>(of request: NSFetchRequest<Result>) throws -> NSEntityDescription {
    if let entity = request.entity { return entity }
    guard let name = request.entityName,
      let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[name]
    else {
      throw NSError.coreData(NSCoreDataError, "the model has no entity \(request.entityName ?? "")")
    }
    return entity
  }

  // MARK: Objects

  /// The object with an id: the one that is here, or a new fault, also for a row that does not exist.
  public func object(with id: NSManagedObjectID) -> NSManagedObject {
    if let known = registeredObject(for: id) { return known }
    let object = id.entity.objectClass.type.init(id: id, in: self)
    registered.add(object, for: id, in: ObjectIdentifier(self))
    return object
  }

  /// The object with an id when the context has it already.
  public func registeredObject(for id: NSManagedObjectID) -> NSManagedObject? {
    id.slot.withLock { $0.registrations.held(in: ObjectIdentifier(self)) }?.object
  }

  /// The object with an id, its row read; throws 133000 when there is no such row.
  public func existingObject(with id: NSManagedObjectID) throws -> NSManagedObject {
    assertQueue()
    if let known = registeredObject(for: id), !known.isFault { return known }
    guard let row = try id.objectStore?.row(of: id) else {
      throw NSError.coreData(NSManagedObjectReferentialIntegrityError, "there is no object \(id.uriRepresentation())")
    }
    let object = object(with: id)
    if object.isFault { object.take(row) }
    return object
  }

  func insertNew(_ object: NSManagedObject) {
    object.isInserted = true
    inserted.append(object)
    registered.add(object, for: object.objectID, in: ObjectIdentifier(self))
    object.awakeFromInsert()
  }

  func objectDidChange(_ object: NSManagedObject) {
    if !object.isInserted { updated.insert(object) }
  }

  /// A fault whose row is gone keeps no values; the error tells.
  func couldNotFulfill(_ object: NSManagedObject) {
    report(
      NSError.coreData(
        NSManagedObjectReferentialIntegrityError,
        "CoreData could not fulfill a fault for '\(object.objectID.uriRepresentation())'"))
  }

  func report(_ error: any Error) { lastReadError = error }

  // MARK: Saving

  /// Whether `save()` would write something.
  public var hasChanges: Bool { !inserted.isEmpty || !updated.isEmpty }

  /// The objects inserted since the last save.
  public var insertedObjects: Set<NSManagedObject> { Set(inserted) }

  /// Writes the inserted objects in one transaction; their ids become permanent.
  ///
  /// Changes of objects that are in the store already are refused until the context can save them.
  public func save() throws {
    assertQueue()
    guard hasChanges else { return }
    guard updated.isEmpty else {
      throw NSError.coreData(NSPersistentStoreSaveError, "changed objects cannot be saved yet; only inserted ones can")
    }
    guard let store = try stores().first(where: { !$0.isReadOnly }) else {
      throw NSError.coreData(NSPersistentStoreSaveError, "the context has no store that can be written")
    }
    let ids = try store.insert(inserted.map(InsertedObject.init))
    let saved = inserted
    inserted = []
    for (object, id) in zip(saved, ids) {
      registered.move(object, to: id, in: ObjectIdentifier(self))
    }
  }

  /// Forgets all objects and changes.
  public func reset() {
    assertQueue()
    inserted = []
    updated = []
    lastReadError = nil
    registered.removeAll(from: ObjectIdentifier(self))
  }
}
