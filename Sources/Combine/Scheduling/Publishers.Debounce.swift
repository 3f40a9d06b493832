extension Publishers {
  /// Passes on a value once nothing newer has come for a while.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// How long nothing newer may come.
    public let dueTime: Context.SchedulerTimeType.Stride
    /// Where values and completion are delivered.
    public let scheduler: Context
    /// Given to the scheduler each time.
    public let options: Context.SchedulerOptions?

    /// Makes the publisher of its parts.
    public init(
      upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.dueTime = dueTime
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Waiting(subscriber, settings: self))
    }

    private final class Waiting<Downstream: Subscriber>: Subscriber, Subscription
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
      typealias Input = Upstream.Output
      typealias Failure = Upstream.Failure

      private let lock = Lock()
      private var link = Link.awaiting
      private var downstream: Downstream?
      private var demand = Subscribers.Demand.none
      private var latest: (value: Upstream.Output, number: UInt64)?
      private var count: UInt64 = 0
      private let settings: Debounce

      init(_ downstream: Downstream, settings: Debounce) {
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
        let number: UInt64? = lock.locked {
          guard link.subscription != nil else { return nil }
          count += 1
          latest = (input, count)
          return count
        }
        guard let number else { return .none }
        let scheduler = settings.scheduler
        scheduler.schedule(
          after: scheduler.now.advanced(by: settings.dueTime), tolerance: scheduler.minimumTolerance,
          options: settings.options
        ) { self.due(number) }
        return .none
      }

      /// The value still waiting is dropped, as nobody can tell whether it would have stood.
      func receive(completion: Subscribers.Completion<Upstream.Failure>) {
        guard lock.locked({ link.close() }) != nil else { return }
        settings.scheduler.schedule(options: settings.options) { self.take()?.receive(completion: completion) }
      }

      func request(_ demand: Subscribers.Demand) {
        lock.locked { self.demand += demand }
      }

      func cancel() {
        let subscription = lock.locked { link.close() }
        _ = take()
        subscription?.cancel()
      }

      private func due(_ number: UInt64) {
        let ready: (Downstream, Upstream.Output)? = lock.locked {
          guard link.subscription != nil, let downstream, let latest, latest.number == number, demand > 0 else {
            return nil
          }
          demand -= 1
          self.latest = nil
          return (downstream, latest.value)
        }
        guard let (downstream, value) = ready else { return }
        let more = downstream.receive(value)
        lock.locked { demand += more }
      }

      private func take() -> Downstream? {
        lock.locked {
          defer {
            downstream = nil
            latest = nil
          }
          return downstream
        }
      }
    }
  }
}

extension Publisher {
  /// Passes on a value once nothing newer has come for `dueTime`; a value still waiting at the end is dropped.
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> {
    Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}
