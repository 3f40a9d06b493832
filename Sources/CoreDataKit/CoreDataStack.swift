import Combine
import CoreData
import Dispatch

/// A database opened for repositories: coordinator, the main queue's context, and background contexts.
///
/// Opening happens once, on a background queue, when the first publisher is subscribed to. Safe to share.
public final class CoreDataStack: PersistentStore {
  private let configuration: CoreDataConfiguration
  private let coordinator: NSPersistentStoreCoordinator
  private let opening = DispatchQueue(label: "CoreDataStack.opening")
  /// Reads for the main queue.
  public let viewContext: NSManagedObjectContext
  private let writer: NSManagedObjectContext

  /// A stack; nothing is opened yet.
  public init(configuration: CoreDataConfiguration) {
    self.configuration = configuration
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: configuration.managedObjectModel)
    viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    viewContext.persistentStoreCoordinator = coordinator
    writer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    writer.persistentStoreCoordinator = coordinator
  }

  /// The model.
  public var managedObjectModel: NSManagedObjectModel { configuration.managedObjectModel }

  /// Opens the database, or gives it when it is open already.
  ///
  /// Blocks while it is being opened.
  public func open() throws -> NSPersistentStore {
    try opening.sync { try openOnQueue() }
  }

  /// A context on a queue of its own.
  public func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// Hands on the open database: at once when it is open, else from the queue that it is opened on, so that the main queue
  /// never waits.
  private func whenOpen(_ next: @escaping @Sendable (Swift.Result<NSPersistentStore, any Error>) -> Void) {
    if let open = coordinator.persistentStores.first { return next(.success(open)) }
    opening.async { next(Swift.Result { try self.openOnQueue() }) }
  }

  private func openOnQueue() throws -> NSPersistentStore {
    if let open = coordinator.persistentStores.first { return open }
    var options: [AnyHashable: Any] = [NSReadOnlyPersistentStoreOption: NSNumber(value: configuration.isReadOnly)]
    if let timeout = configuration.timeout { options[NSPersistentStoreTimeoutOption] = NSNumber(value: timeout) }
    return try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, at: configuration.databaseURL, options: options)
  }

  // MARK: PersistentStore

  /// How many objects a request finds; counted on the main queue's context, answered on the main queue.
  public func count(_ fetchRequest: NSFetchRequest<some Any>) -> AnyPublisher<Int, any Error> {
    work(on: viewContext) { try $0.count(for: fetchRequest) }
  }

  /// What `map` makes of the objects a request finds; fetched on the main queue's context, answered on the main queue.
  public func fetch<T, V>(
    _ fetchRequest: NSFetchRequest<T>, map: @escaping (T) throws -> V?
  ) -> AnyPublisher<[V], any Error> {
    work(on: viewContext) { try $0.fetch(fetchRequest).compactMap(map) }
  }

  /// Changes objects on a background context and saves; answered on the main queue.
  public func update<Result>(_ operation: @escaping DBOperation<Result>) -> AnyPublisher<Result, any Error> {
    work(on: writer) { context in
      do {
        let result = try operation(context)
        try context.save()
        return result
      } catch {
        context.reset()
        throw error
      }
    }
  }

  private func work<Result>(
    on context: NSManagedObjectContext, _ body: @escaping (NSManagedObjectContext) throws -> Result
  ) -> AnyPublisher<Result, any Error> {
    query(on: context) { context, _ in try body(context) }
      .receive(on: DispatchQueue.main).eraseToAnyPublisher()
  }

  /// A cold publisher of one answer: opens the database, then runs `body` on the context's queue.
  ///
  /// Cancelling the subscription cancels the query.
  func query<Result>(
    on context: NSManagedObjectContext, _ body: @escaping (NSManagedObjectContext, FetchCancellation) throws -> Result
  ) -> AnyPublisher<Result, any Error> {
    Deferred { [self] () -> AnyPublisher<Result, any Error> in
      let cancellation = FetchCancellation()
      let work = ContextWork(body: body)
      return Future<Result, any Error> { promise in
        let answer = Answer(promise: promise)
        self.whenOpen { opened in
          context.perform {
            answer.promise(
              Swift.Result {
                _ = try opened.get()
                return try work.body(context, cancellation)
              })
          }
        }
      }
      .handleEvents(receiveCancel: { cancellation.cancel() })
      .eraseToAnyPublisher()
    }
    .eraseToAnyPublisher()
  }
}

/// A closure carried to a context's queue.
///
/// Sendable is unchecked: it is called once, on that queue, after the caller has handed it over; Apple's signatures, which
/// the repositories follow, do not ask it to be `Sendable`.
private struct ContextWork<Result>: @unchecked Sendable {
  let body: (NSManagedObjectContext, FetchCancellation) throws -> Result
}

/// A future's promise, which may be kept from any thread.
private struct Answer<Result>: @unchecked Sendable {
  let promise: (Swift.Result<Result, any Error>) -> Void
}
