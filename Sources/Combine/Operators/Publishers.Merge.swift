extension Publishers {
  /// Passes on the values of two publishers as they come.
  public struct Merge<A: Publisher, B: Publisher>: Publisher where A.Output == B.Output, A.Failure == B.Failure {
    /// What is published.
    public typealias Output = A.Output
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
      let confluence = Confluence(subscriber)
      confluence.open(beside: nil)
      confluence.add(a) {}
      confluence.add(b) {}
      confluence.sourceEnded(.finished)
    }
  }

  /// Passes on the values of many publishers as they come.
  public struct MergeMany<Upstream: Publisher>: Publisher {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// The publishers joined.
    public let publishers: [Upstream]

    /// Makes the publisher of its parts.
    public init(_ upstream: Upstream...) {
      publishers = upstream
    }

    /// Makes the publisher of its parts.
    public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream {
      publishers = Array(upstream)
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let confluence = Confluence(subscriber)
      confluence.open(beside: nil)
      for publisher in publishers { confluence.add(publisher) {} }
      confluence.sourceEnded(.finished)
    }

    /// The same with one publisher more.
    public func merge(with other: Upstream) -> MergeMany<Upstream> {
      MergeMany(publishers + [other])
    }
  }

  /// Passes on the values of three publishers as they come.
  public typealias Merge3<A, B, C> = Merge<Merge<A, B>, C>
  where
    A: Publisher, B: Publisher, C: Publisher, A.Output == B.Output, A.Output == C.Output, A.Failure == B.Failure,
    A.Failure == C.Failure

  /// Passes on the values of four publishers as they come.
  public typealias Merge4<A, B, C, D> = Merge<Merge<A, B>, Merge<C, D>>
  where
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, A.Output == B.Output, A.Output == C.Output,
    A.Output == D.Output, A.Failure == B.Failure, A.Failure == C.Failure, A.Failure == D.Failure
}

extension Publisher {
  /// Passes on the values of both publishers as they come.
  public func merge<P: Publisher>(with other: P) -> Publishers.Merge<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Merge(self, other)
  }

  /// Passes on the values of all three publishers as they come.
  public func merge<B: Publisher, C: Publisher>(with b: B, _ c: C) -> Publishers.Merge3<Self, B, C>
  where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure {
    Publishers.Merge(Publishers.Merge(self, b), c)
  }

  /// Passes on the values of all four publishers as they come.
  public func merge<B: Publisher, C: Publisher, D: Publisher>(
    with b: B, _ c: C, _ d: D
  ) -> Publishers.Merge4<Self, B, C, D>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure
  {
    Publishers.Merge(Publishers.Merge(self, b), Publishers.Merge(c, d))
  }

  /// Passes on the values of both publishers as they come.
  public func merge(with other: Self) -> Publishers.MergeMany<Self> {
    Publishers.MergeMany(self, other)
  }
}
