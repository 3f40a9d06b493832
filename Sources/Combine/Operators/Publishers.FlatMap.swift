extension Publishers {
  /// Turns each value into a publisher and passes on what those publish, interleaved.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where NewPublisher.Failure == Upstream.Failure {
    /// What is published.
    public typealias Output = NewPublisher.Output
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// How many inner publishers may run at once.
    public let maxPublishers: Subscribers.Demand
    /// Makes the inner publisher of a value.
    public let transform: (Upstream.Output) -> NewPublisher

    /// Makes the publisher of its parts.
    public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand,
      transform: @escaping (Upstream.Output) -> NewPublisher
    ) {
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let confluence = Confluence(subscriber)
      let outer = Outer(confluence: confluence, maxPublishers: maxPublishers, transform: transform)
      confluence.open(beside: outer)
      upstream.subscribe(outer)
    }

    /// Receives the values that become publishers.
    private final class Outer<Downstream: Subscriber>: Subscriber, Cancellable
    where Downstream.Input == NewPublisher.Output, Downstream.Failure == Upstream.Failure {
      typealias Input = Upstream.Output
      typealias Failure = Upstream.Failure

      private let lock = Lock()
      private var link = Link.awaiting
      private let confluence: Confluence<Downstream>
      private let maxPublishers: Subscribers.Demand
      private let transform: (Upstream.Output) -> NewPublisher

      init(
        confluence: Confluence<Downstream>, maxPublishers: Subscribers.Demand,
        transform: @escaping (Upstream.Output) -> NewPublisher
      ) {
        self.confluence = confluence
        self.maxPublishers = maxPublishers
        self.transform = transform
      }

      func receive(subscription: any Subscription) {
        guard lock.locked({ link.attach(subscription) }) else { return subscription.cancel() }
        subscription.request(maxPublishers)
      }

      func receive(_ input: Upstream.Output) -> Subscribers.Demand {
        guard lock.locked({ link.subscription }) != nil else { return .none }
        confluence.add(transform(input)) { [weak self] in self?.askForAnother() }
        return .none
      }

      func receive(completion: Subscribers.Completion<Upstream.Failure>) {
        guard lock.locked({ link.close() }) != nil else { return }
        confluence.sourceEnded(completion)
      }

      func cancel() {
        lock.locked { link.close() }?.cancel()
      }

      private func askForAnother() {
        guard maxPublishers != .unlimited else { return }
        lock.locked { link.subscription }?.request(.max(1))
      }
    }
  }
}

extension Publisher {
  /// Turns each value into a publisher, at most `maxPublishers` running at once, and passes on what those publish.
  public func flatMap<T, P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where T == P.Output, Failure == P.Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher where Failure == Never {
  /// Turns each value into a publisher that may fail, and passes on what those publish.
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
    setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
  }

  /// Turns each value into a publisher and passes on what those publish.
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher {
  /// Turns each value into a publisher that cannot fail, and passes on what those publish.
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    flatMap(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
  }
}
