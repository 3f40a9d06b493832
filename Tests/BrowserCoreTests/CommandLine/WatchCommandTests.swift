import BrowserTestSupport
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BrowserCore

@Suite struct WatchCommandTests {
  /// What a command wrote, a line at a time as it was sent on.
  private final class Lines: Sendable {
    private let written = Mutex("")
    private let sent: AsyncStream<String>.Continuation
    let stream: AsyncStream<String>

    init() { (stream, sent) = AsyncStream.makeStream() }

    func end() { sent.finish() }

    func write(_ text: String) { written.withLock { $0 += text } }

    func flush() {
      let text = written.withLock { text in
        defer { text = "" }
        return text
      }
      for line in text.split(separator: "\n") { sent.yield(String(line)) }
    }
  }

  /// Runs what blocks on a thread of its own.
  private func run(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }

  @Test func `every change is a line, sent on at once, until the end is asked for`() async throws {
    let store = try LibraryStore()
    let (lines, end, path) = (Lines(), CommandEnd(), store.path)
    // Whatever fails, nothing is waited for that never ends.
    defer { end.finish() }
    async let done: Void = run {
      defer { lines.end() }
      try WatchCommand(
        Invocation(["watch", path, "Book"]), output: { lines.write($0) }, flush: { lines.flush() }, errors: { _ in }
      ).run(until: end)
    }
    var next = lines.stream.makeAsyncIterator()
    // Changes are repeated until the watching has begun; those of another entity are not told.
    let writing = Task {
      var number = 0
      while !Task.isCancelled {
        number += 1
        try store.file.write("UPDATE ZTAG SET ZNAME = \(number); UPDATE ZBOOK SET ZPAGES = \(number) WHERE Z_PK = 3;")
        await Task.yield()
      }
    }
    let first = await next.next() ?? ""
    writing.cancel()
    try await writing.value
    #expect(
      first.contains(#""type": "update", "objectID": "x-coredata://STORE/Book/p3", "entity": "Book""#), "\(first)")
    try store.file.write("INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (50, 3, 1, 'n');")
    var last = first
    while last.contains("Book/p3"), let line = await next.next() { last = line }
    #expect(
      last.contains(#""type": "insert", "objectID": "x-coredata://STORE/Novel/p50", "entity": "Novel""#), "\(last)")
    end.finish()
    try await done
  }

  @Test func `a failure ends it as an error`() async throws {
    let end = CommandEnd()
    end.finish(CommandFailure("gone", "look"))
    end.finish()
    #expect(throws: CommandFailure("gone", "look")) { try end.wait() }
  }

  @Test func `it ends when the other end of its output goes away`() async throws {
    let pipe = Pipe()
    let end = CommandEnd(reader: pipe.fileHandleForWriting.fileDescriptor)
    async let done: Void = run { try end.wait() }
    try pipe.fileHandleForReading.close()
    try await done
  }

  @Test func `words are checked as for every command`() throws {
    let store = try LibraryStore()
    #expect(CommandRun("watch", store.path, "Bok").errors.contains("did you mean Book?"))
    #expect(CommandRun("watch").status == 64)
    #expect(CommandRun("watch", store.path + "x").status == 66)
  }
}
