import Synchronization

/// Counts calls from any thread.
final class Counter: Sendable {
  private let state = Mutex(0)

  var count: Int { state.withLock { $0 } }

  /// The new count as text.
  func next() -> String {
    state.withLock {
      $0 += 1
      return String($0)
    }
  }
}
