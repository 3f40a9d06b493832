import Combine
import CoreData
import Dispatch
import Synchronization

/// A database opened for repositories: coordinator, the main queue's context, and background contexts.
///
/// Opening happens once, on a background queue, when the first publisher is subscribed to. Safe to share.
public final class CoreDataStack: PersistentStore {
  /// Where the database lies, and how it is opened.
  public let configuration: CoreDataConfiguration
  private let coordinator: NSPersistentStoreCoordinator
  private let opening = DispatchQueue(label: "CoreDataStack.opening")
  /// Reads for the main queue; takes over what other contexts and other processes save.
  public let viewContext: NSManagedObjectContext
  private let writer: NSManagedObjectContext

  private struct State {
    var isClosed = false
    var running: [ObjectIdentifier: FetchCancellation] = [:]
    var closings: [ObjectIdentifier: @Sendable () -> Void] = [:]
  }
  private let state = Mutex(State())
  #if os(Linux)
    let storeEvents = StoreEvents()
    let foreignChanges = ForeignChanges()
  #endif

  /// A stack; nothing is opened yet.
  public init(configuration: CoreDataConfiguration) {
    self.configuration = configuration
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: configuration.managedObjectModel)
    viewContext = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    viewContext.persistentStoreCoordinator = coordinator
    viewContext.automaticallyMergesChangesFromParent = true
    writer = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    writer.persistentStoreCoordinator = coordinator
  }

  /// The model.
  public var managedObjectModel: NSManagedObjectModel { configuration.managedObjectModel }

  /// A context on a queue of its own.
  public func newBackgroundContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  // MARK: Opening and closing

  /// Opens the database, or gives it when it is open already.
  ///
  /// Blocks while it is being opened. A closed stack cannot be opened again.
  public func open() throws -> NSPersistentStore {
    try opening.sync { try openOnQueue() }
  }

  /// Whether `close()` was called.
  public var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Closes the database for good: running queries are cancelled, monitors and events end, and no connection is open any more
  /// when this returns.
  ///
  /// Must not be called on a context's queue, nor by a subscriber that is just being told of an event.
  public func close() throws {
    let (running, closings) = state.withLock { state in
      defer { state.closings = [:] }
      state.isClosed = true
      return (Array(state.running.values), Array(state.closings.values))
    }
    running.forEach { $0.cancel() }
    closings.forEach { $0() }
    #if os(Linux)
      storeEvents.finish()
    #endif
    try opening.sync {
      for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
  }

  /// Finishes a subscription when the stack is closed, before its connections are; at once when it is closed already.
  func endWithStack<Output>(_ outlet: Outlet<Output, any Error>) {
    let id = ObjectIdentifier(outlet)
    let isClosed = state.withLock { state in
      if !state.isClosed { state.closings[id] = { [weak outlet] in outlet?.finish(.finished) } }
      return state.isClosed
    }
    if isClosed { return outlet.finish(.finished) }
    outlet.whenOver { [weak self] in self?.state.withLock { _ = $0.closings.removeValue(forKey: id) } }
  }

  /// Hands on the open database: at once when it is open, else from the queue that it is opened on, so that the main queue
  /// never waits.
  func whenOpen(_ next: @escaping @Sendable (Swift.Result<NSPersistentStore, any Error>) -> Void) {
    if let open = coordinator.persistentStores.first { return next(.success(open)) }
    opening.async { next(Swift.Result { try self.openOnQueue() }) }
  }

  private func openOnQueue() throws -> NSPersistentStore {
    if let open = coordinator.persistentStores.first { return open }
    if isClosed { throw CocoaError(.userCancelled) }
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
  ///
  /// An error, of `operation` or of the save, takes everything back that `operation` did.
  public func update<Result>(_ operation: @escaping DBOperation<Result>) -> AnyPublisher<Result, any Error> {
    work(on: writer) { context in
      do {
        let result = try operation(context)
        if context.hasChanges { try context.save() }
        return result
      } catch {
        context.rollback()
        throw error
      }
    }
  }

  /// What `map` makes of the objects a request finds, now and after every change; all on the main queue.
  ///
  /// The first value is `.initial`, later ones `.update`. A subscriber that asks slowly gets the latest state, not every one on
  /// the way. Ends when the stack is closed.
  public func monitor<T, V>(
    _ fetchRequest: NSFetchRequest<T>, map: @escaping (T) throws -> V?
  ) -> AnyPublisher<([V], DataChange), any Error> {
    Outlets(keeping: .latest, queue: .main) { [self] outlet in
      let source = Handed((fetchRequest, map))
      endWithStack(outlet)
      whenOpen { [self] opened in
        let begin: @Sendable () -> Void = { [self] in
          viewContext.perform { [self] in
            guard !outlet.isOver else { return }
            do {
              _ = try opened.get()
              let monitor = ResultsMonitor(source.value.0, in: viewContext, map: source.value.1, outlet: outlet)
              #if os(Linux)
                fetchAnew(monitor, outlet)
              #endif
              try monitor.start()
            } catch {
              outlet.finish(.failure(error))
            }
          }
        }
        #if os(Linux)
          if case .success = opened { return whenMergingForeignChanges(begin) }
        #endif
        begin()
      }
    }
    .eraseToAnyPublisher()
  }

  private func work<Result>(
    on context: NSManagedObjectContext, _ body: @escaping (NSManagedObjectContext) throws -> Result
  ) -> AnyPublisher<Result, any Error> {
    query(on: context) { context, _ in try body(context) }
      .receive(on: DispatchQueue.main).eraseToAnyPublisher()
  }

  /// A cold publisher of one answer: opens the database, then runs `body` on the context's queue.
  ///
  /// Cancelling the subscription, or closing the stack, cancels the query.
  func query<Result>(
    on context: NSManagedObjectContext, _ body: @escaping (NSManagedObjectContext, FetchCancellation) throws -> Result
  ) -> AnyPublisher<Result, any Error> {
    Deferred { [self] () -> AnyPublisher<Result, any Error> in
      let cancellation = FetchCancellation()
      let work = Handed(body)
      return Future<Result, any Error> { promise in
        self.whenOpen { opened in
          context.perform {
            promise(
              Swift.Result {
                _ = try opened.get()
                return try self.running(cancellation) { try work.value(context, cancellation) }
              })
          }
        }
      }
      .handleEvents(receiveCancel: { cancellation.cancel() })
      .eraseToAnyPublisher()
    }
    .eraseToAnyPublisher()
  }

  /// Runs `body`, whose query `close()` can cancel meanwhile.
  func running<Result>(_ cancellation: FetchCancellation, _ body: () throws -> Result) throws -> Result {
    try state.withLock { state in
      if state.isClosed { throw CocoaError(.userCancelled) }
      state.running[ObjectIdentifier(cancellation)] = cancellation
    }
    defer { state.withLock { _ = $0.running.removeValue(forKey: ObjectIdentifier(cancellation)) } }
    return try body()
  }
}
