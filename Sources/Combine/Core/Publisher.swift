/// A type that delivers a sequence of values over time to its subscribers.
///
/// A subscriber gets one subscription, then no more values than it asked for, then at most one completion and nothing after.
/// Publishers are not `Sendable` in general, because operators hold the client's plain closures; see `Future`,
/// `PassthroughSubject` and `CurrentValueSubject` for those that are.
public protocol Publisher<Output, Failure> {
  /// The kind of values published.
  associatedtype Output

  /// The kind of errors published; `Never` when it cannot fail.
  associatedtype Failure: Error

  /// Attaches a subscriber; call `subscribe(_:)` instead.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
  /// Attaches `subscriber`, which will get its subscription from this publisher.
  public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    receive(subscriber: subscriber)
  }

  /// Attaches `subject`, so that it sends on everything this publisher publishes, until the result is cancelled.
  public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable where S.Output == Output, S.Failure == Failure {
    let subscriber = SubjectSubscriber(subject)
    receive(subscriber: subscriber)
    return AnyCancellable(subscriber)
  }
}

/// A namespace for the types that operators return.
public enum Publishers {}

/// A namespace for types related to `Subscriber`.
public enum Subscribers {}

/// A namespace for types related to `Subscription`.
public enum Subscriptions {}
