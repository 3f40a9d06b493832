import Foundation
import Testing

@testable import CoreData

@Suite struct ModelCacheTests {
  @Test func `every cache of the corpus decodes into the entities that the metadata names`() throws {
    var decoded = 0
    for store in try ModelCorpus.stores() {
      guard let cache = store.cache, let metadata = store.metadata else { continue }
      let model = try ModelArchiveReader.model(cache: cache)
      let plist = try #require(try BinaryPropertyList(metadata).value().foundationValue as? [String: Any])
      let hashes = try #require(plist["NSStoreModelVersionHashes"] as? [String: Data])
      #expect(Set(model.entitiesByName.keys) == Set(hashes.keys), "\(store.path)")
      decoded += 1
    }
    #expect(decoded == (ModelCorpus.folder == nil ? 0 : 34))
  }

  @Test func `computed hashes, checksum and digest equal those of every store with a cache`() throws {
    var compared = (models: 0, checksums: 0, digests: 0)
    for store in try ModelCorpus.stores() {
      guard let cache = store.cache, let metadata = store.metadata else { continue }
      let model = try ModelArchiveReader.model(cache: cache)
      let plist = try #require(try BinaryPropertyList(metadata).value().foundationValue as? [String: Any])
      let hashes = try #require(plist["NSStoreModelVersionHashes"] as? [String: Data])
      #expect(model.entityVersionHashesByName == hashes, "\(store.path)")
      for entity in model.entities { #expect(entity.versionHash == entity.name.flatMap { hashes[$0] }) }
      compared.models += 1
      if let checksum = plist["NSStoreModelVersionChecksumKey"] as? String {
        #expect(model.versionChecksum == checksum, "\(store.path)")
        compared.checksums += 1
      }
      if let digest = plist["NSStoreModelVersionHashesDigest"] as? String {
        #expect(model.versionHashesDigest == digest, "\(store.path)")
        compared.digests += 1
      }
    }
    print("hashes compared with the corpus: \(compared)")
    #expect(compared.models == (ModelCorpus.folder == nil ? 0 : 34))
  }
}
