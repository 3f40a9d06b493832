import BrowserTestSupport
import CoreData
import Foundation
import TestSupport
import Testing

@testable import BrowserCore

/// Whatever fails: one line that begins with the program's name, nothing on standard output, and the status of CLI.md.
@Suite struct FailureTests {
  private func expectFailure(
    _ run: CommandRun, _ status: Int32, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(run.status == status, "\(run.errors)", sourceLocation: sourceLocation)
    #expect(run.output.isEmpty, sourceLocation: sourceLocation)
    #expect(run.launch == nil, sourceLocation: sourceLocation)
    let line = run.errors
    #expect(line.hasPrefix("storebrowser: ") && line.hasSuffix("\n"), "\(line)", sourceLocation: sourceLocation)
    #expect(
      line.dropLast().unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }, "\(line)",
      sourceLocation: sourceLocation)
    for trace in ["Fatal", ".swift", "Optional(", "Error Domain", "NSError"] {
      #expect(!line.contains(trace), "\(line)", sourceLocation: sourceLocation)
    }
    for word in words { #expect(line.contains(word), "\(line)", sourceLocation: sourceLocation) }
  }

  @Test(arguments: [
    ["--nonsense"], ["fetch"], ["fetch", "S"], ["fetch", "S", "Book", "--limit", "x"],
    ["fetch", "S", "Book", "--limit", "-1"],
    ["fetch", "S", "Book", "--offset", "1.5"], ["fetch", "S", "Book", "--format", "xml"],
    ["fetch", "S", "Book", "--sort", "titel"], ["fetch", "S", "Book", "--sort", "title:up"],
    ["fetch", "S", "Book", "--sort", "title:"], ["fetch", "S", "Book", "--sort", "author"],
    ["fetch", "S", "Book", "--columns", "titel"], ["fetch", "S", "Book", "--columns", "author.nam"],
    ["fetch", "S", "Book", "--columns", "tags.name"], ["fetch", "S", "Book", "--columns", "title.x"],
    ["fetch", "S", "Book", "--columns", "author."], ["fetch", "S", "Book", "--columns", ""],
    ["fetch", "S", "Bok"], ["count", "S", "Nobody"], ["show", "S", "p1"], ["show", "S", "http://STORE/Book/p1"],
    ["show", "S", "x-coredata://STORE/Book/p1", "--columns", "nothing"], ["entities", "S", "--timeout", "soon"],
    ["S", "--size", "80", "--dump-screen", "text"], ["S", "--size", "80x24x", "--dump-screen", "text"],
    ["S", "--size", "0x24", "--dump-screen", "text"], ["S", "--dump-screen", "gif"],
    ["S", "--dump-screen", "text", "--keys", "<nokey>"], ["S", "--zone", "mars"], ["S", "--theme", "none"],
    ["S", "S"], ["fetc", "S", "Book"], ["entites"], ["demo", "--rows", "1"], ["demo", "--seed", "-1"],
  ])
  func `bad usage ends with 64`(words: [String]) throws {
    let store = try LibraryStore()
    expectFailure(CommandRun(words.map { $0 == "S" ? store.path : $0 }), 64)
  }

  @Test func `a near spelling is offered for entities, properties and commands`() throws {
    let store = try LibraryStore()
    expectFailure(CommandRun("count", store.path, "Bok"), 64, "the store has no entity Bok", "did you mean Book?")
    expectFailure(CommandRun("fetch", store.path, "Book", "--sort", "titel"), 64, "did you mean title?")
    expectFailure(CommandRun("entites"), 64, "did you mean entities?")
  }

  @Test(arguments: [
    ["entities", "S"], ["count", "S", "Book"], ["fetch", "S", "Book"], ["show", "S", "x-coredata://STORE/Book/p1"],
  ])
  func `a file that cannot be opened ends with 66, one that is something else with 65`(words: [String]) throws {
    let folder = try TemporaryDirectory()
    func run(_ path: String) -> CommandRun { CommandRun(words.map { $0 == "S" ? path : $0 }) }
    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
      let url = folder.url.appending(path: name)
      try Data(bytes).write(to: url)
      return url.path
    }
    expectFailure(run(folder.url.path + "/none.sqlite"), 66, "none.sqlite", "check the path")
    expectFailure(run(folder.url.path), 66)
    let text = try file("text", Array("hello".utf8))
    expectFailure(run(text + "/inside"), 66)
    expectFailure(run(text), 65, "not a SQLite database")
    expectFailure(run(try file("empty", [])), 65, "the file is empty")
    let half = try TemporaryStore(sql: "CREATE TABLE Z_METADATA (a);")
    expectFailure(run(half.url.path), 65, "the Core Data store is damaged (it has no Z_PRIMARYKEY)")
    let library = try LibraryStore()
    try library.file.write("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;")
    var bytes = try Array(Data(contentsOf: library.file.url))
    for index in 4_096..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 31) }
    expectFailure(run(try file("damaged", bytes)), 65)
    try library.file.write("DELETE FROM Z_MODELCACHE; DELETE FROM Z_PRIMARYKEY;")
    expectFailure(run(library.path), 65, "carries no model", "--model")
  }

  @Test func `a model that is missing, unreadable or another one`() throws {
    let store = try LibraryStore()
    let folder = try TemporaryDirectory()
    expectFailure(CommandRun("entities", store.path, "--model", folder.url.path + "/none.mom"), 66)
    let text = folder.url.appending(path: "text.mom")
    try Data("hello".utf8).write(to: text)
    expectFailure(CommandRun("entities", store.path, "--model", text.path), 65, "give a model")
    // What is wrong with the file comes before what is wrong with the words.
    expectFailure(CommandRun("model", folder.url.path + "/none", "--model", text.path), 66)
    expectFailure(CommandRun("model", text.path, "--model", text.path), 65)
  }

  @Test func `an object that is not there ends with 1`() throws {
    let store = try LibraryStore()
    for uri in [
      "x-coredata://STORE/Book/p99", "x-coredata://OTHER/Book/p1", "x-coredata://STORE/Nobody/p1",
      "x-coredata://STORE/Novel/p1",
    ] {
      expectFailure(CommandRun("show", store.path, uri), 1, uri)
    }
  }

  @Test func `a locked store ends with 1 and says what to do`() throws {
    let store = try LibraryStore()
    try store.file.write("PRAGMA journal_mode = DELETE;")
    let ready = store.file.directory.url.appending(path: "ready")
    let done = store.file.directory.url.appending(path: "done")
    // The writer keeps its lock until the file `done` is there.
    let writer = Process()
    writer.executableURL = URL(filePath: "/bin/sh")
    writer.arguments = [
      "-c",
      "(echo 'BEGIN EXCLUSIVE; UPDATE ZTAG SET ZNAME = 1;'; echo \".system touch '\(ready.path)'\"; "
        + "while [ ! -e '\(done.path)' ]; do sleep 0.05; done) | sqlite3 '\(store.path)'",
    ]
    try writer.run()
    while !FileManager.default.fileExists(atPath: ready.path) { Thread.sleep(forTimeInterval: 0.01) }
    let run = CommandRun("count", store.path, "Book", "--timeout", "0")
    try Data().write(to: done)
    writer.waitUntilExit()
    expectFailure(run, 1, "the store is locked by sqlite3 (process ", "--timeout")
  }

  @Test func `a name that could drive a terminal is shown, not sent`() throws {
    let name = "evil\u{1b}[31m\nname\u{7}"
    expectFailure(CommandRun("entities", name), 66)
    expectFailure(CommandRun(name), 66)
    let store = try LibraryStore()
    expectFailure(CommandRun("count", store.path, name), 64)
    expectFailure(CommandRun("fetch", "--\(name)"), 64)
  }

  @Test func `nothing of a store changes, whatever is asked`() throws {
    let store = try LibraryStore()
    let before = try store.file.fingerprint()
    for words in [
      ["entities"], ["count", "Book"], ["fetch", "Book", "--relationships"], ["show", "x-coredata://STORE/Book/p1"],
    ] {
      #expect(CommandRun([words[0], store.path] + words.dropFirst()).status == 0)
    }
    #expect(try store.file.fingerprint() == before)
  }

  @Test func `an entity whose subentity the store does not know is counted as it is fetched`() throws {
    let library = try LibraryStore()
    try library.file.write("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Novel';")
    let count = CommandRun("count", library.path, "Book")
    #expect(count.status == 0 && count.output == "3\n", "\(count.output)\(count.errors)")
    #expect(CommandRun("fetch", library.path, "Book", "--format", "ndjson").lines.count == 3)
  }

  @Test func `a table that is not as its entity has it is the file's fault`() throws {
    let library = try LibraryStore()
    try library.file.write("ALTER TABLE ZAUTHOR RENAME COLUMN Z_PK TO Z_QK;")
    let entities = CommandRun("entities", library.path)
    #expect(entities.status == 0 && entities.output.contains("Book"), "\(entities.errors)")
    #expect(CommandRun("fetch", library.path, "Book", "--relationships", "--format", "json").status == 0)
  }

  @Test func `a pipe in a store's place is refused and not waited for`() throws {
    let folder = try TemporaryDirectory()
    let path = folder.url.appending(path: "Store.sqlite").path
    #expect(mkfifo(path, 0o600) == 0)
    for words in [["model", path], ["entities", path], ["count", path, "Item"]] {
      let run = CommandRun(words)
      #expect(run.status == 66 && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
    }
  }
}
