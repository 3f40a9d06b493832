/// Something that can be asked for values.
private protocol Asked {
  func ask(_ demand: Subscribers.Demand)
}

/// Where two publishers meet and leave as pairs: the heart of `zip` and `combineLatest`.
///
/// Each side is asked for as many values as the subscriber asks for pairs. With `.zip` the n-th values pair up, and
/// values that come early wait. With `.latest` each value pairs with the other side's latest; one that cannot form a pair
/// yet is asked for again, and one that comes without demand leaves its pair to the next demand.
final class Junction<A, B, Downstream: Subscriber>: Subscription where Downstream.Input == (A, B) {
  enum Rule {
    case zip
    case latest
  }

  private let lock = Lock()
  private let turn = RecursiveLock()
  private let rule: Rule
  private var downstream: Downstream?
  private var demand = Subscribers.Demand.none
  private var firsts: [A] = []
  private var seconds: [B] = []
  private var hasUnsentPair = false
  private let first = Side<A>()
  private let second = Side<B>()

  init(_ downstream: Downstream, rule: Rule) {
    self.downstream = downstream
    self.rule = rule
  }

  func join<P: Publisher, Q: Publisher>(_ a: P, _ b: Q)
  where P.Output == A, Q.Output == B, P.Failure == Downstream.Failure, Q.Failure == Downstream.Failure {
    first.onValue = { [self] value in
      receive(beside: second) {
        if rule == .latest { firsts = [value] } else { firsts.append(value) }
      }
    }
    second.onValue = { [self] value in
      receive(beside: first) {
        if rule == .latest { seconds = [value] } else { seconds.append(value) }
      }
    }
    first.onCompletion = { [self] in receive($0) }
    second.onCompletion = { [self] in receive($0) }
    // First, so that an upstream that ends at once does not come before the subscription; demand waits in the sides.
    lock.locked { downstream }?.receive(subscription: self)
    a.subscribe(first)
    b.subscribe(second)
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > 0 else { return }
    lock.locked { self.demand += demand }
    turn.locked {
      while let (downstream, pair) = lock.locked({ hasUnsentPair ? pairing() : nil }) {
        let more = downstream.receive(pair)
        lock.locked { self.demand += more }
        ask(more)
      }
    }
    ask(demand)
  }

  func cancel() {
    let (first, second, _) = end()
    first?.cancel()
    second?.cancel()
  }

  private func ask(_ demand: Subscribers.Demand) {
    first.ask(demand)
    second.ask(demand)
  }

  /// Keeps a value and delivers a pair if there is one; more is asked of the other side here, of this one by returning.
  private func receive(beside other: any Asked, keep: () -> Void) -> Subscribers.Demand {
    turn.locked {
      let (pair, inVain) = lock.locked { () -> ((Downstream, (A, B))?, Bool) in
        keep()
        guard rule == .latest else { return (pairing(), false) }
        let isAlone = firsts.isEmpty || seconds.isEmpty
        hasUnsentPair = !isAlone
        return (pairing(), isAlone)
      }
      guard let (downstream, value) = pair else { return inVain ? .max(1) : .none }
      let more = downstream.receive(value)
      lock.locked { demand += more }
      other.ask(more)
      settle()
      return more
    }
  }

  /// Takes the next pair, if there are values and demand.
  ///
  /// Call with the lock held.
  private func pairing() -> (Downstream, (A, B))? {
    guard let downstream, demand > 0, let a = firsts.first, let b = seconds.first else { return nil }
    demand -= 1
    hasUnsentPair = false
    if rule == .zip {
      firsts.removeFirst()
      seconds.removeFirst()
    }
    return (downstream, (a, b))
  }

  private func receive(_ completion: Subscribers.Completion<Downstream.Failure>) {
    if case .failure = completion { finish(completion) } else { settle() }
  }

  /// Finishes if no further pair can come.
  private func settle() {
    let isOver = lock.locked {
      switch rule {
      case .latest: first.isFinished && second.isFinished
      case .zip: first.isFinished && firsts.isEmpty || second.isFinished && seconds.isEmpty
      }
    }
    if isOver { finish(.finished) }
  }

  private func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    turn.locked {
      let (first, second, downstream) = end()
      first?.cancel()
      second?.cancel()
      downstream?.receive(completion: completion)
    }
  }

  private func end() -> ((any Subscription)?, (any Subscription)?, Downstream?) {
    let (downstream, dropped) = lock.locked {
      defer {
        self.downstream = nil
        firsts = []
        seconds = []
      }
      return (self.downstream, (firsts, seconds))
    }
    withExtendedLifetime(dropped) {}
    return (first.close(), second.close(), downstream)
  }

  /// The subscriber of one of the two publishers.
  private final class Side<Input>: Subscriber, Asked {
    typealias Failure = Downstream.Failure

    private let lock = Lock()
    private var link = Link.awaiting
    private var hasEnded = false
    private var owed = Subscribers.Demand.none
    var onValue: ((Input) -> Subscribers.Demand)?
    var onCompletion: ((Subscribers.Completion<Failure>) -> Void)?

    var isFinished: Bool { lock.locked { hasEnded } }

    func receive(subscription: any Subscription) {
      let (accepted, owed) = lock.locked { (link.attach(subscription), self.owed) }
      guard accepted else { return subscription.cancel() }
      if owed > 0 { subscription.request(owed) }
    }

    func receive(_ input: Input) -> Subscribers.Demand {
      lock.locked { onValue }?(input) ?? .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      let action = lock.locked { () -> ((Subscribers.Completion<Failure>) -> Void)? in
        guard link.close() != nil else { return nil }
        hasEnded = true
        return onCompletion
      }
      action?(completion)
    }

    /// Asks upstream, now or when it is attached.
    func ask(_ demand: Subscribers.Demand) {
      guard demand > 0 else { return }
      let subscription = lock.locked { () -> (any Subscription)? in
        if case .awaiting = link { owed += demand }
        return link.subscription
      }
      subscription?.request(demand)
    }

    /// Breaks the tie to the junction.
    func close() -> (any Subscription)? {
      let (subscription, dropped) = lock.locked {
        defer {
          onValue = nil
          onCompletion = nil
        }
        return (link.close(), (onValue, onCompletion))
      }
      withExtendedLifetime(dropped) {}
      return subscription
    }
  }
}
