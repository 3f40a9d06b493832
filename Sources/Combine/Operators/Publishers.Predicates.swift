extension Publishers {
  /// Publishes whether some value satisfies a predicate, as soon as that is known, then finishes.
  public struct ContainsWhere<Upstream: Publisher>: Publisher {
    /// What is published.
    public typealias Output = Bool
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// True for a value looked for.
    public let predicate: (Upstream.Output) -> Bool

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Bool, S.Failure == Failure {
      upstream.fold(to: subscriber, from: false) { [predicate] result, value in
        result = predicate(value)
        return result == true ? .done : .more
      }
    }
  }

  /// Publishes whether all values satisfy a predicate, as soon as that is known, then finishes.
  public struct AllSatisfy<Upstream: Publisher>: Publisher {
    /// What is published.
    public typealias Output = Bool
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// True for a value as it should be.
    public let predicate: (Upstream.Output) -> Bool

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Bool, S.Failure == Failure {
      upstream.fold(to: subscriber, from: true) { [predicate] result, value in
        result = predicate(value)
        return result == true ? .more : .done
      }
    }
  }

  /// Publishes the value that a comparison puts before all others, when upstream finishes.
  public struct Comparison<Upstream: Publisher>: Publisher {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// True when the first value is to be kept rather than the second.
    public let areInIncreasingOrder: (Output, Output) -> Bool

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.fold(to: subscriber) { [areInIncreasingOrder] result, value in
        if let best = result, !areInIncreasingOrder(value, best) { return .more }
        result = value
        return .more
      }
    }
  }
}

extension Publisher {
  /// Publishes whether some value satisfies `predicate`, then finishes.
  public func contains(where predicate: @escaping (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
    Publishers.ContainsWhere(upstream: self, predicate: predicate)
  }

  /// Publishes whether all values satisfy `predicate`, then finishes.
  public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
    Publishers.AllSatisfy(upstream: self, predicate: predicate)
  }

  /// Publishes the least value, the first of equals, when upstream finishes.
  public func min(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self> {
    Publishers.Comparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }

  /// Publishes the greatest value, the first of equals, when upstream finishes.
  public func max(by areInIncreasingOrder: @escaping (Output, Output) -> Bool) -> Publishers.Comparison<Self> {
    Publishers.Comparison(upstream: self) { areInIncreasingOrder($1, $0) }
  }
}

extension Publisher where Output: Equatable {
  /// Publishes whether `output` is among the values, then finishes.
  public func contains(_ output: Output) -> Publishers.ContainsWhere<Self> {
    contains { $0 == output }
  }
}

extension Publisher where Output: Comparable {
  /// Publishes the least value when upstream finishes.
  public func min() -> Publishers.Comparison<Self> { min(by: <) }

  /// Publishes the greatest value when upstream finishes.
  public func max() -> Publishers.Comparison<Self> { max(by: <) }
}
