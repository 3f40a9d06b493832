import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BrowserCore

/// `--where` in every command that reads objects.
@Suite struct WhereTests {
  private let store: LibraryStore

  init() throws { store = try LibraryStore() }

  @Test(arguments: [
    ("Book", "pages > 5", 1), ("Book", "author.name == 'Ann'", 2), ("Book", "ANY tags.name IN {'red', 'green'}", 2),
    ("Book", "title == ''", 1), ("Book", "tags.@count == 0", 1), ("Novel", "title != nil", 1),
    ("Book", "added > '2025-01-01'", 1), ("Book", "code == '12345678-9ABC-DEF0-1234-56789ABCDEF0'", 1),
    ("Book", "author == 'x-coredata://STORE/Author/p1'", 2), ("Author", "name ==[cd] 'ANN'", 1),
    ("Author", "SUBQUERY(books, $b, $b.done == YES).@count > 0", 1), ("Tag", "name MATCHES '(red|blue)'", 2),
  ])
  func `count and fetch take what holds, strings beside dates and ids standing for such values`(
    _ entity: String, _ filter: String, _ count: Int
  ) {
    let counted = CommandRun("count", store.path, entity, "--where", filter)
    #expect(counted.output == "\(count)\n", "\(counted.errors)")
    let fetched = CommandRun("fetch", store.path, entity, "--where", filter, "--format", "ndjson")
    #expect(fetched.lines.count == count, "\(fetched.errors)")
  }

  @Test func `orders and filters go together, over relationships too`() {
    let run = CommandRun(
      "fetch", store.path, "Book", "--where", "author != nil", "--sort", "author.name,pages:desc", "--columns", "pages",
      "--format", "tsv")
    #expect(run.output == "pages\n9223372036854775807\n\\N\n", "\(run.errors)")
    let wrong = CommandRun("fetch", store.path, "Book", "--sort", "tags.name")
    #expect(wrong.status == 64 && wrong.errors.contains("tags cannot be sorted by"), "\(wrong.errors)")
  }

  @Test(arguments: [
    ("pages >", "at 8: expected a key or a value"), ("pagse > 3", "pagse"),
    ("tags.name == 'red'", "to-many key not allowed here"),
    ("added > 'soon'", "at 9: “soon”: not a date"), ("pages > 3 AND", "at 14"),
  ])
  func `a wrong filter is one line with its place, and bad usage`(_ filter: String, _ text: String) {
    for command in ["count", "fetch", "watch"] {
      let run = CommandRun(command, store.path, "Book", "--where", filter)
      #expect(run.status == 64)
      #expect(run.errors.contains("--where") && run.errors.contains(text), "\(run.errors)")
      #expect(run.errors.split(separator: "\n").count == 1)
    }
  }

  @Test func `watch needs an entity for a filter`() {
    let run = CommandRun("watch", store.path, "--where", "pages > 3")
    #expect(run.status == 64 && run.errors.contains("needs the entity"), "\(run.errors)")
  }

  @Test func `watch tells what comes into the filter, stays in it and leaves it, and nothing else`() async throws {
    let written = Mutex("")
    let (stream, sent) = AsyncStream<String>.makeStream()
    let (end, path) = (CommandEnd(), store.path)
    defer { end.finish() }
    Thread.detachNewThread {
      defer { sent.finish() }
      let invocation = try? Invocation(["watch", path, "Tag", "--where", "name BEGINSWITH 'r'"])
      guard let invocation else { return }
      let command = WatchCommand(
        invocation, output: { line in written.withLock { $0 += line } },
        flush: {
          let text = written.withLock { text in
            defer { text = "" }
            return text
          }
          for line in text.split(separator: "\n") { sent.yield(String(line)) }
        }, errors: { _ in })
      try? command.run(until: end)
    }
    var next = stream.makeAsyncIterator()
    let file = store.file
    // Repeated until the watching has begun.
    let writing = Task {
      var number = 0
      while !Task.isCancelled {
        number += 1
        try file.write(
          "UPDATE ZTAG SET ZNAME = 'blue \(number)' WHERE Z_PK = 2; UPDATE ZTAG SET ZNAME = 'r\(number)' WHERE Z_PK = 1;"
        )
        await Task.yield()
      }
    }
    let first = await next.next() ?? ""
    writing.cancel()
    try await writing.value
    #expect(first.contains("Tag/p1"), "\(first)")
    try file.write("UPDATE ZTAG SET ZNAME = 'rouge' WHERE Z_PK = 10; UPDATE ZTAG SET ZNAME = 'gone' WHERE Z_PK = 1;")
    try file.write("DELETE FROM ZTAG WHERE Z_PK = 10; UPDATE ZTAG SET ZNAME = 'violet' WHERE Z_PK = 1;")
    try file.write("INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (77, 4, 1, 'rust');")
    var told: [String] = []
    while let line = await next.next() {
      told.append(line)
      if line.contains("Tag/p77") { break }
    }
    #expect(told.allSatisfy { !$0.contains("Tag/p2\"") })
    let gone = told.firstIndex { $0.contains("gone") && $0.contains("Tag/p1\"") }
    #expect(gone != nil, "\(told)")
    #expect(!told.contains { $0.contains("violet") }, "\(told)")
    #expect(told.contains { $0.contains("rouge") && $0.contains("Tag/p10\"") }, "\(told)")
    #expect(told.contains { $0.contains("\"delete\"") && $0.contains("Tag/p10\"") }, "\(told)")
  }
}
