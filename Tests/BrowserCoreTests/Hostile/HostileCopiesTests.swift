import CoreData
import Foundation
import TestSupport
import Testing

@testable import BrowserCore

/// Damaged copies of files of every kind, given to the command line.
///
/// `Tests/CorpusChecks/hostile_files.py` does the same to the program itself, with limits and in numbers.
@Suite struct HostileCopiesTests {
  /// A good file, its bytes, and what it is to be called.
  private struct Sample {
    var name: String
    var bytes: [UInt8]
    var isModel = false
  }

  /// Made here, and where the corpus is, what it has of every kind.
  private func samples() throws -> [Sample] {
    let library = try LibraryStore()
    let plain = try TemporaryStore(
      named: "plain.db",
      sql: """
        CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT, b REFERENCES b); CREATE TABLE b (k TEXT PRIMARY KEY, v) WITHOUT ROWID;
        INSERT INTO b VALUES ('x', 1), ('y', x'00'); INSERT INTO a VALUES (1, 'one', 'x'), (2, NULL, 'gone');
        CREATE VIEW v AS SELECT name FROM a;
        """)
    try library.file.write("PRAGMA wal_checkpoint(TRUNCATE); VACUUM;")
    var samples = try [
      Sample(name: "Library.sqlite", bytes: Array(Data(contentsOf: library.file.url))),
      Sample(name: "plain.db", bytes: Array(Data(contentsOf: plain.url))),
      Sample(name: "store.xml", bytes: Array(Self.xml.utf8)),
    ]
    let text = CommandRun("model", library.path, "--format", "xcdatamodel").output
    samples.append(Sample(name: "contents", bytes: Array(text.utf8), isModel: true))
    guard let corpus = Corpus.found else { return samples }
    for store in corpus.stores {
      let bytes = try Data(contentsOf: store.url)
      if bytes.count < 200_000 { samples.append(Sample(name: store.url.lastPathComponent, bytes: Array(bytes))) }
    }
    let files = FileManager.default.enumerator(at: corpus.root, includingPropertiesForKeys: nil)
    for case let url as URL in files ?? .init() {
      guard ["mom", "crx", "omo"].contains(url.pathExtension) || url.lastPathComponent == "VersionInfo.plist" else {
        continue
      }
      let bytes = (try? Data(contentsOf: url)) ?? Data()
      guard bytes.count < 60_000 else { continue }
      samples.append(Sample(name: url.lastPathComponent, bytes: Array(bytes), isModel: url.pathExtension != "crx"))
    }
    return samples
  }

  static let xml = """
    <?xml version="1.0"?>
    <database><databaseInfo><version>134481920</version><UUID>6C15C603-7E14-4ECE-9A82-DD0417893203</UUID></databaseInfo>
    <object type="CHEF" id="z102"><attribute name="firstname" type="string">Grandma</attribute>
    <relationship name="recipes" type="0/0" destination="RECIPE" idrefs="z103"></relationship></object>
    <object type="RECIPE" id="z103"><attribute name="cookingtime" type="int16">45</attribute>
    <relationship name="chef" type="1/1" destination="CHEF" idrefs="z102"></relationship></object></database>
    """

  @Test func `damaged copies are opened, or refused with a line`() throws {
    let samples = try samples()
    let folder = try TemporaryDirectory()
    var statuses: [Int32: Int] = [:]
    try FuzzRun("copies", quickCount: 2_000).run { numbers in
      let sample = numbers.pick(samples)
      let url = folder.url.appending(path: sample.name)
      defer { try? FileManager.default.removeItem(at: url) }
      try Data(numbers.pageDamaged(sample.bytes)).write(to: url)
      var commands = HostileCommands(url.path)
      let run = try Self.command(on: url.path, sample, &numbers).map { try commands.run($0) }
      statuses[run?.status ?? -1, default: 0] += 1
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
      guard names == [sample.name] else { throw HostileCommands.Fault(description: "files appear: \(names)") }
      return run?.status == 0
    }
    print("damaged copies by exit status: \(statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })")
  }

  private static func command(on path: String, _ sample: Sample, _ numbers: inout HostileBytes) throws -> [String]? {
    if sample.isModel { return ["model", path, "--format", numbers.pick(["text", "json", "xcdatamodel", "dot"])] }
    switch numbers.next(below: 4) {
    case 0: return ["model", path]
    case 1: return ["entities", path, "--format", "json"]
    default:
      let first = CommandRun("entities", path, "--format", "tsv")
      let names = first.lines.dropFirst().compactMap { $0.split(separator: "\t").first.map(String.init) }
      guard let name = names.isEmpty ? nil : numbers.pick(names) else { return ["entities", path] }
      return ["fetch", "--limit", "20", "--relationships", "--format", "json", "--", path, name]
    }
  }
}
