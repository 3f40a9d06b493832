import Foundation
import Glibc
import Testing

/// The run of a fuzz target: some cases in the fast suite, ten minutes of them under `LONG=1`.
///
/// Each case follows from the run's seed and its own number alone: `FUZZ_SEED` and `FUZZ_CASE` in the environment run one of
/// them again, and `FUZZ_SECONDS` makes a long run another length. Should the process die, the file
/// `storebrowser-fuzz-NAME` in the temporary folder names the case.
public struct FuzzRun {
  /// No case may take longer, in seconds of the processor.
  public static let longestCase = 2.0
  /// No long run may take more memory, in bytes.
  public static let memory = 512 << 20

  private let name: String
  private let quickCount: Int

  /// A target's run; `quickCount` cases make the short one.
  public init(_ name: String, quickCount: Int) {
    (self.name, self.quickCount) = (name, quickCount)
  }

  /// Runs the cases and prints what came of them.
  ///
  /// `body` makes a case of the numbers and reads it; it answers whether there was something to read (or it was refused as it
  /// should be). What it throws is a fault.
  public func run(_ body: (inout HostileBytes) throws -> Bool) throws {
    let environment = ProcessInfo.processInfo.environment
    func setting(_ name: String) -> UInt64? { environment[name].flatMap { UInt64($0) } }
    let seed = setting("FUZZ_SEED") ?? (LongRun.isOn ? UInt64(Date().timeIntervalSince1970) : 1)
    let only = setting("FUZZ_CASE")
    let end = ContinuousClock.now + .seconds(Int(setting("FUZZ_SECONDS") ?? 600))
    let note = CurrentCase(name)
    var (number, read, faults, longest) = (only ?? 0, 0, 0, 0.0)
    let first = number
    while only.map({ number == $0 }) ?? (LongRun.isOn ? ContinuousClock.now < end : number < quickCount) {
      note.set(seed, number)
      var numbers = HostileBytes(seed: seed << 32 &+ number)
      let start = ProcessCost.processorSeconds()
      do {
        if try body(&numbers) { read += 1 }
      } catch {
        faults += 1
        Issue.record("\(name): FUZZ_SEED=\(seed) FUZZ_CASE=\(number): \(error)")
      }
      let took = ProcessCost.processorSeconds() - start
      if took > Self.longestCase {
        faults += 1
        Issue.record("\(name): FUZZ_SEED=\(seed) FUZZ_CASE=\(number): took \(took) s")
      }
      longest = max(longest, took)
      number += 1
      if faults > 20 { break }
    }
    note.remove()
    let peak = try ProcessCost.peakMemory()
    let count = Int(number - first)
    print(
      "fuzz \(name), seed \(seed): \(count) cases, \(read) read, \(count - read - faults) refused, \(faults) faults,",
      "longest \(longest) s, peak \(peak >> 20) MiB")
    guard only == nil else { return }
    #expect(read > 0 && read < count, "one of the two never happens")
    // In a short run other suites run beside this one.
    if LongRun.isOn { #expect(peak < Self.memory) }
  }
}

/// A file that says which case runs, for the time after a crash.
private struct CurrentCase {
  private let path: String
  private let descriptor: Int32

  init(_ name: String) {
    path = FileManager.default.temporaryDirectory.appending(path: "storebrowser-fuzz-\(name)").path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
  }

  func set(_ seed: UInt64, _ number: UInt64) {
    let text = "FUZZ_SEED=\(seed) FUZZ_CASE=\(number)          \n"
    _ = text.withCString { pwrite(descriptor, $0, text.utf8.count, 0) }
  }

  func remove() {
    close(descriptor)
    unlink(path)
  }
}
