/// The values of a publisher that cannot fail, as an asynchronous sequence.
///
/// One value is asked for at each step of the loop. Leaving the loop, or cancelling the task, cancels the subscription.
public struct AsyncPublisher<P: Publisher>: AsyncSequence where P.Failure == Never {
  /// What is published.
  public typealias Element = P.Output

  private let publisher: P

  /// Makes a sequence of what `publisher` publishes.
  public init(_ publisher: P) {
    self.publisher = publisher
  }

  /// Subscribes.
  public func makeAsyncIterator() -> Iterator { Iterator(publisher) }

  /// The subscription of one loop.
  public struct Iterator: AsyncIteratorProtocol {
    private let mailbox = Mailbox<P.Output, Never>()
    private let owner: AnyCancellable

    init(_ publisher: P) {
      owner = AnyCancellable(mailbox)
      publisher.subscribe(mailbox)
    }

    /// The next value, or nil at the end or when the task is cancelled.
    public mutating func next() async -> P.Output? { await next(isolation: nil) }

    /// The next value, or nil at the end or when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> P.Output? {
      guard case .success(let value) = await mailbox.take(isolation: actor) else { return nil }
      return value
    }
  }
}

/// The values of a publisher that may fail, as an asynchronous sequence that throws its error.
///
/// One value is asked for at each step of the loop. Leaving the loop, or cancelling the task, cancels the subscription.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
  /// What is published.
  public typealias Element = P.Output

  private let publisher: P

  /// Makes a sequence of what `publisher` publishes.
  public init(_ publisher: P) {
    self.publisher = publisher
  }

  /// Subscribes.
  public func makeAsyncIterator() -> Iterator { Iterator(publisher) }

  /// The subscription of one loop.
  public struct Iterator: AsyncIteratorProtocol {
    private let mailbox = Mailbox<P.Output, P.Failure>()
    private let owner: AnyCancellable

    init(_ publisher: P) {
      owner = AnyCancellable(mailbox)
      publisher.subscribe(mailbox)
    }

    /// The next value, or nil at the end or when the task is cancelled; throws the publisher's error, once.
    public mutating func next() async throws(P.Failure) -> P.Output? { try await next(isolation: nil) }

    /// The next value, or nil at the end or when the task is cancelled; throws the publisher's error, once.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(P.Failure) -> P.Output? {
      try await mailbox.take(isolation: actor).get()
    }
  }
}

/// Hands a publisher's values to a task that waits for them.
///
/// `@unchecked Sendable`: all state is under the lock, and a waiting task is resumed once, by whoever takes it out.
private final class Mailbox<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
  typealias Letter = Result<Input?, Failure>
  typealias Waiter = CheckedContinuation<Transfer<Letter>, Never>

  private let lock = Lock()
  private var link = Link.awaiting
  private var owed = Subscribers.Demand.none
  private var waiters: [Waiter] = []
  /// What came before anybody waited for it; an error is taken by one reader.
  private var letters: [Letter] = []
  private var isOver = false

  func take(isolation actor: isolated (any Actor)?) async -> Letter {
    await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: actor) { (waiter: Waiter) in
        let (letter, subscription) = lock.locked { () -> (Letter?, (any Subscription)?) in
          if !letters.isEmpty { return (letters.removeFirst(), nil) }
          if isOver { return (.success(nil), nil) }
          waiters.append(waiter)
          if case .awaiting = link { owed += 1 }
          return (nil, link.subscription)
        }
        if let letter { waiter.resume(returning: Transfer(letter)) }
        subscription?.request(.max(1))
      }
    } onCancel: {
      cancel()
    }.value
  }

  func receive(subscription: any Subscription) {
    let (accepted, owed) = lock.locked { (link.attach(subscription), self.owed) }
    guard accepted else { return subscription.cancel() }
    if owed > 0 { subscription.request(owed) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let waiter = lock.locked { () -> Waiter? in
      guard !isOver else { return nil }
      if waiters.isEmpty {
        letters.append(.success(input))
        return nil
      }
      return waiters.removeFirst()
    }
    waiter?.resume(returning: Transfer(.success(input)))
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    var rest = close().waiters[...]
    if case .failure(let error) = completion {
      if let first = rest.popFirst() {
        first.resume(returning: Transfer(.failure(error)))
      } else {
        lock.locked { letters.append(.failure(error)) }
      }
    }
    rest.forEach { $0.resume(returning: Transfer(.success(nil))) }
  }

  func cancel() {
    let (subscription, waiters) = close()
    subscription?.cancel()
    waiters.forEach { $0.resume(returning: Transfer(.success(nil))) }
  }

  private func close() -> (subscription: (any Subscription)?, waiters: [Waiter]) {
    lock.locked {
      isOver = true
      defer { waiters = [] }
      return (link.close(), waiters)
    }
  }
}

extension Publisher where Failure == Never {
  /// The values, for a `for await` loop.
  public var values: AsyncPublisher<Self> { AsyncPublisher(self) }
}

extension Publisher {
  /// The values, for a `for try await` loop.
  @_disfavoredOverload
  public var values: AsyncThrowingPublisher<Self> { AsyncThrowingPublisher(self) }
}
