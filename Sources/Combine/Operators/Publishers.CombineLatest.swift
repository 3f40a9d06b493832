extension Publishers {
  /// Passes on the latest values of two publishers whenever one publishes.
  public struct CombineLatest<A: Publisher, B: Publisher>: Publisher
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
      Junction<A.Output, B.Output, S>(subscriber, rule: .latest).join(a, b)
    }
  }

  /// Passes on the latest values of three publishers whenever one publishes.
  public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
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
      CombineLatest(CombineLatest(a, b), c).map { ($0.0, $0.1, $1) }.receive(subscriber: subscriber)
    }
  }

  /// Passes on the latest values of four publishers whenever one publishes.
  public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
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
      CombineLatest(CombineLatest(a, b), CombineLatest(c, d)).map { ($0.0, $0.1, $1.0, $1.1) }.receive(
        subscriber: subscriber)
    }
  }
}

extension Publisher {
  /// Passes on the latest values of both publishers whenever one publishes.
  public func combineLatest<B: Publisher>(_ other: B) -> Publishers.CombineLatest<Self, B>
  where B.Failure == Failure {
    Publishers.CombineLatest(self, other)
  }

  /// Passes on the latest values of both publishers whenever one publishes, transformed.
  public func combineLatest<B: Publisher, T>(
    _ other: B, _ transform: @escaping (Output, B.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest<Self, B>, T> where B.Failure == Failure {
    combineLatest(other).map { transform($0, $1) }
  }

  /// Passes on the latest values of all three publishers whenever one publishes.
  public func combineLatest<B: Publisher, C: Publisher>(_ b: B, _ c: C) -> Publishers.CombineLatest3<Self, B, C>
  where B.Failure == Failure, C.Failure == Failure {
    Publishers.CombineLatest3(self, b, c)
  }

  /// Passes on the latest values of all three publishers whenever one publishes, transformed.
  public func combineLatest<B: Publisher, C: Publisher, T>(
    _ b: B, _ c: C, _ transform: @escaping (Output, B.Output, C.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest3<Self, B, C>, T> where B.Failure == Failure, C.Failure == Failure {
    combineLatest(b, c).map { transform($0, $1, $2) }
  }

  /// Passes on the latest values of all four publishers whenever one publishes.
  public func combineLatest<B: Publisher, C: Publisher, D: Publisher>(_ b: B, _ c: C, _ d: D)
    -> Publishers.CombineLatest4<Self, B, C, D>
  where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure {
    Publishers.CombineLatest4(self, b, c, d)
  }

  /// Passes on the latest values of all four publishers whenever one publishes, transformed.
  public func combineLatest<B: Publisher, C: Publisher, D: Publisher, T>(
    _ b: B, _ c: C, _ d: D, _ transform: @escaping (Output, B.Output, C.Output, D.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest4<Self, B, C, D>, T>
  where B.Failure == Failure, C.Failure == Failure, D.Failure == Failure {
    combineLatest(b, c, d).map { transform($0, $1, $2, $3) }
  }
}
