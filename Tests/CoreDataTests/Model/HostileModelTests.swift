import Foundation
import TestSupport
import Testing

@testable import CoreData

/// Damaged models are read or refused: nothing crashes, hangs or eats memory.
@Suite(.serialized) struct HostileModelTests {
  /// The forms that a model is read from.
  enum Form: String, CaseIterable, Sendable {
    case archive, cache, xml, xcode3, propertyList

    /// Good bytes to damage: some built here, and where the corpus is, those of its models.
    func samples() throws -> [[UInt8]] {
      switch self {
      case .archive:
        let built = try ModelArchiveWriter.bytes(SampleModels.everything(), layout: .compiled)
        return try [built] + ModelCorpus.compiledFiles().map(Self.bytes)
      case .cache:
        let built = try ModelArchiveWriter.cache(SampleModels.library())
        return try [built] + ModelCorpus.stores().compactMap(\.cache)
      case .xml:
        let built = try ModelXMLWriter.document(of: SampleModels.everything()).text
        return try [Array(built.utf8), Array(SampleModels.xml.utf8)] + ModelCorpus.xmlFiles().map(Self.bytes)
      case .xcode3:
        let files = ModelCorpus.xcode3Files().filter { !ModelCorpus.isDamaged($0) }
        return try [Xcode3Sketch.shop().bytes()] + files.map(Self.bytes)
      case .propertyList:
        let list: [String: Any] = ["a": ["b": [1, true, "text", Data([1, 2])] as [Any]], "date": Date(), "real": 1.5]
        let infos = ModelCorpus.rows("compiled.tsv").map { $0[0] }.filter { $0.hasSuffix("VersionInfo.plist") }
        let text = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        return try [try StoreMetadataCoding.bytes(list), [UInt8](text)] + infos.map(Self.bytes)
      }
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
      [UInt8](try Data(contentsOf: try ModelCorpus.url(path)))
    }

    /// Reads bytes, and uses what was read; answers whether there was anything.
    func read(_ bytes: [UInt8]) throws {
      let model = NSManagedObjectModel()
      switch self {
      case .propertyList:
        _ = try PropertyListValue.read(Data(bytes)).foundationValue
        return
      case .cache: model.take(from: try ModelArchiveReader.model(cache: bytes))
      case .archive, .xml, .xcode3: try ModelFile.read(Data(bytes), into: model)
      }
      model.freeze()
      _ = model.versionChecksum
      _ = model.versionHashDoubts
      _ = try ModelArchiveWriter.bytes(model, layout: .cache)
      _ = try ModelXMLWriter.document(of: model)
    }
  }

  @Test(arguments: Form.allCases)
  func `damaged copies of models`(form: Form) throws {
    let samples = try form.samples()
    var hostile = HostileBytes(seed: 2)
    var outcomes = (read: 0, refused: 0)
    var longest = 0.0
    for round in 0..<(LongRun.isOn ? 20_000 : 2_000) {
      let bytes = hostile.damaged(samples[round % samples.count])
      let start = ProcessCost.processorSeconds()
      do {
        try form.read(bytes)
        outcomes.read += 1
      } catch is ArchiveError {
        outcomes.refused += 1
      }
      longest = max(longest, ProcessCost.processorSeconds() - start)
    }
    let peak = try ProcessCost.peakMemory()
    print("damaged models, \(form.rawValue): \(outcomes), longest \(longest) s, peak \(peak >> 20) MiB")
    #expect(outcomes.refused > 0 && outcomes.read > 0)
    #expect(longest < 2)
    #expect(peak < 2 << 30)
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

  @Test func `composites that multiply are refused in time`() {
    // Each level holds the one below twelve times.
    let levels = (0..<12).map { level in
      let part = "<attribute name='\(level)' attributeType='Composite' composite='C\(level + 1)'/>"
      return "<composite name='C\(level)'>\(String(repeating: part, count: 12))</composite>"
    }
    let body = "<entity name='A'><attribute name='c' attributeType='Composite' composite='C0'/></entity>"
    #expect(throws: ArchiveError.self) {
      try ModelXMLReader(Data("<model>\(body + levels.joined())</model>".utf8)).read(into: NSManagedObjectModel())
    }
  }

  @Test func `values that multiply are left out in time`() throws {
    var archive = KeyedArchiveWriter()
    var list = archive.add("x")
    for _ in 0..<15 {
      list = archive.collection(class: KeyedArchiveWriter.Class.array, Array(repeating: list, count: 20))
    }
    let read = try KeyedArchive(archive.bytes(root: list))
    #expect(read.root?.foundationValue() == nil)
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
