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
}
