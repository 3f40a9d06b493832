#if os(Linux)
  import Combine
  import CoreData
  import Synchronization

  /// Follows one list for one subscription: hears of the store's changes first, then reads the keys, then tells each step.
  ///
  /// A list that was followed in the same store before it was opened anew goes on from there where the store's watcher does.
  ///
  /// Works on the queue of the context that it reads with, so that steps come in order.
  final class ListMonitor: Sendable {
    private let query: ListQuery
    private let columns: [String]
    private let stack: CoreDataStack
    private let context: NSManagedObjectContext
    private let outlet: Outlet<ListEvent, any Error>
    private let cancellation = FetchCancellation()
    private let tracker = Mutex<ListTracker?>(nil)
    /// The keys that the list had before the store was opened anew, until it goes on from them.
    private let former: Mutex<KeyList?>

    init(
      _ query: ListQuery, columns: [String], after keys: KeyList?, stack: CoreDataStack,
      context: NSManagedObjectContext, outlet: Outlet<ListEvent, any Error>
    ) {
      former = Mutex(keys)
      self.query = query
      self.columns = columns
      self.stack = stack
      self.context = context
      self.outlet = outlet
    }

    /// Begins; ends with the subscription or with the stack.
    func start() {
      stack.endWithStack(outlet)
      outlet.whenOver { [cancellation] in cancellation.cancel() }
      stack.whenOpen { [self] opened in
        if case .failure(let error) = opened { return outlet.finish(.failure(error)) }
        let events = stack.events(sinceReopening: former.withLock { $0 != nil }).sink { [self] event in
          context.perform { [self] in step(event) }
        }
        outlet.whenOver { events.cancel() }
      }
    }

    private func step(_ event: StoreEvent) {
      guard !outlet.isOver else { return }
      do {
        try stack.running(cancellation) {
          switch event {
          case .liveness: try begin()
          case .changes(let changes): try follow(changes)
          }
        }
      } catch {
        // A closed stack ends the subscription, and whoever cancelled hears nothing.
        if !stack.isClosed, !cancellation.isCancelled { outlet.finish(.failure(error)) }
      }
    }

    /// The first event says that the store is watched: what changes after it will be told.
    private func begin() throws {
      guard tracker.withLock({ $0 == nil }), former.withLock({ $0 == nil }) else { return }
      let first = try context.listTracker(query, columns: columns, cancellation: cancellation)
      tracker.withLock { $0 = first }
      outlet.send(.initial(first.keys))
    }

    private func follow(_ changes: StoreChanges) throws {
      if let keys = former.withLock({ keys in
        defer { keys = nil }
        return keys
      }) {
        return try goOn(from: keys, changes)
      }
      guard var tracker = tracker.withLock({ $0 }) else { return }
      let update =
        changes.isComplete
        ? try tracker.apply(changes, cancellation: cancellation)
        : try tracker.readAnew(changes, cancellation: cancellation)
      self.tracker.withLock { $0 = tracker }
      if let update { outlet.send(.update(update)) }
    }

    /// The first changes tell how the store differs from what it was; they are not complete where that is not known.
    private func goOn(from keys: KeyList, _ changes: StoreChanges) throws {
      guard changes.isComplete else { return try begin() }
      var tracker = try context.listTracker(query, columns: columns, keys: keys)
      let update = try tracker.readAnew(changes, cancellation: cancellation)
      self.tracker.withLock { $0 = tracker }
      if let update { outlet.send(.update(update)) }
    }
  }
#endif
