import Combine
import Dispatch
import Synchronization

/// A subscription that keeps what its subscriber has not asked for yet, and hands it over one value at a time and in order.
///
/// Any thread may send, ask and cancel. Sendable is unchecked: all state is under the lock; subscribers and values are
/// handed over, one call at a time.
final class Outlet<Output, Failure: Error>: Subscription, @unchecked Sendable {
  /// What becomes of values that wait for their turn.
  enum Keeping {
    /// Each is delivered.
    case everything
    /// A later one takes the place of an earlier one.
    case latest
  }

  private let lock = Mutex(())
  private let keeping: Keeping
  /// Where values are delivered that waited for demand; those that did not are delivered where they were sent.
  private let queue: DispatchQueue?
  private var subscriber: AnySubscriber<Output, Failure>?
  private var waiting: [Output] = []
  private var demand = Subscribers.Demand.none
  private var completion: Subscribers.Completion<Failure>?
  private var isDelivering = false
  private var endings: [@Sendable () -> Void] = []

  init(_ subscriber: AnySubscriber<Output, Failure>, keeping: Keeping, queue: DispatchQueue?) {
    self.subscriber = subscriber
    self.keeping = keeping
    self.queue = queue
  }

  /// Whether nothing that is sent will be delivered any more.
  var isOver: Bool { locked { subscriber == nil || completion != nil } }

  /// Delivers a value as soon as it is asked for.
  func send(_ value: Output) {
    locked {
      guard subscriber != nil, completion == nil else { return }
      if keeping == .latest { waiting = [value] } else { waiting.append(value) }
    }
    deliver()
  }

  /// Delivers a value that takes the place of the one that waits, which it is made from.
  func replace(_ value: (Output?) -> Output) {
    locked {
      guard subscriber != nil, completion == nil else { return }
      waiting = [value(waiting.last)]
    }
    deliver()
  }

  /// Ends the subscription once everything that waits is delivered.
  ///
  /// A failure does not wait: it takes the place of what waits.
  func finish(_ completion: Subscribers.Completion<Failure>) {
    let endings = locked {
      guard subscriber != nil, self.completion == nil else { return [@Sendable () -> Void]() }
      self.completion = completion
      if case .failure = completion { waiting = [] }
      return takeEndings()
    }
    endings.forEach { $0() }
    deliver()
  }

  /// Runs `body` once the subscription is over, whether cancelled or finished; at once when it is.
  func whenOver(_ body: @escaping @Sendable () -> Void) {
    let isOver = locked {
      if subscriber != nil, completion == nil { endings.append(body) }
      return subscriber == nil || completion != nil
    }
    if isOver { body() }
  }

  // MARK: Subscription

  func request(_ demand: Subscribers.Demand) {
    let waits = locked {
      self.demand += demand
      return !waiting.isEmpty
    }
    guard waits else { return }
    if let queue { queue.async { self.deliver() } } else { deliver() }
  }

  func cancel() {
    let (endings, subscriber) = locked {
      defer {
        self.subscriber = nil
        waiting = []
      }
      return (takeEndings(), self.subscriber)
    }
    endings.forEach { $0() }
    withExtendedLifetime(subscriber) {}
  }

  // MARK: Delivering

  private enum Next {
    case value(Output, AnySubscriber<Output, Failure>)
    case end(Subscribers.Completion<Failure>, AnySubscriber<Output, Failure>)
  }

  private func deliver() {
    while let next = locked({ takeNext() }) {
      switch next {
      case .value(let value, let subscriber):
        let more = subscriber.receive(value)
        locked {
          demand += more
          isDelivering = false
        }
      case .end(let completion, let subscriber):
        subscriber.receive(completion: completion)
      }
    }
  }

  /// What is to be delivered now; whoever takes a value delivers it before anybody takes the next.
  private func takeNext() -> Next? {
    guard !isDelivering, let subscriber else { return nil }
    if !waiting.isEmpty {
      guard demand > 0 else { return nil }
      demand -= 1
      isDelivering = true
      return .value(waiting.removeFirst(), subscriber)
    }
    guard let completion else { return nil }
    self.subscriber = nil
    return .end(completion, subscriber)
  }

  private func takeEndings() -> [@Sendable () -> Void] {
    defer { endings = [] }
    return endings
  }

  private func locked<Result>(_ body: () -> Result) -> Result {
    lock.withLock { _ in Handed(body()) }.value
  }
}

/// A cold publisher whose subscribers get an outlet each, which `start` begins to fill.
struct Outlets<Output, Failure: Error>: Publisher {
  private let keeping: Outlet<Output, Failure>.Keeping
  private let queue: DispatchQueue?
  private let start: (Outlet<Output, Failure>) -> Void

  init(
    keeping: Outlet<Output, Failure>.Keeping, queue: DispatchQueue? = nil,
    start: @escaping (Outlet<Output, Failure>) -> Void
  ) {
    self.keeping = keeping
    self.queue = queue
    self.start = start
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let outlet = Outlet(AnySubscriber(subscriber), keeping: keeping, queue: queue)
    subscriber.receive(subscription: outlet)
    if !outlet.isOver { start(outlet) }
  }
}
