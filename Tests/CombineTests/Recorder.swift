import Combine
import Synchronization

/// One thing a subscriber was told.
enum Event: Equatable, CustomStringConvertible {
  case subscription
  case value(String)
  case finished
  case failure(String)

  var description: String {
    switch self {
    case .subscription: "subscription"
    case .value(let text): text
    case .finished: "|"
    case .failure(let text): "x(\(text))"
    }
  }
}

/// A subscriber that writes down what it is told and asks for what it is told to ask for.
///
/// `@unchecked Sendable`: the history is behind a mutex; the other properties are set before subscribing, or used by the
/// test's own thread.
final class Recorder<Input, Failure: Error>: Subscriber, @unchecked Sendable {
  private let events = Mutex<[Event]>([])
  private let initial: Subscribers.Demand
  private let perValue: Subscribers.Demand
  private(set) var subscription: (any Subscription)?
  var onValue: ((Input) -> Void)?

  /// Asks for `initial` at the subscription and for `perValue` more at each value.
  init(_ initial: Subscribers.Demand = .unlimited, perValue: Subscribers.Demand = .none) {
    self.initial = initial
    self.perValue = perValue
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    events.withLock { $0.append(.subscription) }
    if initial > 0 { subscription.request(initial) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let text = String(describing: input)
    events.withLock { $0.append(.value(text)) }
    onValue?(input)
    return perValue
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let event: Event =
      switch completion {
      case .finished: .finished
      case .failure(let error): .failure(String(describing: error))
      }
    events.withLock { $0.append(event) }
  }

  func request(_ count: Int) {
    subscription?.request(.max(count))
  }

  func cancel() {
    subscription?.cancel()
  }

  var history: [Event] { events.withLock { $0 } }

  /// The history without the subscription, in one line: `1 2 |`.
  var text: String { history.filter { $0 != .subscription }.map(\.description).joined(separator: " ") }
}

extension Publisher {
  /// Subscribes a new recorder.
  func record(
    _ initial: Subscribers.Demand = .unlimited, perValue: Subscribers.Demand = .none
  ) -> Recorder<Output, Failure> {
    let recorder = Recorder<Output, Failure>(initial, perValue: perValue)
    subscribe(recorder)
    return recorder
  }
}

/// An error with a name.
struct Trouble: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ name: String = "trouble") {
    description = name
  }
}

/// A publisher driven by hand that writes down what is asked of it, and honours nothing by itself.
final class Source<Output, Failure: Error>: Publisher {
  private(set) var log: [String] = []
  private var subscriber: (any Subscriber<Output, Failure>)?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    self.subscriber = subscriber
    log.append("subscribe")
    subscriber.receive(subscription: Line(source: self))
  }

  /// Sends whether asked or not, and writes down what more is asked for.
  func send(_ value: Output) {
    guard let more = subscriber?.receive(value), more > 0 else { return }
    log.append("+\(more)")
  }

  func send(completion: Subscribers.Completion<Failure>) {
    subscriber?.receive(completion: completion)
  }

  /// Lets go of the subscriber, as a publisher does at its end.
  func release() {
    subscriber = nil
  }

  private final class Line: Subscription {
    let source: Source

    init(source: Source) {
      self.source = source
    }

    func request(_ demand: Subscribers.Demand) {
      source.log.append("\(demand)")
    }

    func cancel() {
      source.log.append("cancel")
    }
  }
}
