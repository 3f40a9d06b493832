import Foundation

/// Serialises calls into one subscriber, letting the thread that is already inside come back.
///
/// A subscriber may send to its own upstream from inside `receive`; that nested value is delivered at once, as in Apple's
/// framework, while other threads wait for their turn.
struct RecursiveLock {
  private let lock = NSRecursiveLock()

  func locked<Result>(_ body: () -> Result) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }
}
