/// What an operator that publishes one result wants after a value.
enum FoldProgress {
  case more
  case done
}

/// The subscription of every operator that publishes at most one value: `reduce`, `collect`, `first`, `last`, `count` and so on.
///
/// Upstream is asked for everything at once; the result waits for demand.
final class FoldSubscription<Input, Failure: Error, Downstream: Subscriber>: Subscriber, Subscription {
  /// Takes a value into the result so far.
  typealias Action = (inout Downstream.Input?, Input) throws -> FoldProgress

  private let lock = Lock()
  private var link = Link.awaiting
  private var downstream: Downstream?
  private var action: Action?
  private var result: Downstream.Input?
  private var isWanted = false
  private var isFolded = false
  private let convert: (Failure) -> Downstream.Failure
  private let convertThrown: (any Error) -> Downstream.Failure?

  init(
    _ downstream: Downstream, initial: Downstream.Input?, failure: @escaping (Failure) -> Downstream.Failure,
    thrown: @escaping (any Error) -> Downstream.Failure?, action: @escaping Action
  ) {
    self.downstream = downstream
    self.action = action
    result = initial
    convert = failure
    convertThrown = thrown
  }

  func receive(subscription: any Subscription) {
    let (accepted, downstream) = lock.locked { (link.attach(subscription), self.downstream) }
    guard accepted, let downstream else { return subscription.cancel() }
    downstream.receive(subscription: self)
    // Nil when the subscriber cancelled on receiving the subscription.
    lock.locked { link.subscription }?.request(.unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    // The result is taken out meanwhile, so that a growing array is not copied at each value.
    var partial: Downstream.Input?
    let action: Action? = lock.locked {
      guard link.subscription != nil else { return nil }
      swap(&partial, &result)
      return self.action
    }
    guard let action else { return .none }
    do {
      let progress = try action(&partial, input)
      lock.locked { if downstream != nil { result = partial } }
      guard case .done = progress else { return .none }
      lock.locked { link.close() }?.cancel()
      folded()
    } catch {
      let (subscription, downstream) = end()
      subscription?.cancel()
      if let failure = convertThrown(error) { downstream?.receive(completion: .failure(failure)) }
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    guard lock.locked({ link.close() }) != nil else { return }
    switch completion {
    case .finished: folded()
    case .failure(let error): end().1?.receive(completion: .failure(convert(error)))
    }
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > 0 else { return }
    lock.locked { isWanted = true }
    deliver()
  }

  func cancel() {
    end().0?.cancel()
  }

  private func folded() {
    lock.locked { isFolded = true }
    deliver()
  }

  /// Delivers the result and the end: at once when there is no result, else when it is wanted.
  private func deliver() {
    let ready: (Downstream, Downstream.Input?)? = lock.locked {
      guard isFolded, let downstream, isWanted || result == nil else { return nil }
      isFolded = false
      defer { result = nil }
      return (downstream, result)
    }
    guard let (downstream, value) = ready else { return }
    if let value { _ = downstream.receive(value) }
    end().1?.receive(completion: .finished)
  }

  private func end() -> ((any Subscription)?, Downstream?) {
    let (subscription, downstream, rest) = lock.locked {
      defer {
        self.downstream = nil
        action = nil
        result = nil
      }
      return (link.close(), self.downstream, (action, result))
    }
    withExtendedLifetime(rest) {}
    return (subscription, downstream)
  }
}

extension Publisher {
  /// Subscribes `downstream` through a fold that cannot throw.
  func fold<S: Subscriber>(
    to downstream: S, from initial: S.Input? = nil, _ action: @escaping (inout S.Input?, Output) -> FoldProgress
  ) where S.Failure == Failure {
    subscribe(
      FoldSubscription(downstream, initial: initial, failure: { $0 }, thrown: { _ in nil }, action: action))
  }

  /// Subscribes `downstream` through a fold that may throw: a thrown error stops the stream.
  func tryFold<S: Subscriber>(
    to downstream: S, from initial: S.Input? = nil, _ action: @escaping (inout S.Input?, Output) throws -> FoldProgress
  ) where S.Failure == any Error {
    subscribe(
      FoldSubscription<Output, Failure, S>(
        downstream, initial: initial, failure: { $0 }, thrown: { $0 }, action: action))
  }
}
