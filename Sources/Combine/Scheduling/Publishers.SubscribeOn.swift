extension Publishers {
  /// Subscribes to upstream, asks it and cancels it on a scheduler.
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// Where upstream is subscribed to.
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
      let bridge = Bridge(subscriber) { [scheduler, options] in scheduler.schedule(options: options, $0) }
      scheduler.schedule(options: options) { [upstream] in upstream.subscribe(bridge) }
    }

    private final class Bridge<Downstream: Subscriber>: Subscriber, Subscription {
      typealias Input = Downstream.Input
      typealias Failure = Downstream.Failure

      private let lock = Lock()
      private var link = Link.awaiting
      private var downstream: Downstream?
      private let there: (@escaping () -> Void) -> Void

      init(_ downstream: Downstream, there: @escaping (@escaping () -> Void) -> Void) {
        self.downstream = downstream
        self.there = there
      }

      func receive(subscription: any Subscription) {
        let (accepted, downstream) = lock.locked { (link.attach(subscription), self.downstream) }
        guard accepted, let downstream else { return subscription.cancel() }
        downstream.receive(subscription: self)
      }

      func receive(_ input: Downstream.Input) -> Subscribers.Demand {
        guard let more = lock.locked({ downstream })?.receive(input) else { return .none }
        if more > 0 { request(more) }
        return .none
      }

      func receive(completion: Subscribers.Completion<Downstream.Failure>) {
        _ = lock.locked { link.close() }
        take()?.receive(completion: completion)
      }

      func request(_ demand: Subscribers.Demand) {
        there { [self] in lock.locked { link.subscription }?.request(demand) }
      }

      func cancel() {
        let subscription = lock.locked { link.close() }
        _ = take()
        if let subscription { there { subscription.cancel() } }
      }

      private func take() -> Downstream? {
        lock.locked {
          defer { downstream = nil }
          return downstream
        }
      }
    }
  }
}

extension Publisher {
  /// Subscribes to this publisher, asks it and cancels it on `scheduler`.
  public func subscribe<S: Scheduler>(
    on scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.SubscribeOn<Self, S> {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }
}
