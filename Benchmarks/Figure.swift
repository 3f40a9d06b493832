import Foundation

/// One line of the report: what our code takes beside what bare SQLite takes for the same work.
struct Figure {
  let name: String
  /// Seconds.
  let ours: Double
  /// Seconds; `nil` where bare SQLite has nothing like it.
  let bare: Double?
  /// How often the work is done in that time, where a single piece of it is told too.
  var pieces = 1

  var line: String {
    let ratio = bare.map { String(format: "%7.2f ×", ours / $0) } ?? "        –"
    let piece = pieces > 1 ? String(format: "%8.1f ns each", ours / Double(pieces) * 1e9) : ""
    let floor = bare.map { String(format: "%10.2f", $0 * 1_000) } ?? "         –"
    return name.padding(toLength: 52, withPad: " ", startingAt: 0)
      + String(format: "%10.2f", ours * 1_000) + floor + ratio + piece
  }

  static let head =
    "".padding(toLength: 52, withPad: " ", startingAt: 0) + "   ours ms   bare ms    ratio"
}

/// The time of the fastest of `repeats` runs, in seconds: what else the machine does only ever adds to it.
///
/// What a run makes is gone before the next begins.
func time(_ repeats: Int = 5, _ work: () throws -> Void) rethrows -> Double {
  var times: [Double] = []
  for _ in 0..<repeats {
    let start = ContinuousClock.now
    try work()
    times.append((ContinuousClock.now - start) / .seconds(1))
  }
  return times.min() ?? 0
}

/// Keeps the optimiser from leaving out the work whose result this is.
@inline(never)
func use<Value>(_ value: Value) {}

/// A number in `/proc/self/status`, in MiB: `VmHWM`, `VmRSS`.
func memory(_ name: String) -> Double {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
  return line.flatMap { $0.split(whereSeparator: { !$0.isNumber }).first }.flatMap { Double($0) }.map { $0 / 1_024 }
    ?? 0
}
