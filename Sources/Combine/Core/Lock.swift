import Synchronization

/// A lock over the stored properties of the object that owns it.
///
/// `Mutex` with the guarded value inside would demand that subscribers and closures be handed over for good (`sending`),
/// which Combine's signatures cannot promise; so the lock stands beside the state.
struct Lock: ~Copyable {
  private let mutex = Mutex(())

  /// Runs `body` alone.
  ///
  /// Never call a subscriber, a subscription or a client's closure inside: they may come back.
  borrowing func locked<Result>(_ body: () -> Result) -> Result {
    mutex.withLock { _ in Transfer(body()) }.value
  }
}

/// Carries a value past the compiler's check of what may cross threads.
///
/// `@unchecked Sendable`: each use moves one value to one place that runs later or elsewhere, and the giver lets go of it
/// (a scheduled action), or the value never leaves its thread (`Lock`). What a *client's* value or closure does on that
/// other thread is Combine's contract: a subscriber is called by one thread at a time, on the thread its upstream or
/// `receive(on:)` chose.
struct Transfer<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
