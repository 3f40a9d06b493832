/// One subscriber of a subject, its type erased to what the subject needs.
class Conduit<Output, Failure: Error> {
  /// Delivers `value` if there is demand.
  ///
  /// `version` orders the values of one subject; subjects without a current value
  /// pass zero.
  func offer(_ value: Output, version: UInt64) {}

  /// Ends the stream.
  func finish(_ completion: Subscribers.Completion<Failure>) {}
}

/// The subscribers of one subject and how it ended; guarded by the subject's lock.
struct Audience<Output, Failure: Error> {
  /// In the order they came; replaced, never changed in place, while a sender walks it.
  private(set) var conduits: [Conduit<Output, Failure>] = []
  private(set) var completion: Subscribers.Completion<Failure>?
  private var upstreams: [any Subscription] = []

  mutating func add(_ conduit: Conduit<Output, Failure>) {
    conduits.append(conduit)
  }

  mutating func remove(_ conduit: Conduit<Output, Failure>) {
    conduits.removeAll { $0 === conduit }
  }

  /// Keeps an upstream for as long as the subject lives or its end; false when it has ended.
  mutating func add(upstream: any Subscription) -> Bool {
    guard completion == nil else { return false }
    upstreams.append(upstream)
    return true
  }

  /// Ends, once; the conduits that must hear of it.
  mutating func end(with completion: Subscribers.Completion<Failure>) -> [Conduit<Output, Failure>] {
    guard self.completion == nil else { return [] }
    self.completion = completion
    defer {
      conduits = []
      upstreams = []
    }
    return conduits
  }

  /// Every upstream given so far.
  var allUpstreams: [any Subscription] { upstreams }
}
