/// Where several publishers flow into one subscriber: the heart of `flatMap` and `merge`.
///
/// While the subscriber's demand is unlimited, each tributary is asked for everything and its values go straight through.
/// Otherwise each is asked for one value at a time, which waits its turn here when there is no demand. Finishes once the
/// source of tributaries (see `open`) has ended and every tributary has finished and been emptied; fails at the first
/// failure, cancelling the others and dropping what waits.
final class Confluence<Downstream: Subscriber>: Subscription {
  private let lock = Lock()
  private let turn = RecursiveLock()
  private var downstream: Downstream?
  private var demand = Subscribers.Demand.none
  private var source: (any Cancellable)?
  private var isSourceEnded = false
  private var tributaries: [ObjectIdentifier: Tributary] = [:]
  private var waiting: [(Tributary, Downstream.Input)] = []

  init(_ downstream: Downstream) {
    self.downstream = downstream
  }

  /// Gives the subscriber its subscription.
  ///
  /// Tributaries may come as long as `source` has not ended.
  func open(beside source: (any Cancellable)?) {
    let downstream = lock.locked {
      self.source = source
      return self.downstream
    }
    downstream?.receive(subscription: self)
  }

  /// Lets `publisher` flow in; `onFinish` is called once it has finished and its values have gone.
  func add<P: Publisher>(_ publisher: P, onFinish: @escaping () -> Void)
  where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
    let tributary = Tributary(parent: self, onFinish: onFinish)
    let isOpen = lock.locked {
      if downstream != nil { tributaries[ObjectIdentifier(tributary)] = tributary }
      return downstream != nil
    }
    if isOpen { publisher.subscribe(tributary) }
  }

  /// Tells that no more tributaries will come.
  func sourceEnded(_ completion: Subscribers.Completion<Downstream.Failure>) {
    lock.locked {
      isSourceEnded = true
      source = nil
    }
    if case .failure = completion { finish(completion) } else { finishIfDry() }
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > 0 else { return }
    let released: [Tributary] = lock.locked {
      self.demand += demand
      return self.demand == .unlimited ? Array(tributaries.values) : []
    }
    drain()
    released.forEach { refill($0) }
  }

  func cancel() {
    end().0.forEach { $0.cancel() }
  }

  /// Delivers what waits, as far as demand allows.
  private func drain() {
    turn.locked {
      while true {
        let next: (Downstream, Tributary, Downstream.Input)? = lock.locked {
          guard let downstream, demand > 0, !waiting.isEmpty else { return nil }
          demand -= 1
          let (tributary, value) = waiting.removeFirst()
          tributary.waiting -= 1
          return (downstream, tributary, value)
        }
        guard let (downstream, tributary, value) = next else { return }
        let more = downstream.receive(value)
        lock.locked { demand += more }
        refill(tributary)
        retire(tributary)
      }
    }
  }

  private func receive(_ value: Downstream.Input, from tributary: Tributary) -> Subscribers.Demand {
    turn.locked {
      let open: Downstream? = lock.locked {
        guard let downstream else { return nil }
        guard demand > 0, waiting.isEmpty else {
          waiting.append((tributary, value))
          tributary.waiting += 1
          return nil
        }
        demand -= 1
        return downstream
      }
      guard let downstream = open else { return .none }
      let more = downstream.receive(value)
      lock.locked { demand += more }
      drain()
      return due(tributary)
    }
  }

  /// What `tributary` is to be asked for now that its last value has gone: everything once, or one.
  private func due(_ tributary: Tributary) -> Subscribers.Demand {
    lock.locked {
      guard !tributary.isFree else { return .none }
      tributary.isFree = demand == .unlimited
      return tributary.isFree ? .unlimited : .max(1)
    }
  }

  private func refill(_ tributary: Tributary) {
    let demand = due(tributary)
    if demand > 0 { tributary.ask(demand) }
  }

  /// Forgets `tributary` if it has finished and nothing of it waits.
  private func retire(_ tributary: Tributary) {
    let isGone = lock.locked {
      guard tributary.isFinished, tributary.waiting == 0 else { return false }
      return tributaries.removeValue(forKey: ObjectIdentifier(tributary)) != nil
    }
    guard isGone else { return }
    tributary.onFinish()
    finishIfDry()
  }

  private func finishIfDry() {
    if lock.locked({ isSourceEnded && tributaries.isEmpty }) { finish(.finished) }
  }

  private func finish(_ completion: Subscribers.Completion<Downstream.Failure>) {
    turn.locked {
      let (upstreams, downstream) = end()
      upstreams.forEach { $0.cancel() }
      downstream?.receive(completion: completion)
    }
  }

  private func end() -> ([any Cancellable], Downstream?) {
    let (upstreams, downstream, dropped) = lock.locked {
      defer {
        self.downstream = nil
        source = nil
        tributaries = [:]
        waiting = []
      }
      let inner: [any Cancellable] = Array(tributaries.values)
      return (inner + (source.map { [$0] } ?? []), self.downstream, waiting)
    }
    withExtendedLifetime(dropped) {}
    return (upstreams, downstream)
  }

  /// One publisher flowing in.
  ///
  /// `waiting`, `isFinished` and `isFree` are guarded by the parent's lock.
  private final class Tributary: Subscriber, Cancellable {
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    private let lock = Lock()
    private var link = Link.awaiting
    private let parent: Confluence
    let onFinish: () -> Void
    var waiting = 0
    var isFinished = false
    /// True once it has been asked for everything.
    var isFree = false

    init(parent: Confluence, onFinish: @escaping () -> Void) {
      self.parent = parent
      self.onFinish = onFinish
    }

    func receive(subscription: any Subscription) {
      guard lock.locked({ link.attach(subscription) }) else { return subscription.cancel() }
      parent.refill(self)
    }

    func receive(_ input: Downstream.Input) -> Subscribers.Demand {
      parent.receive(input, from: self)
    }

    func receive(completion: Subscribers.Completion<Downstream.Failure>) {
      guard lock.locked({ link.close() }) != nil else { return }
      switch completion {
      case .finished:
        parent.lock.locked { isFinished = true }
        parent.retire(self)
      case .failure:
        parent.finish(completion)
      }
    }

    func ask(_ demand: Subscribers.Demand) {
      lock.locked { link.subscription }?.request(demand)
    }

    func cancel() {
      lock.locked { link.close() }?.cancel()
    }
  }
}
