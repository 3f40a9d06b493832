/// A subscriber with its type erased, or one made of closures.
public struct AnySubscriber<Input, Failure: Error>: Subscriber {
  private let onSubscription: (any Subscription) -> Void
  private let onValue: (Input) -> Subscribers.Demand
  private let onCompletion: (Subscribers.Completion<Failure>) -> Void

  /// The identity of the wrapped subscriber, or one of its own.
  public let combineIdentifier: CombineIdentifier

  /// Wraps `subscriber`.
  public init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
    onSubscription = { subscriber.receive(subscription: $0) }
    onValue = { subscriber.receive($0) }
    onCompletion = { subscriber.receive(completion: $0) }
    combineIdentifier = subscriber.combineIdentifier
  }

  /// Makes a subscriber that sends on to `subject`.
  public init<S: Subject>(_ subject: S) where S.Output == Input, S.Failure == Failure {
    self.init(SubjectSubscriber(subject))
  }

  /// Makes a subscriber of closures; without `receiveSubscription` nothing is ever asked for, without `receiveValue`
  /// nothing more than that.
  public init(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveValue: ((Input) -> Subscribers.Demand)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
  ) {
    onSubscription = receiveSubscription ?? { _ in }
    onValue = receiveValue ?? { _ in .none }
    onCompletion = receiveCompletion ?? { _ in }
    combineIdentifier = CombineIdentifier()
  }

  /// Passes on the subscription.
  public func receive(subscription: any Subscription) {
    onSubscription(subscription)
  }

  /// Passes on the value.
  public func receive(_ value: Input) -> Subscribers.Demand {
    onValue(value)
  }

  /// Passes on the completion.
  public func receive(completion: Subscribers.Completion<Failure>) {
    onCompletion(completion)
  }
}
