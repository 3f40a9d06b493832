import CSQLite
import Foundation
import Synchronization

/// A way to stop a running fetch from another thread; cancelling before the fetch starts stops it at once.
///
/// Safe to share: the connection is held only while a query runs, under a lock, so it cannot be interrupted after its end.
public final class FetchCancellation: Sendable {
  private struct State {
    var isCancelled = false
    /// The running connection's address; `sqlite3_interrupt` may be called on it from any thread while it is open.
    var running: UInt?
  }
  private let state = Mutex(State())

  /// A cancellation for one fetch.
  public init() {}

  /// Stops the fetch; it throws `CocoaError.userCancelled`.
  public func cancel() {
    state.withLock { state in
      state.isCancelled = true
      if let running = state.running.flatMap(OpaquePointer.init(bitPattern:)) { sqlite3_interrupt(running) }
    }
  }

  /// Whether `cancel()` was called.
  public var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Takes hold of a connection for the time until `end(on:)`; throws when the fetch is cancelled already.
  ///
  /// SQLite forgets an interrupt that comes before a statement's first step, so the statement asks again as it runs.
  func begin(on handle: OpaquePointer) throws {
    try state.withLock { state in
      if state.isCancelled { throw CocoaError(.userCancelled) }
      state.running = UInt(bitPattern: handle)
    }
    sqlite3_progress_handler(
      handle, 4_096,
      { context in
        guard let context else { return 0 }
        return Unmanaged<FetchCancellation>.fromOpaque(context).takeUnretainedValue().isCancelled ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Lets the connection go.
  func end(on handle: OpaquePointer) {
    sqlite3_progress_handler(handle, 0, nil, nil)
    state.withLock { $0.running = nil }
  }
}
