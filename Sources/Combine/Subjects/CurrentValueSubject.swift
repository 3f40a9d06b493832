/// A subject that keeps the latest value and gives it to each new subscriber.
///
/// A subscriber without demand misses values, but gets the latest one as soon as it asks again.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  private let lock = Lock()
  private var audience = Audience<Output, Failure>()
  private var current: Output
  private var version: UInt64 = 1

  /// Makes a subject that holds `value`.
  public init(_ value: Output) {
    current = value
  }

  deinit {
    audience.allUpstreams.forEach { $0.cancel() }
  }

  /// The latest value; setting it sends it.
  ///
  /// Any thread.
  public var value: Output {
    get { lock.locked { current } }
    set { send(newValue) }
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

  /// Keeps `value` and sends it to the subscribers; does nothing after the end.
  ///
  /// Any thread.
  public func send(_ value: Output) {
    // The old value is carried out so that it is freed after the lock.
    let (conduits, version, old): ([Conduit<Output, Failure>], UInt64, Output?) = lock.locked {
      guard audience.completion == nil else { return ([], 0, nil) }
      let old = current
      current = value
      self.version += 1
      return (audience.conduits, self.version, old)
    }
    withExtendedLifetime(old) {}
    for conduit in conduits { conduit.offer(value, version: version) }
  }

  /// Ends the stream, once.
  ///
  /// Any thread.
  public func send(completion: Subscribers.Completion<Failure>) {
    for conduit in lock.locked({ audience.end(with: completion) }) { conduit.finish(completion) }
  }

  /// Takes an upstream and asks it for everything.
  public func send(subscription: any Subscription) {
    if lock.locked({ audience.add(upstream: subscription) }) {
      subscription.request(.unlimited)
    } else {
      subscription.cancel()
    }
  }

  private var latest: (Output, UInt64) { lock.locked { (current, version) } }

  private func leave(_ conduit: Conduit<Output, Failure>) {
    lock.locked { audience.remove(conduit) }
  }

  private final class Seat<Downstream: Subscriber>: Conduit<Output, Failure>, Subscription
  where Downstream.Input == Output, Downstream.Failure == Failure {
    private let lock = Lock()
    private let turn = RecursiveLock()
    private var parent: CurrentValueSubject?
    private var downstream: Downstream?
    private var demand = Subscribers.Demand.none
    /// True when the subscriber has not been given the latest value.
    private var isBehind = true
    /// The version taken by the last catching up; older offers still on their way are void.
    private var caughtUp: UInt64 = 0

    init(parent: CurrentValueSubject, downstream: Downstream) {
      self.parent = parent
      self.downstream = downstream
    }

    override func offer(_ value: Output, version: UInt64) {
      turn.locked {
        let downstream: Downstream? = lock.locked {
          guard version > caughtUp else { return nil }
          guard demand > 0 else {
            isBehind = true
            return nil
          }
          demand -= 1
          isBehind = false
          return self.downstream
        }
        deliver(value, to: downstream)
      }
    }

    override func finish(_ completion: Subscribers.Completion<Failure>) {
      turn.locked { end().1?.receive(completion: completion) }
    }

    func request(_ demand: Subscribers.Demand) {
      guard demand > 0 else { return }
      lock.locked { self.demand += demand }
      turn.locked { catchUp() }
    }

    func cancel() {
      end().0?.leave(self)
    }

    private func catchUp() {
      guard let (value, version) = lock.locked({ isBehind ? parent : nil })?.latest else { return }
      let downstream: Downstream? = lock.locked {
        guard isBehind, demand > 0 else { return nil }
        demand -= 1
        isBehind = false
        caughtUp = version
        return self.downstream
      }
      deliver(value, to: downstream)
    }

    private func deliver(_ value: Output, to downstream: Downstream?) {
      guard let more = downstream?.receive(value), more > 0 else { return }
      lock.locked { demand += more }
      catchUp()
    }

    private func end() -> (CurrentValueSubject?, Downstream?) {
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
/// its own turn lock. Only values that may cross threads qualify; subscribers are called on the sender's thread.
extension CurrentValueSubject: @unchecked Sendable where Output: Sendable {}
