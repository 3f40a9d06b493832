extension Publishers {
  /// Gathers all values into one array, published when upstream finishes.
  public struct Collect<Upstream: Publisher>: Publisher {
    /// What is published.
    public typealias Output = [Upstream.Output]
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the publisher of its parts.
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.fold(to: subscriber, from: []) { result, value in
        result?.append(value)
        return .more
      }
    }
  }

  /// Gathers values into arrays of a fixed length; the last may be shorter.
  public struct CollectByCount<Upstream: Publisher>: Publisher {
    /// What is published.
    public typealias Output = [Upstream.Output]
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// The length of each array.
    public let count: Int

    /// Makes a publisher of arrays of `count` values; at least one.
    public init(upstream: Upstream, count: Int) {
      precondition(count > 0, "an array of collected values holds at least one")
      self.upstream = upstream
      self.count = count
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Batches(subscriber, count: count))
    }

    private final class Batches<Downstream: Subscriber>: Subscriber, Subscription
    where Downstream.Input == [Upstream.Output], Downstream.Failure == Upstream.Failure {
      typealias Input = Upstream.Output
      typealias Failure = Upstream.Failure

      private let lock = Lock()
      private var link = Link.awaiting
      private var downstream: Downstream?
      private var batch: [Upstream.Output] = []
      private let count: Int

      init(_ downstream: Downstream, count: Int) {
        self.downstream = downstream
        self.count = count
      }

      func receive(subscription: any Subscription) {
        let (accepted, downstream) = lock.locked { (link.attach(subscription), self.downstream) }
        guard accepted, let downstream else { return subscription.cancel() }
        downstream.receive(subscription: self)
      }

      func receive(_ input: Upstream.Output) -> Subscribers.Demand {
        let full: (Downstream, [Upstream.Output])? = lock.locked {
          guard let downstream else { return nil }
          batch.append(input)
          guard batch.count == count else { return nil }
          defer { batch = [] }
          return (downstream, batch)
        }
        return full.map { $0.0.receive($0.1) * count } ?? .none
      }

      func receive(completion: Subscribers.Completion<Upstream.Failure>) {
        guard lock.locked({ link.close() }) != nil else { return }
        let (downstream, rest) = lock.locked { (self.downstream, batch) }
        if case .finished = completion, !rest.isEmpty { _ = downstream?.receive(rest) }
        take()?.receive(completion: completion)
      }

      func request(_ demand: Subscribers.Demand) {
        lock.locked { link.subscription }?.request(demand * count)
      }

      func cancel() {
        let subscription = lock.locked { link.close() }
        _ = take()
        subscription?.cancel()
      }

      private func take() -> Downstream? {
        lock.locked {
          defer {
            downstream = nil
            batch = []
          }
          return downstream
        }
      }
    }
  }
}

extension Publisher {
  /// Gathers all values into one array, published when upstream finishes.
  public func collect() -> Publishers.Collect<Self> {
    Publishers.Collect(upstream: self)
  }

  /// Gathers values into arrays of `count`; the last may be shorter.
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }
}
