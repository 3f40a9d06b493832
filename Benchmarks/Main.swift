import Foundation

/// Prints what our engine takes beside bare SQLite doing the same work.
///
///     swift run -c release Benchmarks              objects, and frames of a list that animates
///     swift run -c release Benchmarks frames          frames alone
///     swift run -c release Benchmarks EVENTS.sqlite   objects, and the lists of a store with an entity Event
///     swift run -c release Benchmarks predicates      predicates alone
///     swift run -c release Benchmarks watching        how soon commits of another process are told; some minutes
@main
enum Main {
  static func main() async throws {
    if CommandLine.arguments.dropFirst() == ["frames"] { return try await FrameFigures.measure() }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("storebrowser-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    if CommandLine.arguments.dropFirst() == ["watching"] {
      for line in try WatchingFigures.measure(in: folder) { print(line) }
      return
    }
    if CommandLine.arguments.dropFirst() == ["predicates"] {
      print(Figure.head)
      for figure in try PredicateFigures.measure(in: folder) { print(figure.line) }
      return
    }
    var figures = try ObjectFigures.measure(in: folder)
    for path in CommandLine.arguments.dropFirst() {
      figures += try ListFigures.measure(path)
      figures += try TrackerFigures.measure(path)
    }
    print(Figure.head)
    for figure in figures { print(figure.line) }
    try await FrameFigures.measure()
    print(String(format: "peak memory %.1f MiB", memory("VmHWM")))
  }
}
