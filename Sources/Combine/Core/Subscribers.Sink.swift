extension Subscribers {
  /// A subscriber that asks for everything and hands it to closures.
  ///
  /// The closures are freed at completion or cancellation.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable {
    private let lock = Lock()
    private var link = Link.awaiting
    private var onValue: ((Input) -> Void)?
    private var onCompletion: ((Completion<Failure>) -> Void)?

    /// Makes a sink; both closures are called where the upstream delivers.
    public init(
      receiveCompletion: @escaping (Completion<Failure>) -> Void, receiveValue: @escaping (Input) -> Void
    ) {
      onValue = receiveValue
      onCompletion = receiveCompletion
    }

    /// Keeps the first subscription and asks it for everything; cancels any other.
    public func receive(subscription: any Subscription) {
      if lock.locked({ link.attach(subscription) }) {
        subscription.request(.unlimited)
      } else {
        subscription.cancel()
      }
    }

    /// Calls the value closure; never asks for more.
    public func receive(_ input: Input) -> Demand {
      lock.locked { onValue }?(input)
      return .none
    }

    /// Calls the completion closure, once.
    public func receive(completion: Completion<Failure>) {
      let (_, handler) = end()
      handler?(completion)
    }

    /// Cancels the subscription and frees the closures.
    public func cancel() {
      let (subscription, _) = end()
      subscription?.cancel()
    }

    private func end() -> ((any Subscription)?, ((Completion<Failure>) -> Void)?) {
      // The closures are carried out so that whatever they hold is freed after the lock.
      let (subscription, handler, value) = lock.locked {
        defer {
          onValue = nil
          onCompletion = nil
        }
        return (link.close(), onCompletion, onValue)
      }
      withExtendedLifetime(value) {}
      return (subscription, handler)
    }
  }
}

extension Publisher {
  /// Attaches closures for values and completion, asking for everything; lasts until the result is cancelled or freed.
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscribe(sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Failure == Never {
  /// Attaches a closure for values, asking for everything; lasts until the result is cancelled or freed.
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}
