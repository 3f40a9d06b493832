/// A subject that passes values on to its present subscribers and keeps none.
///
/// A subscriber without demand misses the value. Values sent on several threads at once reach one subscriber one at a
/// time; a value sent from inside `receive` is delivered at once, nested.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  private let lock = Lock()
  private var audience = Audience<Output, Failure>()
  private var isWanted = false

  /// Makes a subject without subscribers.
  public init() {}

  deinit {
    audience.allUpstreams.forEach { $0.cancel() }
  }

  /// Attaches a subscriber; after the end it gets the completion at once.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let seat = Seat(parent: self, downstream: subscriber)
    let completion = lock.locked {
      if audience.completion == nil { audience.add(seat) }
      return audience.completion
    }
    if let completion {
      subscriber.receive(subscription: Subscriptions.empty)
      subscriber.receive(completion: completion)
    } else {
      subscriber.receive(subscription: seat)
    }
  }

  /// Sends `value` to every subscriber that has asked for one; does nothing after the end.
  ///
  /// Any thread.
  public func send(_ value: Output) {
    for conduit in lock.locked({ audience.conduits }) { conduit.offer(value, version: 0) }
  }

  /// Ends the stream, once.
  ///
  /// Any thread.
  public func send(completion: Subscribers.Completion<Failure>) {
    for conduit in lock.locked({ audience.end(with: completion) }) { conduit.finish(completion) }
  }

  /// Takes an upstream, which is asked for everything as soon as a subscriber asks for anything.
  public func send(subscription: any Subscription) {
    let (kept, wanted) = lock.locked { (audience.add(upstream: subscription), isWanted) }
    if !kept {
      subscription.cancel()
    } else if wanted {
      subscription.request(.unlimited)
    }
  }

  private func becomeWanted() {
    let upstreams: [any Subscription] = lock.locked {
      defer { isWanted = true }
      return isWanted ? [] : audience.allUpstreams
    }
    upstreams.forEach { $0.request(.unlimited) }
  }

  private func leave(_ conduit: Conduit<Output, Failure>) {
    lock.locked { audience.remove(conduit) }
  }

  private final class Seat<Downstream: Subscriber>: Conduit<Output, Failure>, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    private let lock = Lock()
    private let turn = RecursiveLock()
    private var parent: PassthroughSubject?
    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none

    init(parent: PassthroughSubject, downstream: Downstream) {
      self.parent = parent
      self.downstream = downstream
    }

    override func offer(_ value: Output, version: UInt64) {
      turn.locked {
        let downstream: Downstream? = lock.locked {
          guard demand > 0 else { return nil }
          demand -= 1
          return self.downstream
        }
        guard let more = downstream?.receive(value), more > 0 else { return }
        lock.locked { demand += more }
      }
    }

    override func finish(_ completion: Subscribers.Completion<Failure>) {
      turn.locked { end().1?.receive(completion: completion) }
    }

    func request(_ demand: Subscribers.Demand) {
      guard demand > 0 else { return }
      let parent = lock.locked {
        self.demand += demand
        return self.parent
      }
      parent?.becomeWanted()
    }

    func cancel() {
      end().0?.leave(self)
    }

    private func end() -> (PassthroughSubject?, Downstream?) {
      lock.locked {
        defer {
          parent = nil
          downstream = nil
        }
        return (parent, downstream)
      }
    }
  }
}

/// `@unchecked Sendable`: every stored property is read and written under the lock, and each subscriber is called under
/// its own turn lock. Only values that may cross threads qualify. Subscribers are called on the sender's thread: put
/// `receive(on:)` between a subject sent to from elsewhere and a sink that belongs to an actor.
extension PassthroughSubject: @unchecked Sendable where Output: Sendable {}
