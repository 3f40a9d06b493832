extension Subscribers {
  /// A subscriber that writes each value to a property of an object, which it holds until the end.
  public final class Assign<Root, Input>: Subscriber, Cancellable {
    /// An assignment cannot fail.
    public typealias Failure = Never

    private let lock = Lock()
    private var link = Link.awaiting
    private var root: Root?

    /// The object written to; nil after completion or cancellation.
    public var object: Root? { lock.locked { root } }

    /// The property written to.
    public let keyPath: ReferenceWritableKeyPath<Root, Input>

    /// Makes a subscriber that sets `keyPath` of `object`.
    public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      root = object
      self.keyPath = keyPath
    }

    /// Keeps the first subscription and asks it for everything; cancels any other.
    public func receive(subscription: any Subscription) {
      if lock.locked({ link.attach(subscription) }) {
        subscription.request(.unlimited)
      } else {
        subscription.cancel()
      }
    }

    /// Sets the property; never asks for more.
    public func receive(_ value: Input) -> Demand {
      object?[keyPath: keyPath] = value
      return .none
    }

    /// Lets go of the object.
    public func receive(completion: Completion<Never>) {
      _ = end()
    }

    /// Cancels the subscription and lets go of the object.
    public func cancel() {
      end()?.cancel()
    }

    private func end() -> (any Subscription)? {
      let (subscription, root) = lock.locked {
        defer { self.root = nil }
        return (link.close(), self.root)
      }
      withExtendedLifetime(root) {}
      return subscription
    }
  }
}

extension Publisher where Failure == Never {
  /// Writes each value to `keyPath` of `object`, holding the object, until the result is cancelled or freed.
  public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
    let assign = Subscribers.Assign(object: object, keyPath: keyPath)
    subscribe(assign)
    return AnyCancellable(assign)
  }
}
