import Combine
import Synchronization

/// Subscriptions that live as long as their owner: they are cancelled when the bag is freed or emptied.
///
/// Safe to share.
public final class CancelBag: Sendable {
  private let content = Mutex<[AnyCancellable]>([])

  /// An empty bag.
  public init() {}

  /// Cancels everything in the bag.
  public func cancel() {
    let cancelled = content.withLock { content in
      defer { content = [] }
      return content
    }
    cancelled.forEach { $0.cancel() }
  }

  /// Puts a subscription into the bag.
  public func insert(_ cancellable: AnyCancellable) {
    content.withLock { $0.append(cancellable) }
  }
}

extension Cancellable {
  /// Puts the subscription into a bag, which cancels it when it is freed.
  public func store(in bag: CancelBag) {
    bag.insert(self as? AnyCancellable ?? AnyCancellable(self))
  }
}
