import Dispatch
import Foundation
import Glibc
import Synchronization

/// When a command that would go on for ever ends: at a signal that asks for it, when nobody reads its output any more, or at a
/// failure.
final class CommandEnd: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  private let failure = Mutex<(any Error)?>(nil)
  private let descriptor: Int32?

  /// An end; `reader` is the descriptor that the output goes to.
  init(reader descriptor: Int32? = nil) { self.descriptor = descriptor }

  /// Asks for the end; the first failure is what `wait()` throws.
  func finish(_ error: (any Error)? = nil) {
    if let error { failure.withLock { $0 = $0 ?? error } }
    semaphore.signal()
  }

  /// Waits until the end is asked for: by `finish`, by SIGINT or SIGTERM, or by the reader's going away.
  ///
  /// The two signals end the process again afterwards.
  func wait() throws {
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { [self] in finish() }
      source.activate()
      return source
    }
    // Writing to a pipe that nobody reads fails from now on, in place of ending the process.
    signal(SIGPIPE, SIG_IGN)
    let stop = watchReader()
    semaphore.wait()
    if let stop { close(stop) }
    for source in sources { source.cancel() }
    for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  /// Sleeps on a thread of its own until the reader is gone; ends when the answer is closed.
  private func watchReader() -> Int32? {
    guard let descriptor else { return nil }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let stop = ends[0]
    Thread.detachNewThread { [self] in
      defer { close(stop) }
      var watched = [pollfd(fd: descriptor, events: 0, revents: 0), pollfd(fd: stop, events: 0, revents: 0)]
      while poll(&watched, 2, -1) >= 0 || errno == EINTR {
        if watched[1].revents != 0 { return }
        if Int32(watched[0].revents) & (POLLERR | POLLHUP) != 0 { return finish() }
      }
    }
    return ends[1]
  }
}
