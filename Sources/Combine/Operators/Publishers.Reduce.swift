extension Publishers {
  /// Passes on each result of taking a value into the result before.
  public struct Scan<Upstream: Publisher, Output>: Publisher {
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// The result before the first value.
    public let initialResult: Output
    /// Takes a value into a result.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      var result = initialResult
      upstream.step(to: subscriber) { [nextPartialResult] value in
        result = nextPartialResult(result, value)
        return .emit(result)
      }
    }
  }

  /// Passes on each result of taking a value into the result before, and stops at a thrown error.
  public struct TryScan<Upstream: Publisher, Output>: Publisher {
    /// How it can fail.
    public typealias Failure = any Error
    /// Where the values come from.
    public let upstream: Upstream
    /// The result before the first value.
    public let initialResult: Output
    /// Takes a value into a result.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
      var result = initialResult
      upstream.tryStep(to: subscriber) { [nextPartialResult] value in
        result = try nextPartialResult(result, value)
        return .emit(result)
      }
    }
  }

  /// Takes all values into one result, published when upstream finishes.
  public struct Reduce<Upstream: Publisher, Output>: Publisher {
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// The result before the first value.
    public let initial: Output
    /// Takes a value into a result.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.fold(to: subscriber, from: initial) { [initial, nextPartialResult] result, value in
        result = nextPartialResult(result ?? initial, value)
        return .more
      }
    }
  }

  /// Takes all values into one result, published when upstream finishes; stops at a thrown error.
  public struct TryReduce<Upstream: Publisher, Output>: Publisher {
    /// How it can fail.
    public typealias Failure = any Error
    /// Where the values come from.
    public let upstream: Upstream
    /// The result before the first value.
    public let initial: Output
    /// Takes a value into a result.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
      upstream.tryFold(to: subscriber, from: initial) { [initial, nextPartialResult] result, value in
        result = try nextPartialResult(result ?? initial, value)
        return .more
      }
    }
  }

  /// Passes on only the end.
  public struct IgnoreOutput<Upstream: Publisher>: Publisher {
    /// What is published.
    public typealias Output = Never
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Never, S.Failure == Failure {
      upstream.fold(to: subscriber) { _, _ in .more }
    }
  }
}

extension Publisher {
  /// Passes on each result of taking a value into the result before.
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Scan<Self, T> {
    Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Passes on each result of taking a value into the result before; a thrown error stops the stream.
  public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Publishers.TryScan<Self, T> {
    Publishers.TryScan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Takes all values into one result, published when upstream finishes.
  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Reduce<Self, T> {
    Publishers.Reduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Takes all values into one result, published when upstream finishes; a thrown error stops the stream.
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Publishers.TryReduce<Self, T> {
    Publishers.TryReduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Drops every value and passes on the end.
  public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
    Publishers.IgnoreOutput(upstream: self)
  }

  /// The number of values, published when upstream finishes.
  public func count() -> Publishers.Reduce<Self, Int> {
    reduce(0) { count, _ in count + 1 }
  }
}
