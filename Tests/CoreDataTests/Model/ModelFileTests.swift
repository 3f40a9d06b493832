import Foundation
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

  @Test func `every XML model of the corpus is read`() throws {
    let rows = ModelCorpus.rows("models.tsv").filter { $0[0].hasSuffix("/contents") }
    var empty = 0
    for row in rows {
      let model = try NSManagedObjectModel(readingFrom: try ModelCorpus.url(row[0]))
      empty += model.entities.isEmpty ? 1 : 0
    }
    print("XML models read: \(rows.count), without entities: \(empty)")
  }

  @Test func `for each store one exactly matching model file has its hashes and equals its cache`() throws {
    var compared = (hashes: 0, equal: 0)
    for store in try ModelCorpus.stores() {
      let files = store.exactModels.filter { $0.hasSuffix("/contents") }
      guard let metadata = store.metadata, !files.isEmpty else { continue }
      let plist = try #require(try BinaryPropertyList(metadata).value().foundationValue as? [String: Any])
      let hashes = try #require(plist["NSStoreModelVersionHashes"] as? [String: Data])
      let models = try files.map { try NSManagedObjectModel(readingFrom: try ModelCorpus.url($0)) }
      #expect(models.contains { $0.entityVersionHashesByName == hashes }, "\(store.path)")
      compared.hashes += 1
      guard let cache = store.cache else { continue }
      let cached = try ModelArchiveReader.model(cache: cache)
      // Left out: what the framework adds to a cache at run time (classes it could not load, indexes of old form),
      // and defaults, which one program sets in code.
      let runtime: Set = ["class", "compound indexes", "default"]
      let differences = models.map { model in
        model.differences(from: cached).filter { !runtime.contains($0.fact) && !$0.place.contains(" index ") }
      }
      #expect(differences.contains { $0.isEmpty }, "\(store.path): \(differences)")
      compared.equal += 1
    }
    print("stores compared with their XML models: \(compared)")
  }
}
