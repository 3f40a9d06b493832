#if os(Linux)
  import Combine
  import CoreData
  import Dispatch
  import Foundation
  import Synchronization

  /// The one watcher of a stack's store, for all who want to know what happens to it.
  ///
  /// It runs while somebody subscribes. A subscriber first hears how closely the store is followed, and from then on of every
  /// change. Safe to share.
  final class StoreEvents: Sendable {
    private struct State {
      var watcher: StoreWatcher?
      var liveness: StoreLiveness?
      var outlets: [ObjectIdentifier: (outlet: Outlet<StoreEvent, Never>, goesOn: Bool)] = [:]
      var isOver = false
      /// What was known of the store when another stack had it open.
      var memory: StoreMemory?
      /// What was told since then, for those who come a little later; `nil` where nobody can go on any more.
      var sinceReopening: [StoreEvent]?
    }
    private let state = Mutex(State())
    /// Subscribing, ending and telling happen here, in order.
    private let queue = DispatchQueue(label: "StoreEvents", qos: .userInitiated)
    /// How long one can go on from what was known before the store was opened anew.
    private static let grace = DispatchTimeInterval.seconds(5)

    /// Has the first watcher go on from what an earlier one knew.
    func begin(with memory: StoreMemory?) { state.withLock { $0.memory = memory } }

    /// The events of the store that `open` hands over, from now on; ends with `finish()`.
    func publisher(
      sinceReopening: Bool,
      of open: @escaping @Sendable (@escaping @Sendable (Result<NSPersistentStore, any Error>) -> Void) -> Void
    ) -> AnyPublisher<StoreEvent, Never> {
      Outlets(keeping: .everything) { outlet in
        outlet.whenOver { [weak self, id = ObjectIdentifier(outlet)] in self?.remove(id) }
        open { opened in self.queue.async { self.add(outlet, goesOn: sinceReopening, opened) } }
      }
      .eraseToAnyPublisher()
    }

    /// Ends the watching, not the subscriptions, and answers what is known; what was noticed is told when this returns.
    func stopWatching() -> StoreMemory? {
      let memory = state.withLock { $0.watcher }?.stopRemembering()
      queue.sync {}
      return memory
    }

    /// Ends all subscriptions and the watching: when this returns the store's connections are no longer used.
    func finish() {
      queue.sync {
        let (watcher, outlets) = state.withLock { state in
          defer { state = State(isOver: true) }
          return (state.watcher, state.outlets.values.map(\.outlet))
        }
        watcher?.stop()
        outlets.forEach { $0.finish(.finished) }
      }
    }

    private func add(
      _ outlet: Outlet<StoreEvent, Never>, goesOn: Bool, _ opened: Result<NSPersistentStore, any Error>
    ) {
      guard !outlet.isOver else { return }
      guard !state.withLock({ $0.isOver }) else { return outlet.finish(.finished) }
      do {
        let store = try opened.get()
        let (known, replayed) = state.withLock { state in
          state.outlets[ObjectIdentifier(outlet)] = (outlet, goesOn)
          return (state.liveness, state.sinceReopening)
        }
        if let known {
          outlet.send(.liveness(known))
          if goesOn { (replayed ?? [Self.unknown]).forEach(outlet.send) }
          return
        }
        guard state.withLock({ $0.watcher == nil }) else { return }
        let memory = state.withLock { state in
          defer { state.memory = nil }
          if state.memory != nil { state.sinceReopening = [] }
          return state.memory
        }
        let watcher = try StoreWatcher(store: store, remembering: memory) { [weak self] event in self?.enqueue(event) }
        state.withLock { $0.watcher = watcher }
        queue.asyncAfter(deadline: .now() + Self.grace) { [weak self] in
          self?.state.withLock { $0.sinceReopening = nil }
        }
      } catch {
        remove(ObjectIdentifier(outlet))
        outlet.send(.liveness(.disconnected(reason: (error as NSError).localizedDescription)))
        outlet.finish(.finished)
      }
    }

    private func enqueue(_ event: StoreEvent) { queue.async { self.tell(event) } }

    private func tell(_ event: StoreEvent) {
      let (outlets, isUnknown) = state.withLock { state in
        var isUnknown = false
        switch event {
        case .liveness(let liveness):
          isUnknown = state.liveness == nil && state.sinceReopening == nil
          state.liveness = liveness
        case .changes: state.sinceReopening?.append(event)
        }
        return (Array(state.outlets.values), isUnknown)
      }
      for (outlet, goesOn) in outlets {
        outlet.send(event)
        if goesOn, isUnknown { outlet.send(Self.unknown) }
      }
    }

    /// Says that anything may be other than it was.
    private static var unknown: StoreEvent {
      var changes = StoreChanges([], date: Date(), source: .comparison)
      changes.isComplete = false
      return .changes(changes)
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
