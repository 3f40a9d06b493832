import CoreData
import Foundation
import Glibc
import Synchronization

/// How soon a commit of another process is told, and what watching takes, in small and in large tables.
///
/// The `sqlite3` program commits one row at a time, at least 300 ms apart, so that each commit finds everybody at rest.
enum WatchingFigures {
  static let commits = 200
  static let pause: UInt32 = 300_000

  static func measure(in folder: URL) throws -> [String] {
    var lines: [String] = []
    var processor: [Double] = []
    for count in [10_000, 1_000_000] {
      let store = try WatchedSamples(folder.appendingPathComponent("watched-\(count).sqlite").path, count: count)
      let settled = store.settle()
      var (after, whole): ([Double], [Double]) = ([], [])
      let before = processorTime()
      for commit in 0..<commits {
        usleep(pause)
        let (sent, answered, told) = try store.commit(key: 1 + commit * (count / commits), value: commit)
        after.append((told - answered) / .seconds(1) * 1_000)
        whole.append((told - sent) / .seconds(1) * 1_000)
      }
      let each = (processorTime() - before) / Double(commits) * 1_000
      processor.append(each)
      let idle = processorTime()
      sleep(10)
      let resting = (processorTime() - idle) * 1_000
      lines.append(
        String(
          format: "watching %7d rows: told %.2f ms after the writer's answer (median), %.2f (p95), %.2f (most); "
            + "%.2f ms from its sending (p95)",
          count, quantile(after, 0.5), quantile(after, 0.95), quantile(after, 1), quantile(whole, 0.95)))
      lines.append(
        String(
          format: "         %7d rows: %.2f ms of CPU a commit, %.2f ms over 10 s at rest; all rows known after %.1f s "
            + "and %.2f s of CPU, with %.1f MiB",
          count, each, resting, settled.seconds, settled.processor, settled.memory))
    }
    lines.append(String(format: "CPU a commit, 1,000,000 rows to 10,000: %.2f ×", processor[1] / processor[0]))
    return lines
  }

  private static func quantile(_ values: [Double], _ part: Double) -> Double {
    let sorted = values.sorted()
    return sorted.isEmpty ? .nan : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
  }

  /// What this process has used of the processors, in seconds.
  static func processorTime() -> Double {
    Double(clock()) / Double(1_000_000)
  }
}

/// A store of samples, the `sqlite3` program that writes it, and a watcher.
private final class WatchedSamples {
  private let writer = Process()
  private let (input, output) = (Pipe(), Pipe())
  private let watcher: StoreWatcher
  private let told: Told
  private let coordinator: NSPersistentStoreCoordinator

  /// When changes were told, to be waited for.
  private final class Told: Sendable {
    private let instant = Mutex<ContinuousClock.Instant?>(nil)
    private let semaphore = DispatchSemaphore(value: 0)

    func take(_ event: StoreEvent) {
      guard case .changes = event else { return }
      instant.withLock { $0 = ContinuousClock.now }
      semaphore.signal()
    }

    func wait() throws -> ContinuousClock.Instant {
      guard semaphore.wait(timeout: .now() + 10) == .success, let told = instant.withLock({ $0 }) else {
        throw BareSQLite.Failure(message: "a commit was not told")
      }
      return told
    }
  }

  init(_ path: String, count: Int) throws {
    try SampleStore.make(path, count: count)
    writer.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    writer.arguments = ["sqlite3", "-batch", "-cmd", ".timeout 10000", path]
    (writer.standardInput, writer.standardOutput) = (input, output)
    try writer.run()
    let told = Told()
    self.told = told
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())
    try WatchedSamples.send("UPDATE ZSAMPLE SET Z_OPT=2 WHERE Z_PK=1;", input, output)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, at: URL(fileURLWithPath: path),
      options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
    watcher = try StoreWatcher(store: store) { told.take($0) }
  }

  deinit {
    watcher.stop()
    try? input.fileHandleForWriting.close()
    writer.waitUntilExit()
  }

  /// Waits until the watcher is at rest: how long that took, of the processors too, and what memory it left.
  func settle() -> (seconds: Double, processor: Double, memory: Double) {
    let (began, before, memoryBefore) = (ContinuousClock.now, WatchingFigures.processorTime(), memory("VmRSS"))
    sleep(2)
    var last = WatchingFigures.processorTime()
    var rested = began
    while true {
      usleep(500_000)
      let now = WatchingFigures.processorTime()
      if now - last < 0.002 { break }
      last = now
      rested = ContinuousClock.now
    }
    return ((rested - began) / .seconds(1), last - before, memory("VmRSS") - memoryBefore)
  }

  /// Commits one row: when it was sent, when the writer answered, and when it was told.
  func commit(
    key: Int, value: Int
  ) throws -> (sent: ContinuousClock.Instant, answered: ContinuousClock.Instant, told: ContinuousClock.Instant) {
    let sent = ContinuousClock.now
    try WatchedSamples.send(
      "UPDATE ZSAMPLE SET ZNAME='changed \(value)', Z_OPT=Z_OPT+1 WHERE Z_PK=\(key);", input, output)
    let answered = ContinuousClock.now
    return (sent, answered, try told.wait())
  }

  private static func send(_ sql: String, _ input: Pipe, _ output: Pipe) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((sql + "\n.print done\n").utf8))
    guard output.fileHandleForReading.availableData.starts(with: Data("done".utf8)) else {
      throw BareSQLite.Failure(message: "sqlite3 did not answer")
    }
  }
}
