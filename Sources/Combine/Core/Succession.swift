/// What follows when one publisher of a succession has ended.
enum Sequel<Downstream: Subscriber> {
  /// The whole ends so.
  case end(Subscribers.Completion<Downstream.Failure>)
  /// Another publisher follows, started by the closure.
  case start((Succession<Downstream>) -> Void)
}

/// One publisher after another into one subscriber: the heart of `append`, `catch`, `retry`, `replaceEmpty` and others.
///
/// Demand that one publisher has not met is asked of the next.
final class Succession<Downstream: Subscriber>: Subscription {
  private let lock = Lock()
  private var downstream: Downstream?
  private var demand = Subscribers.Demand.none
  private var current: (any Subscription)?
  private var isStarted = false

  init(_ downstream: Downstream) {
    self.downstream = downstream
  }

  /// Subscribes to `publisher`; at its end `sequel` is told how it ended and whether it published anything.
  func start<P: Publisher>(
    _ publisher: P, sequel: @escaping (Subscribers.Completion<P.Failure>, Bool) -> Sequel<Downstream>
  ) where P.Output == Downstream.Input {
    publisher.subscribe(Stage(parent: self, sequel: sequel))
  }

  /// Subscribes to `publisher`, whose end is the end of the whole.
  func finish<P: Publisher>(with publisher: P) where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
    start(publisher) { completion, _ in .end(completion) }
  }

  func request(_ demand: Subscribers.Demand) {
    let current = lock.locked {
      self.demand += demand
      return self.current
    }
    current?.request(demand)
  }

  func cancel() {
    end().0?.cancel()
  }

  private func attach(_ subscription: any Subscription) {
    let (downstream, isFirst, outstanding) = lock.locked {
      defer { isStarted = true }
      if self.downstream != nil { current = subscription }
      return (self.downstream, !isStarted, demand)
    }
    guard let downstream else { return subscription.cancel() }
    if isFirst { downstream.receive(subscription: self) }
    if outstanding > 0 { subscription.request(outstanding) }
  }

  private func deliver(_ value: Downstream.Input) -> Subscribers.Demand {
    let downstream = lock.locked {
      demand -= .max(1)
      return self.downstream
    }
    guard let more = downstream?.receive(value) else { return .none }
    lock.locked { demand += more }
    return more
  }

  private func proceed(with sequel: Sequel<Downstream>) {
    switch sequel {
    case .end(let completion): end().1?.receive(completion: completion)
    case .start(let start): if lock.locked({ downstream != nil }) { start(self) }
    }
  }

  private func end() -> ((any Subscription)?, Downstream?) {
    lock.locked {
      defer {
        current = nil
        downstream = nil
      }
      return (current, downstream)
    }
  }

  /// Receives from one publisher of the succession.
  private final class Stage<Failure: Error>: Subscriber {
    typealias Input = Downstream.Input
    typealias Action = (Subscribers.Completion<Failure>, Bool) -> Sequel<Downstream>

    private let lock = Lock()
    private let parent: Succession
    private var sequel: Action?
    private var isAttached = false
    private var hasPublished = false

    init(parent: Succession, sequel: @escaping Action) {
      self.parent = parent
      self.sequel = sequel
    }

    func receive(subscription: any Subscription) {
      let isSecond = lock.locked {
        defer { isAttached = true }
        return isAttached
      }
      if isSecond { subscription.cancel() } else { parent.attach(subscription) }
    }

    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
      let isOpen = lock.locked {
        hasPublished = true
        return sequel != nil
      }
      return isOpen ? parent.deliver(input) : .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      let (sequel, hasPublished) = lock.locked {
        defer { self.sequel = nil }
        return (self.sequel, self.hasPublished)
      }
      guard let sequel else { return }
      parent.lock.locked { parent.current = nil }
      parent.proceed(with: sequel(completion, hasPublished))
    }
  }
}
