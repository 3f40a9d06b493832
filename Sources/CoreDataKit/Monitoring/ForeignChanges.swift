#if os(Linux)
  import Combine
  import Synchronization

  /// The view context's subscription to what others commit: begun by the first monitor, kept until the stack is closed.
  final class ForeignChanges: Sendable {
    private struct State {
      var hasBegun = false
      /// Whether everything that is committed from now on will be noticed.
      var isWatching = false
      var waiting: [@Sendable () -> Void] = []
      var subscription: AnyCancellable?
      var monitors: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }
    private let state = Mutex(State())

    /// Runs `body` as soon as commits of others are noticed; has `subscribe` begin with that, the first time.
    func whenWatching(_ body: @escaping @Sendable () -> Void, subscribe: () -> AnyCancellable?) {
      let (isWatching, isFirst) = state.withLock { state in
        defer { state.hasBegun = true }
        if !state.isWatching { state.waiting.append(body) }
        return (state.isWatching, !state.hasBegun)
      }
      if isWatching { body() }
      guard isFirst else { return }
      let subscription = subscribe()
      state.withLock { $0.subscription = subscription }
    }

    /// The watcher has told how the store is followed: what waited for that can begin.
    func didBegin() {
      let waiting = state.withLock { state in
        defer { state.waiting = [] }
        state.isWatching = true
        return state.waiting
      }
      waiting.forEach { $0() }
    }

    /// Has `fetchAnew` called when objects changed that nobody can name, until the subscription is over.
    func add<Output>(_ outlet: Outlet<Output, any Error>, fetchAnew: @escaping @Sendable () -> Void) {
      let id = ObjectIdentifier(outlet)
      state.withLock { $0.monitors[id] = fetchAnew }
      outlet.whenOver { [weak self] in self?.state.withLock { _ = $0.monitors.removeValue(forKey: id) } }
    }

    /// Has every monitor fetch anew.
    func tellIncomplete() {
      let monitors = state.withLock { Array($0.monitors.values) }
      monitors.forEach { $0() }
    }
  }
#endif
