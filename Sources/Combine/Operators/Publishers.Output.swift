extension Publishers {
  /// Passes on the values at some places of the stream, then finishes.
  public struct Output<Upstream: Publisher>: Publisher {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// The places passed on, counted from zero.
    public let range: CountableRange<Int>

    /// Makes a publisher of the values in `range`, which must not begin below zero.
    public init(upstream: Upstream, range: CountableRange<Int>) {
      precondition(range.lowerBound >= 0, "a place in a stream cannot be negative")
      self.upstream = upstream
      self.range = range
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      guard !range.isEmpty else { return Empty().receive(subscriber: subscriber) }
      var place = -1
      upstream.step(to: subscriber) { [range] value in
        place += 1
        if place == range.upperBound - 1 { return .emitLast(value) }
        return range.contains(place) ? .emit(value) : .skip
      }
    }
  }

  /// Passes on values while a predicate holds, then finishes.
  public struct PrefixWhile<Upstream: Publisher>: Publisher {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// True while values are to be passed on.
    public let predicate: (Output) -> Bool

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.step(to: subscriber) { [predicate] in predicate($0) ? .emit($0) : .finish }
    }
  }

  /// Drops the first values.
  public struct Drop<Upstream: Publisher>: Publisher {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// How many values are dropped.
    public let count: Int

    /// Makes a publisher that drops `count` values; not negative.
    public init(upstream: Upstream, count: Int) {
      precondition(count >= 0, "a count of values cannot be negative")
      self.upstream = upstream
      self.count = count
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      var left = count
      upstream.step(to: subscriber) { value in
        guard left > 0 else { return .emit(value) }
        left -= 1
        return .skip
      }
    }
  }

  /// Drops values while a predicate holds.
  public struct DropWhile<Upstream: Publisher>: Publisher {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// True while values are to be dropped.
    public let predicate: (Output) -> Bool

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      var isDropping = true
      upstream.step(to: subscriber) { [predicate] value in
        isDropping = isDropping && predicate(value)
        return isDropping ? .skip : .emit(value)
      }
    }
  }
}

extension Publisher {
  /// Passes on the value at `index`, counted from zero, then finishes.
  public func output(at index: Int) -> Publishers.Output<Self> {
    output(in: index...index)
  }

  /// Passes on the values at the places of `range`, counted from zero, then finishes.
  public func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self> where R.Bound == Int {
    Publishers.Output(upstream: self, range: range.relative(to: 0..<Int.max))
  }

  /// Passes on at most `maxLength` values, then finishes.
  public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
    output(in: 0..<maxLength)
  }

  /// Passes on values while `predicate` holds, then finishes.
  public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
    Publishers.PrefixWhile(upstream: self, predicate: predicate)
  }

  /// Drops the first `count` values.
  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    Publishers.Drop(upstream: self, count: count)
  }

  /// Drops values while `predicate` holds.
  public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
    Publishers.DropWhile(upstream: self, predicate: predicate)
  }
}
