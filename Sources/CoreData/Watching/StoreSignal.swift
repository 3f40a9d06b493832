import Foundation
import Glibc
import Synchronization

/// What `StoreSignal` reports.
enum SignalEvent: Equatable, Sendable {
  /// The version moved: rows may have changed.
  case committed
  /// The path names another file now; what is open is no longer the store.
  case replaced
  /// The path names no file any more.
  case removed
  /// A `-wal` or `-journal` came or went: a store opened as a snapshot or a copy may be opened better now.
  case journalsChanged
}

/// Tells when a store may have changed, by whomever.
///
/// A thread sleeps until the kernel has a notice of the store's files, then looks, and looks again with backoff until
/// the store is settled; without notices it does not run. Where notices cannot be trusted it looks at an interval.
/// Ends with `stop()` or when released.
final class StoreSignal: Sendable {
  /// Why the store is polled in place of waiting for notices.
  enum PollingReason: Equatable, Sendable {
    /// The file system of that name is shared with other machines.
    case sharedFileSystem(String)
    /// The kernel gives no notices: the folder may not be read, or the user has no watches left.
    case noNotices
  }

  /// Why the store is polled; nil when notices tell of changes.
  let pollingReason: PollingReason?
  private let stopper: Mutex<Int32?>

  /// Starts to watch the store at `path`, an existing file.
  ///
  /// The closures are called on the signal's own thread, never two at once; the first look is taken before this
  /// returns, for the version to start from. Returns nil when the file does not exist or the process has no
  /// descriptors left.
  ///
  /// - Parameters:
  ///   - polling: the interval where notices cannot be trusted.
  ///   - isTrusted: whether notices can be trusted on a file system of that name.
  ///   - isCommitPending: whether a commit is written that is not yet to be seen (`CommitProbe`).
  ///   - version: moves with every commit that is to be seen: SQLite's `data_version`, or what stands for size, time and
  ///     change counter of a file that was opened as a snapshot; nil while the store is locked by its writer.
  ///   - report: takes what happened.
  init?(
    path: String, polling: Duration = .seconds(2),
    isTrusted: (_ fileSystem: String) -> Bool = { !MountTable.isShared($0) },
    isCommitPending: @escaping @Sendable () -> Bool, version: @escaping @Sendable () -> Int64?,
    report: @escaping @Sendable (SignalEvent) -> Void
  ) {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    let path = String(cString: resolved)
    let fileSystem = MountTable.current().fileSystem(of: path) ?? "unknown"
    let isShared = !isTrusted(fileSystem)
    let notices = isShared ? nil : FileNotices(path: path)
    // In this order: asked the other way round, a commit that is published in between would be neither pending nor seen.
    let look: @Sendable () -> StoreLook = { StoreLook(isCommitPending: isCommitPending(), version: version()) }
    guard let watch = StoreWatch(path: path, first: look()) else { return nil }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let stopEnd = ends[0]
    pollingReason = notices != nil ? nil : isShared ? .sharedFileSystem(fileSystem) : .noNotices
    stopper = Mutex(ends[1])
    let interval = notices == nil ? polling : nil
    // The notices were begun before the first look, so nothing falls between; the thread alone has them from here on.
    let descriptor = notices.map { $0.descriptor } ?? -1
    let handover = Handover(notices)
    Thread.detachNewThread {
      let notices = handover.take()
      defer { close(stopEnd) }
      Self.run(watch, notices, descriptor, stopEnd, interval, look, report)
    }
  }

  deinit { stop() }

  /// Ends the watching; a look that is under way may still report.
  func stop() {
    stopper.withLock { end in
      if let open = end { close(open) }
      end = nil
    }
  }

  private static func run(
    _ first: StoreWatch, _ notices: FileNotices?, _ descriptor: Int32, _ stopEnd: Int32, _ interval: Duration?,
    _ look: () -> StoreLook, _ report: (SignalEvent) -> Void
  ) {
    var watch = first
    var schedule = RecheckSchedule()
    var wait: Duration? = watch.isSettled ? interval : schedule.next()
    while true {
      var waits = [
        pollfd(fd: stopEnd, events: Int16(POLLIN), revents: 0),
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
      ]
      // poll counts milliseconds, and the first waits are shorter.
      var milliseconds: Int32 = -1
      if let wait {
        let microseconds = wait.components.seconds * 1_000_000 + wait.components.attoseconds / 1_000_000_000_000
        if microseconds < 1_000 { usleep(UInt32(microseconds)) }
        milliseconds = Int32(microseconds / 1_000)
      }
      let ready = poll(&waits, 2, milliseconds)
      guard waits[0].revents == 0 else { return }
      if ready > 0, notices?.drain() == false, wait == nil { continue }
      if ready > 0 { schedule.reset() }
      let events = watch.update(look())
      events.forEach(report)
      if events.contains(.committed) { schedule.reset() }
      wait = watch.isSettled ? interval : schedule.next()
    }
  }

  /// Hands the notices to the thread that uses them from then on.
  private final class Handover: Sendable {
    private let content: Mutex<FileNotices?>

    init(_ notices: sending FileNotices?) { content = Mutex(notices) }

    func take() -> sending FileNotices? {
      content.withLock { held in
        let notices = held
        held = nil
        return notices
      }
    }
  }
}
