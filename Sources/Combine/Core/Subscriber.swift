/// A type that receives values from a publisher.
///
/// Calls come one at a time: a subscription first, then values, then at most one completion.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// The kind of values received.
  associatedtype Input

  /// The kind of errors received; `Never` when none can come.
  associatedtype Failure: Error

  /// Tells that the subscriber is attached; it may now ask for values.
  func receive(subscription: any Subscription)

  /// Delivers one value; the result is how many *more* are wanted, added to what was asked before.
  func receive(_ input: Input) -> Subscribers.Demand

  /// Tells that nothing more will come, normally or with an error.
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  /// Delivers the fact that something happened; the result is how many more are wanted.
  public func receive() -> Subscribers.Demand { receive(()) }
}

/// The connection of one subscriber to one publisher.
///
/// Conforming types are classes in practice; `request` and `cancel` may be called on any thread.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Tells the publisher that it may send `demand` more values.
  func request(_ demand: Subscribers.Demand)
}

extension Subscriptions {
  /// A subscription that never delivers, for publishers that complete at once.
  public static var empty: any Subscription { Nothing() }

  private struct Nothing: Subscription {
    let combineIdentifier = CombineIdentifier()

    func request(_ demand: Subscribers.Demand) {}

    func cancel() {}
  }
}
