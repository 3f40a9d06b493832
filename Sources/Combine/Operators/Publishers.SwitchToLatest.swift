extension Publishers {
  /// Passes on the values of the publisher that came last, and cancels the one before.
  public struct SwitchToLatest<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where NewPublisher == Upstream.Output, NewPublisher.Failure == Upstream.Failure {
    /// What is published.
    public typealias Output = NewPublisher.Output
    /// How it can fail.
    public typealias Failure = NewPublisher.Failure
    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the publisher of its parts.
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Switch(subscriber))
    }

    /// Finishes when upstream has and the last inner publisher has; fails with whichever fails.
    private final class Switch<Downstream: Subscriber>: Subscriber, Subscription
    where Downstream.Input == NewPublisher.Output, Downstream.Failure == NewPublisher.Failure {
      typealias Input = NewPublisher
      typealias Failure = NewPublisher.Failure

      private let lock = Lock()
      private let turn = RecursiveLock()
      private var link = Link.awaiting
      private var downstream: Downstream?
      private var demand = Subscribers.Demand.none
      private var inner: Inner?
      private var isUpstreamFinished = false

      init(_ downstream: Downstream) {
        self.downstream = downstream
      }

      func receive(subscription: any Subscription) {
        let (accepted, downstream) = lock.locked { (link.attach(subscription), self.downstream) }
        guard accepted, let downstream else { return subscription.cancel() }
        downstream.receive(subscription: self)
        lock.locked { link.subscription }?.request(.unlimited)
      }

      func receive(_ input: NewPublisher) -> Subscribers.Demand {
        let inner = Inner(self)
        let (previous, isOpen) = lock.locked { () -> (Inner?, Bool) in
          guard downstream != nil else { return (nil, false) }
          defer { self.inner = inner }
          return (self.inner, true)
        }
        previous?.cancel()
        if isOpen { input.subscribe(inner) }
        return .none
      }

      func receive(completion: Subscribers.Completion<NewPublisher.Failure>) {
        guard lock.locked({ link.close() }) != nil else { return }
        let isOver = lock.locked {
          isUpstreamFinished = true
          return inner == nil
        }
        if case .failure = completion { finish(completion) } else if isOver { finish(.finished) }
      }

      func request(_ demand: Subscribers.Demand) {
        let inner = lock.locked {
          self.demand += demand
          return self.inner
        }
        inner?.ask(demand)
      }

      func cancel() {
        _ = end()
      }

      private func deliver(_ value: NewPublisher.Output, from source: Inner) -> Subscribers.Demand {
        turn.locked {
          let downstream: Downstream? = lock.locked {
            guard inner === source else { return nil }
            demand -= .max(1)
            return self.downstream
          }
          guard let more = downstream?.receive(value) else { return .none }
          // What was asked on receiving belongs to the inner publisher of now, which may be another one.
          let successor = lock.locked {
            demand += more
            return inner === source ? nil : inner
          }
          successor?.ask(more)
          return successor == nil ? more : .none
        }
      }

      private func ended(_ source: Inner, _ completion: Subscribers.Completion<NewPublisher.Failure>) {
        let (isCurrent, isOver) = lock.locked { () -> (Bool, Bool) in
          guard inner === source else { return (false, false) }
          inner = nil
          return (true, isUpstreamFinished)
        }
        guard isCurrent else { return }
        if case .failure = completion { finish(completion) } else if isOver { finish(.finished) }
      }

      private func finish(_ completion: Subscribers.Completion<NewPublisher.Failure>) {
        turn.locked { end()?.receive(completion: completion) }
      }

      private func end() -> Downstream? {
        let (subscription, inner, downstream) = lock.locked {
          defer {
            self.inner = nil
            self.downstream = nil
          }
          return (link.close(), self.inner, self.downstream)
        }
        subscription?.cancel()
        inner?.cancel()
        return downstream
      }

      private final class Inner: Subscriber, Cancellable {
        typealias Input = NewPublisher.Output
        typealias Failure = NewPublisher.Failure

        private let lock = Lock()
        private var link = Link.awaiting
        private let parent: Switch

        init(_ parent: Switch) {
          self.parent = parent
        }

        func receive(subscription: any Subscription) {
          // Demand is read together with attaching, so that a request meanwhile is asked for once.
          let outstanding: Subscribers.Demand? = parent.lock.locked {
            lock.locked { link.attach(subscription) } ? parent.demand : nil
          }
          guard let outstanding else { return subscription.cancel() }
          if outstanding > 0 { subscription.request(outstanding) }
        }

        func receive(_ input: NewPublisher.Output) -> Subscribers.Demand {
          parent.deliver(input, from: self)
        }

        func receive(completion: Subscribers.Completion<NewPublisher.Failure>) {
          guard lock.locked({ link.close() }) != nil else { return }
          parent.ended(self, completion)
        }

        func ask(_ demand: Subscribers.Demand) {
          guard demand > 0 else { return }
          lock.locked { link.subscription }?.request(demand)
        }

        func cancel() {
          lock.locked { link.close() }?.cancel()
        }
      }
    }
  }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// Passes on the values of the publisher that came last, and cancels the one before.
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Failure == Never, Output: Publisher {
  /// Passes on the values of the publisher that came last, and cancels the one before.
  @_disfavoredOverload
  public func switchToLatest()
    -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>>
  {
    setFailureType(to: Output.Failure.self).switchToLatest()
  }
}
