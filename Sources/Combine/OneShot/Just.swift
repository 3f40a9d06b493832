/// A publisher of one value, then the end.
public struct Just<Output>: Publisher {
  /// How it can fail.
  public typealias Failure = Never

  /// The value each subscriber gets at its first demand.
  public let output: Output

  /// Makes a publisher of `output`.
  public init(_ output: Output) {
    self.output = output
  }

  /// Attaches `subscriber`.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    subscriber.receive(subscription: OnceSubscription(subscriber, value: output))
  }
}

extension Just: Equatable where Output: Equatable {}
extension Just: Sendable where Output: Sendable {}

extension Optional {
  /// A publisher of the wrapped value, if any, then the end.
  public struct Publisher: Combine.Publisher {
    /// What is published.
    public typealias Output = Wrapped
    /// How it can fail.
    public typealias Failure = Never

    /// The value, if any.
    public let output: Wrapped?

    /// Makes a publisher of `output`.
    public init(_ output: Wrapped?) {
      self.output = output
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Wrapped, S.Failure == Never {
      guard let output else { return Empty().receive(subscriber: subscriber) }
      subscriber.receive(subscription: OnceSubscription(subscriber, value: output))
    }
  }

  /// A publisher of the wrapped value, if any, then the end.
  public var publisher: Publisher { Publisher(self) }
}

extension Result {
  /// A publisher of the success value then the end, or of the failure.
  public struct Publisher: Combine.Publisher {
    /// What is published.
    public typealias Output = Success

    /// The result each subscriber gets.
    public let result: Result

    /// Makes a publisher of `result`.
    public init(_ result: Result) {
      self.result = result
    }

    /// Makes a publisher of `output`.
    public init(_ output: Success) {
      result = .success(output)
    }

    /// Makes a publisher that fails with `failure`.
    public init(_ failure: Failure) {
      result = .failure(failure)
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Success, S.Failure == Failure {
      switch result {
      case .success(let value): subscriber.receive(subscription: OnceSubscription(subscriber, value: value))
      case .failure(let error): Fail(error: error).receive(subscriber: subscriber)
      }
    }
  }

  /// A publisher of this result.
  public var publisher: Publisher { Publisher(self) }
}
