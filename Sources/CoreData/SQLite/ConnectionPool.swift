import Foundation
import Synchronization

/// The connections of one store: each query has one to itself, so a long one never holds up a short one.
final class ConnectionPool: Sendable {
  /// A connection travels from thread to thread but is used by one at a time: it is either in `idle`, under the lock, or
  /// taken out of it by exactly one borrower.
  private struct Idle: @unchecked Sendable {
    var connections: [SQLiteConnection] = []
    var isClosed = false
  }
  private let idle = Mutex(Idle())
  private let path: String
  private let mode: SQLiteConnection.Mode
  private let busyTimeout: Int32
  private let limit = 4
  private let keys: InternedKeys?
  private let pragmas: [String: String]
  /// Entered by every borrower.
  private let lent = DispatchGroup()

  /// Connections to a file, on which `keys` can be asked in SQL; `timeout` is how many seconds each waits for a lock, 5 unless given.
  init(
    path: String, mode: SQLiteConnection.Mode, timeout: Double? = nil, keys: InternedKeys? = nil,
    pragmas: [String: String] = [:]
  ) {
    self.keys = keys
    self.pragmas = pragmas
    busyTimeout = Int32(min(max((timeout ?? 5) * 1_000, 0), 86_400_000))
    self.path = path
    self.mode = mode
  }

  /// Lends a connection to `body`; statements must not leave it.
  func withConnection<Result>(
    cancellation: FetchCancellation? = nil, _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    try idle.withLock { idle in
      if idle.isClosed { throw NSError.coreData(NSPersistentStoreOperationError, "the store was closed") }
      lent.enter()
    }
    defer { lent.leave() }
    return try lend(cancellation, body)
  }

  /// Whatever is closed here is closed before this returns.
  private func lend<Result>(
    _ cancellation: FetchCancellation?, _ body: (SQLiteConnection) throws -> Result
  ) throws -> Result {
    let connection =
      try idle.withLock { $0.connections.popLast() }
      ?? open()
    defer { if !connection.isInTransaction { giveBack(Idle(connections: [connection])) } }
    do {
      return try connection.cancellable(cancellation) { try body(connection) }
    } catch let error as SQLiteError where error.isInterrupt {
      throw CocoaError(.userCancelled)
    }
  }

  private func open() throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, mode: mode, busyTimeout: busyTimeout, keys: keys)
    for (name, value) in pragmas.sorted(by: { $0.key < $1.key }) {
      // A name is a word; a value is a word or a number, or is quoted as text.
      guard name.allSatisfy({ $0.isLetter || $0 == "_" }) else { continue }
      _ = try connection.rows("PRAGMA \(name) = '\(value.replacing("'", with: "''"))'")
    }
    return connection
  }

  private func giveBack(_ returned: Idle) {
    idle.withLock { idle in
      if !idle.isClosed, idle.connections.count < limit { idle.connections += returned.connections }
    }
  }

  /// Closes the connections that nobody uses.
  func drain() {
    let closing = idle.withLock { idle in
      defer { idle.connections = [] }
      return idle
    }
    withExtendedLifetime(closing) {}
  }

  /// Closes every connection, waiting for those that are lent; from now on none is lent.
  ///
  /// A borrower must not call this.
  func close() {
    idle.withLock { $0.isClosed = true }
    drain()
    lent.wait()
  }
}
