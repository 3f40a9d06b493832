/// A publisher into which values are sent from outside.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends `value` to the subscribers.
  func send(_ value: Output)

  /// Ends the stream for the subscribers, present and future.
  func send(completion: Subscribers.Completion<Failure>)

  /// Gives the subject an upstream to ask for values.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Tells the subscribers that something happened.
  public func send() {
    send(())
  }
}

/// Passes an upstream into a subject.
final class SubjectSubscriber<S: Subject>: Subscriber, Cancellable, Subscription {
  typealias Input = S.Output
  typealias Failure = S.Failure

  private let lock = Lock()
  private var link = Link.awaiting
  private var subject: S?

  init(_ subject: S) {
    self.subject = subject
  }

  func receive(subscription: any Subscription) {
    let (accepted, subject) = lock.locked { (link.attach(subscription), self.subject) }
    guard accepted, let subject else { return subscription.cancel() }
    subject.send(subscription: self)
  }

  func receive(_ input: S.Output) -> Subscribers.Demand {
    lock.locked { subject }?.send(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<S.Failure>) {
    let (_, subject) = end()
    subject?.send(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) {
    lock.locked { link.subscription }?.request(demand)
  }

  func cancel() {
    end().0?.cancel()
  }

  private func end() -> ((any Subscription)?, S?) {
    lock.locked {
      defer { subject = nil }
      return (link.close(), subject)
    }
  }
}
