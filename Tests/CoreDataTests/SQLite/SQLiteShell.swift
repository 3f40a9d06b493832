import Foundation

/// The `sqlite3` program kept running: another process that holds locks and a log while a test looks.
final class SQLiteShell {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(_ url: URL) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-batch", "-cmd", ".timeout 10000", url.path]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    try process.run()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Runs SQL and answers what was printed once it has been carried out.
  @discardableResult func run(_ sql: String) throws -> String {
    let mark = "done-\(UUID().uuidString)"
    try input.fileHandleForWriting.write(contentsOf: Data((sql + "\n.print \(mark)\n").utf8))
    var text = ""
    while !text.contains(mark) {
      let data = output.fileHandleForReading.availableData
      if data.isEmpty { throw CocoaError(.fileReadUnknown) }
      text += String(decoding: data, as: UTF8.self)
    }
    return text.replacing("\(mark)\n", with: "")
  }

  /// Ends the program and waits for it.
  func quit() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
