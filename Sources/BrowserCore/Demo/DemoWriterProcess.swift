import Foundation
import Synchronization

/// The demo's writer in a second process of this program, `storebrowser demo --writer-only`.
///
/// The process ends when its standard input does: this one holds the other end of the pipe, so that the writer never outlives
/// it, however it ends.
final class DemoWriterProcess: DemoActivity {
  private let words: [String]
  private let running = Mutex<Running?>(nil)

  private struct Running {
    let process: Process
    let input: Pipe
  }

  /// A writer of the demo at `url`, made by `plan`; `rate` is in changes a second.
  init(url: URL, plan: DemoStore.Plan, rate: Double) {
    words = [
      "demo", "--writer-only", "--at", url.path, "--rows", String(plan.rows), "--seed", String(plan.seed), "--rate",
      String(rate),
    ]
  }

  deinit { stop() }

  func start() throws {
    try running.withLock { running in
      guard running == nil else { return }
      let (process, input) = (Process(), Pipe())
      // The program itself, wherever it was started from and whatever was put at its path since.
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = words
      process.standardInput = input
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      running = Running(process: process, input: input)
    }
  }

  func stop() {
    let ending = running.withLock { running in
      defer { running = nil }
      return running
    }
    guard let ending else { return }
    try? ending.input.fileHandleForWriting.close()
    ending.process.waitUntilExit()
  }
}
