/// A publisher with its type erased.
///
/// Not `Sendable`, for it may hold operators with plain closures. A method of a `Sendable` class may return one freely,
/// and may subscribe to it on any queue; only storing it across isolation domains is refused.
public struct AnyPublisher<Output, Failure: Error>: Publisher, CustomStringConvertible {
  private let base: any Publisher<Output, Failure>

  /// Wraps `publisher`; an `AnyPublisher` is not wrapped again.
  public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    base = (publisher as? AnyPublisher<Output, Failure>)?.base ?? publisher
  }

  /// Attaches `subscriber` to the wrapped publisher.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    base.receive(subscriber: subscriber)
  }

  /// The word `AnyPublisher`.
  public var description: String { "AnyPublisher" }
}

extension Publisher {
  /// The same publisher with its type erased.
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    AnyPublisher(self)
  }
}
