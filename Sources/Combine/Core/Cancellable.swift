/// Something that can be stopped: a subscription, a timer, a connection.
public protocol Cancellable {
  /// Stops the activity and frees what it holds; calling again does nothing.
  func cancel()
}

extension Cancellable {
  /// Keeps this cancellable in `collection`, as an `AnyCancellable`.
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    AnyCancellable(self).store(in: &collection)
  }

  /// Keeps this cancellable in `set`, as an `AnyCancellable`.
  public func store(in set: inout Set<AnyCancellable>) {
    AnyCancellable(self).store(in: &set)
  }
}

/// A cancellable that cancels itself when it is freed.
///
/// `@unchecked Sendable`: its one mutable property is read and cleared under the lock, so whichever threads cancel or
/// free it, the action runs at most once, on the first of them. The action itself is the client's plain closure, or the
/// `cancel()` of a subscription, which may be called on any thread.
public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {
  private let lock = Lock()
  private var action: (() -> Void)?

  /// Makes a cancellable that runs `cancel` once, at the first `cancel()` or when it is freed.
  public init(_ cancel: @escaping () -> Void) {
    action = cancel
  }

  /// Makes a cancellable that cancels `canceller` once, at the first `cancel()` or when it is freed.
  public init<C: Cancellable>(_ canceller: C) {
    action = canceller.cancel
  }

  deinit {
    action?()
  }

  /// Runs the action unless it has run already, and lets go of it.
  public func cancel() {
    let action = lock.locked {
      defer { self.action = nil }
      return self.action
    }
    action?()
  }

  /// Keeps this cancellable in `collection`.
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Keeps this cancellable in `set`.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }

  /// True for the same object.
  public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool { left === right }

  /// Feeds the object's identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
