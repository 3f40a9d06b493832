/// The upstream end of a subscriber: awaiting a subscription, holding one, or done with it.
enum Link {
  case awaiting
  case attached(any Subscription)
  case closed

  /// Keeps `subscription` and returns true, unless there has been one before: then it must be cancelled by the caller.
  mutating func attach(_ subscription: any Subscription) -> Bool {
    guard case .awaiting = self else { return false }
    self = .attached(subscription)
    return true
  }

  /// The subscription held now.
  var subscription: (any Subscription)? {
    guard case .attached(let subscription) = self else { return nil }
    return subscription
  }

  /// Closes for good and returns the subscription that was held.
  mutating func close() -> (any Subscription)? {
    defer { self = .closed }
    return subscription
  }
}
