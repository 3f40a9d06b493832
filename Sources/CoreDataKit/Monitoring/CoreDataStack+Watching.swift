#if os(Linux)
  import Combine
  import CoreData

  extension CoreDataStack {
    /// What happens to the store from now on: how closely it is followed, then every change, whoever makes it.
    ///
    /// All subscribers share one watcher, which runs while there are any. Ends when the stack is closed; a store that cannot be
    /// watched is told as `.disconnected`. Arrives on a background queue.
    ///
    /// With `sinceReopening` the first changes tell how the store differs from what `follow(on:)` was given; where that is not
    /// known they name nothing and are not complete.
    public func events(sinceReopening: Bool = false) -> AnyPublisher<StoreEvent, Never> {
      storeEvents.publisher(sinceReopening: sinceReopening) { [weak self] next in
        guard let self else { return next(.failure(CocoaError(.userCancelled))) }
        whenOpen(next)
      }
    }

    /// Goes on from what was known of the same store when another stack had it open; called before anybody subscribes.
    public func follow(on memory: StoreMemory?) { storeEvents.begin(with: memory) }

    /// Ends the watching when every change that was noticed is handed on; answers what is known of the store.
    func stopWatching() -> StoreMemory? { storeEvents.stopWatching() }

    /// Runs `body` once the view context takes over what others than this process commit.
    ///
    /// What this process saves reaches the context by itself.
    func whenMergingForeignChanges(_ body: @escaping @Sendable () -> Void) {
      foreignChanges.whenWatching(body) { [weak self] in
        self?.events().sink { [weak self] event in
          self?.foreignChanges.didBegin()
          if case .changes(let changes) = event { self?.merge(changes) }
        }
      }
    }

    /// Has a monitor fetch anew when objects changed that nobody can name.
    func fetchAnew<T, V>(_ monitor: ResultsMonitor<T, V>, _ outlet: Outlet<([V], DataChange), any Error>) {
      let fetching = Handed(monitor)
      foreignChanges.add(outlet) { [viewContext] in
        viewContext.perform {
          do { try fetching.value.fetch() } catch { outlet.finish(.failure(error)) }
        }
      }
    }

    private func merge(_ changes: StoreChanges) {
      viewContext.perform { [weak self, viewContext] in
        if !changes.isComplete { self?.foreignChanges.tellIncomplete() }
        var ids: [StoreChanges.Change.Kind: [NSManagedObjectID]] = [:]
        for change in changes.changes where !change.isOwn {
          // A key of an entity that the model does not have concerns no object.
          if let id = try? viewContext.objectID(for: change.key) { ids[change.kind, default: []].append(id) }
        }
        if !changes.isComplete { ids[.update, default: []] += viewContext.registeredObjects.map(\.objectID) }
        guard !ids.isEmpty else { return }
        NSManagedObjectContext.mergeChanges(
          fromRemoteContextSave: [
            NSInsertedObjectIDsKey: ids[.insert] ?? [], NSUpdatedObjectIDsKey: ids[.update] ?? [],
            NSDeletedObjectIDsKey: ids[.delete] ?? [],
          ], into: [viewContext])
      }
    }
  }
#endif
