import Foundation
import Testing

@testable import CoreData

/// Damaged models are read or refused: nothing crashes, hangs or eats memory.
@Suite struct HostileModelTests {
  /// Archives to damage: one built here, and where the corpus is, all of its caches.
  private func archives() throws -> [[UInt8]] {
    let built = try ModelArchiveWriter.bytes(SampleModels.library(), layout: .cache)
    return try [built] + ModelCorpus.stores().compactMap { try? Deflate.inflate($0.cache ?? []) }
  }

  @Test func `damaged archives`() throws {
    let archives = try archives()
    var hostile = HostileBytes(seed: 2)
    var outcomes = (read: 0, refused: 0)
    for round in 0..<2_000 {
      do {
        var reader = try ModelArchiveReader(hostile.damaged(archives[round % archives.count]))
        let model = NSManagedObjectModel()
        try reader.read(into: model)
        model.freeze()
        _ = model.versionChecksum
        _ = try ModelArchiveWriter.bytes(model, layout: .cache)
        outcomes.read += 1
      } catch is ArchiveError {
        outcomes.refused += 1
      }
    }
    print("damaged model archives: \(outcomes)")
    #expect(outcomes.refused > 0 && outcomes.read > 0)
  }

  @Test func `damaged caches`() throws {
    let caches = try archives().map { try Deflate.deflate($0) }
    var hostile = HostileBytes(seed: 3)
    var outcomes = (read: 0, refused: 0)
    for round in 0..<2_000 {
      do {
        _ = try ModelArchiveReader.model(cache: hostile.damaged(caches[round % caches.count])).versionChecksum
        outcomes.read += 1
      } catch is ArchiveError {
        outcomes.refused += 1
      }
    }
    print("damaged model caches: \(outcomes)")
    #expect(outcomes.refused > 0)
  }

  @Test func `damaged XML`() throws {
    let source = Array(SampleModels.xml.utf8)
    var hostile = HostileBytes(seed: 4)
    var outcomes = (read: 0, refused: 0)
    for _ in 0..<2_000 {
      do {
        let model = NSManagedObjectModel()
        try ModelXMLReader(Data(hostile.damaged(source))).read(into: model)
        _ = model.versionChecksum
        outcomes.read += 1
      } catch is ArchiveError {
        outcomes.refused += 1
      }
    }
    print("damaged XML models: \(outcomes)")
    #expect(outcomes.refused > 0 && outcomes.read > 0)
  }

  @Test(
    arguments: [
      "<entity name='A' parentEntity='A'/>",
      "<entity name='A' parentEntity='B'/><entity name='B' parentEntity='A'/>",
      "<entity name='A'><attribute name='c' attributeType='Composite' composite='C'/></entity>"
        + "<composite name='C'><attribute name='c' attributeType='Composite' composite='C'/></composite>",
      (1..<300).map { "<entity name='E\($0)' parentEntity='E\($0 - 1)'/>" }.joined() + "<entity name='E0'/>",
      String(repeating: "<entity>", count: 100) + String(repeating: "</entity>", count: 100),
    ])
  func `a model that would not end is refused`(body: String) {
    #expect(throws: ArchiveError.self) {
      try ModelXMLReader(Data("<model>\(body)</model>".utf8)).read(into: NSManagedObjectModel())
    }
  }

  @Test func `an external entity is not fetched`() throws {
    let secret = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try Data("leaked".utf8).write(to: secret)
    defer { try? FileManager.default.removeItem(at: secret) }
    let xml = """
      <?xml version="1.0"?><!DOCTYPE model [<!ENTITY x SYSTEM "\(secret.absoluteString)">]>
      <model><entity name="A"><userInfo><entry key="k" value="v"/></userInfo>&x;</entity></model>
      """
    let model = NSManagedObjectModel()
    try? ModelXMLReader(Data(xml.utf8)).read(into: model)
    #expect(!"\(ModelFacts(model).facts)".contains("leaked"))
  }
}
