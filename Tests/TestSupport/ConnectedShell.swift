import Foundation

/// The real `sqlite3` program, connected to a store for as long as this lives: another process whose log stays.
public final class ConnectedShell {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = Data()
  private var runs = 0

  /// Connects to a store.
  public init(_ store: TemporaryStore) throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-batch", "-bail", "-cmd", ".timeout 10000", store.url.path]
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, output)
    try process.run()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Runs statements and gives the lines they print, once all are done.
  @discardableResult public func run(_ sql: String) throws -> [String] {
    runs += 1
    let end = "-- done \(runs) --"
    input.fileHandleForWriting.write(Data((sql + "\n.print '\(end)'\n").utf8))
    var lines: [String] = []
    while true {
      while let newline = unread.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: unread[unread.startIndex..<newline], as: UTF8.self)
        unread.removeSubrange(unread.startIndex...newline)
        if line == end { return lines }
        lines.append(line)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw CocoaError(.executableRuntimeMismatch, userInfo: ["lines": lines]) }
      unread += more
    }
  }
}
