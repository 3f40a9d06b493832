/// A publisher of one result that comes later.
///
/// The closure runs at once, when the future is made; its result is kept and given to every subscriber.
public final class Future<Output, Failure: Error>: Publisher {
  /// Settles the future.
  ///
  /// Any thread may call it; only the first call counts.
  public typealias Promise = @Sendable (Result<Output, Failure>) -> Void

  private let outcome = Outcome<Output, Failure>()

  /// Makes a future and calls `attemptToFulfill` with its promise before returning.
  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    attemptToFulfill { [outcome] in outcome.settle($0) }
  }

  /// Attaches `subscriber`.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let seat = Outcome<Output, Failure>.Seat(parent: outcome, downstream: subscriber)
    subscriber.receive(subscription: seat)
    if let result = outcome.add(seat) {
      seat.settle(result)
    } else if seat.isOver {
      outcome.remove(seat)
    }
  }
}

extension Future: Sendable where Output: Sendable {}

/// What a future is waiting for or has got.
///
/// `@unchecked Sendable`: all state is under the lock, and a result is written once. A result that is not `Sendable`
/// leaves the thread that promised it for the subscribers' threads; the promiser must not keep changing it.
private final class Outcome<Output, Failure: Error>: @unchecked Sendable {
  private let lock = Lock()
  private var result: Result<Output, Failure>?
  private var waiting: [Waiter] = []

  class Waiter {
    func settle(_ result: Result<Output, Failure>) {}
  }

  func settle(_ result: Result<Output, Failure>) {
    let waiting: [Waiter] = lock.locked {
      guard self.result == nil else { return [] }
      self.result = result
      defer { self.waiting = [] }
      return self.waiting
    }
    waiting.forEach { $0.settle(result) }
  }

  /// Keeps `waiter` until there is a result, or returns the result there is.
  func add(_ waiter: Waiter) -> Result<Output, Failure>? {
    lock.locked {
      if result == nil { waiting.append(waiter) }
      return result
    }
  }

  func remove(_ waiter: Waiter) {
    lock.locked { waiting.removeAll { $0 === waiter } }
  }

  final class Seat<Downstream: Subscriber>: Waiter, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    private let lock = Lock()
    private let parent: Outcome
    private var downstream: Downstream?
    private var isWanted = false
    private var value: Output?

    init(parent: Outcome, downstream: Downstream) {
      self.parent = parent
      self.downstream = downstream
    }

    /// True once cancelled or completed.
    var isOver: Bool { lock.locked { downstream == nil } }

    override func settle(_ result: Result<Output, Failure>) {
      switch result {
      case .success(let value):
        lock.locked { self.value = value }
        deliver()
      case .failure(let error):
        take()?.receive(completion: .failure(error))
      }
    }

    func request(_ demand: Subscribers.Demand) {
      guard demand > 0 else { return }
      lock.locked { isWanted = true }
      deliver()
    }

    func cancel() {
      parent.remove(self)
      _ = take()
    }

    /// Delivers value and end once both the value and demand are there.
    private func deliver() {
      let ready: (Downstream, Output)? = lock.locked {
        guard isWanted, let value, let downstream else { return nil }
        self.value = nil
        return (downstream, value)
      }
      guard let (downstream, value) = ready else { return }
      _ = downstream.receive(value)
      take()?.receive(completion: .finished)
    }

    private func take() -> Downstream? {
      lock.locked {
        defer { downstream = nil }
        return downstream
      }
    }
  }
}
