import Foundation
import Testing

@testable import CoreData

/// A store in a folder of its own and the real `sqlite3` program that writes it, as another process does.
///
/// The program stays connected, so `-wal` and `-shm` stay; `run` returns when all its statements are done.
final class SecondWriter {
  let folder: URL
  let path: String
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = Data()
  private var runs = 0

  /// Starts the program on a new store, which `make` may have made, and runs `setup`.
  init(_ setup: String, making make: (URL) throws -> Void = { _ in }) throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("watching-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent("store.sqlite").path
    try make(URL(fileURLWithPath: path))
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", "-batch", "-bail", "-cmd", ".timeout 10000", path]
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, output)
    try process.run()
    try run(setup)
  }

  /// Ends the program, whose connection is closed then.
  func quit() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Runs statements and returns the lines they print.
  @discardableResult
  func run(_ sql: String) throws -> [String] {
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
      try #require(!more.isEmpty, "sqlite3 ended: \(lines)")
      unread += more
    }
  }

  /// One of the store's files as it is now: "", "-wal", "-shm".
  func bytes(_ suffix: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + suffix)))
  }

  /// One of the store's files, held open.
  func file(_ suffix: String) throws -> StoreFile { try StoreFile(path: path + suffix) }

  /// The finder of the store's changed rows, which begins with the present state.
  func finder(pageLimit: Int = 4_096) throws -> WALChangeFinder {
    WALChangeFinder(main: try file(""), log: try file("-wal"), index: try file("-shm"), pageLimit: pageLimit)
  }

  /// The store's published state as its pages.
  func snapshot() throws -> (pages: WALSnapshot, header: DatabaseHeader) {
    let index = try #require(WALIndex.read(try file("-shm")))
    var log = WALReader(try file("-wal"))
    let frames = log?.next(upTo: index.lastFrame).frames ?? []
    let pages = WALSnapshot(
      pageCount: index.pageCount, pageSize: index.pageSize, main: try file(""), log: log,
      frames: Dictionary(frames.map { ($0.page, $0.number) }, uniquingKeysWith: { $1 }))
    return (pages, try #require(DatabaseHeader(try pages.page(1).bytes)))
  }
}

/// Bytes in memory in place of a file.
struct Bytes: ByteSource {
  let content: [UInt8]

  var size: Int { content.count }

  func read(at offset: Int, count: Int) -> [UInt8] {
    guard offset >= 0, count > 0, offset < content.count else { return [] }
    return Array(content[offset..<min(content.count, offset + count)])
  }
}

/// Random numbers from a seed, so that a failure can be repeated.
struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
