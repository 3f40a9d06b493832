/// A publisher that begins when told to, not when subscribed to.
public protocol ConnectablePublisher: Publisher {
  /// Begins publishing; cancelling the result stops it.
  func connect() -> any Cancellable
}

extension ConnectablePublisher {
  /// Connects at the first subscriber and disconnects when the last has cancelled.
  public func autoconnect() -> Publishers.Autoconnect<Self> {
    Publishers.Autoconnect(upstream: self)
  }
}

extension Publishers {
  /// Delivers one subscription to upstream to many subscribers, through a subject.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
  where Upstream.Output == SubjectType.Output, Upstream.Failure == SubjectType.Failure {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// Makes the subject, at its first use.
    public let createSubject: () -> SubjectType

    private let lock = Lock()
    private var made: SubjectType?

    /// Makes the publisher of its parts.
    public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      self.upstream = upstream
      self.createSubject = createSubject
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      subject.subscribe(subscriber)
    }

    /// Subscribes the subject to upstream.
    public func connect() -> any Cancellable {
      upstream.subscribe(subject)
    }

    private var subject: SubjectType {
      if let made = lock.locked({ made }) { return made }
      // Made outside the lock, being the client's code; of two made at once the first one kept counts.
      let candidate = createSubject()
      return lock.locked {
        let subject = made ?? candidate
        made = subject
        return subject
      }
    }
  }

  /// Connects a connectable publisher at the first subscriber and disconnects when the last has cancelled.
  public final class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream

    private let lock = Lock()
    private var subscribers = 0
    private var connection: (any Cancellable)?

    /// Makes the publisher of its parts.
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let isFirst = lock.locked {
        subscribers += 1
        return subscribers == 1
      }
      HandleEvents(upstream: upstream, receiveCancel: { [self] in left() }).receive(subscriber: subscriber)
      guard isFirst else { return }
      let connection = upstream.connect()
      let isWanted = lock.locked {
        if subscribers > 0 { self.connection = connection }
        return subscribers > 0
      }
      if !isWanted { connection.cancel() }
    }

    private func left() {
      let connection = lock.locked { () -> (any Cancellable)? in
        subscribers -= 1
        guard subscribers == 0 else { return nil }
        defer { self.connection = nil }
        return self.connection
      }
      connection?.cancel()
    }
  }

  /// Shares one subscription to upstream among all its subscribers.
  public final class Share<Upstream: Publisher>: Publisher, Equatable {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream

    private let shared: Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>

    /// Makes the publisher of its parts.
    public init(upstream: Upstream) {
      self.upstream = upstream
      shared = upstream.multicast(subject: PassthroughSubject()).autoconnect()
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      shared.receive(subscriber: subscriber)
    }

    /// True for the same object.
    public static func == (left: Share, right: Share) -> Bool { left === right }
  }

  /// Makes a publisher wait for `connect()`.
  public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher {
    /// What is published.
    public typealias Output = Upstream.Output
    /// How it can fail.
    public typealias Failure = Upstream.Failure

    private let multicast: Multicast<Upstream, PassthroughSubject<Output, Failure>>

    /// Makes the publisher of its parts.
    public init(upstream: Upstream) {
      multicast = upstream.multicast(subject: PassthroughSubject())
    }

    /// Attaches `subscriber`.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      multicast.receive(subscriber: subscriber)
    }

    /// Subscribes to upstream.
    public func connect() -> any Cancellable { multicast.connect() }
  }
}

extension Publisher {
  /// Delivers one subscription to this publisher to many subscribers, through the subject made at the first use.
  public func multicast<S: Subject>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Delivers one subscription to this publisher to many subscribers, through `subject`.
  public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure {
    multicast { subject }
  }

  /// Shares one subscription to this publisher, from the first subscriber until the last has cancelled.
  ///
  /// Later subscribers miss earlier values; after the end they get only the completion.
  public func share() -> Publishers.Share<Self> {
    Publishers.Share(upstream: self)
  }
}

extension Publisher where Failure == Never {
  /// The same publisher, waiting for `connect()`.
  public func makeConnectable() -> Publishers.MakeConnectable<Self> {
    Publishers.MakeConnectable(upstream: self)
  }
}
