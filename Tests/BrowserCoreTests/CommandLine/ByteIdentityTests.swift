import CoreData
import Foundation
import TestSupport
import Testing

@testable import BrowserCore

/// No command that reads changes a byte, a time or a name in the folder of what it reads.
///
/// `Tests/CorpusChecks/checksums.py` asks the same of the program on every store of the corpus, and of the browser.
@Suite struct ByteIdentityTests {
  /// What a store can be.
  enum Kind: String, CaseIterable, Sendable {
    case closed, logLeftBehind, logWithoutIndex, hotJournal, ownedByAnother, plain, plainLogLeftBehind, xml,
      readOnlyFile
    case externalData
  }

  /// A store in a folder of its own.
  private final class Subject {
    let folder: TemporaryDirectory
    let url: URL
    /// Another process that has the store open.
    private let owner: ConnectedShell?

    init(_ folder: TemporaryDirectory, _ name: String, owner: ConnectedShell? = nil) {
      (self.folder, url, self.owner) = (folder, folder.url.appending(path: name), owner)
    }

    func facts() throws -> [String: FileFingerprint] {
      var found = [".": try FileFingerprint(of: folder.url)]
      for case let url as URL in FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil)
        ?? .init()
      {
        found[url.path] = try FileFingerprint(of: url)
      }
      return found
    }
  }

  private static let plain = """
    CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE orders (n TEXT PRIMARY KEY, c REFERENCES customer) WITHOUT ROWID;
    CREATE VIEW v AS SELECT name FROM customer; INSERT INTO customer VALUES (1, 'Ada'); INSERT INTO orders VALUES ('o', 1);
    """

  /// The files that a store has while another process is in the middle of something, left behind.
  private static func leftBehind(_ store: TemporaryStore, without ending: String? = nil, _ sql: [String]) throws
    -> Subject
  {
    let shell = try ConnectedShell(store)
    for statement in sql { try shell.run(statement) }
    let folder = try TemporaryDirectory()
    let name = store.url.lastPathComponent
    for part in ["", "-wal", "-shm", "-journal"] where part != ending {
      let from = URL(filePath: store.url.path + part)
      guard FileManager.default.fileExists(atPath: from.path) else { continue }
      try FileManager.default.copyItem(at: from, to: folder.url.appending(path: name + part))
    }
    return Subject(folder, name)
  }

  private static func subject(_ kind: Kind) throws -> Subject {
    let log = ["PRAGMA journal_mode = WAL;", "PRAGMA wal_autocheckpoint = 0;"]
    func whole(_ store: TemporaryStore, owner: ConnectedShell? = nil) -> Subject {
      Subject(store.directory, store.url.lastPathComponent, owner: owner)
    }
    switch kind {
    case .closed: return whole(try LibraryStore().file)
    case .logLeftBehind, .logWithoutIndex:
      return try leftBehind(
        try LibraryStore().file, without: kind == .logWithoutIndex ? "-shm" : nil,
        log + ["UPDATE ZTAG SET ZNAME = 'in the log';"])
    case .hotJournal:
      let library = try LibraryStore().file
      try library.write("PRAGMA journal_mode = DELETE;")
      let subject = try leftBehind(
        library,
        [
          "PRAGMA cache_size = 1;", "BEGIN;", "UPDATE ZTAG SET ZNAME = 'half done' || zeroblob(20000);",
          "UPDATE ZAUTHOR SET ZNAME = 'x';",
        ])
      #expect(FileManager.default.fileExists(atPath: subject.url.path + "-journal"))
      return subject
    case .ownedByAnother:
      let library = try LibraryStore().file
      let owner = try ConnectedShell(library)
      for statement in log + ["UPDATE ZTAG SET ZNAME = 'owned';"] { try owner.run(statement) }
      return whole(library, owner: owner)
    case .plain: return whole(try TemporaryStore(named: "plain.db", sql: plain))
    case .plainLogLeftBehind:
      return try leftBehind(
        try TemporaryStore(named: "plain.db", sql: plain),
        log + ["INSERT INTO customer VALUES (2, 'Grace');"])
    case .xml:
      let folder = try TemporaryDirectory()
      try Data(HostileCopiesTests.xml.utf8).write(to: folder.url.appending(path: "store.xml"))
      return Subject(folder, "store.xml")
    case .readOnlyFile:
      let library = try LibraryStore().file
      try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: library.url.path)
      return whole(library)
    case .externalData:
      let model = HostileValues.model()
      let store = try TemporaryStore(model: model)
      try store.write(HostileValues.rows)
      let item = try #require(CommandRun("fetch", store.url.path, "Item", "--limit", "1", "--format", "tsv").lines.last)
      let big = store.directory.url.appending(path: "big")
      try Data(repeating: 5, count: 300_000).write(to: big)
      let set = CommandRun("set", store.url.path, String(item.prefix { $0 != "\t" }), "outside=@\(big.path)")
      #expect(set.status == 0, "\(set.errors)")
      return whole(store)
    }
  }

  /// The command lines that try a command without letting it write.
  ///
  /// They are nil for commands that make files of their own and read none. A command that is not known here is a fault: it has
  /// to be said what it does.
  private static func lines(of spec: CommandSpec, _ path: String, _ entity: String, _ uri: String) -> [[String]]? {
    let formats = spec.options.contains(.format) ? OutputFormat.allCases.map(\.rawValue) : []
    let modelFormats = spec.options.contains(.modelFormat) ? ModelCommand.Format.allCases.map(\.rawValue) : []
    func each(_ words: [String]) -> [[String]] {
      let lines = [words] + (formats + modelFormats).map { words + ["--format", $0] }
      return lines + (spec.options.contains(.readOnly) ? lines.map { $0 + ["--read-only"] } : [])
    }
    switch spec.name {
    case "entities", "model": return each([spec.name, path])
    case "count": return each([spec.name, path, entity])
    case "fetch": return each([spec.name, path, entity]) + each([spec.name, path, entity, "--relationships"])
    case "show": return each([spec.name, path, uri])
    case "set":
      return [[spec.name, path, uri, "name=other", "--dry-run"], [spec.name, path, uri, "nothing=1", "--dry-run"]]
    case "insert": return [[spec.name, path, entity, "--dry-run"]]
    case "delete": return [[spec.name, path, uri, "--dry-run"]]
    // Runs until it is asked to end, below.
    case "watch": return []
    case "demo", "create": return nil
    default:
      Issue.record("the command \(spec.name) is not known here: does it change what it reads?")
      return nil
    }
  }

  private func check(_ subject: Subject) throws {
    let path = subject.url.path
    let before = try subject.facts()
    let entities = CommandRun("entities", path).lines.dropFirst().map { $0.split(separator: "\t").map(String.init) }
    let full = try #require(entities.first { $0.count > 3 && $0[2] == "false" && $0[3] != "0" } ?? entities.first)
    let first = CommandRun("fetch", path, full[0], "--limit", "1").lines.dropFirst().first ?? ""
    let uri = String(first.prefix { $0 != "\t" })
    #expect(!uri.isEmpty, "\(path): nothing to show")
    var count = 0
    for spec in CommandSpec.all {
      for line in Self.lines(of: spec, path, full[0], uri) ?? [] {
        let run = CommandRun(line)
        count += run.status == 0 ? 1 : 0
        #expect(try subject.facts() == before, "\(line) changed something")
      }
    }
    #expect(count > 20, "most commands should do something")
    let end = CommandEnd()
    end.finish()
    try WatchCommand(
      Invocation(["watch", path, "--read-only"]), output: { _ in }, flush: {}, errors: { _ in }
    ).run(until: end)
    #expect(try subject.facts() == before, "watch changed something")
  }

  @Test(arguments: Kind.allCases) func `what is read stays as it was`(kind: Kind) throws {
    let subject = try Self.subject(kind)
    try check(subject)
    withExtendedLifetime(subject) {}
  }

  @Test(.corpus(cases: 5)) func `stores that Apple's frameworks left stay as they were`() throws {
    let corpus = try #require(Corpus.found)
    let files = FileManager.default
    let logged = corpus.stores.filter { $0.hasModelCache && files.fileExists(atPath: $0.url.path + "-wal") }
    let others = corpus.stores.filter { $0.hasModelCache && !files.fileExists(atPath: $0.url.path + "-wal") }
    var checked = 0
    for store in logged.prefix(3) + others.prefix(2) {
      let folder = try TemporaryDirectory()
      try check(Subject(folder, try store.copy(into: folder).lastPathComponent))
      checked += 1
    }
    #expect(checked == 5)
  }
}
