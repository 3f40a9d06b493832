extension Publishers {
  /// Publishes the elements of a sequence, then finishes; each subscriber walks it anew.
  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
    /// What is published.
    public typealias Output = Elements.Element
    /// The elements to publish.
    public let sequence: Elements

    /// Makes a publisher of `sequence`.
    public init(sequence: Elements) {
      self.sequence = sequence
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      var iterator = sequence.makeIterator()
      guard let first = iterator.next() else {
        return Empty(completeImmediately: true).receive(subscriber: subscriber)
      }
      subscriber.receive(subscription: Walk(subscriber, first: first, rest: iterator))
    }

    /// Walks the elements as far as demand goes, one element ahead to know the end.
    private final class Walk<Downstream: Subscriber>: Subscription where Downstream.Input == Elements.Element {
      private let lock = Lock()
      private var downstream: Downstream?
      private var demand = Subscribers.Demand.none
      private var isWalking = false
      // Touched only by the thread that set `isWalking`.
      private var ahead: Elements.Element?
      private var iterator: Elements.Iterator?

      init(_ downstream: Downstream, first: Elements.Element, rest: Elements.Iterator) {
        self.downstream = downstream
        ahead = first
        iterator = rest
      }

      func request(_ demand: Subscribers.Demand) {
        guard demand > 0 else { return }
        let starts = lock.locked {
          self.demand += demand
          defer { isWalking = true }
          return !isWalking
        }
        guard starts else { return }
        while let downstream = turn(), let value = ahead {
          ahead = iterator?.next()
          let more = downstream.receive(value)
          if ahead == nil {
            take()?.receive(completion: .finished)
          } else {
            lock.locked { self.demand += more }
          }
        }
      }

      func cancel() {
        _ = take()
      }

      /// The subscriber, if it may have another element; otherwise the walk stops.
      private func turn() -> Downstream? {
        let (next, isOver) = lock.locked { () -> (Downstream?, Bool) in
          guard let downstream, demand > 0 else {
            isWalking = downstream == nil
            return (nil, downstream == nil)
          }
          demand -= 1
          return (downstream, false)
        }
        if isOver {
          ahead = nil
          iterator = nil
        }
        return next
      }

      private func take() -> Downstream? {
        let (downstream, starts) = lock.locked { () -> (Downstream?, Bool) in
          defer {
            self.downstream = nil
            isWalking = true
          }
          return (self.downstream, !isWalking)
        }
        if starts {
          ahead = nil
          iterator = nil
        }
        return downstream
      }
    }
  }
}

extension Swift.Sequence {
  /// A publisher of the elements.
  public var publisher: Publishers.Sequence<Self, Never> { Publishers.Sequence(sequence: self) }
}
