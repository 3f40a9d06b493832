#if os(Linux)
  import Combine
  import CoreData
  import Dispatch
  import Synchronization

  /// The one watcher of a stack's store, for all who want to know what happens to it.
  ///
  /// It runs while somebody subscribes. A subscriber first hears how closely the store is followed, and from then on of every
  /// change. Safe to share.
  final class StoreEvents: Sendable {
    private struct State {
      var watcher: StoreWatcher?
      var liveness: StoreLiveness?
      var outlets: [ObjectIdentifier: Outlet<StoreEvent, Never>] = [:]
      var isOver = false
    }
    private let state = Mutex(State())
    /// Subscribing, ending and telling happen here, in order.
    private let queue = DispatchQueue(label: "StoreEvents", qos: .userInitiated)

    /// The events of the store that `open` hands over, from now on; ends with `finish()`.
    func publisher(
      of open: @escaping @Sendable (@escaping @Sendable (Result<NSPersistentStore, any Error>) -> Void) -> Void
    ) -> AnyPublisher<StoreEvent, Never> {
      Outlets(keeping: .everything) { outlet in
        outlet.whenOver { [weak self, id = ObjectIdentifier(outlet)] in self?.remove(id) }
        open { opened in self.queue.async { self.add(outlet, opened) } }
      }
      .eraseToAnyPublisher()
    }

    /// Ends all subscriptions and the watching: when this returns the store's connections are no longer used.
    func finish() {
      queue.sync {
        let (watcher, outlets) = state.withLock { state in
          defer { state = State(isOver: true) }
          return (state.watcher, Array(state.outlets.values))
        }
        watcher?.stop()
        outlets.forEach { $0.finish(.finished) }
      }
    }

    private func add(_ outlet: Outlet<StoreEvent, Never>, _ opened: Result<NSPersistentStore, any Error>) {
      guard !outlet.isOver else { return }
      guard !state.withLock({ $0.isOver }) else { return outlet.finish(.finished) }
      do {
        let store = try opened.get()
        let known = state.withLock { state in
          state.outlets[ObjectIdentifier(outlet)] = outlet
          return state.liveness
        }
        if let known { return outlet.send(.liveness(known)) }
        guard state.withLock({ $0.watcher == nil }) else { return }
        let watcher = try StoreWatcher(store: store) { [weak self] event in self?.enqueue(event) }
        state.withLock { $0.watcher = watcher }
      } catch {
        remove(ObjectIdentifier(outlet))
        outlet.send(.liveness(.disconnected(reason: (error as NSError).localizedDescription)))
        outlet.finish(.finished)
      }
    }

    private func enqueue(_ event: StoreEvent) { queue.async { self.tell(event) } }

    private func tell(_ event: StoreEvent) {
      let outlets = state.withLock { state in
        if case .liveness(let liveness) = event { state.liveness = liveness }
        return Array(state.outlets.values)
      }
      outlets.forEach { $0.send(event) }
    }

    private func remove(_ id: ObjectIdentifier) {
      let idle = state.withLock { state -> StoreWatcher? in
        guard state.outlets.removeValue(forKey: id) != nil, state.outlets.isEmpty else { return nil }
        defer { (state.watcher, state.liveness) = (nil, nil) }
        return state.watcher
      }
      // It may be looking at the store just now: nobody waits for that.
      if let idle { queue.async { idle.stop() } }
    }
  }
#endif
