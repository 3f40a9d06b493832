extension Publishers {
  /// Pairs up the n-th values of two publishers.
  public struct Zip<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure {
    /// What is published.
    public typealias Output = (A.Output, B.Output)
    /// How it can fail.
    public typealias Failure = A.Failure
    /// One of the publishers joined.
    public let a: A
    /// One of the publishers joined.
    public let b: B

    /// Makes the publisher of its parts.
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      Junction<A.Output, B.Output, S>(subscriber, rule: .zip).join(a, b)
    }
  }

  /// Pairs up the n-th values of three publishers.
  public struct Zip3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, A.Failure == C.Failure {
    /// What is published.
    public typealias Output = (A.Output, B.Output, C.Output)
    /// How it can fail.
    public typealias Failure = A.Failure
    /// One of the publishers joined.
    public let a: A
    /// One of the publishers joined.
    public let b: B
    /// One of the publishers joined.
    public let c: C

    /// Makes the publisher of its parts.
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      Zip(Zip(a, b), c).map { ($0.0, $0.1, $1) }.receive(subscriber: subscriber)
    }
  }

  /// Pairs up the n-th values of four publishers.
  public struct Zip4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where A.Failure == B.Failure, A.Failure == C.Failure, A.Failure == D.Failure {
    /// What is published.
    public typealias Output = (A.Output, B.Output, C.Output, D.Output)
    /// How it can fail.
    public typealias Failure = A.Failure
    /// One of the publishers joined.
    public let a: A
    /// One of the publishers joined.
    public let b: B
    /// One of the publishers joined.
    public let c: C
    /// One of the publishers joined.
    public let d: D

    /// Makes the publisher of its parts.
    public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      Zip(Zip(a, b), Zip(c, d)).map { ($0.0, $0.1, $1.0, $1.1) }.receive(subscriber: subscriber)
    }
  }
}

extension Publisher {
  /// Pairs up the n-th values of both publishers.
  public func zip<B: Publisher>(_ other: B) -> Publishers.Zip<Self, B>
  where B.Failure == Failure {
    Publishers.Zip(self, other)
  }

  /// Pairs up the n-th values of both publishers, transformed.
  public func zip<B: Publisher, T>(
    _ other: B, _ transform: @escaping (Output, B.Output) -> T
  ) -> Publishers.Map<Publishers.Zip<Self, B>, T> where B.Failure == Failure {
    zip(other).map { transform($0, $1) }
  }

  /// Pairs up the n-th values of all three publishers.
  public func zip<B: Publisher, C: Publisher>(_ b: B, _ c: C) -> Publishers.Zip3<Self, B, C>
  where B.Failure == Failure, C.Failure == Failure {
    Publishers.Zip3(self, b, c)
  }

  /// Pairs up the n-th values of all three publishers, transformed.
  public func zip<B: Publisher, C: Publisher, T>(
    _ b: B, _ c: C, _ transform: @escaping (Output, B.Output, C.Output) -> T
  ) -> Publishers.Map<Publishers.Zip3<Self, B, C>, T> where B.Failure == Failure, C.Failure == Failure {
    zip(b, c).map { transform($0, $1, $2) }
  }

  /// Pairs up the n-th values of all four publishers.
  public func zip<B: Publisher, C: Publisher, D: Publisher>(_ b: B, _ c: C, _ d: D) -> Publishers.Zip4<Self, B, C, D>
  where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure {
    Publishers.Zip4(self, b, c, d)
  }

  /// Pairs up the n-th values of all four publishers, transformed.
  public func zip<B: Publisher, C: Publisher, D: Publisher, T>(
    _ b: B, _ c: C, _ d: D, _ transform: @escaping (Output, B.Output, C.Output, D.Output) -> T
  ) -> Publishers.Map<Publishers.Zip4<Self, B, C, D>, T>
  where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure {
    zip(b, c, d).map { transform($0, $1, $2, $3) }
  }
}
