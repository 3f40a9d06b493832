extension Publishers {
  /// Passes on everything, its error transformed.
  public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
    /// What is published.
    public typealias Output = Upstream.Output
    /// Where the values come from.
    public let upstream: Upstream
    /// Applied to the error.
    public let transform: (Upstream.Failure) -> Failure

    /// Makes the publisher of its parts.
    public init(upstream: Upstream, transform: @escaping (Upstream.Failure) -> Failure) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(StepSubscription(subscriber, failure: transform) { .emit($0) })
    }
  }

  /// Passes on everything from a publisher that cannot fail, as one that could.
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher where Upstream.Failure == Never {
    /// What is published.
    public typealias Output = Upstream.Output
    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the publisher of its parts.
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.subscribe(StepSubscription<Output, Never, S>(subscriber, failure: absurd) { .emit($0) })
    }

    /// The same upstream with another failure type.
    public func setFailureType<E: Error>(to failureType: E.Type) -> SetFailureType<Upstream, E> {
      SetFailureType<Upstream, E>(upstream: upstream)
    }
  }

  /// Passes on everything, and stops the program at an error.
  public struct AssertNoFailure<Upstream: Publisher>: Publisher {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = Never
    /// Where the values come from.
    public let upstream: Upstream
    /// Put before the error in the message.
    public let prefix: String
    /// The file named in the message.
    public let file: StaticString
    /// The line named in the message.
    public let line: UInt

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      let convert: (Upstream.Failure) -> Never = { [prefix, file, line] error in
        fatalError("\(prefix): \(error)", file: file, line: line)
      }
      upstream.subscribe(StepSubscription<Output, Upstream.Failure, S>(subscriber, failure: convert) { .emit($0) })
    }
  }
}

extension Publisher {
  /// Transforms the error.
  public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> Publishers.MapError<Self, E> {
    Publishers.MapError(upstream: self, transform: transform)
  }

  /// Stops the program at an error, which must not happen.
  public func assertNoFailure(
    _ prefix: String = "", file: StaticString = #file, line: UInt = #line
  ) -> Publishers.AssertNoFailure<Self> {
    Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
  }
}

extension Publisher where Failure == Never {
  /// Gives a publisher that cannot fail the failure type `failureType`, to join others.
  public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
    Publishers.SetFailureType(upstream: self)
  }
}
