/// What an operator does with one upstream value.
enum Step<Output, Failure: Error> {
  /// Passes a value on.
  case emit(Output)
  /// Passes nothing on and asks for another value in its place.
  case skip
  /// Passes a last value on, then finishes.
  case emitLast(Output)
  /// Finishes without a value.
  case finish
  /// Stops with an error.
  case fail(Failure)
}

/// The subscription of every operator that answers each value on the spot: `filter`, `tryMap`, `prefix`, `scan` and so on.
///
/// Demand goes through unchanged; a skipped value is asked for again.
final class StepSubscription<Input, Failure: Error, Downstream: Subscriber>: Subscriber, Subscription {
  typealias Action = (Input) -> Step<Downstream.Input, Downstream.Failure>

  private let lock = Lock()
  private var link = Link.awaiting
  private var downstream: Downstream?
  private var action: Action?
  private let convert: (Failure) -> Downstream.Failure

  init(_ downstream: Downstream, failure convert: @escaping (Failure) -> Downstream.Failure, action: @escaping Action) {
    self.downstream = downstream
    self.action = action
    self.convert = convert
  }

  func receive(subscription: any Subscription) {
    let (accepted, downstream) = lock.locked { (link.attach(subscription), self.downstream) }
    guard accepted, let downstream else { return subscription.cancel() }
    downstream.receive(subscription: self)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let active: (Downstream, Action)? = lock.locked {
      guard link.subscription != nil, let downstream, let action else { return nil }
      return (downstream, action)
    }
    guard let (downstream, action) = active else { return .none }
    switch action(input) {
    case .emit(let value):
      return downstream.receive(value)
    case .skip:
      return .max(1)
    case .emitLast(let value):
      lock.locked { link.close() }?.cancel()
      _ = downstream.receive(value)
      end().1?.receive(completion: .finished)
    case .finish:
      stop(.finished)
    case .fail(let error):
      stop(.failure(error))
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    // A closed link means that the end has been decided here already.
    let downstream: Downstream? = lock.locked {
      guard link.close() != nil else { return nil }
      return self.downstream
    }
    guard downstream != nil else { return }
    end().1?.receive(completion: completion.mapFailure(convert))
  }

  func request(_ demand: Subscribers.Demand) {
    lock.locked { link.subscription }?.request(demand)
  }

  func cancel() {
    end().0?.cancel()
  }

  private func stop(_ completion: Subscribers.Completion<Downstream.Failure>) {
    let (subscription, downstream) = end()
    subscription?.cancel()
    downstream?.receive(completion: completion)
  }

  /// Closes and empties; what is let go of is freed after the lock.
  private func end() -> ((any Subscription)?, Downstream?) {
    let (subscription, downstream, action) = lock.locked {
      defer {
        self.downstream = nil
        self.action = nil
      }
      return (link.close(), self.downstream, self.action)
    }
    withExtendedLifetime(action) {}
    return (subscription, downstream)
  }
}

/// The failure of what cannot fail, as any other: never called.
func absurd<Failure>(_ never: Never) -> Failure {}

extension Publisher {
  /// Subscribes `downstream` through an operator whose failure is the upstream's.
  func step<S: Subscriber>(to downstream: S, _ action: @escaping (Output) -> Step<S.Input, Failure>)
  where S.Failure == Failure {
    subscribe(StepSubscription(downstream, failure: { $0 }, action: action))
  }

  /// Subscribes `downstream` through an operator that may throw: a thrown error stops the stream.
  func tryStep<S: Subscriber>(to downstream: S, _ action: @escaping (Output) throws -> Step<S.Input, any Error>)
  where S.Failure == any Error {
    subscribe(
      StepSubscription<Output, Failure, S>(downstream, failure: { $0 }) { input in
        do { return try action(input) } catch { return .fail(error) }
      })
  }
}
