extension Publishers {
  /// Calls closures beside the events of a stream, and changes nothing.
  public struct HandleEvents<Upstream: Publisher>: Publisher {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// Called before the subscription is passed on.
    public var receiveSubscription: ((any Subscription) -> Void)?
    /// Called before a value is passed on.
    public var receiveOutput: ((Output) -> Void)?
    /// Called before the end is passed on.
    public var receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    /// Called before cancelling upstream.
    public var receiveCancel: (() -> Void)?
    /// Called before asking upstream, also for what a subscriber asks by returning it.
    public var receiveRequest: ((Subscribers.Demand) -> Void)?

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(Witness(subscriber, events: self))
    }

    private final class Witness<Downstream: Subscriber>: Subscriber, Subscription
    where Downstream.Input == Upstream.Output, Downstream.Failure == Upstream.Failure {
      typealias Input = Upstream.Output
      typealias Failure = Upstream.Failure

      private let lock = Lock()
      private var link = Link.awaiting
      private var downstream: Downstream?
      private var events: HandleEvents?

      init(_ downstream: Downstream, events: HandleEvents) {
        self.downstream = downstream
        self.events = events
      }

      func receive(subscription: any Subscription) {
        lock.locked { events }?.receiveSubscription?(subscription)
        let (accepted, downstream) = lock.locked { (link.attach(subscription), self.downstream) }
        guard accepted, let downstream else { return subscription.cancel() }
        downstream.receive(subscription: self)
      }

      func receive(_ input: Upstream.Output) -> Subscribers.Demand {
        let events = lock.locked { self.events }
        events?.receiveOutput?(input)
        guard let more = lock.locked({ downstream })?.receive(input) else { return .none }
        if more > 0 { events?.receiveRequest?(more) }
        return more
      }

      func receive(completion: Subscribers.Completion<Upstream.Failure>) {
        lock.locked { events }?.receiveCompletion?(completion)
        end().downstream?.receive(completion: completion)
      }

      func request(_ demand: Subscribers.Demand) {
        lock.locked { events }?.receiveRequest?(demand)
        lock.locked { link.subscription }?.request(demand)
      }

      func cancel() {
        let (subscription, events, _) = end()
        events?.receiveCancel?()
        subscription?.cancel()
      }

      private func end() -> (subscription: (any Subscription)?, events: HandleEvents?, downstream: Downstream?) {
        lock.locked {
          defer {
            events = nil
            downstream = nil
          }
          return (link.close(), events, downstream)
        }
      }
    }
  }
}

extension Publisher {
  /// Calls the closures beside the events of the stream.
  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
    receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
  }
}
