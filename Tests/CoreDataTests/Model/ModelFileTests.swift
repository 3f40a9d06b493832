import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite struct ModelFileTests {
  @Test func `every compiled model has the hashes that its VersionInfo records`() throws {
    var compared = (models: 0, checksums: 0)
    for row in ModelCorpus.rows("compiled.tsv") where row[0].hasSuffix("/VersionInfo.plist") {
      let folder = try ModelCorpus.url(row[0]).deletingLastPathComponent()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let versions = try #require(try CompiledModelVersions(folder: folder, names: names))
      for name in versions.names {
        let hashes = try #require(versions.hashes[name], "\(row[0]) \(name)")
        let model = try NSManagedObjectModel(readingFrom: versions.url(of: name))
        #expect(model.entityVersionHashesByName == hashes, "\(row[0]) \(name)")
        compared.models += 1
        guard let checksum = versions.checksums[name] else { continue }
        #expect(model.versionChecksum == checksum, "\(row[0]) \(name)")
        compared.checksums += 1
      }
    }
    print("compiled models compared with their VersionInfo: \(compared)")
  }

  @Test func `every compiled model of the corpus is read`() throws {
    let rows = ModelCorpus.rows("compiled.tsv").filter { $0[1...].contains("MOM") }
    for row in rows {
      let model = try NSManagedObjectModel(readingFrom: try ModelCorpus.url(row[0]))
      #expect(model.entities.isEmpty == row[0].contains("DVIA_v2"), "\(row[0])")
    }
    print("compiled models read: \(rows.count)")
  }

  @Test func `every model file of the corpus is read, but for the damaged ones, which give one line`() throws {
    var outcomes = (xml: 0, xcode3: 0, damaged: 0, withoutEntities: 0)
    for path in ModelCorpus.xmlFiles() + ModelCorpus.xcode3Files() {
      let url = try ModelCorpus.url(path)
      guard !ModelCorpus.isDamaged(path) else {
        let error = #expect(throws: CocoaError.self) { try NSManagedObjectModel(readingFrom: url) }
        let line = error?.localizedDescription ?? ""
        #expect(line.contains("elements") && !line.contains("\n"), "\(path): \(line)")
        outcomes.damaged += 1
        continue
      }
      let model = try NSManagedObjectModel(readingFrom: url)
      // The folder is the same model; some XML lies bare.
      if ["contents", "elements"].contains(url.lastPathComponent) {
        #expect(try NSManagedObjectModel(readingFrom: url.deletingLastPathComponent()) == model, "\(path)")
      }
      outcomes.withoutEntities += model.entities.isEmpty ? 1 : 0
      if path.hasSuffix("/elements") { outcomes.xcode3 += 1 } else { outcomes.xml += 1 }
    }
    print("model files read: \(outcomes)")
    guard ModelCorpus.folder != nil else { return }
    #expect(outcomes.xml == 238 && outcomes.xcode3 == 22 && outcomes.damaged == 7)
  }

  @Test func `for each store one exactly matching model file has its hashes and equals its cache`() throws {
    var compared = (hashes: 0, equal: 0)
    for store in try ModelCorpus.stores() {
      guard let metadata = store.metadata, !store.exactModels.isEmpty else { continue }
      let plist = try #require(try BinaryPropertyList(metadata).value().foundationValue as? [String: Any])
      let hashes = try #require(plist["NSStoreModelVersionHashes"] as? [String: Data])
      let models = try store.exactModels.map { try NSManagedObjectModel(readingFrom: try ModelCorpus.url($0)) }
      let matching = models.filter { $0.entityVersionHashesByName == hashes }
      #expect(!matching.isEmpty, "\(store.path)")
      compared.hashes += 1
      if let first = matching.first {
        if let checksum = plist["NSStoreModelVersionChecksumKey"] as? String {
          #expect(first.versionChecksum == checksum)
        }
        if let digest = plist["NSStoreModelVersionHashesDigest"] as? String {
          #expect(first.versionHashesDigest == digest)
        }
      }
      guard let cache = store.cache else { continue }
      let cached = try ModelArchiveReader.model(cache: cache)
      // Left out: what the framework adds to a cache at run time (classes it could not load, indexes of old form),
      // and defaults, which one program sets in code.
      let runtime: Set = ["class", "compound indexes", "default"]
      let differences = models.map { model in
        model.differences(from: cached).filter {
          !runtime.contains($0.fact) && !$0.place.contains(" index ") && !$0.fact.hasPrefix("template ")
        }
      }
      #expect(differences.contains { $0.isEmpty }, "\(store.path): \(differences)")
      compared.equal += 1
    }
    print("stores compared with their model files: \(compared)")
  }

  @Test(
    arguments: ["Model.mom", "Model.momd/VersionInfo.plist", "Model.xcdatamodel/contents"],
    ["a pipe", "a device", "no end"])
  func `what is no file in a model's place is refused, and not waited for`(path: String, kind: String) throws {
    let folder = try TemporaryDirectory()
    let file = folder.url.appending(path: path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    switch kind {
    case "a pipe": #expect(mkfifo(file.path, 0o600) == 0)
    case "a device": try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "/dev/zero")
    default:
      #expect(FileManager.default.createFile(atPath: file.path, contents: nil))
      try FileHandle(forWritingTo: file).truncate(atOffset: 1 << 40)
    }
    let place = path.contains("/") ? file.deletingLastPathComponent() : file
    #expect(throws: CocoaError.self) { try NSManagedObjectModel(readingFrom: place) }
    #expect(throws: CocoaError.self) { try NSManagedObjectModel(readingFrom: file) }
  }
}
