#if os(Linux)
  import Combine
  import Synchronization

  /// The view context's subscription to what others commit: begun by the first monitor, kept until the stack is closed.
  final class ForeignChanges: Sendable {
    private struct State {
      var hasBegun = false
      var subscription: AnyCancellable?
      var monitors: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }
    private let state = Mutex(State())

    /// Subscribes, the first time.
    func begin(_ subscribe: () -> AnyCancellable?) {
      let isFirst = state.withLock { state in
        defer { state.hasBegun = true }
        return !state.hasBegun
      }
      guard isFirst else { return }
      let subscription = subscribe()
      state.withLock { $0.subscription = subscription }
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
