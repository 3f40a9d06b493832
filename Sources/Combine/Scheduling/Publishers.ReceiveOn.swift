extension Publishers {
  /// Delivers everything through a scheduler.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// Where values and completion are delivered.
    public let scheduler: Context
    /// Given to the scheduler each time.
    public let options: Context.SchedulerOptions?

    /// Makes the publisher of its parts.
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        RelaySubscription(subscriber) { [scheduler, options] action in scheduler.schedule(options: options, action) })
    }
  }

  /// Delivers everything later by a fixed time.
  public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// How much later.
    public let interval: Context.SchedulerTimeType.Stride
    /// How inexact that may be.
    public let tolerance: Context.SchedulerTimeType.Stride
    /// Where values and the normal end are delivered.
    public let scheduler: Context
    /// Given to the scheduler each time.
    public let options: Context.SchedulerOptions?

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(
        RelaySubscription(subscriber) { [self] action in
          scheduler.schedule(
            after: scheduler.now.advanced(by: interval), tolerance: tolerance, options: options, action)
        })
    }
  }
}

/// Passes each event on through a `later` function; none after cancellation.
///
/// Each action delivers the event at the head of the queue, so that order holds even where actions overtake each other,
/// as on a concurrent queue.
private final class RelaySubscription<Downstream: Subscriber>: Subscriber, Subscription {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  private let lock = Lock()
  private var link = Link.awaiting
  private var downstream: Downstream?
  private let turn = RecursiveLock()
  private var events: [Event] = []
  private let later: (@escaping () -> Void) -> Void

  init(_ downstream: Downstream, later: @escaping (@escaping () -> Void) -> Void) {
    self.downstream = downstream
    self.later = later
  }

  func receive(subscription: any Subscription) {
    let (accepted, downstream) = lock.locked { (link.attach(subscription), self.downstream) }
    guard accepted, let downstream else { return subscription.cancel() }
    downstream.receive(subscription: self)
  }

  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    let isOpen = lock.locked {
      guard link.subscription != nil else { return false }
      events.append(.value(input))
      return true
    }
    if isOpen { later { self.deliver() } }
    return .none
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    let isOpen = lock.locked {
      guard link.close() != nil else { return false }
      events.append(.completion(completion))
      return true
    }
    if isOpen { later { self.deliver() } }
  }

  func request(_ demand: Subscribers.Demand) {
    lock.locked { link.subscription }?.request(demand)
  }

  func cancel() {
    let subscription = lock.locked { link.close() }
    _ = take()
    subscription?.cancel()
  }

  private enum Event {
    case value(Downstream.Input)
    case completion(Subscribers.Completion<Downstream.Failure>)
  }

  private func deliver() {
    turn.locked {
      switch lock.locked({ events.isEmpty ? nil : events.removeFirst() }) {
      case .value(let value):
        if let more = lock.locked({ downstream })?.receive(value), more > 0 { request(more) }
      case .completion(let completion):
        take()?.receive(completion: completion)
      case nil:
        break
      }
    }
  }

  private func take() -> Downstream? {
    lock.locked {
      defer {
        downstream = nil
        events = []
      }
      return downstream
    }
  }
}

extension Publisher {
  /// Delivers values and completion on `scheduler`.
  public func receive<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.ReceiveOn<Self, S> {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }

  /// Delivers values and completion on `scheduler`, each `interval` after it came.
  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.Delay<Self, S> {
    Publishers.Delay(
      upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance, scheduler: scheduler,
      options: options)
  }
}
