/// Delivers one value at the first demand, then finishes.
final class OnceSubscription<Downstream: Subscriber>: Subscription {
  private let lock = Lock()
  private var downstream: Downstream?
  private var value: Downstream.Input?

  init(_ downstream: Downstream, value: Downstream.Input) {
    self.downstream = downstream
    self.value = value
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > 0 else { return }
    let ready: (Downstream, Downstream.Input)? = lock.locked {
      guard let downstream, let value else { return nil }
      self.value = nil
      return (downstream, value)
    }
    guard let (downstream, value) = ready else { return }
    _ = downstream.receive(value)
    // Nil when the subscriber cancelled on receiving the value.
    take()?.receive(completion: .finished)
  }

  func cancel() {
    _ = take()
  }

  private func take() -> Downstream? {
    lock.locked {
      defer { downstream = nil }
      return downstream
    }
  }
}
