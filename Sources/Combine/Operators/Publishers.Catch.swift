extension Publishers {
  /// Puts another publisher in the place of one that failed.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = NewPublisher.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// Makes the publisher that follows an error.
    public let handler: (Upstream.Failure) -> NewPublisher

    /// Makes the publisher of its parts.
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      Succession(subscriber).start(upstream) { [handler] completion, _ in
        switch completion {
        case .finished: .end(.finished)
        case .failure(let error): .start { $0.finish(with: handler(error)) }
        }
      }
    }
  }

  /// Puts another publisher in the place of one that failed, or fails with what the handler throws.
  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = any Error
    /// Where the values come from.
    public let upstream: Upstream
    /// Makes the publisher that follows an error, or throws.
    public let handler: (Upstream.Failure) throws -> NewPublisher

    /// Makes the publisher of its parts.
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
      Succession(subscriber).start(upstream) { [handler] completion, _ in
        guard case .failure(let error) = completion else { return .end(.finished) }
        do {
          let follower = try handler(error).mapError { $0 as any Error }
          return .start { $0.finish(with: follower) }
        } catch {
          return .end(.failure(error))
        }
      }
    }
  }

  /// Puts a value in the place of an error, then finishes.
  public struct ReplaceError<Upstream: Publisher>: Publisher {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = Never
    /// Where the values come from.
    public let upstream: Upstream
    /// Published in the place of an error.
    public let output: Output

    /// Makes the publisher of its parts.
    public init(upstream: Upstream, output: Output) {
      self.upstream = upstream
      self.output = output
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      Catch(upstream: upstream) { [output] _ in Just(output) }.receive(subscriber: subscriber)
    }
  }

  /// Publishes a value if upstream finishes without any.
  public struct ReplaceEmpty<Upstream: Publisher>: Publisher {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// Published if there is nothing else.
    public let output: Output

    /// Makes the publisher of its parts.
    public init(upstream: Upstream, output: Output) {
      self.upstream = upstream
      self.output = output
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      Succession(subscriber).start(upstream) { [output] completion, hasPublished in
        guard case .finished = completion, !hasPublished else { return .end(completion) }
        return .start { $0.finish(with: Result<Output, Failure>.success(output).publisher) }
      }
    }
  }

  /// Subscribes again to a publisher that failed.
  public struct Retry<Upstream: Publisher>: Publisher {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// How many times more at most; nil for no bound.
    public let retries: Int?

    /// Makes the publisher of its parts.
    public init(upstream: Upstream, retries: Int?) {
      self.upstream = upstream
      self.retries = retries
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      attempt(Succession(subscriber), left: retries)
    }

    private func attempt<S: Subscriber>(_ succession: Succession<S>, left: Int?)
    where S.Input == Output, S.Failure == Failure {
      succession.start(upstream) { completion, _ in
        guard case .failure = completion, left != 0 else { return .end(completion) }
        return .start { attempt($0, left: left.map { $0 - 1 }) }
      }
    }
  }
}

extension Publisher {
  /// At an error goes on with the publisher that `handler` makes of it.
  public func `catch`<P: Publisher>(
    _ handler: @escaping (Failure) -> P
  ) -> Publishers.Catch<Self, P> where P.Output == Output {
    Publishers.Catch(upstream: self, handler: handler)
  }

  /// At an error goes on with the publisher that `handler` makes of it; a thrown error stops the stream.
  public func tryCatch<P: Publisher>(
    _ handler: @escaping (Failure) throws -> P
  ) -> Publishers.TryCatch<Self, P> where P.Output == Output {
    Publishers.TryCatch(upstream: self, handler: handler)
  }

  /// At an error publishes `output`, then finishes.
  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    Publishers.ReplaceError(upstream: self, output: output)
  }

  /// Publishes `output` if upstream finishes without a value.
  public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
    Publishers.ReplaceEmpty(upstream: self, output: output)
  }

  /// At an error subscribes again, at most `retries` times.
  public func retry(_ retries: Int) -> Publishers.Retry<Self> {
    Publishers.Retry(upstream: self, retries: retries)
  }
}
