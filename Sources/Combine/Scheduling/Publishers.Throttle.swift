extension Publishers {
  /// Passes on at most one value an interval: the first one, or the latest one.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// The least time between two values.
    public let interval: Context.SchedulerTimeType.Stride
    /// Where values and completion are delivered.
    public let scheduler: Context
    /// True to pass on the latest value of an interval, false for the first.
    public let latest: Bool

    /// Makes the publisher of its parts.
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.latest = latest
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Valve(subscriber, settings: self))
    }

    private final class Valve<Downstream: Subscriber>: Subscriber, Subscription
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
      typealias Input = Upstream.Output
      typealias Failure = Upstream.Failure

      private let lock = Lock()
      private var link = Link.awaiting
      private var downstream: Downstream?
      private var demand = Subscribers.Demand.none
      private var pending: Upstream.Output?
      private var opened: Context.SchedulerTimeType?
      private var completion: Subscribers.Completion<Failure>?
      private let settings: Throttle

      init(_ downstream: Downstream, settings: Throttle) {
        self.downstream = downstream
        self.settings = settings
      }

      func receive(subscription: any Subscription) {
        let (accepted, downstream) = lock.locked { (link.attach(subscription), self.downstream) }
        guard accepted, let downstream else { return subscription.cancel() }
        downstream.receive(subscription: self)
        lock.locked { link.subscription }?.request(.unlimited)
      }

      func receive(_ input: Upstream.Output) -> Subscribers.Demand {
        let now = settings.scheduler.now
        let (starts, last) = lock.locked { () -> (Bool, Context.SchedulerTimeType?) in
          guard link.subscription != nil else { return (false, nil) }
          let isIdle = pending == nil
          if isIdle || settings.latest { pending = input }
          return (isIdle, opened)
        }
        guard starts else { return .none }
        if let next = last?.advanced(by: settings.interval), next > now {
          settings.scheduler.schedule(after: next) { self.open() }
        } else {
          settings.scheduler.schedule { self.open() }
        }
        return .none
      }

      func receive(completion: Subscribers.Completion<Upstream.Failure>) {
        let isIdle: Bool? = lock.locked {
          guard link.close() != nil else { return nil }
          if case .failure = completion { pending = nil }
          self.completion = completion
          return pending == nil
        }
        // Otherwise the waiting value comes first, in its time.
        if isIdle == true { settings.scheduler.schedule { self.end(completion) } }
      }

      func request(_ demand: Subscribers.Demand) {
        lock.locked { self.demand += demand }
      }

      func cancel() {
        let subscription = lock.locked { link.close() }
        _ = take()
        subscription?.cancel()
      }

      private func open() {
        let now = settings.scheduler.now
        let (downstream, value, completion) = lock.locked {
          defer { pending = nil }
          opened = now
          guard demand > 0, pending != nil else { return (self.downstream, Upstream.Output?.none, self.completion) }
          demand -= 1
          return (self.downstream, pending, self.completion)
        }
        if let value, let more = downstream?.receive(value) { lock.locked { demand += more } }
        if let completion { end(completion) }
      }

      private func end(_ completion: Subscribers.Completion<Upstream.Failure>) {
        take()?.receive(completion: completion)
      }

      private func take() -> Downstream? {
        lock.locked {
          defer {
            downstream = nil
            pending = nil
          }
          return downstream
        }
      }
    }
  }
}

extension Publisher {
  /// Passes on at most one value every `interval`; with `latest` the most recent one, else the first.
  public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> {
    Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }
}
